// SPDX-License-Identifier: BSD-3-Clause
/* Check nodes of the kernel "float". Checks with more than UNROLLED edges are in memory. */
#include "float_memory.cuh"

#define AHEAD                                                                                                \
    (BLOCKS == 1 && !SHARED_MESSAGES && CHECKS && CHECKS <= THREADS / CODEWORDS && MOST_DEGREE <= 12)
#define AHEAD_EDGES (AHEAD ? MOST_DEGREE : 1)

typedef struct edges_ahead {
    u32 entries[AHEAD_EDGES];
    float old[AHEAD_EDGES];
} edges_ahead;

// ---- sum-product

// The approximations of the hardware take half as many instructions, but flush denormals to 0.
#ifdef LDPC_PTX
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
/* The fraction is rescaled after this number of edges. An edge at most doubles numerator and denominator. */
#define RESCALE_STEP 64

// ---- where results go

DEVICE_INLINE void deliver(int where, const codeword_state *s, u32 at, IN_MESSAGES float *msg,
                           float posterior, float fresh)
{
    if (FLOODING)
        set_value(where, &s->sum, at, value_at(where, &s->sum, at) + fresh);
    else
        set_value(where, &s->posterior, at, posterior);
    *msg = fresh;
}

DEVICE_INLINE void deliver_again(const codeword_state *s, u32 at, IN_MESSAGES float *msg, float fresh)
{
    float posterior = value_at(TO_WAITING, &s->posterior, at);
    deliver(TO_WAITING, s, at, msg, posterior + (fresh - *msg), fresh);
}

// ---- one check

#define NODE(name) name##_registers
#define IN_ROWS
#define IN_EDGES
#define IN_OLD
#include "float_check_node.inc"
#undef NODE
#undef IN_ROWS
#undef IN_EDGES
#undef IN_OLD

#if LARGEST
#define NODE(name) name##_memory
#define IN_ROWS    IN_GLOBAL
#define IN_EDGES   IN_GLOBAL
#define IN_OLD     IN_MESSAGES
#include "float_check_node.inc"
#endif

// ---- the checks of a stage

DEVICE_INLINE void fetch(const codeword_state *s, const float_stage *stage, u32 c, u32 most, u32 degree,
                         u32 *entries, float *old)
{
    IN_MESSAGES const float *msg = s->msg + ((size_t)stage->first + c) * CODEWORDS + s->lane;
#pragma unroll
    for (u32 j = 0; j < most; j++)
        if (j < degree) {
            entries[j] = __ldg(stage->entries + (size_t)j * stage->checks + c);
            old[j] = msg[(size_t)j * stage->checks * CODEWORDS];
        }
}

DEVICE_INLINE void check_nodes(const ldpc_cuda_args *a, const codeword_state *s, const float_stage *stage,
                               int where, const edges_ahead *ahead, u32 degree, u32 *entries, float *old,
                               float *q, float *r)
{
    const u32 last = stage->checks - 1, end = where == IN_TURN ? THREADS / CODEWORDS : stage->checks;
    for (u32 mine = s->worker; mine < end; mine += THREADS / CODEWORDS) {
        bool has = where != IN_TURN || mine <= last; // threads without a check must reach the barriers, too
        u32 c = has ? mine : last;
        if (AHEAD)
#pragma unroll
            for (u32 j = 0; j < degree && j < AHEAD_EDGES; j++)
                entries[j] = ahead->entries[j], old[j] = ahead->old[j];
        else
            fetch(s, stage, c, degree, degree, entries, old);
        check_node_registers(a, s, stage, where, c, is_active(s) && has, degree, entries, 1, old, 1, q, r, 1);
    }
}

#if LARGEST
DEVICE_INLINE void large_nodes(const ldpc_cuda_args *a, const codeword_state *s, const float_stage *stage,
                               int where)
{
    IN_GLOBAL float *q = s->rows + threadIdx.x, *r = q + LARGEST * THREADS;
    for (u32 c = s->worker; c < stage->checks; c += THREADS / CODEWORDS)
        check_node_memory(a, s, stage, where, c, is_active(s), stage->degree, stage->entries + c,
                          stage->checks, s->msg + ((size_t)stage->first + c) * CODEWORDS + s->lane,
                          stage->checks * CODEWORDS, q, r, THREADS);
}
#endif

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
#if LARGEST
        large_nodes(a, s, stage, where);
#endif
        break;
    }
}
