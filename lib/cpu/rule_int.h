/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of check_node.h for integers. */
#include <assert.h>

/* The rule's constants in all lanes. One formula of m1 serves all rules, and one of m2 all but three-min; the
 * factor of normalised min-sum comes before it. */
typedef struct rule_words {
    vec offset, step, last_near /* threshold - 1 */, threshold, far, floor, max_others, max;
    int factor;
    bool three;
    bool product; /* floats only */
    bool weak;    /* |Q| = 127 need not be enough for the largest message */
} rule_words;

static rule_words words_of(const ldpc_rule *rule, void *spare)
{
    (void)spare;
    bool three = rule->algorithm == LDPC_ALGORITHM_THREE_MIN;
    bool corrected = three || rule->algorithm == LDPC_ALGORITHM_CORRECTED_MIN_SUM;
    bool offset = corrected || rule->algorithm == LDPC_ALGORITHM_OFFSET_MIN_SUM;
    int factor = rule->algorithm == LDPC_ALGORITHM_NORMALIZED_MIN_SUM ? rule->factor : 16;
    int loss = three ? rule->far + 2 * rule->step : offset ? rule->offset : 0;
    return (rule_words){
        .offset = v_set(offset ? rule->offset : 0),
        .step = v_set(corrected ? rule->step : 0),
        .last_near = v_set(rule->threshold - 1),
        .threshold = v_set(rule->threshold),
        .far = v_set(rule->far),
        .floor = v_set(corrected ? -1 : 0),
        .max_others = v_set(rule->max_others),
        .max = v_set(rule->max_message),
        .factor = factor,
        .three = three,
        .weak = (LDPC_I8_MAX - loss) * factor / 16 < rule->max_message,
    };
}

/* |Q| where there is no edge. */
FORCE_INLINE vec nobody(void)
{
    return v_set(LANE_BITS == 8 ? -1 /* 255 */ : LDPC_I16_LIMIT);
}

/* Q that changes nothing, but for weak rules. */
FORCE_INLINE lane_t certain(void)
{
    return LANE_BITS == 8 ? LDPC_I8_MAX : LDPC_I16_LIMIT;
}

/* What m2 loses. Distances of 128 and more are those from 0, and from v so large that nothing is lost. */
FORCE_INLINE vec holder_loss(const bool three, minima m, const rule_words *rule)
{
    if (!three)
        return rule->offset;
    vec distance = v_usubs(m.w, m.v);
    return v_add(v_if_below(distance, rule->far, rule->step),
                 v_if_below(distance, rule->threshold, rule->step));
}

FORCE_INLINE answer answer_of(const bool three, minima m, vec sign, const rule_words *rule)
{
    vec u = m.u, v = m.v;
    if (!three && rule->factor != 16) {
        u = v_times(u, rule->factor);
        v = v_times(v, rule->factor);
    }
    /* The way from v to the messages is what a row waits for. Of an only edge v is nobody's and `others` too.
     */
    vec lost = v_if_near(v, v_add(u, rule->last_near), rule->step);
    vec others = v_usubs(v_usubs(u, rule->offset), lost);
    others = v_min(v_max(others, v_and(v_half(u), rule->floor)), three ? rule->max_others : rule->max);
    vec holder = v_min(v_usubs(v, holder_loss(three, m, rule)), rule->max);
    return (answer){m.u, v_negate_by(others, sign), v_negate_by(holder, sign)};
}
