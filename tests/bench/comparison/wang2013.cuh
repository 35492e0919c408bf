// SPDX-License-Identifier: BSD-3-Clause
/* Flooding with a kernel for check nodes (CNP) and a kernel for variable nodes (VNP): G. Wang, M. Wu, B. Yin and
 * J. R. Cavallaro, "High throughput low latency LDPC decoding on GPU for SDR systems", GlobalSIP 2013.
 * Each thread processes one lane of circulants. A thread block decodes a macro-codeword, which consists of NCW
 * codewords.
 *
 *   scratch of a macro-codeword, for each codeword:  L [COLUMNS] | channel [COLUMNS] | R [EDGES][Z] | state
 *
 * wang2013.c generates the prologue: macros of float.cuh, Z, NCW, THREADS, LAYERS, GROUPS, EDGES, DEGREE (largest
 * row), EARLY_STOP, and the tables layer_start (first edge of each layer), row_edge, group_start, column_edge. */
#include "../../../cuda/kernels/float.cuh"

#define COLUMNS (GROUPS * Z)

enum { BEGIN, TEST, CNP, VNP, END };

struct wang_args { // same values as in wang2013.c
    ldpc_cuda_args common;
    u32 phase, iteration;
};

struct codeword_counts {
    u32 unsatisfied[2], iterations, unused; // unsatisfied checks of even and odd iterations
};

#define CODEWORD_FLOATS ((size_t)(2 * COLUMNS + EDGES * Z + 4))

struct codeword_state {
    float *posterior, *channel, *msg;
    codeword_counts *state;
    u32 part, lane, codeword; // layer or column group
    u32 iteration;
    bool live;
};

#define WORKER(s)  ((s)->part * Z + (s)->lane)
#define WORKERS(s) COLUMNS

DEVICE_INLINE float posterior_at(const codeword_state *s, u32 position)
{
    return s->posterior[position];
}

#include "../../../cuda/kernels/single_codeword.cuh"

DEVICE u32 wrap(u32 lane)
{
    return lane >= Z ? lane - Z : lane;
}

DEVICE bool has(const codeword_state &j, u32 e)
{
    return j.lane != row_edge[e].missing_lane;
}

DEVICE float posterior_of(const codeword_state &j, u32 e)
{
    return j.posterior[row_edge[e].column + wrap(j.lane + row_edge[e].shift)];
}

DEVICE void begin(const ldpc_cuda_args &a, const codeword_state &j)
{
    u32 at = j.part * Z + j.lane;
    float value = ldpc_channel(&a, j.codeword, at, j.live);
    j.posterior[at] = j.channel[at] = value;
    for (u32 i = group_start[j.part]; i < group_start[j.part + 1]; i++)
        j.msg[column_edge[i].msg + j.lane] = 0;
    if (at == 0)
        j.state->unsatisfied[0] = j.state->unsatisfied[1] = j.state->iterations = 0;
}

DEVICE void test(const codeword_state &j)
{
    bool odd = false;
    for (u32 e = layer_start[j.part]; e < layer_start[j.part + 1]; e++)
        if (has(j, e))
            odd ^= posterior_of(j, e) < 0;
    if (odd)
        atomicAdd(&j.state->unsatisfied[j.iteration % 2], 1u);
}

// A finished codeword does not change, so recomputing its syndrome gives the same result.
DEVICE bool finished(const codeword_state &j)
{
    return EARLY_STOP && j.state->unsatisfied[j.iteration % 2] == 0;
}

// Equal logarithms must give exactly 0, so they are subtracted before scaling.
DEVICE float box_plus(float a, float b)
{
    const float ln_2 = 0.693147181f;
    float least = fminf(fabsf(a), fabsf(b)), sign = (a < 0) != (b < 0) ? -least : least;
    float more = __log2f(1.0f + __expf(-fabsf(a + b))) - __log2f(1.0f + __expf(-fabsf(a - b)));
    return fmaf(ln_2, more, sign);
}

// A constant loop length keeps messages in registers. Messages of missing edges are LIMIT, the largest magnitude.
DEVICE void sum_product(const float (&q)[DEGREE], float (&r)[DEGREE])
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

DEVICE void min_sum(const ldpc_cuda_args &a, const float (&q)[DEGREE], float (&r)[DEGREE])
{
    float min1 = LIMIT, min2 = LIMIT, min3 = LIMIT, msg_others, msg_min;
    bool odd = false;
#pragma unroll
    for (u32 i = 0; i < DEGREE; i++) {
        ldpc_insert_magnitude(fabsf(q[i]), &min1, &min2, &min3);
        odd ^= q[i] < 0;
    }
    ldpc_check_node_rule(&a, min1, min2, min3, &msg_others, &msg_min);
#pragma unroll
    for (u32 i = 0; i < DEGREE; i++) {
        float m = fabsf(q[i]) == min1 ? msg_min : msg_others;
        r[i] = odd != (q[i] < 0) ? -m : m;
    }
}

DEVICE void check_node(const ldpc_cuda_args &a, const codeword_state &j)
{
    float q[DEGREE], r[DEGREE];
    u32 first = layer_start[j.part], degree = layer_start[j.part + 1] - first;
    if (finished(j))
        return;
#pragma unroll
    for (u32 i = 0; i < DEGREE; i++)
        q[i] = i < degree && has(j, first + i) ? posterior_of(j, first + i) - j.msg[(first + i) * Z + j.lane]
                                               : LIMIT;
    if (RULE == LDPC_RULE_SUM_PRODUCT)
        sum_product(q, r);
    else
        min_sum(a, q, r);
#pragma unroll
    for (u32 i = 0; i < DEGREE; i++)
        if (i < degree && has(j, first + i))
            j.msg[(first + i) * Z + j.lane] = r[i];
}

DEVICE void variable_node(const codeword_state &j)
{
    u32 at = j.part * Z + j.lane;
    float sum = j.channel[at];
    if (at == 0)
        j.state->unsatisfied[(j.iteration + 1) % 2] = 0;
    if (finished(j))
        return;
    for (u32 i = group_start[j.part]; i < group_start[j.part + 1]; i++)
        sum += j.msg[column_edge[i].msg + wrap(j.lane + column_edge[i].back)]; // 0 in the missing lane
    j.posterior[at] = sum;
    if (at == 0)
        j.state->iterations++;
}

DEVICE void end(const ldpc_cuda_args &a, const codeword_state &j)
{
    if (!j.live)
        return;
    ldpc_store(&a, &j, j.codeword);
    if (a.info && WORKER(&j) == 0)
        ldpc_store_info(&a, j.codeword, j.state->iterations, j.state->unsatisfied[j.iteration % 2]);
}

extern "C" __global__ void __launch_bounds__(THREADS) ldpc_decode(const wang_args args)
{
    const ldpc_cuda_args &a = args.common;
    u32 parts = args.phase == TEST || args.phase == CNP ? LAYERS : GROUPS, macro = blockIdx.x / parts;
    u32 codeword = macro * NCW + threadIdx.x / Z;
    codeword_state j;
    if (threadIdx.x >= Z * NCW)
        return;
    j.part = blockIdx.x % parts;
    j.lane = threadIdx.x % Z;
    j.codeword = codeword;
    j.live = codeword < a.n_codewords;
    j.iteration = args.iteration;
    j.posterior = (float *)a.scratch + codeword * CODEWORD_FLOATS;
    j.channel = j.posterior + COLUMNS;
    j.msg = j.channel + COLUMNS;
    j.state = (codeword_counts *)(j.msg + EDGES * Z);
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
