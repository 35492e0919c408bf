// SPDX-License-Identifier: BSD-3-Clause
// The check-node rule on pairs of halves, with the integers of lib/cpu/binary/ref.c as results. In front of
// this, written by ldpc_cuda_write_half_rule: RULE (LDPC_RULE_...) and, as both halves of a register,
// RULE_MINUS_OFFSET, RULE_FACTOR, RULE_ENOUGH (what the factor turns into more than the largest message),
// RULE_THRESHOLD, RULE_MINUS_STEP, RULE_OTHERS_1 .. 3 and RULE_MIN_1 .. 3 (thresholds), RULE_MAX_OTHERS,
// RULE_MAX_MESSAGE.
#include "pair_codewords.cuh"

#define HALF_1_2         0x38003800u // 1/2
#define HALF_1_4         0x34003400u // 1/4
#define HALF_MINUS_15_32 0xb780b780u // -15/32
#define HALF_1536        0x66006600u // 1536: between 1024 and 2048 halves are integers, so that adding it rounds

typedef u32 rule_number;
#define RULE_HAS_THIRD            (RULE == LDPC_RULE_THREE_MIN)
#define RULE_ALGORITHM(a)         RULE
#define RULE_MIN(x, y)            hmin(x, y)
#define RULE_MAX(x, y)            hmax(x, y)
#define RULE_CLAMPED_OTHERS(a, x) hmin(x, RULE_MAX_OTHERS)
#define RULE_CLAMPED_MIN(a, x)    hmin(x, RULE_MAX_MESSAGE)

// To the nearest integer, halfway cases to the even one.
DEVICE_INLINE u32 rule_rounded(u32 x)
{
    return hsub(hadd(x, HALF_1536), HALF_1536);
}

DEVICE_INLINE u32 rule_less_offset(const ldpc_cuda_args *a, u32 x)
{
    return hrelu(x, HALF_1, RULE_MINUS_OFFSET);
}

// Sixteenths, moved down by 15/32: rounding then gives the integer below.
DEVICE_INLINE u32 rule_scaled(const ldpc_cuda_args *a, u32 x)
{
    return rule_rounded(hfma(hmin(x, RULE_ENOUGH), RULE_FACTOR, HALF_MINUS_15_32));
}

// hsubsat(t, d) is 1 where d < t and else 0, as both are integers.
DEVICE_INLINE u32 rule_corrected(const ldpc_cuda_args *a, u32 x, u32 y)
{
    return hfma(hsubsat(RULE_THRESHOLD, hsub(y, x)), RULE_MINUS_STEP, hadd(x, RULE_MINUS_OFFSET));
}

// The sum of two distances may be rounded where it is far above all thresholds.
DEVICE_INLINE u32 rule_corrected_by_three(const ldpc_cuda_args *a, u32 min1, u32 min2, u32 min3)
{
    u32 distance = hadd(hsub(min2, min1), hsub(min3, min1));
    u32 below = hadd(hadd(hsubsat(RULE_OTHERS_1, distance), hsubsat(RULE_OTHERS_2, distance)),
                     hsubsat(RULE_OTHERS_3, distance));
    return hfma(below, RULE_MINUS_STEP, min1);
}

DEVICE_INLINE u32 rule_corrected_holder(const ldpc_cuda_args *a, u32 min2, u32 min3)
{
    u32 distance = hsub(min3, min2);
    u32 below = hadd(hadd(hsubsat(RULE_MIN_1, distance), hsubsat(RULE_MIN_2, distance)),
                     hsubsat(RULE_MIN_3, distance));
    return hrelu(below, RULE_MINUS_STEP, min2);
}

// min1 / 2 + 1/4 rounds to (min1 + 1) / 2.
DEVICE_INLINE u32 rule_at_least_half(u32 x, u32 min1)
{
    return rule_rounded(hmax(x, hfma(min1, HALF_1_2, HALF_1_4)));
}

#include "check_node_rule.cuh"
