// SPDX-License-Identifier: BSD-3-Clause
/* The kernel "any": any binary LDPC code in integer arithmetic, layered or flooding.
 *
 * A thread block decodes ANY_CODEWORDS codewords, two per register. PAIRS adjacent threads form a team, which
 * processes one parity check. The teams share the checks of a stage (stages.h), and the teams of a warp have
 * adjacent checks.
 *
 *   scratch of a thread block:  posteriors [positions][PAIRS] u32
 *                               channel    [positions][PAIRS] u16
 *                               check_msgs [edges][PAIRS] u16
 *                               fresh      [edges of a stage][PAIRS] u16: new check_msgs if columns repeat
 *
 * u16 pairs are the low bytes of value + 1152.
 *
 * The table starts with a header (any_table.h) with the offsets of these parts:
 *
 *   stages         {first check, end, maximum number of repeats of a column, offset of its waiting edges}
 *   checks         first edge of each check
 *   edges          {position | (occurrence + 1) << 24}, or only the position if the edge need not wait
 *   flooding       first entry of each position, then the edges of each position
 *   waiting edges  of a stage: start offsets for occurrence 0, 1 .. and the end, then the edges
 *
 * Edges of a layer in one column update the posterior in the order of their occurrence. THREE_MIN is 1 for
 * the rule three-min. */
#ifndef THREE_MIN
#define THREE_MIN 0
#endif
#include "any_table.h"
#include "device.cuh"

enum {
    PAIRS = ANY_CODEWORDS / 2,
    CHUNK = 8,
};

// ---- the check-node rule; its parameters are arguments of the launch

enum {
    MINUS_OFFSET,
    FACTOR,
    ENOUGH,
    THRESHOLD,
    MINUS_STEP,
    MAX_OTHERS,
    MAX_MESSAGE,
    OTHERS_THRESHOLD,
    MIN_THRESHOLD = OTHERS_THRESHOLD + LDPC_CUDA_THRESHOLDS,
    NO_OTHER = MIN_THRESHOLD + LDPC_CUDA_THRESHOLDS,
    LOWEST,
    HIGHEST,
    LEAST_LLR,
    MOST_LLR,
    RULE_PAIRS
};

// in both halves of a register
typedef struct any_rule {
    int algorithm;
    IN_SHARED const u32 *pair; // [RULE_PAIRS]
} any_rule;

#define RULE_LAUNCH       any_rule
#define RULE              (THREE_MIN ? (int)LDPC_RULE_THREE_MIN : a->algorithm)
#define RULE_HAS_THIRD    THREE_MIN
#define RULE_MINUS_OFFSET a->pair[MINUS_OFFSET]
#define RULE_FACTOR       a->pair[FACTOR]
#define RULE_ENOUGH       a->pair[ENOUGH]
#define RULE_THRESHOLD    a->pair[THRESHOLD]
#define RULE_MINUS_STEP   a->pair[MINUS_STEP]
#define RULE_MAX_OTHERS   a->pair[MAX_OTHERS]
#define RULE_MAX_MESSAGE  a->pair[MAX_MESSAGE]
#define RULE_OTHERS_1     a->pair[OTHERS_THRESHOLD]
#define RULE_OTHERS_2     a->pair[OTHERS_THRESHOLD + 1]
#define RULE_OTHERS_3     a->pair[OTHERS_THRESHOLD + 2]
#define RULE_MIN_1        a->pair[MIN_THRESHOLD]
#define RULE_MIN_2        a->pair[MIN_THRESHOLD + 1]
#define RULE_MIN_3        a->pair[MIN_THRESHOLD + 2]
#include "half_rule.cuh"

DEVICE_INLINE u32 twice(int v)
{
    return h2(v, v);
}

// Called by one thread only.
DEVICE void set_rule(const ldpc_cuda_args *a, IN_SHARED u32 *pair)
{
    const int factor = max(a->factor, 1);
    pair[MINUS_OFFSET] = twice(-a->offset);
    pair[FACTOR] = hsixteenths(twice(factor));
    pair[ENOUGH] = twice((16 * (a->max_msg + 1) + factor - 1) / factor);
    pair[THRESHOLD] = twice(a->threshold);
    pair[MINUS_STEP] = twice(-a->step);
    pair[MAX_OTHERS] = twice(a->max_msg_others);
    pair[MAX_MESSAGE] = twice(a->max_msg);
    for (int i = 0; i < LDPC_CUDA_THRESHOLDS; i++) {
        pair[OTHERS_THRESHOLD + i] = twice(a->others_threshold.at[i]);
        pair[MIN_THRESHOLD + i] = twice(a->min_threshold.at[i]);
    }
    pair[NO_OTHER] = twice(a->no_other);
    pair[LOWEST] = twice(a->lowest);
    pair[HIGHEST] = twice(a->highest);
    pair[LEAST_LLR] = twice(1152 - a->llr_limit);
    pair[MOST_LLR] = twice(1152 + a->llr_limit);
}

