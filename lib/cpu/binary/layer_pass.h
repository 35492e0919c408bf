/* SPDX-License-Identifier: BSD-3-Clause */
/* The two passes (check_node.h) over the checks of one register. Parameters: LANE_BITS, 8, 16 or 32 (floats);
 * FLOODING, 1 for the flooding schedule.
 *
 * first_pass() is for layers of constant degree, and keeps all Q in registers. first_in_memory() is for all other
 * layers. It stores Q at the position of the new message. */
#ifndef LDPC_LAYER_PASS_H
#define LDPC_LAYER_PASS_H

#ifndef FLOODING
#define FLOODING 0
#endif

#include "cpu/binary/check_node.h"
#include "cpu/binary/simd_map.h"

/* Functions unrolled for larger degrees take minutes to compile. */
#define MAX_UNROLLED 32

/* Up to this degree, |Q| stays in registers. Spilling is slower than computing |Q| again. */
#define KEEP_MAGNITUDES (VECTOR_REGISTERS == 32 ? 11 : 0)

/* ---- memory */

/* Limits i16 values to +-2047. */
FORCE_INLINE vec limited(vec x)
{
    return LANE_BITS == 16 ? v_negate_by(v_min(v_abs(x), v_set(LDPC_I16_LIMIT)), x) : x;
}

FORCE_INLINE vec posteriors_at(const bool dyadic, const char *L, uint32_t at)
{
    return dyadic ? v_load_xor(L + at / REGISTER_BYTES * REGISTER_BYTES, at % REGISTER_BYTES)
                  : v_loadu(L + at);
}

/* Call this after all rows are written, because a mirror overlaps its row's last register. */
FORCE_INLINE void store_mirrors(const ldpc_simd_layer *layer, const ldpc_simd_map *map, char *rows)
{
    for (unsigned e = 0; e < layer->mirrors; e++) {
        char *row = rows + layer->accesses[e].to;
        v_storeu(row + map->row_bytes, v_load(row));
    }
}

FORCE_INLINE size_t message_at(const ldpc_simd_access *accesses, unsigned e)
{
    return FLOODING ? accesses[e].to : (size_t)e * REGISTER_BYTES;
}

/* ---- any degree */

static inline vec missing_lanes(const ldpc_simd_layer *layer, const ldpc_simd_access *access)
{
    const size_t number = (size_t)(access - layer->accesses);
    lane_t lanes[REGISTER_BYTES / sizeof(lane_t)] = {0};
    for (uint32_t i = 0; i < layer->n_missing; i++)
        if (layer->missing[i].message / REGISTER_BYTES == number)
            lanes[layer->missing[i].message % REGISTER_BYTES / sizeof(lane_t)] = -1;
    return v_loadu(lanes);
}

FORCE_INLINE check_msgs first_in_memory(const bool three, const bool careful, const bool dyadic,
                                        const char *L, char *R, const ldpc_simd_layer *layer,
                                        const ldpc_simd_access *accesses, const rule_lanes *rule)
{
    minima m = {no_edge(), no_edge(), no_edge()};
    vec sign = v_zero();
    for (unsigned e = 0; e < layer->degree; e++) {
        char *message = R + message_at(accesses, e);
        vec q = v_subs(posteriors_at(dyadic, L, accesses[e].from), v_load(message));
        vec missing = careful ? missing_lanes(layer, accesses + e) : v_zero();
        q = careful ? limited(q) : q;
        v_store(message, q);
        vec magnitude = careful ? v_blend(missing, v_abs(q), no_edge()) : v_abs(q);
        m = minima_with(three, m, magnitude);
#if LANE_BITS == 32
        if (rule->sum_product)
            rule->edges[e].magnitude = magnitude;
#endif
        sign = v_xor(sign, careful ? v_blend(missing, q, v_zero()) : q);
    }
#if LANE_BITS == 32
    if (rule->sum_product)
        sum_product_msgs(rule->edges, layer->degree, m.min1, m.min2, sign);
#endif
    return msgs_of(three, m, sign, rule);
}

/* 0 if the edge is missing. */
FORCE_INLINE vec message_in_memory(const bool careful, const rule_lanes *rule, const check_msgs *msgs, vec q,
                                   unsigned e, const ldpc_simd_layer *layer, const ldpc_simd_access *accesses)
{
    vec r = message_of(msgs, q);
#if LANE_BITS == 32
    if (rule->sum_product)
        r = v_negate_by(rule->edges[e].message, q);
#else
    (void)rule;
#endif
    return careful ? v_blend(missing_lanes(layer, accesses + e), r, v_zero()) : r;
}

/* ---- constant degree */

#if !defined(LDPC_ISA_SCALAR)

#if defined(V_WHERE) && LANE_BITS < 32 && !FLOODING
#define MASKS_MESSAGES 1
#else
#define MASKS_MESSAGES 0
#endif
#if REGISTER_BYTES == 32 && VECTOR_REGISTERS == 16 && LANE_BITS == 8 && !FLOODING
#define MASKED_FUNCTIONS 1
#else
#define MASKED_FUNCTIONS 0
#endif

/* a - R */
FORCE_INLINE vec less_message(const bool masked, vec a, const char *R, const rule_lanes *rule)
{
    (void)masked;
#if MASKS_MESSAGES
    return v_subs_where(rule->kept, a, v_load(R));
#elif MASKED_FUNCTIONS
    return v_subs(a, masked ? v_and(rule->kept, v_load(R)) : v_load(R));
#else
    (void)rule;
    return v_subs(a, v_load(R));
#endif
}

#define FETCH_AHEAD           2
#define FETCHES_AHEAD(degree) (REGISTER_BYTES == 64 && (degree) >= 12)
_Static_assert(FETCH_AHEAD *MAX_UNROLLED <= LDPC_PREFETCHED_ACCESSES,
               "accesses after those of the last layer");
_Static_assert(MAX_UNROLLED >> MINIMA_LEVELS <= 1, "levels for the largest degree");

/* Keeps Q in the registers q[e]. */
FORCE_INLINE check_msgs first_pass(const bool three, const bool masked, const unsigned degree, vec *q,
                                   const char *L, const char *R, const ldpc_simd_access *accesses,
                                   const rule_lanes *rule)
{
    minima_tree tree;
    vec sign = v_zero();
    UNROLL
    for (unsigned e = 0; e < degree; e++) {
        q[e] = less_message(masked, v_loadu(L + accesses[e].from), R + message_at(accesses, e), rule);
        vec magnitude = v_abs(q[e]);
        sign = e ? v_xor(sign, q[e]) : q[e];
        minima_tree_add(three, &tree, e, degree, magnitude, no_edge());
        if (FETCHES_AHEAD(degree))
            __builtin_prefetch(L + accesses[FETCH_AHEAD * degree + e].from);
    }
    return msgs_of(three, minima_of_tree(three, &tree, degree), sign, rule);
}

/* clang-format off */
#if defined(LDPC_SANITIZED) && REGISTER_BYTES == 64
#define DEGREES(X) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(15)
#elif defined(LDPC_SANITIZED)
#define DEGREES(X) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#else
#define DEGREES(X) \
    X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) \
    X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32)
#endif
/* clang-format on */

#endif
#endif
