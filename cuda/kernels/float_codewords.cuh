// SPDX-License-Identifier: BSD-3-Clause
/* The kernel "float": any binary LDPC code in float arithmetic, layered or flooding. A thread block decodes
 * CODEWORDS codewords.
 *
 *   shared memory    posteriors [SHARED_POSITIONS][CODEWORDS]
 *                    sums [SHARED_POSITIONS][CODEWORDS] (flooding)
 *                    check_msgs [ENTRIES][CODEWORDS] if SHARED_MESSAGES
 *   scratch of a     posteriors of the other positions, sums (flooding)
 *   thread block     channel [POSITIONS][CODEWORDS] (flooding)
 *                    check_msgs [ENTRIES][CODEWORDS] unless SHARED_MESSAGES
 *                    fresh [WAITING][CODEWORDS]: new check_msgs of stages that repeat columns
 *                    Q, R' [LARGEST][THREADS] of checks with more than UNROLLED edges
 *
 * The table (float.c) has the stages {first entry, checks, degree, most repeats of a column, plain}, then
 * their entries [degree][checks]: position | occurrence << 24, or NO_EDGE. The prologue (float.c) defines the
 * macros of float.cuh and the names in capitals. */
#include "float_check_node.cuh"
#include "single_codeword.cuh"

DEVICE_INLINE bool fits_threads(const float_stage *stage)
{
    return stage->checks <= THREADS / CODEWORDS && (!LARGEST || stage->degree <= UNROLLED);
}

DEVICE void add_repeats(const codeword_state *s, const float_stage *stage)
{
    for (u32 occurrence = 0; occurrence <= stage->repeats; occurrence++) {
        __syncthreads();
        for (u32 e = s->worker; e < stage->checks * stage->degree; e += THREADS / CODEWORDS) {
            u32 entry = __ldg(stage->entries + e), at = value_of(TO_WAITING, s, entry);
            if (lacks_edge(TO_WAITING, entry) || occurrence_of(entry) != occurrence || !is_active(s))
                continue;
            deliver_again(s, at, s->msg + ((size_t)stage->first + e) * CODEWORDS + s->lane,
                          s->fresh[(size_t)e * CODEWORDS + s->lane]);
        }
    }
}

DEVICE_INLINE void prefetch_messages(const codeword_state *s, const float_stage *stage)
{
#ifdef LDPC_PTX
    const u32 line = 32; // floats
    for (u32 e = line * threadIdx.x; e < stage->checks * stage->degree * CODEWORDS; e += line * THREADS)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(s->msg + (size_t)stage->first * CODEWORDS + e));
#endif
}

DEVICE void begin_sums(const codeword_state *s)
{
    for (u32 p = s->worker; p < POSITIONS; p += THREADS / CODEWORDS) {
        u32 at = value_of(TO_WAITING, s, p);
        set_value(TO_WAITING, &s->sum, at,
                  is_active(s) ? s->channel[at] : value_at(TO_WAITING, &s->posterior, at));
    }
    __syncthreads();
}

DEVICE_INLINE void update(const ldpc_cuda_args *a, const codeword_state *s, const float_stage *stage,
                          const edges_ahead *ahead)
{
    if (REPEATS && stage->repeats && (!WAITING || fits_threads(stage)))
        all_nodes(a, s, stage, IN_TURN, ahead);
    else if (WAITING && stage->repeats) {
        all_nodes(a, s, stage, TO_WAITING, ahead);
        add_repeats(s, stage);
    } else if (stage->plain)
        all_nodes(a, s, stage, TO_SHARED, ahead);
    else
        all_nodes(a, s, stage, TO_POSTERIORS, ahead);
}

