/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants of the check-node rules, chosen by measured frame error rates (docs/arithmetic.md). */
#include "plan/plan.h"

#include <math.h>

#include "plan/rule_list.h"

/* With 3 LLR steps per nat, the constants in steps are:
 *   corrected  offset 1, step 2, threshold 3
 *   three-min  step 1, others_threshold 18, 10, 5, min_threshold 7, 3, 1 */
#define PLAIN_OFFSET           0.4f       /* nats */
#define CORRECTED_OFFSET       (1.0f / 3) /* in nats */
#define CORRECTED_STEP         (2.0f / 3) /* in nats */
#define CORRECTED_THRESHOLD    1.0f       /* in nats */
#define CORRECTED_OTHERS_PEAK  1.0f       /* in nats */
#define CORRECTED_OTHERS_SLOPE 0.5f
#define THREE_STEP             (1.0f / 3) /* in nats */
#define THREE_OTHERS_PEAK      0.8f       /* in nats */
#define THREE_OTHERS_SLOPE     0.4f
#define THREE_MIN_PEAK         0.75f /* in nats */
#define THREE_MIN_SLOPE        0.25f

static const float three_others_threshold[LDPC_RULE_THRESHOLDS] = {6.0f, 10.0f / 3, 5.0f / 3}; /* in nats */
static const float three_min_threshold[LDPC_RULE_THRESHOLDS] = {7.0f / 3, 1.0f, 1.0f / 3};     /* in nats */

#define FACTOR       0.875f /* rounding down reduces magnitudes further */
#define FLOAT_FACTOR 0.8125f

/* In i8, larger values of msg_others saturate posteriors. */
#define THREE_MAX_MSG_OTHERS 25

static int32_t steps(float nat, float llr_scale)
{
    return (int32_t)lrintf(nat * llr_scale);
}

/* In i8, differences of two magnitudes are at most 255. */
static void set_thresholds(const ldpc_plan *plan, const float *nat, int32_t *thresholds)
{
    for (int i = 0; i < LDPC_RULE_THRESHOLDS; i++) {
        thresholds[i] = steps(nat[i], plan->llr_scale);
        if (plan->arithmetic == LDPC_ARITHMETIC_I8 && thresholds[i] > LDPC_I8_NO_OTHER)
            thresholds[i] = LDPC_I8_NO_OTHER;
    }
}

static bool reads_third(ldpc_algorithm algorithm)
{
#define READS_THIRD(constant, value, name, reads) [value] = reads,
    static const bool of_rule[] = {LDPC_EACH_RULE(READS_THIRD)};
#undef READS_THIRD
    return of_rule[algorithm];
}

ldpc_rule ldpc_plan_rule(const ldpc_plan *plan)
{
    float scale = plan->llr_scale;
    bool three = plan->algorithm == LDPC_ALGORITHM_THREE_MIN;
    bool corrected = three || plan->algorithm == LDPC_ALGORITHM_CORRECTED_MIN_SUM;
    float offset = corrected ? CORRECTED_OFFSET : PLAIN_OFFSET;
    bool own_offset = plan->offset >= 0, own_factor = plan->factor > 0;
    ldpc_rule rule = {
        .algorithm = plan->algorithm,
        .reads_third = reads_third(plan->algorithm),
        .max_msg = LDPC_MESSAGE_LIMIT,
        .max_msg_others =
            three && plan->arithmetic == LDPC_ARITHMETIC_I8 ? THREE_MAX_MSG_OTHERS : LDPC_MESSAGE_LIMIT,
        .offset = own_offset ? (int32_t)plan->offset : steps(offset, scale),
        .step = steps(three ? THREE_STEP : CORRECTED_STEP, scale),
        .threshold = steps(CORRECTED_THRESHOLD, scale),
        .factor = (int32_t)(16 * (own_factor ? plan->factor : FACTOR)),
        .offset_f = own_offset ? plan->offset / scale : offset,
        .others_peak_f = three ? THREE_OTHERS_PEAK : CORRECTED_OTHERS_PEAK,
        .others_slope_f = three ? THREE_OTHERS_SLOPE : CORRECTED_OTHERS_SLOPE,
        .min_peak_f = THREE_MIN_PEAK,
        .min_slope_f = THREE_MIN_SLOPE,
        .factor_f = own_factor ? plan->factor : FLOAT_FACTOR,
    };
    set_thresholds(plan, three_others_threshold, rule.others_threshold);
    set_thresholds(plan, three_min_threshold, rule.min_threshold);
    return rule;
}
