// SPDX-License-Identifier: BSD-3-Clause
// Constants and functions that differ between the two forms of pairs, halves and integers (half_opencl.cuh).
//
//   BOTH(v)             a register with v in both halves; half precision must represent v exactly
//   SIXTEENTHS(v)       the factor v / 16 in the form that hscaled() expects
//   HIGH_512, HIGH_1024 the high byte of the numbers 512 .. 767 and of 1024 .. 1279, four times. Halves of 512 and
//                       more are multiples of 1/2, so that their low bytes are doubled
//   hsixteenths(x)      the factor x / 16 in the form that hscaled() expects
//   hscaled(x, f)       x times the factor, rounded down
//   hhalf(x)            x / 2, rounded up
//   HSOFT(x, c)         x if it is negative, x - 2 c if it is larger than 2 c, else -x
#ifdef LDPC_INTEGER_PAIRS

#define BOTH(v)       ((u32)((v) < 0 ? 0x8000 - (v) : (v)) * 0x10001u)
#define SIXTEENTHS(v) BOTH(v)
#define HIGH_512      0x02020202u
#define HIGH_1024     0x04040404u
#define HSOFT(x, c)   closed(opened(x) - clamp(opened(x), NONE, (short2)(2 * (c))))
DEVICE_INLINE u32 hsixteenths(u32 x)
{
    return x;
}
DEVICE_INLINE u32 hscaled(u32 x, u32 factor)
{
    return as_uint(as_ushort2(x) * as_ushort2(factor) >> (ushort2)(4));
}
DEVICE_INLINE u32 hhalf(u32 x)
{
    return (x + 0x10001u) >> 1 & 0x7fff7fffu;
}

#else

// The exponent bias of a half is 112 less than that of a float.
#define ONE_HALF(bits)   (((bits) >> 16 & 0x8000u) | (((bits)&0x7fffffffu) >> 13) - (112u << 10))
#define BOTH(v)          ((v) == 0 ? 0u : ONE_HALF(__float_as_uint((float)(v))) * 0x10001u)
#define SIXTEENTHS(v)    BOTH((v) / 16.0f)
#define HIGH_512         0x60606060u
#define HIGH_1024        0x64646464u
#define HALF_BELOW_1_2   0x37ff37ffu // 1/2 - 1/4096
#define HALF_MINUS_15_32 0xb780b780u // -15/32
#define HALF_1536        0x66006600u // adding 1536 rounds: halves from 1024 to 2048 are integers

// x - 2 c clamp(x / 2 c, 0, 1)
#define HSOFT(x, c)      hfma(hmulsat(x, BOTH(0.5f / (c))), BOTH(-2 * (c)), x)

// Rounds to the nearest integer, halfway cases to even.
DEVICE_INLINE u32 hround(u32 x)
{
    return hsub(hadd(x, HALF_1536), HALF_1536);
}
DEVICE_INLINE u32 hsixteenths(u32 x)
{
    return hfma(x, BOTH(1 / 16.0f), 0);
}
// Subtracts 15/32 from x * factor, so that rounding to nearest gives the floor.
DEVICE_INLINE u32 hscaled(u32 x, u32 factor)
{
    return hround(hfma(x, factor, HALF_MINUS_15_32));
}
// Rounds (x + 1) / 2, minus a little: halfway cases are rounded down.
DEVICE_INLINE u32 hhalf(u32 x)
{
    return hsub(hfma(hadd(x, BOTH(1)), HALF_BELOW_1_2, HALF_1536), HALF_1536);
}

#endif
