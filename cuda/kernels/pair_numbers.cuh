// SPDX-License-Identifier: BSD-3-Clause
/* Numbers of a pair: halves, or integers (half_opencl.cuh).
 *
 *   BOTH(v)               v in both halves; must be exact in half precision
 *   SIXTEENTHS(v)         the factor v / 16 for hscaled()
 *   hsixteenths(x)        the factor x / 16 for hscaled()
 *   hscaled(x, f)         x * f, rounded down
 *   hhalf(x)              x / 2, rounded up
 *   HSOFT(x, c)           x if x < 0, -x if x <= 2 c, else x - 2 c
 *   HIGH_512, HIGH_1024   high bytes of 512 .. 767 and of 1024 .. 1279, four times; numbers of HIGH_512 are multiples
 *                         of 1/2, which doubles their low bytes */
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

/* The exponent bias of a half is 112 less than that of a float. */
#define ONE_HALF(bits)   (((bits) >> 16 & 0x8000u) | (((bits)&0x7fffffffu) >> 13) - (112u << 10))
#define BOTH(v)          ((v) == 0 ? 0u : ONE_HALF(__float_as_uint((float)(v))) * 0x10001u)
#define SIXTEENTHS(v)    BOTH((v) / 16.0f)
#define HIGH_512         0x60606060u
#define HIGH_1024        0x64646464u
#define HALF_BELOW_1_2   0x37ff37ffu // 1/2 - 1/4096
#define HALF_MINUS_15_32 0xb780b780u // -15/32
#define HALF_1536        0x66006600u

// x - 2 c clamp(x / 2 c, 0, 1)
#define HSOFT(x, c)      hfma(hmulsat(x, BOTH(0.5f / (c))), BOTH(-2 * (c)), x)

DEVICE_INLINE u32 hround(u32 x)
{
    return hsub(hadd(x, HALF_1536), HALF_1536);
}
DEVICE_INLINE u32 hsixteenths(u32 x)
{
    return hfma(x, BOTH(1 / 16.0f), 0);
}
DEVICE_INLINE u32 hscaled(u32 x, u32 factor)
{
    return hround(hfma(x, factor, HALF_MINUS_15_32));
}
DEVICE_INLINE u32 hhalf(u32 x)
{
    return hsub(hfma(hadd(x, BOTH(1)), HALF_BELOW_1_2, HALF_1536), HALF_1536);
}

#endif
