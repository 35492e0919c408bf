// SPDX-License-Identifier: BSD-3-Clause
// Any binary code, layered or flooding, in integers. A thread block decodes 32 codewords, one per lane of a
// warp, so that all accesses of a warp are consecutive; its warps share the checks of a stage, which have no
// column in common.
//
//   scratch of a thread block:  posteriors [positions][32] int16 | channel [positions][32] int8 |
//                               check_msgs [edges][32] int8 |
//                               new check_msgs of a stage with repeated columns [its edges][32] int8
//
// The table (written by any.c) begins with the header below, where the following parts begin:
//
//   stages  {first check, end, most repeats of a column}
//   first edge of each check
//   edges   {position | occurrence << 24}
//   for flooding: first entry of each position  |  edges of each position
//
// A column is repeated where its layer has it more than once; the first occurrence has number 0.
// THREE_MIN: 1 for that rule alone, because the others are faster without the third smallest magnitude.
#ifndef THREE_MIN
#define THREE_MIN 0
#endif
#include "device.cuh"

enum { CODEWORDS = 32, MOST_THREADS = 256 };

// 32-bit words of the table's header (any_header of any.c).
enum {
    STAGE_COUNT,
    STAGES_AT,
    CHECK_START_AT,
    EDGES_AT,
    EDGE_COUNT,
    POSITION_START_AT,
    POSITION_EDGES_AT,
    CHECK_COUNT,
    WAITING_EDGES, // most edges of a stage with repeated columns
};
enum { STAGE_FIRST, STAGE_END, STAGE_REPEATS, STAGE_WORDS };

// ---- the check-node rule in integers

typedef int rule_number;
#define RULE_HAS_THIRD            THREE_MIN
#define RULE_ALGORITHM(a)         (THREE_MIN ? (int)LDPC_RULE_THREE_MIN : (a)->algorithm)
#define RULE_MIN(x, y)            min(x, y)
#define RULE_MAX(x, y)            max(x, y)
#define RULE_CLAMPED_OTHERS(a, x) min(x, (a)->max_msg_others)
#define RULE_CLAMPED_MIN(a, x)    min(x, (a)->max_msg)

DEVICE_INLINE int rule_less_offset(const ldpc_cuda_args *a, int x)
{
    return max(x - a->offset, 0);
}

DEVICE_INLINE int rule_scaled(const ldpc_cuda_args *a, int x)
{
    return x * a->factor / 16;
}

DEVICE_INLINE int rule_corrected(const ldpc_cuda_args *a, int x, int y)
{
    return x - a->offset - (y - x < a->threshold ? a->step : 0);
}

// A step for each threshold that the distance is below.
DEVICE_INLINE int rule_loss(const ldpc_cuda_args *a, const ldpc_cuda_thresholds *thresholds, int distance)
{
    int below = 0;
    for (int i = 0; i < LDPC_CUDA_THRESHOLDS; i++)
        below += distance < thresholds->at[i];
    return a->step * below;
}

DEVICE_INLINE int rule_corrected_by_three(const ldpc_cuda_args *a, int min1, int min2, int min3)
{
    return min1 - rule_loss(a, &a->others_threshold, min2 - min1 + (min3 - min1));
}

DEVICE_INLINE int rule_corrected_holder(const ldpc_cuda_args *a, int min2, int min3)
{
    return max(min2 - rule_loss(a, &a->min_threshold, min3 - min2), 0);
}

DEVICE_INLINE int rule_at_least_half(int x, int min1)
{
    return max(x, (min1 + 1) / 2);
}

#include "check_node_rule.cuh"

// ---- memory

typedef short posterior_t;
typedef s8 msg_t;

typedef struct codeword_state {
    IN_GLOBAL posterior_t *posterior;
    IN_GLOBAL msg_t *channel, *msg, *fresh; // fresh: new check_msgs that wait
    IN_GLOBAL const u32 *start, *edge;
    u32 lane, warp, warps;
    bool active; // is the lane's codeword still decoded?
} codeword_state;

DEVICE_INLINE u32 position_of(u32 edge)
{
    return edge & 0xffffff;
}

DEVICE_INLINE u32 occurrence_of(u32 edge)
{
    return edge >> 24;
}

DEVICE_INLINE int saturate(const ldpc_cuda_args *a, int x)
{
    return min(max(x, a->lowest), a->highest);
}

typedef int llr_number;
#define KNOWN_LLR          LDPC_CUDA_KNOWN_LLR
#define POSTERIOR_STEPS(x) (x)
#define WORKER(s)          (s)->warp
#define WORKERS(s)         (s)->warps