// ---- memory

typedef struct pair_state {
    IN_GLOBAL u32 *posterior;
    IN_GLOBAL u16 *channel, *msg, *fresh;
    IN_GLOBAL const u32 *start, *edge;
    any_rule rule;
    u32 pair, team, teams;
    u32 first, second; // codewords of the pair
    u32 active;
    u32 lowest, highest;
} pair_state;

DEVICE_INLINE u32 position_of(u32 edge)
{
    return edge & 0xffffff;
}

DEVICE_INLINE bool waits(u32 edge)
{
    return edge >> 24 != 0;
}

DEVICE_INLINE u32 saturate(const pair_state *s, u32 v)
{
    return hmin(hmax(v, s->lowest), s->highest);
}

DEVICE_INLINE u32 from_bytes(u32 bytes)
{
    return hsub(unpack_bytes(bytes), HALF_1152);
}
DEVICE_INLINE u16 to_bytes(u32 plus_1152)
{
    return (u16)prmt(plus_1152, 0u, LOW_BYTES);
}

#define WORKER(s) (s)->team
#define WORKERS   s->teams

DEVICE_INLINE u32 posteriors_at(const ldpc_cuda_args *a, const pair_state *s, u32 position)
{
    return s->posterior[position * PAIRS + s->pair];
}

#include "pair_results.cuh"

DEVICE_INLINE void put_posterior(const pair_state *s, u32 position, u32 v)
{
    IN_GLOBAL u32 *to = s->posterior + (position * PAIRS + s->pair);
    if (s->active == 3)
        *to = v;
    else if (s->active)
        ((IN_GLOBAL u16 *)to)[s->active - 1] = (u16)(s->active & 1 ? v : v >> 16);
}

DEVICE_INLINE void put_msg(const pair_state *s, u32 e, u32 bytes)
{
    IN_GLOBAL u16 *to = s->msg + ((size_t)e * PAIRS + s->pair);
    if (s->active == 3)
        *to = (u16)bytes;
    else if (s->active)
        ((IN_GLOBAL u8 *)to)[s->active - 1] = (u8)(s->active & 1 ? bytes : bytes >> 8);
}

// ---- check nodes

enum {
    TO_POSTERIORS, // no edge waits
    TO_WAITING,    // `fresh`, because edges wait
    TO_MESSAGES    // check_msgs
};

DEVICE_INLINE u32 edge_position(int where, u32 edge)
{
    return where == TO_POSTERIORS ? edge : position_of(edge);
}

DEVICE_INLINE void load_chunk(const pair_state *s, int where, u32 e, u32 end, u32 *edge, u32 *q)
{
    u32 msg[CHUNK];
#pragma unroll
    for (int i = 0; i < CHUNK; i++)
        edge[i] = e + i < end ? s->edge[e + i] : 0;
#pragma unroll
    for (int i = 0; i < CHUNK; i++)
        if (e + i < end) {
            q[i] = s->posterior[edge_position(where, edge[i]) * PAIRS + s->pair];
            msg[i] = s->msg[(size_t)(e + i) * PAIRS + s->pair];
        }
#pragma unroll
    for (int i = 0; i < CHUNK; i++)
        q[i] = e + i < end ? saturate(s, hsub(q[i], from_bytes(msg[i]))) : s->rule.pair[NO_OTHER];
}

// `where` must be constant.
DEVICE_INLINE void check_node(const pair_state *s, int where, u32 check, u32 first_edge)
{
    const u32 first = s->start[check], end = s->start[check + 1];
    u32 edge[CHUNK], q[CHUNK], e;
    u32 least = s->rule.pair[NO_OTHER], min2 = least, min3 = least, others, holder;
    if (!s->active)
        return;
    for (e = first; e < end; e += CHUNK) {
        load_chunk(s, where, e, end, edge, q);
#pragma unroll
        for (int i = 0; i < CHUNK; i++) {
            u32 big = hmaxa(least, q[i]);
            if (THREE_MIN)
                min3 = hmin(min3, hmax(min2, big));
            min2 = hmin(min2, big);
            least = hminx(least, q[i]);
        }
    }
    const u32 min1 = habs(least), sign = (least & SIGNS) | HALF_1, above = hadd(min1, HALF_1);
    clamped_rule(&s->rule, min1, min2, min3, &others, &holder);
    const u32 delta = hsub(holder, others);
    while (e > first) {
        e -= CHUNK;
#pragma unroll
        for (int i = 0; i < CHUNK; i++)
            if (e + i < end) {
                u32 r =
                    hfma(hfma(hsubsat(above, habsf(q[i])), delta, others), (q[i] & SIGNS) ^ sign, HALF_1152);
                if (where == TO_WAITING && waits(edge[i]))
                    s->fresh[(size_t)(e + i - first_edge) * PAIRS + s->pair] = to_bytes(r);
                else
                    put_msg(s, e + i, to_bytes(r));
                if (where == TO_POSTERIORS || (where == TO_WAITING && !waits(edge[i])))
                    put_posterior(s, edge_position(where, edge[i]),
                                  saturate(s, hadd(q[i], hsub(r, HALF_1152))));
            }
        if (e > first)
            load_chunk(s, where, e - CHUNK, end, edge, q);
    }
}

