// SPDX-License-Identifier: BSD-3-Clause
// Any binary code in float, layered or flooding. A block decodes WORDS words side by side: one, with a thread
// for each check of a stage, or several where the stages of the code have few checks. The checks of a stage
// have no column in common.
//
//   shared memory:       L [NEAR][WORDS] | flooding: sums [NEAR][WORDS] | NEAR_MESSAGES: R [ENTRIES][WORDS]
//   scratch of a block:  L and sums of the other positions | flooding: channel [POSITIONS][WORDS] |
//                        R, if not there | R' of a stage in which columns stand several times
//                        [FRESH][WORDS] | Q, R' of checks with more edges than registers [LARGEST][THREADS]
//
// The table (made by float.c): stages {first entry, checks, degree, most occurrences of a column - 1, plain}
// and entries {position, occurrence << 24} [degree][checks] of each; ~0: none. In front of this: float.cuh
// and the words in capitals.
#define GAP 0xffffffffu

// A thread has one check of each stage, and room in its registers for what the next one needs of memory. With
// several blocks on a multiprocessor these take turns anyway.
#define AHEAD       (BLOCKS == 1 && !NEAR_MESSAGES && CHECKS && CHECKS <= THREADS / WORDS && MOST_DEGREE <= 12)
#define AHEAD_EDGES (AHEAD ? MOST_DEGREE : 1)

// Where a check's results go: to R and L (flooding: the sum) at once; when all threads have met, if columns
// stand in the stage several times; or, if moreover a thread has several checks, to R'. PLAIN: at once, in a
// stage whose positions are all in shared memory and whose checks have all their edges.
enum { PLAIN, IN_PLACE, TOGETHER, APART };

struct values { // of positions
    float *near, *any,
        *far; // any: near, for who may mean far; far: as if those of near stood in front of them
};

struct float_state {
    values posterior, sum;
    float *channel, *msg, *fresh, *rows;
    u32 lane, worker;
    bool active;
};

struct float_stage {
    const u32 *entries;
    u32 checks, degree, most, first; // first entry
    bool plain;
};

static __device__ __forceinline__ float_stage stage_of(const ldpc_args &a, u32 i)
{
    const u32 *numbers = a.table + 5 * i;
    u32 first = __ldg(numbers), checks = CHECKS ? CHECKS : __ldg(numbers + 1);
    return {a.table + 5 * STAGES + first, checks, __ldg(numbers + 2),
            __ldg(numbers + 3),           first,  __ldg(numbers + 4) != 0};
}

// Blocks of one word are done with it when it is done.
static __device__ __forceinline__ bool active(const float_state &s)
{
    return WORDS == 1 || s.active;
}

// ---- memory

// The same address, of which the compiler forgets that it is one of shared memory: it would find that out
// anew for each access.
static __device__ __forceinline__ float *any_memory(float *p)
{
#ifdef __CUDA_ARCH__
    asm volatile("" : "+l"(p));
#endif
    return p;
}

// Of an entry's position; where no column stands in a stage twice, that is all there is to an entry.
template <int WHERE = APART> static __device__ __forceinline__ u32 place(const float_state &s, u32 entry)
{
    return (WHERE <= IN_PLACE ? entry : entry & 0xffffff) * WORDS + s.lane;
}

// No branches: the loads of a check are to be on their way together.
template <int WHERE = APART> static __device__ __forceinline__ float *pointer(const values &v, u32 at)
{
    if (WHERE == PLAIN || NEAR == POSITIONS)
        return v.near + at;
    return (at < NEAR * WORDS ? v.any : v.far) + at;
}

template <int WHERE = APART> static __device__ __forceinline__ float read(const values &v, u32 at)
{
    return *pointer<WHERE>(v, at);
}

template <int WHERE = APART> static __device__ __forceinline__ void write(const values &v, u32 at, float x)
{
    *pointer<WHERE>(v, at) = x;
}

template <int WHERE = APART> static __device__ __forceinline__ bool gap(u32 entry)
{
    return GAPS && WHERE != PLAIN && entry == GAP;
}

// ---- the check node, with numbers in registers or, of large degree, in memory

template <typename T, u32 DEGREE> struct near_row {
    T v[DEGREE];
    __device__ __forceinline__ T &operator[](u32 j)
    {
        return v[j];
    }
};

struct far_row {
    float *v;
    __device__ __forceinline__ float &operator[](u32 j)
    {
        return v[j * THREADS];
    }
};

