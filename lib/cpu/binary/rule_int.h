/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of docs/arithmetic.md for integer lanes. Parameter: LANE_BITS, 8 or 16. */
#ifndef LDPC_RULE_INT_H
#define LDPC_RULE_INT_H

#include "cpu/binary/minima.h"

typedef struct loss {
    vec thresholds[LDPC_RULE_THRESHOLDS];
    vec table; /* losses for consecutive distances */
    bool tabled;
} loss;

/* The constants of a rule; unused constants are 0. The rules min-sum, offset, normalized and corrected use
 * these formulas:
 *
 *   msg_others = max(f(min1) - offset - (step if f(min2) <= f(min1) + last_near), half of f(min1))
 *   msg_min    = f(min2) - offset                      f(x) = x * factor / 16, rounded down
 */
typedef struct rule_lanes {
    vec offset, step;
    vec last_near; /* threshold - 1 */
    vec keep_half;
    vec max_msg_others, max_msg;
    vec others_first;
    loss others_loss, min_loss;
    int factor;
    bool three;              /* whether the rule uses min3 */
    bool sum_product;        /* always false */
    bool saturation_matters; /* a saturated edge may reduce messages */
    bool limits_differ;      /* max_msg_others < max_msg */
#if defined(V_WHERE)
    where_mask kept;
#else
    vec kept;
#endif
} rule_lanes;

static inline loss loss_of(const ldpc_rule *rule, const int32_t thresholds[LDPC_RULE_THRESHOLDS], int first)
{
    loss l = {.tabled = thresholds[0] - first <= V_TABLE};
    uint8_t table[16] = {0};
    for (int i = 0; i < LDPC_RULE_THRESHOLDS; i++) {
        l.thresholds[i] = v_set(thresholds[i] - first);
        for (int distance = 0; distance < 16; distance++)
            table[distance] =
                (uint8_t)(table[distance] + (distance < thresholds[i] - first ? rule->step : 0));
    }
    l.table = V_TABLE ? v_table(table) : v_zero();
    return l;
}

static inline int first_of(const int32_t thresholds[LDPC_RULE_THRESHOLDS])
{
    int first = thresholds[0] - V_TABLE;
    return first > 0 && first < thresholds[LDPC_RULE_THRESHOLDS - 1] ? first : 0;
}

static inline rule_lanes rule_lanes_of(const ldpc_rule *rule, void *edge_scratch)
{
    (void)edge_scratch;
    bool three = rule->algorithm == LDPC_ALGORITHM_THREE_MIN;
    bool corrected = three || rule->algorithm == LDPC_ALGORITHM_CORRECTED_MIN_SUM;
    bool offset = corrected || rule->algorithm == LDPC_ALGORITHM_OFFSET_MIN_SUM;
    int factor = rule->algorithm == LDPC_ALGORITHM_NORMALIZED_MIN_SUM ? rule->factor : 16;
    int reach = rule->others_threshold[0] > rule->min_threshold[0] ? rule->others_threshold[0]
                                                                   : rule->min_threshold[0];
    int largest_loss = three ? reach + LDPC_RULE_THRESHOLDS * rule->step : offset ? rule->offset : 0;
    rule_lanes lanes;
    lanes.offset = v_set(offset ? rule->offset : 0);
    lanes.step = v_set(corrected ? rule->step : 0);
    lanes.last_near = v_set(rule->threshold - 1);
    lanes.keep_half = v_set(corrected ? -1 : 0);
    lanes.max_msg_others = v_set(rule->max_msg_others);
    lanes.max_msg = v_set(rule->max_msg);
    lanes.factor = factor;
    lanes.three = rule->reads_third;
    lanes.saturation_matters = (LDPC_I8_MAX - largest_loss) * factor / 16 < rule->max_msg;
    lanes.limits_differ = rule->max_msg_others < rule->max_msg;
#if defined(V_WHERE)
    lanes.kept = UINT64_MAX;
#else
    lanes.kept = v_set(-1);
#endif
    lanes.sum_product = false;
    if (three) {
        int first = first_of(rule->others_threshold);
        lanes.others_first = v_set(first);
        lanes.others_loss = loss_of(rule, rule->others_threshold, first);
        lanes.min_loss = loss_of(rule, rule->min_threshold, 0);
    }
    return lanes;
}

FORCE_INLINE vec no_edge(void)
{
    return v_set(LANE_BITS == 8 ? LDPC_I8_NO_OTHER : LDPC_I16_LIMIT);
}

FORCE_INLINE lane_t saturated_input(void)
{
    return LANE_BITS == 8 ? LDPC_I8_MAX : LDPC_I16_LIMIT;
}

FORCE_INLINE vec loss_at(vec distance, const loss *l, const rule_lanes *rule)
{
    if (V_TABLE && l->tabled)
        return v_look(l->table, distance);
    vec lost = v_zero();
    UNROLL
    for (unsigned i = 0; i < LDPC_RULE_THRESHOLDS; i++)
        lost = v_add(lost, v_if_less(distance, l->thresholds[i], rule->step));
    return lost;
}

FORCE_INLINE check_msgs three_min_msgs(minima m, vec sign, const rule_lanes *rule)
{
    vec distance = v_uadds(v_sub(m.min2, m.min1), v_sub(m.min3, m.min1));
    vec others = v_usubs(m.min1, loss_at(v_usubs(distance, rule->others_first), &rule->others_loss, rule));
    vec holder = v_usubs(m.min2, loss_at(v_sub(m.min3, m.min2), &rule->min_loss, rule));
    others = v_min(v_max(others, v_half(m.min1)), rule->max_msg_others);
    return (check_msgs){m.min1, v_negate_by(others, sign), v_negate_by(v_min(holder, rule->max_msg), sign)};
}

FORCE_INLINE check_msgs msgs_of(const bool three, minima m, vec sign, const rule_lanes *rule)
{
    if (three)
        return three_min_msgs(m, sign, rule);
    vec u = m.min1, v = m.min2;
    if (rule->factor != 16) {
        u = v_times(u, rule->factor);
        v = v_times(v, rule->factor);
    }
    vec others = v_less(u, rule->offset, v, v_add(u, rule->last_near), rule->step);
    others = v_min(v_max(others, v_half_if(rule->keep_half, u)), rule->max_msg);
    vec holder = v_min(v_usubs(v, rule->offset), rule->max_msg);
    return (check_msgs){m.min1, v_negate_by(others, sign), v_negate_by(holder, sign)};
}

#endif
