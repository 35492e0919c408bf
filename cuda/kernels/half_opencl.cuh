// SPDX-License-Identifier: BSD-3-Clause
/* half.cuh for OpenCL without PTX. Without cl_khr_fp16, or with LDPC_NO_HALVES, a number is a 16-bit integer
 * in sign-magnitude form. */
#if !defined(cl_khr_fp16) || defined(LDPC_NO_HALVES)
#define LDPC_INTEGER_PAIRS
#endif

#ifdef LDPC_INTEGER_PAIRS
typedef short2 pair_number;
DEVICE_INLINE short2 opened(u32 a)
{
    const short2 sign = as_short2(a) >> (short2)(15); // -1 for negative numbers
    return ((as_short2(a) & (short2)(0x7fff)) ^ sign) - sign;
}
DEVICE_INLINE u32 closed(short2 a)
{
    const short2 sign = a >> (short2)(15);
    return as_uint((a ^ sign) - sign) | (as_uint(sign) & 0x80008000u);
}
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#else
typedef half2 pair_number;
DEVICE_INLINE half2 opened(u32 a)
{
    return as_half2(a);
}
DEVICE_INLINE u32 closed(half2 a)
{
    return as_uint(a);
}
#define MULTIPLY_ADD(a, b, c) fma(a, b, c)
#endif
#define NONE ((pair_number)(0, 0))
#define ONES ((pair_number)(1, 1))

DEVICE_INLINE u32 hadd(u32 a, u32 b)
{
    return closed(opened(a) + opened(b));
}
DEVICE_INLINE u32 hsub(u32 a, u32 b)
{
    return closed(opened(a) - opened(b));
}
DEVICE_INLINE u32 hsubsat(u32 a, u32 b) // clamped to 0 .. 1
{
    return closed(clamp(opened(a) - opened(b), NONE, ONES));
}
DEVICE_INLINE u32 hle(u32 a, u32 b) // 1 or 0
{
    return closed(select(NONE, ONES, opened(a) <= opened(b)));
}
DEVICE_INLINE u32 hmulsat(u32 a, u32 b)
{
    return closed(clamp(opened(a) * opened(b), NONE, ONES));
}
DEVICE_INLINE u32 hfma(u32 a, u32 b, u32 c)
{
    return closed(MULTIPLY_ADD(opened(a), opened(b), opened(c)));
}
DEVICE_INLINE u32 hrelu(u32 a, u32 b, u32 c) // max(a b + c, 0)
{
    return closed(max(MULTIPLY_ADD(opened(a), opened(b), opened(c)), NONE));
}
DEVICE_INLINE u32 hmin(u32 a, u32 b)
{
    return closed(min(opened(a), opened(b)));
}
DEVICE_INLINE u32 hmax(u32 a, u32 b)
{
    return closed(max(opened(a), opened(b)));
}
DEVICE_INLINE u32 habs(u32 a)
{
    return a & 0x7fff7fffu;
}
#define habsf(a) habs(a)

DEVICE_INLINE u32 hmin3(u32 a, u32 b, u32 c)
{
    return as_uint(min(min(as_ushort2(a), as_ushort2(b)), as_ushort2(c)));
}
DEVICE_INLINE u32 hmaxa(u32 a, u32 b)
{
    return as_uint(max(as_ushort2(habs(a)), as_ushort2(habs(b))));
}
DEVICE_INLINE u32 hminx(u32 a, u32 b)
{
    return as_uint(min(as_ushort2(habs(a)), as_ushort2(habs(b)))) | ((a ^ b) & 0x80008000u);
}

// one byte of prmt
DEVICE_INLINE u32 selected_byte(ulong both, u32 digit)
{
    u32 byte = (u32)(both >> 8 * (digit & 7)) & 255;
    return digit & 8 ? (byte >> 7) * 255 : byte;
}
DEVICE_INLINE u32 prmt(u32 a, u32 b, u32 selector)
{
    const ulong both = (ulong)b << 32 | a;
    return selected_byte(both, selector & 15) | selected_byte(both, selector >> 4 & 15) << 8 |
           selected_byte(both, selector >> 8 & 15) << 16 | selected_byte(both, selector >> 12 & 15) << 24;
}
DEVICE_INLINE void ldpc_prefetch(IN_GLOBAL const void *p) {}
DEVICE_INLINE u32 h2(int a, int b)
{
    return closed((pair_number)(a, b));
}
DEVICE_INLINE int hlow(u32 a)
{
    return (int)opened(a).x;
}
DEVICE_INLINE int hhigh(u32 a)
{
    return (int)opened(a).y;
}
