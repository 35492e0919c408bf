/* SPDX-License-Identifier: BSD-3-Clause */
/* The check nodes of the SIMD kernels, for LANE_BITS 8, 16 or 32 (floats): what layered_kernel.h and
 * flooding_kernel.h have in common. A register holds the same edge of as many checks as it has lanes.
 *
 * The degree is a constant of what begins with first_pass, so that it unrolls completely, and so is whether
 * the rule asks for the third smallest (`three`).
 */
#include <string.h>

#include "cpu/binary/layered_engine.h"
#include "cpu/simd/lanes.h"

#if defined(LDPC_ISA_SCALAR)
#define UNROLL /* operations are long in plain C, and clang warns of loops that it then leaves */
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

/* Degrees above take layer_any, in plain C all do: unrolled it takes minutes to compile. So it does with
 * sanitizers, which see the same source in the smaller degrees, and in one of the larger ones what only those
 * do. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FEW_UNROLLED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FEW_UNROLLED 1
#endif
#endif
#define MAX_UNROLLED 32

/* |Q| stays in registers between the passes up to this many; above it is worked out again, which is less work
 * than memory. */
#define KEEP_MAGNITUDES (VECTOR_REGISTERS == 32 ? 11 : 0)

/* ------------------------------------------------------------------------------------------------ check node
 */

/* The smallest |Q| of some edges, u <= v <= w. */
typedef struct minima {
    vec u, v, w;
} minima;

/* `has_w`: else there is none yet, of two edges, or it is not asked for. */
FORCE_INLINE minima with(const bool has_w, minima x, vec magnitude)
{
    vec u = v_min(x.u, magnitude), larger = v_other(x.u, magnitude, u);
    vec v = v_min(x.v, larger), next = v_other(x.v, larger, v);
    return (minima){u, v, has_w ? v_min(x.w, next) : next};
}

/* Signed messages of a check: `holder` for edges whose |Q| is `smallest`, `others` for the rest; each edge
 * still takes its own sign out. */
typedef struct answer {
    vec smallest, others, holder;
} answer;

#if LANE_BITS < 32
#include "cpu/binary/rule_int.h"
#else
#include "cpu/binary/rule_float.h"
#endif

FORCE_INLINE vec message_of(const answer *a, vec q)
{
    return v_negate_by(v_pick(v_abs(q), a->smallest, a->others, a->holder), q);
}

/* ------------------------------------------------------------------------------------------------ variable
 * to check */

/* Lanes of a step that have no edge. */
static vec absent_lanes(const ldpc_layered_layer *layer, size_t step)
{
    lane_t lanes[REGISTER_BYTES / sizeof(lane_t)] = {0};
    for (uint32_t i = 0; i < layer->absents; i++)
        if (layer->absent[i].message / REGISTER_BYTES == step)
            lanes[layer->absent[i].message % REGISTER_BYTES / sizeof(lane_t)] = -1;
    return v_loadu(lanes);
}

/* y where the mask is set, else x */
FORCE_INLINE vec chosen(vec mask, vec x, vec y)
{
    return v_xor(x, v_and(mask, v_xor(x, y)));
}

/* 16-bit lanes saturate earlier than their instructions. */
FORCE_INLINE vec limited(vec x)
{
    return LANE_BITS == 16 ? v_negate_by(v_min(v_abs(x), v_set(LDPC_I16_LIMIT)), x) : x;
}

/* A register of posteriors that begins at `at`, or whose byte i is at `at` ^ i. */
FORCE_INLINE vec posteriors_at(const bool translated, const char *L, uint32_t at)
{
    return translated ? v_load_xor(L + at / REGISTER_BYTES * REGISTER_BYTES, at % REGISTER_BYTES)
                      : v_loadu(L + at);
}

/* After the last register, whose lanes end where the mirrors begin. */
FORCE_INLINE void store_mirrors(const ldpc_layered_layer *layer, const ldpc_layered_map *map, char *rows)
{
    for (unsigned e = 0; e < layer->mirrors; e++) {
        char *row = rows + layer->steps[e].to;
        v_storeu(row + map->row_bytes, v_load(row));
    }
}