DEVICE_INLINE void iterate(const ldpc_cuda_args *a, codeword_state *s)
{
    if (FLOODING)
        begin_sums(s);
    edges_ahead ahead, after;
    float_stage stage = stage_of(a, 0), next = stage_of(a, 1 % STAGES), later;
    const u32 mine = min(s->worker, stage.checks - 1);
    if (AHEAD)
        fetch(s, &stage, mine, AHEAD_EDGES, stage.degree, ahead.entries, ahead.old);
    for (u32 i = 0; i < STAGES; i++) {
        if (!SHARED_MESSAGES) {
            later = stage_of(a, (i + (AHEAD ? 2 : 1)) % STAGES);
            prefetch_messages(s, &later);
        }
        if (AHEAD && i + 1 < STAGES)
            fetch(s, &next, mine, AHEAD_EDGES, next.degree, after.entries, after.old);
        update(a, s, &stage, &ahead);
        __syncthreads();
        if (AHEAD)
            ahead = after;
        stage = AHEAD ? next : stage_of(a, (i + 1) % STAGES);
        next = stage_of(a, (i + 2) % STAGES);
    }
    if (FLOODING) {
        values before = s->posterior;
        s->posterior = s->sum;
        s->sum = before;
    }
}

DEVICE u32 unsatisfied(const ldpc_cuda_args *a, const codeword_state *s, bool all, IN_SHARED u32 *count)
{
    u32 mine = 0;
    if (threadIdx.x < 32)
        count[threadIdx.x] = 0;
    __syncthreads();
    for (u32 i = 0; i < STAGES; i++) {
        float_stage stage = stage_of(a, i);
        for (u32 first = 0; first < stage.checks; first += THREADS / CODEWORDS) {
            u32 odd = 0, c = first + s->worker;
            for (u32 j = 0; j < stage.degree && c < stage.checks; j++) {
                u32 entry = __ldg(stage.entries + (size_t)j * stage.checks + c);
                odd ^= !lacks_edge(TO_WAITING, entry) && posterior_at(s, entry) < 0;
            }
            mine += odd;
            if (CODEWORDS == 1 && !all && ldpc_block_or(odd, count + 1))
                return 1;
        }
    }
    return ldpc_sum(mine, &count[s->lane]);
}

DEVICE void load(const ldpc_cuda_args *a, const codeword_state *s, u32 codeword)
{
    for (u32 p = s->worker; p < POSITIONS; p += THREADS / CODEWORDS) {
        float value = ldpc_channel(a, codeword, p, s->active);
        u32 at = value_of(TO_WAITING, s, p);
        set_value(TO_WAITING, &s->posterior, at, value);
        if (FLOODING)
            s->channel[at] = value;
    }
    for (u32 e = s->worker; e < ENTRIES; e += THREADS / CODEWORDS)
        s->msg[(size_t)e * CODEWORDS + s->lane] = 0;
    __syncthreads();
}

DEVICE_INLINE void decode(const ldpc_cuda_args *a, codeword_state *s, u32 codeword, IN_SHARED u32 *count)
{
    const bool live = codeword < a->n_codewords;
    u32 iterations = 0, bad = 0;
    s->active = live;
    load(a, s, codeword);
    for (u32 i = 0;; i++) {
        bool last = i == a->max_iterations;
        if (a->early_stop || (last && a->info)) {
            u32 now = unsatisfied(a, s, last, count);
            bad = s->active ? now : bad;
        }
        if (s->active && (last || (a->early_stop && bad == 0))) {
            iterations = i;
            s->active = false;
        }
        if (CODEWORDS > 1 ? !ldpc_warp_any(s->active, count) : !s->active)
            break;
        iterate(a, s);
    }
    if (live) {
        ldpc_store(a, s, codeword);
        if (a->info && s->worker == 0)
            ldpc_store_info(a, codeword, iterations, bad);
    }
    __syncthreads();
}

LDPC_KERNEL LDPC_BOUNDS(THREADS, BLOCKS) ldpc_decode(LDPC_PARAMETERS)
{
    LDPC_BEGIN
    LDPC_SHARED_MEMORY
    __shared__ u32 count[32], ticket;
    codeword_state s = open_memory(&a, (IN_SHARED float *)sm);
    const u32 pieces = (a.n_codewords + CODEWORDS - 1) / CODEWORDS;
    for (u32 piece; (piece = ldpc_next(&a, pieces, &ticket)) < pieces;)
        decode(&a, &s, CODEWORDS * piece + s.lane, count);
}