template <typename T> struct far_column {
    const T *v;
    u32 step;
    __device__ __forceinline__ T operator[](u32 j)
    {
        return v[(size_t)j * step];
    }
};

// What memory has of the edges of a check: entries, and R of before.
template <u32 DEGREE> struct near_edges {
    near_row<u32, DEGREE> entries;
    near_row<float, DEGREE> old;
};

// Of the hardware, with numbers below 2^-126 as 0: half the instructions.
#ifdef __CUDA_ARCH__
#define FAST(name, code)                                                                                     \
    static __device__ __forceinline__ float name(float x)                                                    \
    {                                                                                                        \
        float y;                                                                                             \
        asm(code ".approx.ftz.f32 %0,%1;" : "=f"(y) : "f"(x));                                               \
        return y;                                                                                            \
    }
FAST(power2, "ex2")
FAST(logarithm2, "lg2")
FAST(inverse, "rcp")
#else
static float power2(float x)
{
    return exp2f(x);
}
static float logarithm2(float x)
{
    return log2f(x);
}
static float inverse(float x)
{
    return 1 / x;
}
#endif

// Magnitudes of the box-plus of what stands before each edge and what follows it. With x = exp(-|q|) box-plus
// is (x + y) / (1 + x y); what stands before is kept as a fraction, which needs no division.
template <class Row> static __device__ __forceinline__ void sum_product(Row &q, Row &r, u32 degree)
{
    const float log2_e = 1.44269504f;
    float after = 0, above = 0, below = 1;
#pragma unroll
    for (u32 i = 0; i < degree; i++) {
        u32 j = degree - 1 - i;
        float x = power2(-log2_e * fabsf(q[j]));
        r[j] = after;
        after = (after + x) * inverse(fmaf(after, x, 1.0f));
    }
#pragma unroll
    for (u32 j = 0; j < degree; j++) {
        float x = power2(-log2_e * fabsf(q[j])), before = above;
        r[j] = logarithm2(fmaf(above, r[j], below) * inverse(fmaf(below, r[j], above))) * (1 / log2_e);
        above = fmaf(below, x, above);
        below = fmaf(before, x, below);
        if (j % 64 == 63) // both have doubled at most each time
            above *= inverse(below), below = 1;
    }
}

// R' from Q. Minus zero does not occur: the channel has none.
template <class Row>
static __device__ __forceinline__ void messages(const ldpc_args &a, Row &q, Row &r, u32 degree)
{
    float u = LIMIT, v = LIMIT, w = LIMIT, msg_others, msg_min;
    u32 signs = 0;
#pragma unroll
    for (u32 j = 0; j < degree; j++) {
        float m = fabsf(q[j]);
        w = fminf(w, fmaxf(v, m)); // nothing where the rule does not ask for it
        v = fminf(v, fmaxf(u, m));
        u = fminf(u, m);
        signs ^= __float_as_uint(q[j]);
    }
    if (RULE == 5) {
        sum_product(q, r, degree);
        msg_others = u, msg_min = v; // which holds too where x has come down to 0
    } else
        magnitudes(a, u, v, w, msg_others, msg_min);
#pragma unroll
    for (u32 j = 0; j < degree; j++) {
        float m = fabsf(q[j]) == u ? msg_min : msg_others;
        if (RULE == 5)
            m = fminf(m, fmaxf(r[j], 0.0f)); // rounding leaves r a little below 0 where an edge knows nothing
        r[j] = __uint_as_float(((signs ^ __float_as_uint(q[j])) & 0x80000000u) | __float_as_uint(m));
    }
}

// A message takes the place of the old one; at, where its position stands, becomes `posterior`.
template <int WHERE>
static __device__ __forceinline__ void deliver(const float_state &s, u32 at, float *msg, float posterior,
                                               float fresh)
{
    if (FLOODING)
        write<WHERE>(s.sum, at, read<WHERE>(s.sum, at) + fresh);
    else
        write<WHERE>(s.posterior, at, posterior);
    *msg = fresh;
}

// One that stands in its stage several times: it adds what the message has changed.
static __device__ __forceinline__ void deliver_again(const float_state &s, u32 at, float *msg, float fresh)
{
    deliver<APART>(s, at, msg, read(s.posterior, at) + (fresh - *msg), fresh);
}

