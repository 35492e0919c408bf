/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of docs/arithmetic.md for float lanes. Operations are in the order of ref_check_node.h, which
 * gives equal rounding. Parameter: LANE_BITS, 32. */
#ifndef LDPC_RULE_FLOAT_H
#define LDPC_RULE_FLOAT_H

#ifndef LANE_BITS
#define LANE_BITS 32
#endif

#include <string.h>

#include "cpu/binary/box_plus.h"
#include "cpu/binary/llr_conversion.h"
#include "cpu/binary/minima.h"

/* The constants of a rule; unused constants are 0. All rules except sum-product use the same formulas. */
typedef struct rule_lanes {
    vec offset, others_peak, others_slope, half, min_peak, min_slope, factor;
    bool three;       /* whether the rule uses min3 */
    bool sum_product; /* reads all |Q| twice */
    bool saturation_matters;
    bool limits_differ; /* always false */
    product_edge *edges;
} rule_lanes;

static inline rule_lanes rule_lanes_of(const ldpc_rule *rule, void *edge_scratch)
{
    bool three = rule->algorithm == LDPC_ALGORITHM_THREE_MIN;
    bool corrected = three || rule->algorithm == LDPC_ALGORITHM_CORRECTED_MIN_SUM;
    bool offset = corrected || rule->algorithm == LDPC_ALGORITHM_OFFSET_MIN_SUM;
    bool normalized = rule->algorithm == LDPC_ALGORITHM_NORMALIZED_MIN_SUM;
    return (rule_lanes){
        .offset = v_set(offset ? rule->offset_f : 0),
        .others_peak = v_set(corrected ? rule->others_peak_f : 0),
        .others_slope = v_set(corrected ? rule->others_slope_f : 0),
        .half = v_set(corrected ? 0.5f : 0),
        .min_peak = v_set(three ? rule->min_peak_f : 0),
        .min_slope = v_set(three ? rule->min_slope_f : 0),
        .factor = v_set(normalized ? rule->factor_f : 1),
        .three = rule->reads_third,
        .sum_product = rule->algorithm == LDPC_ALGORITHM_SUM_PRODUCT,
        .saturation_matters = rule->algorithm == LDPC_ALGORITHM_SUM_PRODUCT,
        .edges = edge_scratch,
    };
}

/* Exceeds every magnitude. */
FORCE_INLINE vec no_edge(void)
{
    return v_set(FLOAT_LIMIT);
}

FORCE_INLINE lane_t saturated_input(void)
{
    const float x = 1e30f;
    lane_t pattern;
    memcpy(&pattern, &x, sizeof pattern);
    return pattern;
}

/* max(peak - slope * x, 0) */
FORCE_INLINE vec clamped_slope(vec peak, vec slope, vec x)
{
    return v_usubs(peak, v_mul(slope, x));
}

FORCE_INLINE check_msgs msgs_of(const bool three, minima m, vec sign, const rule_lanes *rule)
{
    vec min1 = v_min(m.min1, no_edge());
    vec u = v_mul(min1, rule->factor), v = v_mul(v_min(m.min2, no_edge()), rule->factor);
    vec others_loss = v_max(rule->offset, clamped_slope(rule->others_peak, rule->others_slope, v_sub(v, u)));
    vec others = v_max(v_usubs(u, others_loss), v_mul(u, rule->half));
    vec min_loss = rule->offset;
    if (three)
        min_loss = clamped_slope(rule->min_peak, rule->min_slope, v_sub(v_min(m.min3, no_edge()), v));
    vec holder = v_usubs(v, min_loss);
    return (check_msgs){min1, v_negate_by(others, sign), v_negate_by(holder, sign)};
}

#endif