DEVICE void add_repeats(const ldpc_cuda_args *a, const pair_state *s, u32 first_edge, u32 repeats,
                        IN_GLOBAL const u32 *starts)
{
    for (u32 occurrence = 0; occurrence <= repeats; occurrence++) {
        __syncthreads();
        for (u32 i = starts[occurrence] + s->team; i < starts[occurrence + 1]; i += s->teams) {
            const u32 e = a->table[i], position = position_of(s->edge[e]);
            const u32 bytes = s->fresh[(size_t)(e - first_edge) * PAIRS + s->pair];
            const u32 posterior = s->posterior[position * PAIRS + s->pair], fresh = from_bytes(bytes),
                      old = from_bytes(s->msg[(size_t)e * PAIRS + s->pair]);
            put_posterior(s, position,
                          saturate(s, occurrence ? hadd(posterior, hsub(fresh, old))
                                                 : hadd(saturate(s, hsub(posterior, old)), fresh)));
            put_msg(s, e, bytes);
        }
    }
}

// ---- iterations

DEVICE void iterate_layered(const ldpc_cuda_args *a, const pair_state *s)
{
    IN_GLOBAL const u32 *stage = a->table + a->table[ANY_STAGES_AT];
    for (u32 i = 0; i < a->table[ANY_STAGES]; i++, stage += ANY_STAGE_WORDS) {
        u32 first = stage[ANY_STAGE_FIRST], end = stage[ANY_STAGE_END], repeats = stage[ANY_STAGE_REPEATS];
        for (u32 c = first + s->team; c < end; c += s->teams) {
            if (repeats)
                check_node(s, TO_WAITING, c, s->start[first]);
            else
                check_node(s, TO_POSTERIORS, c, 0);
        }
        if (repeats)
            add_repeats(a, s, s->start[first], repeats, a->table + stage[ANY_STAGE_WAITING]);
        __syncthreads();
    }
}

DEVICE void iterate_flooding(const ldpc_cuda_args *a, const pair_state *s, u32 checks)
{
    IN_GLOBAL const u32 *position_start = a->table + a->table[ANY_POSITION_START_AT],
                        *position_edges = a->table + a->table[ANY_POSITION_EDGES_AT];
    for (u32 c = s->team; c < checks; c += s->teams)
        check_node(s, TO_MESSAGES, c, 0);
    __syncthreads();
    for (u32 p = s->team; p < a->positions; p += s->teams) {
        u32 bytes = s->channel[p * PAIRS + s->pair];
        int first = (int)(bytes & 255) - 128, second = (int)(bytes >> 8) - 128;
        for (u32 i = position_start[p]; i < position_start[p + 1]; i++) {
            bytes = s->msg[(size_t)position_edges[i] * PAIRS + s->pair];
            first += (int)(bytes & 255) - 128;
            second += (int)(bytes >> 8) - 128;
        }
        put_posterior(s, p,
                      h2(min(max(first, a->lowest), a->highest), min(max(second, a->lowest), a->highest)));
    }
    __syncthreads();
}

DEVICE void count_unsatisfied(const pair_state *s, u32 checks, IN_SHARED u32 *count, u32 *unsatisfied)
{
    u32 mine[2] = {0, 0};
    if (s->team == 0)
        count[2 * s->pair] = count[2 * s->pair + 1] = 0;
    __syncthreads();
    for (u32 c = s->team; c < checks; c += s->teams) {
        u32 signs = 0;
        for (u32 e = s->start[c]; e < s->start[c + 1]; e++)
            signs ^= s->posterior[position_of(s->edge[e]) * PAIRS + s->pair];
        mine[0] += signs >> 15 & 1;
        mine[1] += signs >> 31;
    }
    unsatisfied[0] = ldpc_sum(mine[0], &count[2 * s->pair]);
    unsatisfied[1] = ldpc_sum(mine[1], &count[2 * s->pair + 1]);
}