template <u32 DEGREE>
static __device__ __forceinline__ void fetch(const float_state &s, const float_stage &stage, u32 c,
                                             u32 degree, near_edges<DEGREE> &edges)
{
    const float *msg = s.msg + ((size_t)stage.first + c) * WORDS + s.lane;
#pragma unroll
    for (u32 j = 0; j < DEGREE; j++)
        if (j < degree) {
            edges.entries[j] = __ldg(stage.entries + (size_t)j * stage.checks + c);
            edges.old[j] = msg[(size_t)j * stage.checks * WORDS];
        }
}

// Check c of a stage; not `active`: without results.
template <int WHERE, class Entries, class Old, class Row>
static __device__ __forceinline__ void check_node(const ldpc_args &a, const float_state &s,
                                                  const float_stage &stage, u32 c, bool active, u32 degree,
                                                  Entries &entries, Old &old, Row &q, Row &r)
{
    const u32 step = stage.checks * WORDS;
    float *const msg = s.msg + ((size_t)stage.first + c) * WORDS + s.lane;
#pragma unroll
    for (u32 j = 0; j < degree; j++) {
        u32 entry = entries[j];
        float posterior = read<WHERE>(s.posterior, place<WHERE>(s, gap<WHERE>(entry) ? 0 : entry));
        q[j] = gap<WHERE>(entry) ? LIMIT : posterior - old[j];
    }
    messages(a, q, r, degree);
    for (u32 occurrence = 0; WHERE == TOGETHER && occurrence <= stage.most; occurrence++) {
        __syncthreads();
#pragma unroll
        for (u32 j = 0; j < degree; j++)
            if (active && !gap(entries[j]) && entries[j] >> 24 == occurrence)
                deliver_again(s, place(s, entries[j]), msg + (size_t)j * step, r[j]);
    }
#pragma unroll
    for (u32 j = 0; WHERE != TOGETHER && j < degree; j++) {
        u32 entry = entries[j];
        if (gap<WHERE>(entry) || !active)
            continue;
        if (WHERE == APART)
            s.fresh[((size_t)j * stage.checks + c) * WORDS + s.lane] = r[j];
        else
            deliver<WHERE>(s, place<WHERE>(s, entry), msg + (size_t)j * step, q[j] + r[j], r[j]);
    }
}

template <int WHERE, u32 DEGREE>
static __device__ __forceinline__ void check_nodes(const ldpc_args &a, const float_state &s,
                                                   const float_stage &stage, near_edges<AHEAD_EDGES> &ahead)
{
    const u32 last = stage.checks - 1, end = WHERE == TOGETHER ? THREADS / WORDS : stage.checks;
    for (u32 mine = s.worker; mine < end; mine += THREADS / WORDS) {
        bool has = WHERE != TOGETHER || mine <= last; // all meet, also those without a check
        u32 c = has ? mine : last;
        near_edges<DEGREE> edges;
        near_row<float, DEGREE> q, r;
        if (AHEAD)
#pragma unroll
            for (u32 j = 0; j < DEGREE && j < AHEAD_EDGES; j++)
                edges.entries[j] = ahead.entries[j], edges.old[j] = ahead.old[j];
        else
            fetch(s, stage, c, DEGREE, edges);
        check_node<WHERE>(a, s, stage, c, active(s) && has, DEGREE, edges.entries, edges.old, q, r);
    }
}

template <int WHERE>
static __device__ __forceinline__ void large_nodes(const ldpc_args &a, const float_state &s,
                                                   const float_stage &stage)
{
    far_row q = {s.rows + threadIdx.x}, r = {q.v + LARGEST * THREADS};
    for (u32 c = s.worker; c < stage.checks; c += THREADS / WORDS) {
        far_column<u32> entries = {stage.entries + c, stage.checks};
        far_column<float> old = {s.msg + ((size_t)stage.first + c) * WORDS + s.lane, stage.checks * WORDS};
        check_node<WHERE>(a, s, stage, c, active(s), stage.degree, entries, old, q, r);
    }
}

template <int WHERE>
static __device__ __forceinline__ void all_nodes(const ldpc_args &a, const float_state &s,
                                                 const float_stage &stage, near_edges<AHEAD_EDGES> &ahead)
{
    switch (stage.degree) {
#define CASE(degree)                                                                                         \
    case degree:                                                                                             \
        check_nodes<WHERE, degree>(a, s, stage, ahead);                                                      \
        break;
        EACH_DEGREE(CASE)
    default:
        if (LARGEST)
            large_nodes<WHERE>(a, s, stage);
    }
}

// ---- iterations

