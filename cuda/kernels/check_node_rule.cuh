// SPDX-License-Identifier: BSD-3-Clause
/* The check-node rule (docs/arithmetic.md, lib/cpu/binary/ref_check_node.h) for integers, floats and pairs of
 * halves. It computes msg_min and msg_others from the smallest magnitudes min1 <= min2 <= min3 of a check.
 *
 * The kernel defines these macros and functions:
 *
 *   RULE_LAUNCH                  type of *a, the launch
 *   rule_number                  type of a magnitude
 *   RULE_ALGORITHM(a)            LDPC_RULE_...
 *   RULE_HAS_THIRD               1 if the rule needs min3
 *   RULE_MIN(x, y), RULE_MAX(x, y)
 *   rule_less_offset(a, x)       max(x - offset, 0)
 *   rule_scaled(a, x)            x * factor
 *   rule_corrected(a, x, y)      x minus the correction for the distance y - x
 *   rule_corrected_by_three(a, min1, min2, min3)       min1 minus the correction of three-min
 *   rule_corrected_holder(a, min2, min3)               min2 minus the correction of three-min, at least 0
 *   rule_at_least_half(x, min1)  max(x, min1 / 2); integers are rounded up
 *   RULE_CLAMPED_OTHERS(a, x), RULE_CLAMPED_MIN(a, x)  x limited to the largest message */
DEVICE_INLINE void ldpc_check_node_rule(const RULE_LAUNCH *a, rule_number min1, rule_number min2,
                                        rule_number min3, rule_number *msg_others, rule_number *msg_min)
{
    rule_number others = min1, holder = min2;
    if (RULE_ALGORITHM(a) == LDPC_RULE_OFFSET_MIN_SUM) {
        others = rule_less_offset(a, min1);
        holder = rule_less_offset(a, min2);
    } else if (RULE_ALGORITHM(a) == LDPC_RULE_NORMALIZED_MIN_SUM) {
        others = rule_scaled(a, min1);
        holder = rule_scaled(a, min2);
    } else if (RULE_ALGORITHM(a) == LDPC_RULE_CORRECTED_MIN_SUM) {
        others = rule_at_least_half(rule_corrected(a, min1, min2), min1);
        holder = rule_less_offset(a, min2);
    } else if (RULE_HAS_THIRD && RULE_ALGORITHM(a) == LDPC_RULE_THREE_MIN) {
        others = rule_at_least_half(rule_corrected_by_three(a, min1, min2, min3), min1);
        holder = rule_corrected_holder(a, min2, min3);
    }
    *msg_others = RULE_CLAMPED_OTHERS(a, others);
    *msg_min = RULE_CLAMPED_MIN(a, holder);
}

DEVICE_INLINE void ldpc_insert_magnitude(rule_number x, rule_number *min1, rule_number *min2,
                                         rule_number *min3)
{
    if (RULE_HAS_THIRD)
        *min3 = RULE_MIN(*min3, RULE_MAX(*min2, x));
    *min2 = RULE_MIN(*min2, RULE_MAX(*min1, x));
    *min1 = RULE_MIN(*min1, x);
}
