// SPDX-License-Identifier: BSD-3-Clause
/* The check-node rule for pairs of halves, with the results of lib/cpu/binary/ref_check_node.h.
 *
 * ldpc_cuda_write_half_rule() defines these macros. Numbers are in both halves (BOTH() of pair_numbers.cuh).
 *
 *   RULE                                    LDPC_RULE_...
 *   RULE_HAS_THIRD                          1 if the rule needs min3
 *   RULE_MINUS_OFFSET, RULE_FACTOR
 *   RULE_ENOUGH                             any larger magnitude gives the largest message
 *   RULE_THRESHOLD, RULE_MINUS_STEP
 *   RULE_OTHERS_1 .. 3, RULE_MIN_1 .. 3     thresholds
 *   RULE_MAX_OTHERS, RULE_MAX_MESSAGE
 *   RULE_CLOSE                              see rule_is_close(); only if the threshold exceeds the offset
 *
 * If these are not constants, the kernel defines RULE_LAUNCH, the type of the argument that has them. */
#include "pair_codewords.cuh"

typedef u32 rule_number;
#ifndef RULE_LAUNCH
#define RULE_LAUNCH ldpc_cuda_args
#endif
#define RULE_ALGORITHM(a)         RULE
#define RULE_MIN(x, y)            hmin(x, y)
#define RULE_MAX(x, y)            hmax(x, y)
#define RULE_CLAMPED_OTHERS(a, x) (x)
#define RULE_CLAMPED_MIN(a, x)    (x)

DEVICE_INLINE u32 rule_less_offset(const RULE_LAUNCH *a, u32 x)
{
    return hrelu(x, HALF_1, RULE_MINUS_OFFSET);
}

DEVICE_INLINE u32 rule_scaled(const RULE_LAUNCH *a, u32 x)
{
    return hscaled(hmin(x, RULE_ENOUGH), RULE_FACTOR);
}

DEVICE_INLINE u32 rule_is_close(const RULE_LAUNCH *a, u32 x, u32 y)
{
#ifdef RULE_CLOSE
    return hle(rule_less_offset(a, y), hadd(x, RULE_CLOSE));
#else
    return hsubsat(RULE_THRESHOLD, hsub(y, x));
#endif
}

DEVICE_INLINE u32 rule_corrected(const RULE_LAUNCH *a, u32 x, u32 y)
{
    return hfma(rule_is_close(a, x, y), RULE_MINUS_STEP, hadd(x, RULE_MINUS_OFFSET));
}

DEVICE_INLINE u32 rule_corrected_by_three(const RULE_LAUNCH *a, u32 min1, u32 min2, u32 min3)
{
    u32 distance = hadd(hsub(min2, min1), hsub(min3, min1));
    u32 below = hadd(hadd(hsubsat(RULE_OTHERS_1, distance), hsubsat(RULE_OTHERS_2, distance)),
                     hsubsat(RULE_OTHERS_3, distance));
    return hfma(below, RULE_MINUS_STEP, min1);
}

DEVICE_INLINE u32 rule_corrected_holder(const RULE_LAUNCH *a, u32 min2, u32 min3)
{
    u32 distance = hsub(min3, min2);
    u32 below = hadd(hadd(hsubsat(RULE_MIN_1, distance), hsubsat(RULE_MIN_2, distance)),
                     hsubsat(RULE_MIN_3, distance));
    return hrelu(below, RULE_MINUS_STEP, min2);
}

DEVICE_INLINE u32 rule_at_least_half(u32 x, u32 min1)
{
    return hmax(x, hhalf(min1));
}

#include "check_node_rule.cuh"

DEVICE_INLINE void clamped_rule(const RULE_LAUNCH *a, u32 min1, u32 min2, u32 min3, u32 *msg_others,
                                u32 *msg_min)
{
    ldpc_check_node_rule(a, min1, min2, min3, msg_others, msg_min);
    *msg_others = hmin(*msg_others, RULE_MAX_OTHERS);
    *msg_min = hmin(*msg_min, RULE_MAX_MESSAGE);
}

DEVICE_INLINE void signed_rule(const RULE_LAUNCH *a, u32 min1, u32 min2, u32 min3, u32 max_others,
                               u32 max_message, u32 *msg_others, u32 *msg_min)
{
    ldpc_check_node_rule(a, habsf(min1), min2, min3, msg_others, msg_min);
    *msg_others = hminx(*msg_others, (min1 & SIGNS) | max_others);
    *msg_min = hminx(*msg_min, (min1 & SIGNS) | max_message);
}