// ---- codewords

DEVICE void load(const ldpc_cuda_args *a, const pair_state *s)
{
    IN_GLOBAL const u8 *llr = (IN_GLOBAL const u8 *)a->llr;
    IN_GLOBAL const u8 *first = llr + (size_t)min(s->first, a->n_codewords - 1) * a->n,
                       *second = llr + (size_t)min(s->second, a->n_codewords - 1) * a->n;
    const u32 least = s->rule.pair[LEAST_LLR], most = s->rule.pair[MOST_LLR];
    for (u32 p = s->team; p < a->positions; p += s->teams) {
        u32 value = channel_pair(first, second, a->source[p], least, most);
        s->posterior[p * PAIRS + s->pair] = hsub(value, HALF_1152);
        s->channel[p * PAIRS + s->pair] = to_bytes(value);
    }
    for (u32 e = s->team; e < a->table[ANY_EDGES]; e += s->teams)
        s->msg[(size_t)e * PAIRS + s->pair] = to_bytes(HALF_1152);
    __syncthreads();
}

DEVICE pair_state open_memory(const ldpc_cuda_args *a, IN_SHARED u32 *rule_pairs)
{
    pair_state s;
    const size_t positions = a->positions, edges = a->table[ANY_EDGES];
    const size_t bytes = PAIRS * (6 * positions + 2 * (edges + a->table[ANY_WAITING_EDGES]));
    s.pair = threadIdx.x % PAIRS;
    s.team = threadIdx.x / PAIRS;
    s.teams = blockDim.x / PAIRS;
    s.start = a->table + a->table[ANY_CHECK_START_AT];
    s.edge = a->table + a->table[ANY_EDGES_AT];
    s.posterior = (IN_GLOBAL u32 *)((IN_GLOBAL u8 *)a->scratch + blockIdx.x * bytes);
    s.channel = (IN_GLOBAL u16 *)(s.posterior + PAIRS * positions);
    s.msg = s.channel + PAIRS * positions;
    s.fresh = s.msg + PAIRS * edges;
    if (threadIdx.x == 0)
        set_rule(a, rule_pairs);
    __syncthreads();
    s.rule.algorithm = a->algorithm;
    s.rule.pair = rule_pairs;
    s.lowest = rule_pairs[LOWEST];
    s.highest = rule_pairs[HIGHEST];
    s.active = s.first = s.second = 0;
    return s;
}

DEVICE void store(const ldpc_cuda_args *a, const pair_state *s, u32 done, u32 iterations,
                  const u32 *unsatisfied)
{
    store_pair_decisions(a, s, done, a->message);
    if (a->info && s->team == 0 && (done & 1))
        ldpc_store_info(a, s->first, iterations, unsatisfied[0]);
    if (a->info && s->team == 0 && (done & 2))
        ldpc_store_info(a, s->second, iterations, unsatisfied[1]);
}

DEVICE_INLINE void decode(const ldpc_cuda_args *a, pair_state *s, IN_SHARED u32 *count)
{
    const u32 checks = a->table[ANY_CHECKS];
    u32 unsatisfied[2] = {0, 0};
    s->active = (s->first < a->n_codewords ? 1 : 0) | (s->second < a->n_codewords ? 2 : 0);
    load(a, s);
    for (u32 i = 0;; i++) {
        const bool last = i == a->max_iterations;
        u32 done = last ? s->active : 0;
        if (a->early_stop || (last && a->info))
            count_unsatisfied(s, checks, count, unsatisfied);
        if (a->early_stop)
            done |= s->active & ((unsatisfied[0] ? 0 : 1) | (unsatisfied[1] ? 0 : 2));
        if (done)
            store(a, s, done, i, unsatisfied);
        s->active &= ~done;
        if (!ldpc_warp_any(s->active, count))
            break;
        if (a->flooding)
            iterate_flooding(a, s, checks);
        else
            iterate_layered(a, s);
    }
    __syncthreads();
}

LDPC_KERNEL LDPC_BOUNDS(ANY_MOST_THREADS, 1) ldpc_decode(LDPC_PARAMETERS)
{
    LDPC_BEGIN
    __shared__ u32 count[ANY_CODEWORDS], ticket, rule_pairs[RULE_PAIRS];
    pair_state s = open_memory(&a, rule_pairs);
    const u32 pieces = (a.n_codewords + ANY_CODEWORDS - 1) / ANY_CODEWORDS;
    for (u32 piece; (piece = ldpc_next(&a, pieces, &ticket)) < pieces;) {
        s.first = ANY_CODEWORDS * piece + 2 * s.pair;
        s.second = s.first + 1;
        decode(&a, &s, count);
    }
}