DEVICE_INLINE int channel_llr(const ldpc_cuda_args *a, size_t i)
{
    return max((int)a->llr[i], LDPC_CUDA_LEAST_LLR);
}

DEVICE_INLINE int posterior_at(const codeword_state *s, u32 position)
{
    return s->posterior[position * CODEWORDS + s->lane];
}

#include "single_codeword.cuh"

// ---- check nodes

// Where a check node's results go.
enum {
    TO_POSTERIORS, // to check_msgs and posteriors
    TO_MESSAGES,   // to check_msgs
    TO_WAITING     // to a buffer, because occurrences of a column are added one after the other
};

DEVICE_INLINE int var_msg(const ldpc_cuda_args *a, const codeword_state *s, u32 e)
{
    return saturate(a, posterior_at(s, position_of(s->edge[e])) - s->msg[(size_t)e * CODEWORDS + s->lane]);
}

DEVICE_INLINE void put_msg(const ldpc_cuda_args *a, const codeword_state *s, int where, u32 e, u32 first_edge,
                           int q, int r)
{
    if (where == TO_WAITING)
        s->fresh[(size_t)(e - first_edge) * CODEWORDS + s->lane] = (msg_t)r;
    else if (s->active)
        s->msg[(size_t)e * CODEWORDS + s->lane] = (msg_t)r;
    if (where == TO_POSTERIORS && s->active)
        s->posterior[position_of(s->edge[e]) * CODEWORDS + s->lane] = (posterior_t)saturate(a, q + r);
}

// first_edge: of the stage; where: a constant for the compiler.
DEVICE_INLINE void check_node(const ldpc_cuda_args *a, const codeword_state *s, int where, u32 check,
                              u32 first_edge)
{
    int min1 = a->no_other, min2 = min1, min3 = min1, msg_others, msg_min;
    bool odd = false;
    for (u32 e = s->start[check]; e < s->start[check + 1]; e++) {
        int q = var_msg(a, s, e);
        ldpc_insert_magnitude(abs(q), &min1, &min2, &min3);
        odd ^= q < 0;
    }
    ldpc_check_node_rule(a, min1, min2, min3, &msg_others, &msg_min);
    for (u32 e = s->start[check]; e < s->start[check + 1]; e++) {
        int q = var_msg(a, s, e), m = abs(q) == min1 ? msg_min : msg_others;
        put_msg(a, s, where, e, first_edge, q, odd != (q < 0) ? -m : m);
    }
}

// Updates posteriors occurrence by occurrence: the first occurrence of a column writes Q + R', further ones
// add R' - R.
DEVICE void add_repeats(const ldpc_cuda_args *a, const codeword_state *s, u32 first, u32 end, u32 repeats)
{
    for (u32 occurrence = 0; occurrence <= repeats; occurrence++) {
        __syncthreads();
        for (u32 e = s->start[first] + s->warp; e < s->start[end]; e += s->warps) {
            if (occurrence_of(s->edge[e]) != occurrence || !s->active)
                continue;
            IN_GLOBAL posterior_t *posterior = s->posterior + position_of(s->edge[e]) * CODEWORDS + s->lane;
            IN_GLOBAL msg_t *msg = s->msg + (size_t)e * CODEWORDS + s->lane;
            int fresh = s->fresh[(size_t)(e - s->start[first]) * CODEWORDS + s->lane];
            *posterior = (posterior_t)saturate(a, occurrence ? *posterior + (fresh - *msg)
                                                             : saturate(a, *posterior - *msg) + fresh);
            *msg = (msg_t)fresh;
        }
    }
}

// ---- iterations

DEVICE void iterate_layered(const ldpc_cuda_args *a, const codeword_state *s)
{
    IN_GLOBAL const u32 *stage = a->table + a->table[STAGES_AT];
    for (u32 i = 0; i < a->table[STAGE_COUNT]; i++, stage += STAGE_WORDS) {
        u32 first = stage[STAGE_FIRST], end = stage[STAGE_END], repeats = stage[STAGE_REPEATS];
        for (u32 c = first + s->warp; c < end; c += s->warps) {
            if (repeats)
                check_node(a, s, TO_WAITING, c, s->start[first]);
            else
                check_node(a, s, TO_POSTERIORS, c, 0);
        }
        if (repeats)
            add_repeats(a, s, first, end, repeats);
        __syncthreads();
    }
}

