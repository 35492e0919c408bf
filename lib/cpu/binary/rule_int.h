/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of check_node.h for integers. */

/* A step for each threshold that a distance is below. */
typedef struct loss {
    vec thresholds[LDPC_RULE_THRESHOLDS];
    vec table; /* the loss at each distance, if it is 0 beyond the table */
    bool fits;
} loss;

/* The rule's constants in all lanes. All rules but three-min have the same formulas of msg_others and
 * msg_min; the factor of normalised min-sum comes before them. */
typedef struct rule_words {
    vec offset, step, last_near /* threshold - 1 */, floor, max_msg_others, max;
    /* three-min: what msg_others loses by (v - u) + (w - u) - others_first, and msg_min by w - v. Below
     * others_first, msg_others loses as much as at it. */
    loss others_loss, min_loss;
    vec others_first;
    int factor;
    bool three;
    bool product;            /* floats only */
    bool weak;               /* |Q| = 127 need not do what no edge would */
    bool smallest_gets_more; /* at the limits */
} rule_words;

/* Of distances behind `from`, which is below the smallest threshold. One word of a short code waits for it:
 * the inner loop is one that vectorises. */
static inline loss loss_of(const ldpc_rule *rule, const int32_t thresholds[LDPC_RULE_THRESHOLDS], int from)
{
    loss l = {.fits = thresholds[0] - from <= V_TABLE};
    uint8_t table[16] = {0};
    for (int i = 0; i < LDPC_RULE_THRESHOLDS; i++) {
        l.thresholds[i] = v_set(thresholds[i] - from);
        for (int distance = 0; distance < 16; distance++)
            table[distance] = (uint8_t)(table[distance] + (distance < thresholds[i] - from ? rule->step : 0));
    }
    l.table = V_TABLE ? v_table(table) : v_zero();
    return l;
}

/* The distance at which a table must begin to reach the largest threshold; 0 where the smallest threshold is
 * below it, because no table then covers all thresholds. */
static inline int first_of(const int32_t thresholds[LDPC_RULE_THRESHOLDS])
{
    int from = thresholds[0] - V_TABLE;
    return from > 0 && from < thresholds[LDPC_RULE_THRESHOLDS - 1] ? from : 0;
}

static inline rule_words words_of(const ldpc_rule *rule, void *spare)
{
    (void)spare;
    bool three = rule->algorithm == LDPC_ALGORITHM_THREE_MIN;
    bool corrected = three || rule->algorithm == LDPC_ALGORITHM_CORRECTED_MIN_SUM;
    bool offset = corrected || rule->algorithm == LDPC_ALGORITHM_OFFSET_MIN_SUM;
    int factor = rule->algorithm == LDPC_ALGORITHM_NORMALIZED_MIN_SUM ? rule->factor : 16;
    int reach = rule->others_threshold[0] > rule->min_threshold[0] ? rule->others_threshold[0]
                                                                   : rule->min_threshold[0];
    int most = three ? reach + LDPC_RULE_THRESHOLDS * rule->step : offset ? rule->offset : 0;
    rule_words words; /* those that only three-min reads are made for it alone */
    words.offset = v_set(offset ? rule->offset : 0);
    words.step = v_set(corrected ? rule->step : 0);
    words.last_near = v_set(rule->threshold - 1);
    words.floor = v_set(corrected ? -1 : 0);
    words.max_msg_others = v_set(rule->max_msg_others);
    words.max = v_set(rule->max_msg);
    words.factor = factor;
    words.three = three;
    words.weak = (LDPC_I8_MAX - most) * factor / 16 < rule->max_msg;
    words.smallest_gets_more = rule->max_msg_others < rule->max_msg;
    words.product = false;
    if (three) {
        int first = first_of(rule->others_threshold);
        words.others_first = v_set(first);
        words.others_loss = loss_of(rule, rule->others_threshold, first);
        words.min_loss = loss_of(rule, rule->min_threshold, 0);
    }
    return words;
}

/* |Q| where there is no edge. */
FORCE_INLINE vec nobody(void)
{
    return v_set(LANE_BITS == 8 ? LDPC_I8_NO_OTHER : LDPC_I16_LIMIT);
}

/* Q that changes nothing, but for weak rules. */
FORCE_INLINE lane_t certain(void)
{
    return LANE_BITS == 8 ? LDPC_I8_MAX : LDPC_I16_LIMIT;
}

FORCE_INLINE vec loss_at(vec distance, const loss *l, const rule_words *rule)
{
    if (V_TABLE && l->fits)
        return v_look(l->table, distance);
    vec lost = v_zero();
    UNROLL
    for (unsigned i = 0; i < LDPC_RULE_THRESHOLDS; i++)
        lost = v_add(lost, v_if_less(distance, l->thresholds[i], rule->step));
    return lost;
}

FORCE_INLINE answer answer_of_three(minima m, vec sign, const rule_words *rule)
{
    vec distance = v_uadds(v_sub(m.v, m.u), v_sub(m.w, m.u));
    vec others = v_usubs(m.u, loss_at(v_usubs(distance, rule->others_first), &rule->others_loss, rule));
    vec holder = v_usubs(m.v, loss_at(v_sub(m.w, m.v), &rule->min_loss, rule));
    others = v_min(v_max(others, v_half(m.u)), rule->max_msg_others);
    return (answer){m.u, v_negate_by(others, sign), v_negate_by(v_min(holder, rule->max), sign)};
}

FORCE_INLINE answer answer_of(const bool three, minima m, vec sign, const rule_words *rule)
{
    if (three)
        return answer_of_three(m, sign, rule);
    vec u = m.u, v = m.v;
    if (rule->factor != 16) {
        u = v_times(u, rule->factor);
        v = v_times(v, rule->factor);
    }
    /* The way from v to the messages is what a row waits for. Of an only edge v is nobody's and `others` too.
     */
    vec others = v_less(u, rule->offset, v, v_add(u, rule->last_near), rule->step);
    others = v_min(v_max(others, v_half_if(rule->floor, u)), rule->max);
    vec holder = v_min(v_usubs(v, rule->offset), rule->max);
    return (answer){m.u, v_negate_by(others, sign), v_negate_by(holder, sign)};
}