/* The messages of a register's edges follow each other; in flooding each block has a row of its own. */
FORCE_INLINE size_t message_at(const bool flooding, const ldpc_layered_step *steps, unsigned e)
{
    return flooding ? steps[e].to : (size_t)e * REGISTER_BYTES;
}

/* Any degree: Q waits in the place of the messages. `careful`: lanes may be absent, 16-bit lanes may
 * saturate. */
FORCE_INLINE answer first_in_memory(const bool flooding, const bool three, const bool careful,
                                    const bool translated, const char *L, char *R,
                                    const ldpc_layered_layer *layer, const ldpc_layered_step *steps,
                                    const rule_words *rule)
{
    minima m = {nobody(), nobody(), nobody()};
    vec sign = v_zero();
    for (unsigned e = 0; e < layer->degree; e++) {
        char *message = R + message_at(flooding, steps, e);
        vec q = v_subs(posteriors_at(translated, L, steps[e].from), v_load(message));
        vec absent = careful ? absent_lanes(layer, (size_t)(steps + e - layer->steps)) : v_zero();
        q = careful ? limited(q) : q;
        v_store(message, q);
        vec magnitude = careful ? chosen(absent, v_abs(q), nobody()) : v_abs(q);
        m = with(three, m, magnitude);
#if LANE_BITS == 32
        if (rule->product)
            rule->edges[e].magnitude = magnitude;
#endif
        sign = v_xor(sign, careful ? chosen(absent, q, v_zero()) : q);
    }
#if LANE_BITS == 32
    if (rule->product)
        box_pluses(rule->edges, layer->degree, m.u, m.v, sign);
#endif
    return answer_of(three, m, sign, rule);
}

/* The message of edge e that takes the place of Q. */
FORCE_INLINE vec message_in_memory(const bool careful, const rule_words *rule, const answer *a, vec q,
                                   unsigned e, const ldpc_layered_layer *layer,
                                   const ldpc_layered_step *steps)
{
    vec r = message_of(a, q);
#if LANE_BITS == 32
    if (rule->product)
        r = v_negate_by(rule->edges[e].message, q);
#else
    (void)rule;
#endif
    return careful ? chosen(absent_lanes(layer, (size_t)(steps + e - layer->steps)), r, v_zero()) : r;
}

/* Absent lanes go through their layer as edges that are certain of their bit and so change nothing. */
static void hide_absent(const ldpc_layered_layer *layer, char *L, lane_t *kept)
{
    const lane_t sure = certain();
    for (uint32_t i = 0; i < layer->absents; i++) {
        memcpy(&kept[i], L + layer->absent[i].from, sizeof(lane_t));
        memcpy(L + layer->absent[i].from, &sure, sizeof(lane_t));
    }
}

/* Is |Q| = 127 of a hidden lane perhaps the smallest, as all others are 128? They would then get msg_others.
 */
FORCE_INLINE bool may_be_smallest(const bool flooding, const ldpc_layered_layer *layer, const char *L,
                                  const char *R)
{
    for (uint32_t i = 0; i < layer->absents; i++) {
        const size_t at = layer->absent[i].message, lane = at % REGISTER_BYTES;
        const unsigned step = (unsigned)(at / REGISTER_BYTES), first = step - step % layer->degree;
        const unsigned other = first + (step == first);
        lane_t posterior, message;
        if (layer->degree < 2)
            return true;
        memcpy(&posterior, L + layer->steps[other].from + lane, sizeof posterior);
        memcpy(&message, R + message_at(flooding, layer->steps, other) + lane, sizeof message);
        if (posterior - message <= LDPC_I8_MIN)
            return true;
    }
    return false;
}

