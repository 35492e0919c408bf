/* SPDX-License-Identifier: BSD-3-Clause */
/* The constants of the check-node rules, chosen by measured frame error rates (docs/arithmetic.md). */
#include "plan/plan.h"

#include <math.h>

/* Integer rules take these in LLR steps, rounded: at 3 steps per nat offset 1, step 2, threshold 3; of
 * three-min step 1, spread 18, 10 and 5, far 7, 3 and 1. */
#define PLAIN_OFFSET        0.4f       /* nat, offset min-sum */
#define CORRECTED_OFFSET    (1.0f / 3) /* nat */
#define CORRECTED_STEP      (2.0f / 3) /* nat */
#define CORRECTED_THRESHOLD 1.0f       /* nat */
#define CORRECTED_PEAK      1.0f       /* nat */
#define CORRECTED_SLOPE     0.5f
#define THREE_STEP          (1.0f / 3) /* nat */
#define THREE_PEAK          0.8f       /* nat */
#define THREE_SLOPE         0.4f
#define THREE_FAR_PEAK      0.75f /* nat */
#define THREE_FAR_SLOPE     0.25f

static const float three_spread[LDPC_RULE_DISTANCES] = {6.0f, 10.0f / 3, 5.0f / 3}; /* nat */
static const float three_far[LDPC_RULE_DISTANCES] = {7.0f / 3, 1.0f, 1.0f / 3};     /* nat */

#define FACTOR       0.875f /* rounding down takes more */
#define FLOAT_FACTOR 0.8125f

/* m1 of three-min in i8: most messages are m1, and this m1 is larger than that of corrected. */
#define THREE_MAX_OTHERS 25

static int32_t steps(float nat, float llr_scale)
{
    return (int32_t)lrintf(nat * llr_scale);
}

/* Distances of i8 that pass 255 have no edge at their end. */
static void distances(const ldpc_plan *plan, const float *nat, int32_t *thresholds)
{
    for (int i = 0; i < LDPC_RULE_DISTANCES; i++) {
        thresholds[i] = steps(nat[i], plan->llr_scale);
        if (plan->arithmetic == LDPC_ARITHMETIC_I8 && thresholds[i] > LDPC_I8_NO_OTHER)
            thresholds[i] = LDPC_I8_NO_OTHER;
    }
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
        .max_message = LDPC_MESSAGE_LIMIT,
        .max_others = three && plan->arithmetic == LDPC_ARITHMETIC_I8 ? THREE_MAX_OTHERS : LDPC_MESSAGE_LIMIT,
        .offset = own_offset ? (int32_t)plan->offset : steps(offset, scale),
        .step = steps(three ? THREE_STEP : CORRECTED_STEP, scale),
        .threshold = steps(CORRECTED_THRESHOLD, scale),
        .factor = (int32_t)(16 * (own_factor ? plan->factor : FACTOR)),
        .offset_f = own_offset ? plan->offset / scale : offset,
        .peak_f = three ? THREE_PEAK : CORRECTED_PEAK,
        .slope_f = three ? THREE_SLOPE : CORRECTED_SLOPE,
        .far_peak_f = THREE_FAR_PEAK,
        .far_slope_f = THREE_FAR_SLOPE,
        .factor_f = own_factor ? plan->factor : FLOAT_FACTOR,
    };
    distances(plan, three_spread, rule.spread);
    distances(plan, three_far, rule.far);
    return rule;
}
