// SPDX-License-Identifier: BSD-3-Clause
/* Arithmetic on pairs of halves. Integers up to 2048 are exact. Include device.cuh before this file. */
#if defined(__OPENCL_VERSION__) && !defined(LDPC_PTX)
#include "half_opencl.cuh"
#else
#define LDPC_OP1(name, code)                                                                                 \
    DEVICE_INLINE u32 name(u32 a)                                                                            \
    {                                                                                                        \
        u32 r;                                                                                               \
        asm(code " %0,%1;" : "=r"(r) : "r"(a));                                                              \
        return r;                                                                                            \
    }
#define LDPC_OP2(name, code)                                                                                 \
    DEVICE_INLINE u32 name(u32 a, u32 b)                                                                     \
    {                                                                                                        \
        u32 r;                                                                                               \
        asm(code " %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b));                                                   \
        return r;                                                                                            \
    }
#define LDPC_OP3(name, code)                                                                                 \
    DEVICE_INLINE u32 name(u32 a, u32 b, u32 c)                                                              \
    {                                                                                                        \
        u32 r;                                                                                               \
        asm(code " %0,%1,%2,%3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                                        \
        return r;                                                                                            \
    }
LDPC_OP2(hadd, "add.f16x2")
LDPC_OP2(hsub, "sub.f16x2")
LDPC_OP2(hsubsat, "sub.sat.f16x2") // clamped to 0 .. 1
LDPC_OP2(hmulsat, "mul.sat.f16x2")
LDPC_OP2(hle, "set.le.f16x2.f16x2") // 1 or 0
LDPC_OP3(hfma, "fma.rn.f16x2")
LDPC_OP3(prmt, "prmt.b32")
DEVICE_INLINE u32 habs(u32 a)
{
    return a & 0x7fff7fffu;
}
#if LDPC_PTX >= 80
LDPC_OP2(hmin, "min.f16x2")
LDPC_OP2(hmax, "max.f16x2")
LDPC_OP3(hrelu, "fma.rn.relu.f16x2")     // max(a b + c, 0)
#else
DEVICE_INLINE u32 hselect(u32 a, u32 b, u32 greater) // selects b where `greater` is set
{
    return (a & ~greater) | (b & greater);
}
DEVICE_INLINE u32 hgreater(u32 a, u32 b)
{
    u32 r;
    asm("set.gt.f16x2.f16x2 %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b)); // 1.0 or 0
    return (r >> 13 & 0x10001u) * 0xffffu;
}
DEVICE_INLINE u32 hmin(u32 a, u32 b)
{
    return hselect(a, b, hgreater(a, b));
}
DEVICE_INLINE u32 hmax(u32 a, u32 b)
{
    return hselect(b, a, hgreater(a, b));
}
DEVICE_INLINE u32 hrelu(u32 a, u32 b, u32 c)
{
    return hmax(hfma(a, b, c), 0u);
}
#endif
#if LDPC_PTX >= 86
LDPC_OP2(hminx, "min.xorsign.abs.f16x2") // min(|a|, |b|) with the sign of a * b
LDPC_OP1(habsf, "abs.f16x2")
#else
DEVICE_INLINE u32 habsf(u32 a)
{
    return habs(a);
}
DEVICE_INLINE u32 hminx(u32 a, u32 b)
{
    return hmin(habs(a), habs(b)) ^ ((a ^ b) & 0x80008000u);
}
#endif
#if LDPC_PTX >= 90
DEVICE_INLINE u32 hmin3(u32 a, u32 b, u32 c)
{
    u32 r;
    asm("{.reg .b32 x; min.s16x2 x,%1,%2; min.s16x2 %0,x,%3;}" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
DEVICE_INLINE u32 hmin_sum(u32 a, u32 b, u32 c) // min(a + b, c) of integers
{
    u32 r;
    asm("{.reg .b32 x; add.s16x2 x,%1,%2; min.s16x2 %0,x,%3;}" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
#else
DEVICE_INLINE u32 hmin3(u32 a, u32 b, u32 c)
{
    return hmin(hmin(a, b), c);
}
DEVICE_INLINE u32 hmin_sum(u32 a, u32 b, u32 c)
{
    return hmin(a + b, c);
}
#endif
DEVICE_INLINE u32 hmaxa(u32 a, u32 b)
{
    return hmax(habsf(a), habsf(b));
}
DEVICE_INLINE void ldpc_prefetch(IN_GLOBAL const void *p) // into L2
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
}
#ifndef __OPENCL_VERSION__
/* Loads a value for a later iteration. `volatile` prevents a copy, which would wait for the load. Call
 * ldpc_copy() before the next load. */
DEVICE_INLINE void ldpc_load_later(u32 *to, const u32 *p)
{
    asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(*to) : "l"(p) : "memory");
}
DEVICE_INLINE void ldpc_load_pair_later(u32 *first, u32 *second, const uint2 *p) // of constant data
{
    asm volatile("ld.global.nc.v2.u32 {%0,%1},[%2];" : "=r"(*first), "=r"(*second) : "l"(p) : "memory");
}
DEVICE_INLINE u32 ldpc_load_half(const u16 *p)
{
    u32 r;
    asm volatile("ld.global.cg.u16 %0,[%1];" : "=r"(r) : "l"(p) : "memory");
    return r;
}
DEVICE_INLINE u32 ldpc_copy(u32 v, u32 zero)
{
    u32 r;
    asm volatile("xor.b32 %0,%1,%2;" : "=r"(r) : "r"(v), "r"(zero));
    return r;
}
template <class T> DEVICE_INLINE void ldpc_keep(T *&pointer)
{
    asm("" : "+l"(pointer));
}
DEVICE_INLINE u32 ldpc_dot_halves(u32 x, u32 factors)
{
    u32 r;
    asm("dp2a.lo.u32.u32 %0,%1,%2,%3;" : "=r"(r) : "r"(x), "r"(factors), "r"(0));
    return r;
}
#endif
DEVICE_INLINE u32 h2(int a, int b)
{
    u32 r;
    asm("{.reg .f16 x,y; cvt.rn.f16.s32 x,%1; cvt.rn.f16.s32 y,%2; mov.b32 %0,{x,y};}"
        : "=r"(r)
        : "r"(a), "r"(b));
    return r;
}
DEVICE_INLINE int hlow(u32 a)
{
    int r;
    asm("{.reg .f16 x,y; mov.b32 {x,y},%1; cvt.rni.s32.f16 %0,x;}" : "=r"(r) : "r"(a));
    return r;
}
DEVICE_INLINE int hhigh(u32 a)
{
    return hlow(a >> 16);
}
#endif