/* Where that is not enough, or 16 bits saturate. */
FORCE_INLINE bool needs_care(const bool flooding, const ldpc_layered_map *map,
                             const ldpc_layered_layer *layer, const char *L, const char *R,
                             const rule_words *rule)
{
    if (layer->careful || !layer->absents || rule->weak)
        return layer->careful || layer->absents;
    return rule->smallest_gets_more && (map->code->is_dyadic || may_be_smallest(flooding, layer, L, R));
}

#if !defined(LDPC_ISA_SCALAR)

FORCE_INLINE minima merged(const bool x_has_w, minima x, const bool y_has_w, minima y)
{
    vec u = v_min(x.u, y.u), larger = v_other(x.u, y.u, u);
    vec smaller = v_min(x.v, y.v), v = v_min(larger, smaller), next = v_other(larger, smaller, v);
    next = x_has_w ? v_min(x.w, next) : next;
    next = y_has_w ? v_min(y.w, next) : next;
    return (minima){u, v, next};
}

/* What the first edges of a check have in common. The minima are kept as the digits of a binary counter:
 * level i holds those of 2^(i+1) edges. The chain is log2(degree) long. Two minima take as many operations
 * as edge after edge, three take four for each edge instead of five. */
typedef struct check {
    minima level[5];
    vec single; /* magnitude that waits for a partner */
    vec sign;
} check;

FORCE_INLINE void check_add(const bool three, check *c, unsigned e, unsigned degree, vec q)
{
    vec magnitude = v_abs(q);
    c->sign = e ? v_xor(c->sign, q) : q;
    if (!(e & 1)) {
        c->single = magnitude;
        if (e + 1 == degree) { /* no partner comes: join the lowest digit */
            unsigned i = 0;
            while (!(degree / 2 >> i & 1))
                i++;
            c->level[i] = with(three && i > 0, c->level[i], magnitude);
        }
        return;
    }
    vec smaller = v_min(c->single, magnitude);
    minima sum = {smaller, v_other(c->single, magnitude, smaller), nobody()};
    unsigned i = 0;
    for (; e / 2 >> i & 1; i++)
        sum = merged(three && i > 0, c->level[i], three && i > 0, sum);
    c->level[i] = sum;
}

FORCE_INLINE minima check_minima(const bool three, const check *c, unsigned degree)
{
    unsigned i = 0;
    while (!(degree / 2 >> i & 1))
        i++;
    minima all = c->level[i];
    bool has_w = three && (i > 0 || degree & 1);
    for (i++; i < 5; i++)
        if (degree / 2 >> i & 1) {
            all = merged(three, c->level[i], has_w, all);
            has_w = three;
        }
    return all;
}

/* Of rows of many edges few are in flight at a time, and posteriors of a long code come from L2: those of the
 * row after the next one are asked for. Narrower registers would ask for each line twice and gain nothing. */
#define FETCH_AHEAD           2
#define FETCHES_AHEAD(degree) (REGISTER_BYTES == 64 && (degree) >= 12)
_Static_assert(FETCH_AHEAD *MAX_UNROLLED <= LDPC_LAYERED_SPARE_STEPS, "steps behind the last row");

FORCE_INLINE answer first_pass(const bool flooding, const bool three, const unsigned degree, vec *q,
                               const char *L, const char *R, const ldpc_layered_step *steps,
                               const rule_words *rule)
{
    check c;
    UNROLL
    for (unsigned e = 0; e < degree; e++) {
        q[e] = v_subs(v_loadu(L + steps[e].from), v_load(R + message_at(flooding, steps, e)));
        check_add(three, &c, e, degree, q[e]);
        if (FETCHES_AHEAD(degree))
            __builtin_prefetch(L + steps[FETCH_AHEAD * degree + e].from);
    }
    return answer_of(three, check_minima(three, &c, degree), c.sign, rule);
}

/* clang-format off */
#if defined(FEW_UNROLLED) && REGISTER_BYTES == 64
#define DEGREES(X) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(15)
#elif defined(FEW_UNROLLED)
#define DEGREES(X) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#else
#define DEGREES(X) \
    X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) \
    X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32)
#endif
/* clang-format on */

#endif
