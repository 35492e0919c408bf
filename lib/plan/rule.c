/* SPDX-License-Identifier: BSD-3-Clause */
/* The constants of the check-node rules (docs/arithmetic.md). */
#include "plan/plan.h"

#include <math.h>

#define DEFAULT_OFFSET 0.45f /* nat */
#define DEFAULT_FACTOR 0.8125f

ldpc_rule ldpc_plan_rule(const ldpc_plan *plan, uint32_t degree)
{
    (void)degree;
    float offset = plan->offset >= 0 ? plan->offset : roundf(DEFAULT_OFFSET * plan->llr_scale);
    float factor = plan->factor > 0 ? plan->factor : DEFAULT_FACTOR;
    return (ldpc_rule){
        .algorithm = plan->algorithm,
        .max_message = 31,
        .offset = (int32_t)offset,
        .factor = (int32_t)(16 * factor),
        .offset_f = offset / plan->llr_scale,
        .factor_f = factor,
    };
}
