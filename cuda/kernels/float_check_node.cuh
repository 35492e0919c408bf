// SPDX-License-Identifier: BSD-3-Clause
// Check nodes of the kernel "float". The numbers of a check with up to UNROLLED edges are in registers:
// arrays with `step` 1 that only constants index. Those of a larger check are in memory, `step` apart.
#include "float_memory.cuh"

// A thread has one check of each stage, and registers for what its check of the next stage needs of memory,
// so that this is loaded a stage ahead. With several thread blocks on a multiprocessor others work meanwhile.
#define AHEAD                                                                                                \
    (BLOCKS == 1 && !SHARED_MESSAGES && CHECKS && CHECKS <= THREADS / CODEWORDS && MOST_DEGREE <= 12)
#define AHEAD_EDGES (AHEAD ? MOST_DEGREE : 1)

// The entries and old check_msgs of the edges of a check, loaded ahead.
typedef struct edges_ahead {
    u32 entries[AHEAD_EDGES];
    float old[AHEAD_EDGES];
} edges_ahead;

// ---- sum-product

// Hardware approximations, denormals flushed to 0: half the instructions.
#ifdef __CUDA_ARCH__
#define FAST(name, code)                                                                                     \
    DEVICE_INLINE float name(float x)                                                                        \
    {                                                                                                        \
        float y;                                                                                             \
        asm(code ".approx.ftz.f32 %0,%1;" : "=f"(y) : "f"(x));                                               \
        return y;                                                                                            \
    }
FAST(power2, "ex2")
FAST(logarithm2, "lg2")
FAST(inverse, "rcp")
#else
DEVICE_INLINE float power2(float x)
{
    return exp2f(x);
}
DEVICE_INLINE float logarithm2(float x)
{
    return log2f(x);
}
DEVICE_INLINE float inverse(float x)
{
    return 1 / x;
}
#endif

#define LOG2_E       1.44269504f
#define RESCALE_STEP 64 // edges after which the fraction is reduced: both parts at most double with each

// Magnitudes of the messages: for each edge the box-plus of all edges before it and all edges after it. With
// x = exp(-|q|), box-plus is (x + y) / (1 + x y); that of the edges before is kept as a fraction above /
// below, which needs no division.
DEVICE_INLINE void sum_product(const float *q, float *r, u32 step, u32 degree)
{
    float after = 0, above = 0, below = 1;
#pragma unroll
    for (u32 i = 0; i < degree; i++) {
        u32 j = degree - 1 - i;
        float x = power2(-LOG2_E * fabsf(q[j * step]));
        r[j * step] = after;
        after = (after + x) * inverse(fmaf(after, x, 1.0f));
    }
#pragma unroll
    for (u32 j = 0; j < degree; j++) {
        float x = power2(-LOG2_E * fabsf(q[j * step])), before = above, next = r[j * step];
        r[j * step] = logarithm2(fmaf(above, next, below) * inverse(fmaf(below, next, above))) * (1 / LOG2_E);
        above = fmaf(below, x, above);
        below = fmaf(before, x, below);
        if (j % RESCALE_STEP == RESCALE_STEP - 1)
            above *= inverse(below), below = 1;
    }
}

// ---- one check

// R' from Q. Minus zero does not occur: the channel has none.
DEVICE_INLINE void messages(const ldpc_cuda_args *a, const float *q, float *r, u32 step, u32 degree)
{
    float min1 = LIMIT, min2 = LIMIT, min3 = LIMIT, msg_others, msg_min;
    u32 signs = 0;
#pragma unroll
    for (u32 j = 0; j < degree; j++) {
        ldpc_insert_magnitude(fabsf(q[j * step]), &min1, &min2, &min3);
        signs ^= __float_as_uint(q[j * step]);
    }
    if (RULE == LDPC_RULE_SUM_PRODUCT) {
        sum_product(q, r, step, degree);
        msg_others = min1, msg_min = min2; // upper bounds; they also cover underflow of x to 0
    } else {
        ldpc_check_node_rule(a, min1, min2, min3, &msg_others, &msg_min);
    }
#pragma unroll
    for (u32 j = 0; j < degree; j++) {
        float m = fabsf(q[j * step]) == min1 ? msg_min : msg_others;
        if (RULE == LDPC_RULE_SUM_PRODUCT) // rounding leaves r a little below 0 where an edge knows nothing
            m = fminf(m, fmaxf(r[j * step], 0.0f));
        r[j * step] =
            __uint_as_float(((signs ^ __float_as_uint(q[j * step])) & 0x80000000u) | __float_as_uint(m));
    }
}

// Stores a new message, and the posterior of column `at` (flooding: adds the message to its sum).
DEVICE_INLINE void deliver(int where, const codeword_state *s, u32 at, float *msg, float posterior,
                           float fresh)
{
    if (FLOODING)
        *pointer_to(where, &s->sum, at) = *pointer_to(where, &s->sum, at) + fresh;
    else
        *pointer_to(where, &s->posterior, at) = posterior;
    *msg = fresh;
}

// For a column that is repeated in the stage: adds R' - R to its posterior.
DEVICE_INLINE void deliver_again(const codeword_state *s, u32 at, float *msg, float fresh)
{
    float posterior = *pointer_to(TO_WAITING, &s->posterior, at);
    deliver(TO_WAITING, s, at, msg, posterior + (fresh - *msg), fresh);
}

