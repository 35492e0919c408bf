/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of check_node.h for floats, operation by operation those of ref.c, so that roundings are the
 * same. */
#include "cpu/binary/box_plus.h"
#include "cpu/binary/numbers.h"

/* The rule's constants in all lanes. One formula of msg_others serves all rules; the factor of normalised
 * min-sum comes before it. */
typedef struct rule_words {
    vec offset, peak, slope, half, min_peak, min_slope, factor;
    bool three;
    bool product; /* sum-product */
    bool weak;    /* sum-product asks for |Q| again; else what is certain is more than any message */
    bool smallest_gets_more; /* never */
    product *edges;
} rule_words;

/* `spare`: see ldpc_layered_map. */
static inline rule_words words_of(const ldpc_rule *rule, void *spare)
{
    bool three = rule->algorithm == LDPC_ALGORITHM_THREE_MIN;
    bool corrected = three || rule->algorithm == LDPC_ALGORITHM_CORRECTED_MIN_SUM;
    bool offset = corrected || rule->algorithm == LDPC_ALGORITHM_OFFSET_MIN_SUM;
    bool normalized = rule->algorithm == LDPC_ALGORITHM_NORMALIZED_MIN_SUM;
    return (rule_words){
        .offset = v_set(offset ? rule->offset_f : 0),
        .peak = v_set(corrected ? rule->others_peak_f : 0),
        .slope = v_set(corrected ? rule->others_slope_f : 0),
        .half = v_set(corrected ? 0.5f : 0),
        .min_peak = v_set(three ? rule->min_peak_f : 0),
        .min_slope = v_set(three ? rule->min_slope_f : 0),
        .factor = v_set(normalized ? rule->factor_f : 1),
        .three = three,
        .product = rule->algorithm == LDPC_ALGORITHM_SUM_PRODUCT,
        .weak = rule->algorithm == LDPC_ALGORITHM_SUM_PRODUCT,
        .edges = spare,
    };
}

/* |Q| where there is no edge, and the most that counts. */
FORCE_INLINE vec nobody(void)
{
    return v_set(FLOAT_LIMIT);
}

/* Q that changes nothing. */
FORCE_INLINE lane_t certain(void)
{
    const float x = 1e30f;
    lane_t pattern;
    memcpy(&pattern, &x, sizeof pattern);
    return pattern;
}

/* What falls along a slope from its peak, not below 0. */
FORCE_INLINE vec falling(vec peak, vec slope, vec x)
{
    return v_usubs(peak, v_mul(slope, x));
}

FORCE_INLINE answer answer_of(const bool three, minima m, vec sign, const rule_words *rule)
{
    vec smallest = v_min(m.u, nobody());
    vec u = v_mul(smallest, rule->factor), v = v_mul(v_min(m.v, nobody()), rule->factor);
    vec less = v_usubs(u, v_max(rule->offset, falling(rule->peak, rule->slope, v_sub(v, u))));
    vec others = v_max(less, v_mul(u, rule->half));
    vec loss = rule->offset;
    if (three)
        loss = falling(rule->min_peak, rule->min_slope, v_sub(v_min(m.w, nobody()), v));
    vec holder = v_usubs(v, loss);
    return (answer){smallest, v_negate_by(others, sign), v_negate_by(holder, sign)};
}
