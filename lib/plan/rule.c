/* SPDX-License-Identifier: BSD-3-Clause */
/* The constants of the check-node rules, chosen by measured frame error rates (docs/arithmetic.md). */
#include "plan/plan.h"

#include <math.h>

/* nat */
#define OFFSET    (1.0f / 3)
#define STEP      (2.0f / 3)
#define THRESHOLD 1.0f
#define PEAK      1.0f
#define SLOPE     0.5f

#define FACTOR 0.875f

/* Messages above 31 steps make i8 posteriors saturate under them: frames stay wrong at any Eb/N0. */
#define MAX_MESSAGE 31

static int32_t steps(float nat, float llr_scale)
{
    return (int32_t)lrintf(nat * llr_scale);
}

ldpc_rule ldpc_plan_rule(const ldpc_plan *plan)
{
    float scale = plan->llr_scale;
    bool own_offset = plan->offset >= 0;
    float factor = plan->factor > 0 ? plan->factor : FACTOR;
    return (ldpc_rule){
        .algorithm = plan->algorithm,
        .max_message = MAX_MESSAGE,
        .offset = own_offset ? (int32_t)plan->offset : steps(OFFSET, scale),
        .step = steps(STEP, scale),
        .threshold = steps(THRESHOLD, scale),
        .factor = (int32_t)(16 * factor),
        .offset_f = own_offset ? plan->offset / scale : OFFSET,
        .peak_f = PEAK,
        .slope_f = SLOPE,
        .factor_f = factor,
    };
}
