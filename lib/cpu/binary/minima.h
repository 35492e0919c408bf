/* SPDX-License-Identifier: BSD-3-Clause */
/* The smallest magnitudes of checks. Each lane processes a different check. Parameter: LANE_BITS, 8, 16 or 32
 * (floats). */
#ifndef LDPC_MINIMA_H
#define LDPC_MINIMA_H

#ifndef LANE_BITS
#define LANE_BITS 8
#endif

#include <stdbool.h>

#include "plan/plan.h"

#include "cpu/simd/lanes.h"

#if defined(LDPC_ISA_SCALAR)
#define UNROLL
#else
#define UNROLL UNROLL_FULLY
#endif

typedef struct minima {
    vec min1, min2, min3;
} minima;

/* msg_min goes to edges with |Q| = min1, msg_others to all others. `sign` is the product of all signs. */
typedef struct check_msgs {
    vec min1, msg_others, msg_min;
} check_msgs;

FORCE_INLINE minima minima_with(const bool has_min3, minima x, vec magnitude)
{
    vec min1 = v_min(x.min1, magnitude), larger = v_other(x.min1, magnitude, min1);
    vec min2 = v_min(x.min2, larger), next = v_other(x.min2, larger, min2);
    return (minima){min1, min2, has_min3 ? v_min(x.min3, next) : next};
}

#if !defined(LDPC_ISA_SCALAR)

FORCE_INLINE minima minima_merged(const bool x_has_min3, minima x, const bool y_has_min3, minima y)
{
    vec min1 = v_min(x.min1, y.min1), larger = v_other(x.min1, y.min1, min1);
    vec smaller = v_min(x.min2, y.min2), min2 = v_min(larger, smaller), next = v_other(larger, smaller, min2);
    next = x_has_min3 ? v_min(x.min3, next) : next;
    next = y_has_min3 ? v_min(y.min3, next) : next;
    return (minima){min1, min2, next};
}

#define MINIMA_LEVELS 5 /* enough for 2^(5 + 1) - 1 edges */

/* Minima of the first edges of a check. Edges are merged in pairs, with a latency of log2(degree) operations.
 * The levels in use are the digits of a binary counter:
 *
 *   edges so far   single   level[0]   level[1]
 *        1           0
 *        2                    0 1
 *        3           2        0 1
 *        4                               0 1 2 3
 *        7           6        4 5        0 1 2 3
 */
typedef struct minima_tree {
    minima level[MINIMA_LEVELS]; /* minima of 2^(i + 1) edges */
    vec single;
} minima_tree;

/* `degree` must be at least 2. */
FORCE_INLINE unsigned minima_lowest_level(unsigned degree)
{
    return (unsigned)__builtin_ctz(degree / 2);
}

/* Edges must be added in order. */
FORCE_INLINE void minima_tree_add(const bool three, minima_tree *tree, unsigned e, unsigned degree,
                                  vec magnitude, vec no_edge)
{
    if (!(e & 1)) {
        tree->single = magnitude;
        if (e + 1 == degree) {
            const unsigned lowest = minima_lowest_level(degree);
            tree->level[lowest] = minima_with(three && lowest > 0, tree->level[lowest], magnitude);
        }
        return;
    }
    vec smaller = v_min(tree->single, magnitude);
    minima sum = {smaller, v_other(tree->single, magnitude, smaller), no_edge};
    UNROLL
    for (unsigned i = 0; i < MINIMA_LEVELS; i++) {
        const unsigned pairs = e / 2, below = (1u << i) - 1;
        const bool carried = (pairs & below) == below, taken = pairs >> i & 1;
        if (carried && !taken)
            tree->level[i] = sum;
        if (carried && taken)
            sum = minima_merged(three && i > 0, tree->level[i], three && i > 0, sum);
    }
}

/* Returns the minima of all edges. `degree` must be at least 2. */
FORCE_INLINE minima minima_of_tree(const bool three, const minima_tree *tree, unsigned degree)
{
    const unsigned lowest = minima_lowest_level(degree);
    minima all = tree->level[lowest];
    bool has_min3 = three && (lowest > 0 || degree & 1);
    UNROLL
    for (unsigned i = 1; i < MINIMA_LEVELS; i++)
        if (i > lowest && degree / 2 >> i & 1) {
            all = minima_merged(three, tree->level[i], has_min3, all);
            has_min3 = three;
        }
    return all;
}

#endif
#endif