// Stores the results of a check in a stage with repeated columns: occurrence by occurrence, each after a
// barrier.
DEVICE_INLINE void deliver_in_turn(const codeword_state *s, const float_stage *stage, bool active, u32 degree,
                                   const u32 *entries, const float *r, float *msg)
{
    const u32 edge_step = stage->checks * CODEWORDS;
    for (u32 occurrence = 0; occurrence <= stage->repeats; occurrence++) {
        __syncthreads();
#pragma unroll
        for (u32 j = 0; j < degree; j++)
            if (active && !lacks_edge(TO_WAITING, entries[j]) && occurrence_of(entries[j]) == occurrence)
                deliver_again(s, value_of(TO_WAITING, s, entries[j]), msg + (size_t)j * edge_step, r[j]);
    }
}

// Processes check c of a stage; stores results only if `active`. entries, old, q, r: see above, each with its
// step.
DEVICE_INLINE void check_node(const ldpc_cuda_args *a, const codeword_state *s, const float_stage *stage,
                              int where, u32 c, bool active, u32 degree, const u32 *entries, u32 entry_step,
                              const float *old, u32 old_step, float *q, float *r, u32 step)
{
    const u32 edge_step = stage->checks * CODEWORDS;
    float *const msg = s->msg + ((size_t)stage->first + c) * CODEWORDS + s->lane;
#pragma unroll
    for (u32 j = 0; j < degree; j++) {
        u32 entry = entries[(size_t)j * entry_step];
        bool lacks = lacks_edge(where, entry);
        float posterior = *pointer_to(where, &s->posterior, value_of(where, s, lacks ? 0 : entry));
        q[j * step] = lacks ? LIMIT : posterior - old[(size_t)j * old_step];
    }
    messages(a, q, r, step, degree);
    if (where == IN_TURN) {
        deliver_in_turn(s, stage, active, degree, entries, r, msg);
        return;
    }
#pragma unroll
    for (u32 j = 0; j < degree; j++) {
        u32 entry = entries[(size_t)j * entry_step];
        if (lacks_edge(where, entry) || !active)
            continue;
        if (where == TO_WAITING)
            s->fresh[((size_t)j * stage->checks + c) * CODEWORDS + s->lane] = r[j * step];
        else
            deliver(where, s, value_of(where, s, entry), msg + (size_t)j * edge_step,
                    q[j * step] + r[j * step], r[j * step]);
    }
}

// ---- the checks of a stage

// Loads up to `most` (a constant) of the `degree` edges of check c.
DEVICE_INLINE void fetch(const codeword_state *s, const float_stage *stage, u32 c, u32 most, u32 degree,
                         u32 *entries, float *old)
{
    const float *msg = s->msg + ((size_t)stage->first + c) * CODEWORDS + s->lane;
#pragma unroll
    for (u32 j = 0; j < most; j++)
        if (j < degree) {
            entries[j] = __ldg(stage->entries + (size_t)j * stage->checks + c);
            old[j] = msg[(size_t)j * stage->checks * CODEWORDS];
        }
}

// Processes the thread's checks of `degree` edges, a constant; the arrays are registers for one check.
DEVICE_INLINE void check_nodes(const ldpc_cuda_args *a, const codeword_state *s, const float_stage *stage,
                               int where, const edges_ahead *ahead, u32 degree, u32 *entries, float *old,
                               float *q, float *r)
{
    const u32 last = stage->checks - 1, end = where == IN_TURN ? THREADS / CODEWORDS : stage->checks;
    for (u32 mine = s->worker; mine < end; mine += THREADS / CODEWORDS) {
        bool has = where != IN_TURN || mine <= last; // threads without a check take part in barriers
        u32 c = has ? mine : last;
        if (AHEAD)
#pragma unroll
            for (u32 j = 0; j < degree && j < AHEAD_EDGES; j++)
                entries[j] = ahead->entries[j], old[j] = ahead->old[j];
        else
            fetch(s, stage, c, degree, degree, entries, old);
        check_node(a, s, stage, where, c, is_active(s) && has, degree, entries, 1, old, 1, q, r, 1);
    }
}

DEVICE_INLINE void large_nodes(const ldpc_cuda_args *a, const codeword_state *s, const float_stage *stage,
                               int where)
{
    float *q = s->rows + threadIdx.x, *r = q + LARGEST * THREADS;
    for (u32 c = s->worker; c < stage->checks; c += THREADS / CODEWORDS)
        check_node(a, s, stage, where, c, is_active(s), stage->degree, stage->entries + c, stage->checks,
                   s->msg + ((size_t)stage->first + c) * CODEWORDS + s->lane, stage->checks * CODEWORDS, q, r,
                   THREADS);
}

DEVICE_INLINE void all_nodes(const ldpc_cuda_args *a, const codeword_state *s, const float_stage *stage,
                             int where, const edges_ahead *ahead)
{
    switch (stage->degree) {
#define CASE(degree)                                                                                         \
    case degree: {                                                                                           \
        u32 entries[degree];                                                                                 \
        float old[degree], q[degree], r[degree];                                                             \
        check_nodes(a, s, stage, where, ahead, degree, entries, old, q, r);                                  \
        break;                                                                                               \
    }
        EACH_DEGREE(CASE)
    default:
        if (LARGEST)
            large_nodes(a, s, stage, where);
    }
}