// A check for each thread, in registers.
static __device__ __forceinline__ bool fits_together(const float_stage &stage)
{
    return stage.checks <= THREADS / WORDS && (!LARGEST || stage.degree <= UNROLLED);
}

// Occurrence by occurrence.
static __device__ void add_occurrences(const float_state &s, const float_stage &stage)
{
    for (u32 occurrence = 0; occurrence <= stage.most; occurrence++) {
        __syncthreads();
        for (u32 e = s.worker; e < stage.checks * stage.degree; e += THREADS / WORDS) {
            u32 entry = __ldg(stage.entries + e), at = place(s, entry);
            if (gap(entry) || entry >> 24 != occurrence || !active(s))
                continue;
            deliver_again(s, at, s.msg + ((size_t)stage.first + e) * WORDS + s.lane,
                          s.fresh[(size_t)e * WORDS + s.lane]);
        }
    }
}

// The messages of a stage on their way to L2, while the one before it is under work.
static __device__ __forceinline__ void prefetch(const float_state &s, const float_stage &stage)
{
#ifdef __CUDA_ARCH__
    const u32 line = 32; // floats
    for (u32 e = line * threadIdx.x; e < stage.checks * stage.degree * WORDS; e += line * THREADS)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(s.msg + (size_t)stage.first * WORDS + e));
#endif
}

static __device__ void begin_sums(const float_state &s)
{
    for (u32 p = s.worker; p < POSITIONS; p += THREADS / WORDS) {
        u32 at = place(s, p);
        write(s.sum, at, active(s) ? s.channel[at] : read(s.posterior, at));
    }
    __syncthreads();
}

static __device__ __forceinline__ void update(const ldpc_args &a, const float_state &s,
                                              const float_stage &stage, near_edges<AHEAD_EDGES> &ahead)
{
    if (REPEATS && stage.most && (!FRESH || fits_together(stage)))
        all_nodes<TOGETHER>(a, s, stage, ahead);
    else if (FRESH && stage.most) {
        all_nodes<APART>(a, s, stage, ahead);
        add_occurrences(s, stage);
    } else if (stage.plain)
        all_nodes<PLAIN>(a, s, stage, ahead);
    else
        all_nodes<IN_PLACE>(a, s, stage, ahead);
}

static __device__ __forceinline__ void iterate(const ldpc_args &a, float_state &s)
{
    if (FLOODING)
        begin_sums(s);
    near_edges<AHEAD_EDGES> ahead, after;
    float_stage stage = stage_of(a, 0), next = stage_of(a, 1 % STAGES);
    const u32 mine = min(s.worker, stage.checks - 1);
    if (AHEAD)
        fetch(s, stage, mine, stage.degree, ahead);
    for (u32 i = 0; i < STAGES; i++) {
        if (!NEAR_MESSAGES)
            prefetch(s, stage_of(a, (i + (AHEAD ? 2 : 1)) % STAGES));
        if (AHEAD && i + 1 < STAGES)
            fetch(s, next, mine, next.degree, after);
        update(a, s, stage, ahead);
        __syncthreads();
        ahead = after;
        stage = AHEAD ? next : stage_of(a, (i + 1) % STAGES);
        next = stage_of(a, (i + 2) % STAGES);
    }
    if (FLOODING) {
        values before = s.posterior;
        s.posterior = s.sum;
        s.sum = before;
    }
}

// Unsatisfied checks of the lane's word, the same in all its threads. For the question whether there are any,
// a block of one word stops at the first it finds.
static __device__ u32 unsatisfied(const ldpc_args &a, const float_state &s, bool all, u32 *count)
{
    u32 mine = 0;
    if (threadIdx.x < 32)
        count[threadIdx.x] = 0;
    __syncthreads();
    for (u32 i = 0; i < STAGES; i++) {
        float_stage stage = stage_of(a, i);
        for (u32 first = 0; first < stage.checks; first += THREADS / WORDS) {
            u32 odd = 0, c = first + s.worker;
            for (u32 j = 0; j < stage.degree && c < stage.checks; j++) {
                u32 entry = __ldg(stage.entries + (size_t)j * stage.checks + c);
                odd ^= !gap(entry) && read(s.posterior, place(s, entry)) < 0;
            }
            mine += odd;
            if (WORDS == 1 && !all && __syncthreads_or(odd))
                return 1;
        }
    }
    if (mine)
        atomicAdd(&count[s.lane], mine);
    __syncthreads();
    mine = count[s.lane];
    __syncthreads();
    return mine;
}

