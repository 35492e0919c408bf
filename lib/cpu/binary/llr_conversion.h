/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts LLRs between the caller and the kernels (docs/arithmetic.md, "Numbers"). */
#ifndef LDPC_LLR_CONVERSION_H
#define LDPC_LLR_CONVERSION_H

#include <math.h>

#include "plan/plan.h"

static inline int32_t limited_llr(int32_t llr, int32_t limit)
{
    return llr > limit ? limit : llr < -limit ? -limit : llr;
}

static inline int32_t int_channel(const ldpc_plan *plan, const ldpc_batch *batch, size_t i)
{
    return limited_llr(batch->llr[i], plan->llr_limit);
}

static inline int32_t int_known(const ldpc_plan *plan)
{
    (void)plan;
    return LDPC_KNOWN_LLR;
}

static inline int32_t int_steps(const ldpc_plan *plan, int32_t posterior)
{
    (void)plan;
    return posterior;
}

#define FLOAT_LIMIT 256.0f

static inline float float_clamp(float x)
{
    return x > FLOAT_LIMIT ? FLOAT_LIMIT : x < -FLOAT_LIMIT ? -FLOAT_LIMIT : isnan(x) ? 0 : x;
}

static inline float float_channel(const ldpc_plan *plan, const ldpc_batch *batch, size_t i)
{
    if (batch->llr_float)
        return float_clamp(batch->llr_float[i]);
    return (float)int_channel(plan, batch, i) / plan->llr_scale;
}

static inline float float_known(const ldpc_plan *plan)
{
    return LDPC_KNOWN_LLR / plan->llr_scale;
}

static inline int32_t float_steps(const ldpc_plan *plan, float posterior)
{
    float steps = posterior * plan->llr_scale;
    return steps >= INT16_MAX ? INT16_MAX : steps <= INT16_MIN ? INT16_MIN : (int32_t)lrintf(steps);
}

#endif
