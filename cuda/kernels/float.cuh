// SPDX-License-Identifier: BSD-3-Clause
/* Float arithmetic (docs/arithmetic.md). ldpc_cuda_write_float_rule() defines these macros (ldpc_rule of
 * plan.h, in nats): RULE (LDPC_RULE_...), RULE_HAS_THIRD, OFFSET, FACTOR, OTHERS_PEAK, OTHERS_SLOPE,
 * MIN_PEAK, MIN_SLOPE. SCALE is the number of LLR steps per nat. */
#include "device.cuh"

#define LIMIT 256.0f

DEVICE_INLINE float limited(float x) // NaN becomes 0
{
    return x == x ? fminf(fmaxf(x, -LIMIT), LIMIT) : 0.0f;
}

DEVICE_INLINE float channel_llr(const ldpc_cuda_args *a, size_t i)
{
    float llr = a->floats ? limited(a->floats[i]) : (float)max((int)a->llr[i], LDPC_CUDA_LEAST_LLR) / SCALE;
    return llr + 0.0f; // -0 becomes +0
}

DEVICE_INLINE int llr_steps(float posterior)
{
    return (int)rintf(fminf(fmaxf(posterior * SCALE, -32768.0f), 32767.0f));
}

// Used by single_codeword.cuh.
typedef float llr_number;
#define KNOWN_LLR          (LDPC_CUDA_KNOWN_LLR / SCALE)
#define POSTERIOR_STEPS(x) llr_steps(x)

// ---- the check-node rule

typedef float rule_number;
#define RULE_ALGORITHM(a)         RULE
#define RULE_MIN(x, y)            fminf(x, y)
#define RULE_MAX(x, y)            fmaxf(x, y)
#define RULE_CLAMPED_OTHERS(a, x) (x)
#define RULE_CLAMPED_MIN(a, x)    (x)

DEVICE_INLINE float rule_less_offset(const ldpc_cuda_args *a, float x)
{
    return fmaxf(x - OFFSET, 0.0f);
}

DEVICE_INLINE float rule_scaled(const ldpc_cuda_args *a, float x)
{
    return x * FACTOR;
}

DEVICE_INLINE float rule_corrected(const ldpc_cuda_args *a, float x, float y)
{
    return x - fmaxf(OFFSET, OTHERS_PEAK - OTHERS_SLOPE * (y - x));
}

DEVICE_INLINE float rule_corrected_by_three(const ldpc_cuda_args *a, float min1, float min2, float min3)
{
    return rule_corrected(a, min1, min2); // min3 affects msg_min only
}

DEVICE_INLINE float rule_corrected_holder(const ldpc_cuda_args *a, float min2, float min3)
{
    return fmaxf(min2 - fmaxf(MIN_PEAK - MIN_SLOPE * (min3 - min2), 0.0f), 0.0f);
}

DEVICE_INLINE float rule_at_least_half(float x, float min1)
{
    return fmaxf(x, min1 / 2);
}

#define RULE_LAUNCH ldpc_cuda_args
#include "check_node_rule.cuh"