// ---- in and out

static __device__ void load(const ldpc_args &a, const float_state &s, u32 word, bool live)
{
    for (u32 p = s.worker; p < POSITIONS; p += THREADS / WORDS) {
        int source = a.source[p];
        float value = source == -2 ? KNOWN : 0;
        if (source >= 0 && live)
            value = channel_of(a, (size_t)word * a.n + source) + 0.0f; // minus zero becomes zero
        write(s.posterior, place(s, p), value);
        if (FLOODING)
            s.channel[place(s, p)] = value;
    }
    for (u32 e = s.worker; e < ENTRIES; e += THREADS / WORDS)
        s.msg[(size_t)e * WORDS + s.lane] = 0;
    __syncthreads();
}

static __device__ void store_bits(const float_state &s, const u32 *at, u32 bits, u8 *out)
{
    for (u32 byte = s.worker; byte < (bits + 7) / 8; byte += THREADS / WORDS) {
        u32 packed = 0;
        for (u32 i = 8 * byte; i < 8 * byte + 8; i++) {
            bool one = i < bits && at[i] != 0xffffffff && read(s.posterior, place(s, at[i])) < 0;
            packed = packed << 1 | one;
        }
        out[byte] = (u8)packed;
    }
}

static __device__ void store(const ldpc_args &a, const float_state &s, u32 word)
{
    if (a.message)
        store_bits(s, a.message_at, a.k, a.message + (size_t)word * ((a.k + 7) / 8));
    if (a.codeword)
        store_bits(s, a.codeword_at, a.n, a.codeword + (size_t)word * ((a.n + 7) / 8));
    for (u32 i = s.worker; a.posterior && i < a.n; i += THREADS / WORDS) {
        u32 at = a.codeword_at[i];
        a.posterior[(size_t)word * a.n + i] =
            at == 0xffffffff ? 127 : (short)steps(read(s.posterior, place(s, at)));
    }
}

extern __shared__ u32 sm[];

// Hands out shared memory and scratch, in the order of the picture above.
static __device__ __forceinline__ float_state open(const ldpc_args &a)
{
    const size_t far = (size_t)(POSITIONS - NEAR) * WORDS, all = (size_t)POSITIONS * WORDS,
                 msg = (size_t)ENTRIES * WORDS, fresh = (size_t)FRESH * WORDS;
    const size_t mine = (FLOODING ? 2 * far + all : far) + (NEAR_MESSAGES ? 0 : msg) + fresh +
                        2 * (size_t)LARGEST * THREADS + 4;
    float *near = (float *)sm, *scratch = (float *)a.scratch + blockIdx.x * mine;
    float_state s;
    s.lane = threadIdx.x % WORDS;
    s.worker = threadIdx.x / WORDS;
    s.posterior = {near, any_memory(near), scratch - NEAR * WORDS};
    near += NEAR * WORDS, scratch += far;
    if (FLOODING) {
        s.sum = {near, any_memory(near), scratch - NEAR * WORDS};
        s.channel = scratch + far;
        near += NEAR * WORDS, scratch += far + all;
    }
    s.msg = NEAR_MESSAGES ? near : scratch;
    s.fresh = NEAR_MESSAGES ? scratch : scratch + msg;
    s.rows = s.fresh + fresh;
    return s;
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) ldpc_decode(const ldpc_args a)
{
    __shared__ u32 count[32], ticket;
    float_state s = open(a);
    for (u32 pieces = (a.words + WORDS - 1) / WORDS, piece;
         (piece = ldpc_next(a, pieces, &ticket)) < pieces;) {
        u32 word = WORDS * piece + s.lane, iterations = 0, bad = 0;
        bool live = word < a.words;
        s.active = live;
        load(a, s, word, live);
        for (u32 i = 0;; i++) {
            bool last = i == a.max_iterations;
            if (a.early_stop || (last && a.info)) {
                u32 now = unsatisfied(a, s, last, count);
                bad = s.active ? now : bad;
            }
            if (s.active && (last || (a.early_stop && bad == 0))) {
                iterations = i;
                s.active = false;
            }
            if (WORDS > 1 ? !__any_sync(0xffffffff, s.active) : !s.active)
                break;
            iterate(a, s);
        }
        if (live) {
            store(a, s, word);
            if (a.info && s.worker == 0)
                ldpc_store_info(a, word, iterations, bad);
        }
        __syncthreads();
    }
}
