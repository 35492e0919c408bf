/* SPDX-License-Identifier: BSD-3-Clause */
/* The check node for one instruction set. The including file defines LANE_BITS as 8, 16 or 32. */
#ifndef LDPC_CHECK_NODE_OF_ISA_H
#define LDPC_CHECK_NODE_OF_ISA_H

#include "cpu/binary/check_node.h"
#include "cpu/binary/simd_variant.h"
#include "parts/check_node_part.h"

/* The compiler must not remove repeated loads and stores. */
#define AGAIN __asm__ volatile("" : : : "memory")

static vec edge_of(const void *q, unsigned e)
{
    return v_loadu((const char *)q + (size_t)e * REGISTER_BYTES);
}

static void in_order(const ldpc_rule *rule, unsigned degree, const void *q, void *r, size_t times)
{
#if LANE_BITS == 32
    product_edge edges[MAX_DEGREE];
    const rule_lanes lanes = rule_lanes_of(rule, edges);
#else
    const rule_lanes lanes = rule_lanes_of(rule, NULL);
#endif
    for (size_t t = 0; t < times; t++) {
        minima m = {no_edge(), no_edge(), no_edge()};
        vec sign = v_zero();
        for (unsigned e = 0; e < degree; e++) {
            m = minima_with(true, m, v_abs(edge_of(q, e)));
            sign = v_xor(sign, edge_of(q, e));
#if LANE_BITS == 32
            edges[e].magnitude = v_abs(edge_of(q, e));
#endif
        }
#if LANE_BITS == 32
        if (lanes.sum_product)
            sum_product_msgs(edges, degree, m.min1, m.min2, sign);
#endif
        const check_msgs msgs =
            lanes.three ? msgs_of(true, m, sign, &lanes) : msgs_of(false, m, sign, &lanes);
        for (unsigned e = 0; e < degree; e++) {
            vec message = message_of(&msgs, edge_of(q, e));
#if LANE_BITS == 32
            if (lanes.sum_product)
                message = v_negate_by(edges[e].message, edge_of(q, e));
#endif
            v_storeu((char *)r + (size_t)e * REGISTER_BYTES, message);
        }
        AGAIN;
    }
}

#if defined(LDPC_ISA_SCALAR)
#define BY_TREE NULL
#else
#define BY_TREE by_tree

FORCE_INLINE void unrolled(const bool three, const unsigned degree, const rule_lanes *rule, const void *q,
                           void *r)
{
    minima_tree tree;
    vec sign = v_zero();
    UNROLL
    for (unsigned e = 0; e < degree; e++) {
        minima_tree_add(three, &tree, e, degree, v_abs(edge_of(q, e)), no_edge());
        sign = v_xor(sign, edge_of(q, e));
    }
    const check_msgs msgs = msgs_of(three, minima_of_tree(three, &tree, degree), sign, rule);
    UNROLL
    for (unsigned e = 0; e < degree; e++)
        v_storeu((char *)r + (size_t)e * REGISTER_BYTES, message_of(&msgs, edge_of(q, e)));
}

static void by_tree(const ldpc_rule *rule, unsigned degree, const void *q, void *r, size_t times)
{
    const rule_lanes lanes = rule_lanes_of(rule, NULL);
    for (size_t t = 0; t < times; t++) {
        switch (2 * degree + lanes.three) {
#define CASE(d)                                                                                              \
    case 2 * d:                                                                                              \
        unrolled(false, d, &lanes, q, r);                                                                    \
        break;                                                                                               \
    case 2 * d + 1:                                                                                          \
        unrolled(true, d, &lanes, q, r);                                                                     \
        break;
            TREE_DEGREES(CASE)
        }
        AGAIN;
    }
}
#endif

extern const check_node_part LDPC_VARIANT_NAME(check_node);
const check_node_part LDPC_VARIANT_NAME(check_node) = {
    .row = {LDPC_ISA_NAME, LDPC_ISA_FEATURES},
    .lane_bits = LANE_BITS,
    .lanes = REGISTER_BYTES * 8 / LANE_BITS,
    .in_order = in_order,
    .by_tree = BY_TREE,
};

#endif
