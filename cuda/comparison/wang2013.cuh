// SPDX-License-Identifier: BSD-3-Clause
// Flooding in two kernels, as G. Wang, M. Wu, B. Yin and J. R. Cavallaro describe it ("High throughput low
// latency LDPC decoding on GPU for SDR systems", GlobalSIP 2013): check-node processing (CNP) and
// variable-node processing (VNP) are launched in turn, all values are in global memory. A thread is one lane
// of a row or a column of circulants; a block has the threads of NCW words, a macro-codeword, and a launch
// holds those of N_MCW of them for each row or column.
//
//   scratch of a macro-codeword, for each word:  L [COLUMNS] | channel [COLUMNS] | R [EDGES][Z] | its state
//
// In front of this, made by wang2013.c: float.cuh, Z, NCW, THREADS, LAYERS, GROUPS, EDGES, DEGREE (of the
// largest row), EARLY_STOP, and in constant memory, where a warp reads one number at once: layer_start (first
// edge of each layer), row_edge, group_start, column_edge.
#define COLUMNS (GROUPS * Z)

enum { BEGIN, TEST, CNP, VNP, END };

struct wang_args { // the same as in wang2013.c
    ldpc_args common;
    u32 phase, iteration;
};

struct word_state {
    u32 unsatisfied[2], iterations, unused; // counted before even and odd iterations
};

#define WORD_FLOATS ((size_t)(2 * COLUMNS + EDGES * Z + 4))

struct job {
    float *posterior, *channel, *msg;
    word_state *state;
    u32 part, lane, word; // part: layer or group
    u32 iteration;
    bool live;
};

static __device__ u32 wrap(u32 lane)
{
    return lane >= Z ? lane - Z : lane;
}

static __device__ bool has(const job &j, u32 e)
{
    return j.lane != row_edge[e].absent;
}

static __device__ float posterior_of(const job &j, u32 e)
{
    return j.posterior[row_edge[e].column + wrap(j.lane + row_edge[e].shift)];
}

static __device__ void begin(const ldpc_args &a, const job &j)
{
    u32 at = j.part * Z + j.lane;
    int source = a.source[at];
    float value = source == -2 ? KNOWN : 0;
    if (source >= 0 && j.live)
        value = channel_of(a, (size_t)j.word * a.n + source);
    j.posterior[at] = j.channel[at] = value;
    for (u32 i = group_start[j.part]; i < group_start[j.part + 1]; i++)
        j.msg[column_edge[i].msg + j.lane] = 0;
    if (at == 0)
        j.state->unsatisfied[0] = j.state->unsatisfied[1] = j.state->iterations = 0;
}

static __device__ void test(const job &j)
{
    bool odd = false;
    for (u32 e = layer_start[j.part]; e < layer_start[j.part + 1]; e++)
        if (has(j, e))
            odd ^= posterior_of(j, e) < 0;
    if (odd)
        atomicAdd(&j.state->unsatisfied[j.iteration % 2], 1u);
}

// Such words stay as they are: they are counted again before each iteration, with the same result.
static __device__ bool finished(const job &j)
{
    return EARLY_STOP && j.state->unsatisfied[j.iteration % 2] == 0;
}

// Logarithms of equal numbers must leave nothing, so that 0 stays 0: their difference is taken before it is
// scaled.
static __device__ float box_plus(float a, float b)
{
    const float ln_2 = 0.693147181f;
    float least = fminf(fabsf(a), fabsf(b)), sign = (a < 0) != (b < 0) ? -least : least;
    float more = __log2f(1.0f + __expf(-fabsf(a + b))) - __log2f(1.0f + __expf(-fabsf(a - b)));
    return fmaf(ln_2, more, sign);
}

// All DEGREE of them, so that they stay in registers: what a row does not have is LIMIT and changes nothing.
static __device__ void sum_product(const float (&q)[DEGREE], float (&r)[DEGREE])
{
    float after = LIMIT, before = LIMIT;
#pragma unroll
    for (u32 i = DEGREE; i-- > 0;) {
        r[i] = after;
        after = box_plus(after, q[i]);
    }
#pragma unroll
    for (u32 i = 0; i < DEGREE; i++) {
        r[i] = limited(box_plus(before, r[i]));
        before = box_plus(before, q[i]);
    }
}