DEVICE void iterate_flooding(const ldpc_cuda_args *a, const codeword_state *s, u32 checks)
{
    IN_GLOBAL const u32 *position_start = a->table + a->table[POSITION_START_AT],
                        *position_edges = a->table + a->table[POSITION_EDGES_AT];
    for (u32 c = s->warp; c < checks; c += s->warps)
        check_node(a, s, TO_MESSAGES, c, 0);
    __syncthreads();
    for (u32 p = s->warp; p < a->positions; p += s->warps) {
        int sum = s->channel[p * CODEWORDS + s->lane];
        for (u32 i = position_start[p]; i < position_start[p + 1]; i++)
            sum += s->msg[(size_t)position_edges[i] * CODEWORDS + s->lane];
        if (s->active)
            s->posterior[p * CODEWORDS + s->lane] = (posterior_t)saturate(a, sum);
    }
    __syncthreads();
}

// Unsatisfied checks of the lane's codeword, the same in all warps.
DEVICE u32 unsatisfied(const codeword_state *s, u32 checks, IN_SHARED u32 *count)
{
    u32 mine = 0;
    if (s->warp == 0)
        count[s->lane] = 0;
    __syncthreads();
    for (u32 c = s->warp; c < checks; c += s->warps) {
        bool odd = false;
        for (u32 e = s->start[c]; e < s->start[c + 1]; e++)
            odd ^= posterior_at(s, position_of(s->edge[e])) < 0;
        mine += odd;
    }
    return ldpc_sum(mine, &count[s->lane]);
}

// ---- codewords

DEVICE void load(const ldpc_cuda_args *a, const codeword_state *s, u32 codeword)
{
    for (u32 p = s->warp; p < a->positions; p += s->warps) {
        int value = ldpc_channel(a, codeword, p, s->active);
        s->posterior[p * CODEWORDS + s->lane] = (posterior_t)value;
        s->channel[p * CODEWORDS + s->lane] = (msg_t)value;
    }
    for (u32 e = s->warp; e < a->table[EDGE_COUNT]; e += s->warps)
        s->msg[(size_t)e * CODEWORDS + s->lane] = 0;
    __syncthreads();
}

DEVICE codeword_state open_memory(const ldpc_cuda_args *a)
{
    codeword_state s;
    const size_t positions = a->positions, edges = a->table[EDGE_COUNT];
    const size_t bytes = CODEWORDS * (sizeof(posterior_t) * positions +
                                      sizeof(msg_t) * (positions + edges + a->table[WAITING_EDGES]));
    s.lane = threadIdx.x % CODEWORDS;
    s.warp = threadIdx.x / CODEWORDS;
    s.warps = blockDim.x / CODEWORDS;
    s.start = a->table + a->table[CHECK_START_AT];
    s.edge = a->table + a->table[EDGES_AT];
    s.posterior = (IN_GLOBAL posterior_t *)((IN_GLOBAL u8 *)a->scratch + blockIdx.x * bytes);
    s.channel = (IN_GLOBAL msg_t *)(s.posterior + CODEWORDS * positions);
    s.msg = s.channel + CODEWORDS * positions;
    s.fresh = s.msg + CODEWORDS * edges;
    s.active = false;
    return s;
}

// Decodes until each codeword has no unsatisfied check or max_iterations are over.
DEVICE_INLINE void decode(const ldpc_cuda_args *a, codeword_state *s, u32 codeword, IN_SHARED u32 *count)
{
    const u32 checks = a->table[CHECK_COUNT];
    const bool live = codeword < a->n_codewords;
    u32 iterations = 0, bad = 0;
    s->active = live;
    load(a, s, codeword);
    for (u32 i = 0;; i++) {
        bool last = i == a->max_iterations;
        if (a->early_stop || (last && a->info)) {
            u32 now = unsatisfied(s, checks, count);
            bad = s->active ? now : bad;
        }
        if (s->active && (last || (a->early_stop && bad == 0))) {
            iterations = i;
            s->active = false;
        }
        if (!ldpc_warp_any(s->active, count))
            break;
        if (a->flooding)
            iterate_flooding(a, s, checks);
        else
            iterate_layered(a, s);
    }
    if (live) {
        ldpc_store(a, s, codeword);
        if (a->info && s->warp == 0)
            ldpc_store_info(a, codeword, iterations, bad);
    }
    __syncthreads();
}

LDPC_KERNEL LDPC_BOUNDS(MOST_THREADS, 1) ldpc_decode(LDPC_PARAMETERS)
{
    LDPC_BEGIN
    __shared__ u32 count[CODEWORDS], ticket;
    codeword_state s = open_memory(&a);
    const u32 pieces = (a.n_codewords + CODEWORDS - 1) / CODEWORDS;
    for (u32 piece; (piece = ldpc_next(&a, pieces, &ticket)) < pieces;)
        decode(&a, &s, CODEWORDS * piece + s.lane, count);
}
