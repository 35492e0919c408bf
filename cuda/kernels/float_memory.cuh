// SPDX-License-Identifier: BSD-3-Clause
// Memory of the kernel "float". float_codewords.cuh has the memory map.
#include "float.cuh"

#define NO_EDGE 0xffffffffu // missing edge

enum {
    TO_SHARED,     // immediately, in shared memory
    TO_POSTERIORS, // immediately, in any memory
    IN_TURN,
    TO_WAITING
};

#if SHARED_MESSAGES
#define IN_MESSAGES IN_SHARED
#else
#define IN_MESSAGES IN_GLOBAL
#endif

typedef struct values {
    IN_SHARED float *shared;
#ifndef __OPENCL_VERSION__
    float *either; // shared memory as a generic pointer
#endif
    IN_GLOBAL float *outside;
} values;

typedef struct codeword_state {
    values posterior, sum;
    IN_GLOBAL float *channel;
    IN_MESSAGES float *msg;
    IN_GLOBAL float *fresh;
    IN_GLOBAL float *rows; // Q and R' of large checks
    u32 lane, worker;
    bool active;
} codeword_state;

enum { STAGE_ENTRIES, STAGE_CHECKS, STAGE_DEGREE, STAGE_REPEATS, STAGE_PLAIN, STAGE_WORDS };

typedef struct float_stage {
    IN_GLOBAL const u32 *entries; // [degree][checks]
    u32 checks, degree;
    u32 repeats;
    u32 first;
    bool plain; // TO_SHARED is possible
} float_stage;

DEVICE_INLINE float_stage stage_of(const ldpc_cuda_args *a, u32 i)
{
    IN_GLOBAL const u32 *words = a->table + STAGE_WORDS * i;
    float_stage stage;
    stage.first = __ldg(words + STAGE_ENTRIES);
    stage.entries = a->table + STAGE_WORDS * STAGES + stage.first;
    stage.checks = CHECKS ? CHECKS : __ldg(words + STAGE_CHECKS);
    stage.degree = __ldg(words + STAGE_DEGREE);
    stage.repeats = __ldg(words + STAGE_REPEATS);
    stage.plain = __ldg(words + STAGE_PLAIN) != 0;
    return stage;
}

DEVICE_INLINE bool is_active(const codeword_state *s)
{
    return CODEWORDS == 1 || s->active;
}

DEVICE_INLINE u32 value_of(int where, const codeword_state *s, u32 entry)
{
    return (where <= TO_POSTERIORS ? entry : entry & 0xffffff) * CODEWORDS + s->lane;
}

DEVICE_INLINE u32 occurrence_of(u32 entry)
{
    return entry >> 24;
}

DEVICE_INLINE bool lacks_edge(int where, u32 entry)
{
    return MISSING_EDGES && where != TO_SHARED && entry == NO_EDGE;
}

DEVICE_INLINE bool is_shared(int where)
{
    return where == TO_SHARED || SHARED_POSITIONS == POSITIONS;
}

#ifdef __OPENCL_VERSION__

DEVICE_INLINE values values_in(IN_SHARED float *shared, IN_GLOBAL float *outside)
{
    values v;
    v.shared = shared;
    v.outside = outside - SHARED_POSITIONS * CODEWORDS;
    return v;
}
DEVICE_INLINE float value_at(int where, const values *v, u32 at)
{
    if (is_shared(where) || at < SHARED_POSITIONS * CODEWORDS)
        return v->shared[at];
    return v->outside[at];
}
DEVICE_INLINE void set_value(int where, const values *v, u32 at, float x)
{
    if (is_shared(where) || at < SHARED_POSITIONS * CODEWORDS)
        v->shared[at] = x;
    else
        v->outside[at] = x;
}

#else

DEVICE_INLINE values values_in(float *shared, float *outside)
{
    values v = {shared, shared, outside - SHARED_POSITIONS * CODEWORDS};
#ifdef __CUDA_ARCH__
    asm volatile("" : "+l"(v.either));
#endif
    return v;
}
DEVICE_INLINE float *pointer_to(int where, const values *v, u32 at)
{
    if (is_shared(where))
        return v->shared + at;
    return (at < SHARED_POSITIONS * CODEWORDS ? v->either : v->outside) + at;
}
DEVICE_INLINE float value_at(int where, const values *v, u32 at)
{
    return *pointer_to(where, v, at);
}
DEVICE_INLINE void set_value(int where, const values *v, u32 at, float x)
{
    *pointer_to(where, v, at) = x;
}

#endif

DEVICE_INLINE float posterior_at(const codeword_state *s, u32 position)
{
    return value_at(TO_WAITING, &s->posterior, value_of(TO_WAITING, s, position));
}

#define WORKER(s)  (s)->worker
#define WORKERS(s) (THREADS / CODEWORDS)

DEVICE_INLINE codeword_state open_memory(const ldpc_cuda_args *a, IN_SHARED float *shared)
{
    const size_t outside = (size_t)(POSITIONS - SHARED_POSITIONS) * CODEWORDS,
                 all = (size_t)POSITIONS * CODEWORDS, msg = (size_t)ENTRIES * CODEWORDS,
                 fresh = (size_t)WAITING * CODEWORDS;
    const size_t of_block = (FLOODING ? 2 * outside + all : outside) + (SHARED_MESSAGES ? 0 : msg) + fresh +
                            2 * (size_t)LARGEST * THREADS + 4;
    IN_GLOBAL float *scratch = (IN_GLOBAL float *)a->scratch + blockIdx.x * of_block;
    codeword_state s;
    s.lane = threadIdx.x % CODEWORDS;
    s.worker = threadIdx.x / CODEWORDS;
    s.active = false;
    s.posterior = values_in(shared, scratch);
    s.sum = s.posterior;
    s.channel = 0;
    shared += SHARED_POSITIONS * CODEWORDS;
    scratch += outside;
    if (FLOODING) {
        s.sum = values_in(shared, scratch);
        s.channel = scratch + outside;
        shared += SHARED_POSITIONS * CODEWORDS;
        scratch += outside + all;
    }
#if SHARED_MESSAGES
    s.msg = shared;
    s.fresh = scratch;
#else
    s.msg = scratch;
    s.fresh = scratch + msg;
#endif
    s.rows = s.fresh + fresh;
    return s;
}