static __device__ void min_sum(const ldpc_args &a, const float (&q)[DEGREE], float (&r)[DEGREE])
{
    float u = LIMIT, v = LIMIT, w = LIMIT, msg_others, msg_min;
    bool odd = false;
#pragma unroll
    for (u32 i = 0; i < DEGREE; i++) {
        float m = fabsf(q[i]);
        w = fminf(w, fmaxf(v, m)); // nothing where the rule does not ask for it
        v = fminf(v, fmaxf(u, m));
        u = fminf(u, m);
        odd ^= q[i] < 0;
    }
    magnitudes(a, u, v, w, msg_others, msg_min);
#pragma unroll
    for (u32 i = 0; i < DEGREE; i++) {
        float m = fabsf(q[i]) == u ? msg_min : msg_others;
        r[i] = odd != (q[i] < 0) ? -m : m;
    }
}

static __device__ void check_node(const ldpc_args &a, const job &j)
{
    float q[DEGREE], r[DEGREE];
    u32 first = layer_start[j.part], degree = layer_start[j.part + 1] - first;
    if (finished(j))
        return;
#pragma unroll
    for (u32 i = 0; i < DEGREE; i++)
        q[i] = i < degree && has(j, first + i) ? posterior_of(j, first + i) - j.msg[(first + i) * Z + j.lane]
                                               : LIMIT;
    if (RULE == 5)
        sum_product(q, r);
    else
        min_sum(a, q, r);
#pragma unroll
    for (u32 i = 0; i < DEGREE; i++)
        if (i < degree && has(j, first + i))
            j.msg[(first + i) * Z + j.lane] = r[i];
}

static __device__ void variable_node(const job &j)
{
    u32 at = j.part * Z + j.lane;
    float sum = j.channel[at];
    if (at == 0)
        j.state->unsatisfied[(j.iteration + 1) % 2] = 0;
    if (finished(j))
        return;
    for (u32 i = group_start[j.part]; i < group_start[j.part + 1]; i++)
        sum += j.msg[column_edge[i].msg + wrap(j.lane + column_edge[i].back)]; // 0 in the absent lane
    j.posterior[at] = sum;
    if (at == 0)
        j.state->iterations++;
}

static __device__ void put_byte(const job &j, const u32 *at, u32 bits, u32 byte, u8 *out)
{
    u32 packed = 0;
    for (u32 i = 8 * byte; i < 8 * byte + 8; i++)
        packed = packed << 1 | (i < bits && at[i] != 0xffffffff && j.posterior[at[i]] < 0);
    out[byte] = (u8)packed;
}

static __device__ void end(const ldpc_args &a, const job &j)
{
    u32 thread = j.part * Z + j.lane, message = (a.k + 7) / 8, codeword = (a.n + 7) / 8;
    if (!j.live)
        return;
    for (u32 b = thread; a.message && b < message; b += COLUMNS)
        put_byte(j, a.message_at, a.k, b, a.message + (size_t)j.word * message);
    for (u32 b = thread; a.codeword && b < codeword; b += COLUMNS)
        put_byte(j, a.codeword_at, a.n, b, a.codeword + (size_t)j.word * codeword);
    for (u32 i = thread; a.posterior && i < a.n; i += COLUMNS) {
        u32 at = a.codeword_at[i];
        a.posterior[(size_t)j.word * a.n + i] = at == 0xffffffff ? 127 : (short)steps(j.posterior[at]);
    }
    if (a.info && thread == 0)
        ldpc_store_info(a, j.word, j.state->iterations, j.state->unsatisfied[j.iteration % 2]);
}

extern "C" __global__ void __launch_bounds__(THREADS) ldpc_decode(const wang_args args)
{
    const ldpc_args &a = args.common;
    u32 parts = args.phase == TEST || args.phase == CNP ? LAYERS : GROUPS, macro = blockIdx.x / parts;
    u32 slot = macro * NCW + threadIdx.x / Z;
    job j;
    if (threadIdx.x >= Z * NCW)
        return;
    j.part = blockIdx.x % parts;
    j.lane = threadIdx.x % Z;
    j.word = slot;
    j.live = slot < a.words;
    j.iteration = args.iteration;
    j.posterior = (float *)a.scratch + slot * WORD_FLOATS;
    j.channel = j.posterior + COLUMNS;
    j.msg = j.channel + COLUMNS;
    j.state = (word_state *)(j.msg + EDGES * Z);
    switch (args.phase) {
    case BEGIN:
        begin(a, j);
        break;
    case TEST:
        test(j);
        break;
    case CNP:
        check_node(a, j);
        break;
    case VNP:
        variable_node(j);
        break;
    default:
        end(a, j);
    }
}
