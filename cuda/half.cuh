// SPDX-License-Identifier: BSD-3-Clause
// Two codewords in the halves of a register: half precision holds integers up to 2048 exactly. Inline PTX, so that
// NVRTC needs no header. The operations that only newer GPUs have are put together from others on older ones.
#define F __device__ __forceinline__
#define LDPC_OP1(name, code)                                                                                         \
    F u32 name(u32 a)                                                                                                \
    {                                                                                                                \
        u32 r;                                                                                                       \
        asm(code " %0,%1;" : "=r"(r) : "r"(a));                                                                      \
        return r;                                                                                                    \
    }
#define LDPC_OP2(name, code)                                                                                         \
    F u32 name(u32 a, u32 b)                                                                                         \
    {                                                                                                                \
        u32 r;                                                                                                       \
        asm(code " %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b));                                                           \
        return r;                                                                                                    \
    }
#define LDPC_OP3(name, code)                                                                                         \
    F u32 name(u32 a, u32 b, u32 c)                                                                                  \
    {                                                                                                                \
        u32 r;                                                                                                       \
        asm(code " %0,%1,%2,%3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                                                \
        return r;                                                                                                    \
    }
LDPC_OP2(hadd, "add.f16x2")
LDPC_OP2(hsub, "sub.f16x2")
LDPC_OP2(hsubsat, "sub.sat.f16x2") // clamped to 0 .. 1
LDPC_OP3(hfma, "fma.rn.f16x2")
LDPC_OP3(prmt, "prmt.b32")
F u32 habs(u32 a)
{
    return a & 0x7fff7fffu;
}
#if __CUDA_ARCH__ >= 800
LDPC_OP2(hmin, "min.f16x2")
LDPC_OP2(hmax, "max.f16x2")
LDPC_OP3(hrelu, "fma.rn.relu.f16x2") // max(a b + c, 0)
#else
F u32 hselect(u32 a, u32 b, u32 greater)
{
    return (a & ~greater) | (b & greater);
} // b where greater is set
F u32 hgreater(u32 a, u32 b)
{
    u32 r;
    asm("set.gt.f16x2.f16x2 %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b)); // 1.0 or 0
    return (r >> 13 & 0x10001u) * 0xffffu;
}
F u32 hmin(u32 a, u32 b)
{
    return hselect(a, b, hgreater(a, b));
}
F u32 hmax(u32 a, u32 b)
{
    return hselect(b, a, hgreater(a, b));
}
F u32 hrelu(u32 a, u32 b, u32 c)
{
    return hmax(hfma(a, b, c), 0u);
}
#endif
#if __CUDA_ARCH__ >= 860
LDPC_OP2(hminx, "min.xorsign.abs.f16x2") // the smaller magnitude with the product of the signs
LDPC_OP1(habsf, "abs.f16x2")
#else
F u32 habsf(u32 a)
{
    return habs(a);
}
F u32 hminx(u32 a, u32 b)
{
    return hmin(habs(a), habs(b)) ^ ((a ^ b) & 0x80008000u);
}
#endif
#if __CUDA_ARCH__ >= 900
F u32 hmin3(u32 a, u32 b, u32 c) // of numbers that are not negative: their halves are ordered like integers
{
    u32 r;
    asm("{.reg .b32 x; min.s16x2 x,%1,%2; min.s16x2 %0,x,%3;}" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
#else
F u32 hmin3(u32 a, u32 b, u32 c)
{
    return hmin(hmin(a, b), c);
}
#endif
F u32 hmaxa(u32 a, u32 b)
{
    return hmax(habsf(a), habsf(b));
}
F u32 h2(int a, int b)
{
    u32 r;
    asm("{.reg .f16 x,y; cvt.rn.f16.s32 x,%1; cvt.rn.f16.s32 y,%2; mov.b32 %0,{x,y};}" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
F int hlow(u32 a)
{
    int r;
    asm("{.reg .f16 x,y; mov.b32 {x,y},%1; cvt.rni.s32.f16 %0,x;}" : "=r"(r) : "r"(a));
    return r;
}
F int hhigh(u32 a)
{
    return hlow(a >> 16);
}

// a where a < z, else a - z, both times 4: the byte offset of lane (t + shift) mod z from base = 4 t + 4 shift.
F u32 hwrap(u32 t4, u32 shift4_z4, u32 base)
{
    return min(t4 + shift4_z4, base);
}

// Messages of two edges and two words as bytes R + 128 of one register; half number 0 or 1 of it as R + 1152.
F u32 hunpack0(u32 w)
{
    return prmt(w, 0x64646464u, 0x4240u);
}
F u32 hunpack1(u32 w)
{
    return prmt(w, 0x64646464u, 0x4341u);
}
F u32 hpack(u32 a, u32 b)
{
    return prmt(a, b, 0x6240u);
}

// Eight bits, one per byte, most significant first.
F u32 ldpc_eight(const u8 *bits)
{
    uint2 x = *(const uint2 *)bits;
    return (x.x * 0x08040201u >> 24 & 15) << 4 | (x.y * 0x08040201u >> 24 & 15);
}

// `count` bits from stage (one per byte), from place `first` on when at is NULL, else from the places at[]; thread t
// of z.
F void ldpc_put_bits(const u8 *stage, const u32 *at, u32 first, u32 count, u8 *out, u32 t, u32 z)
{
    for (u32 b = t; b < (count + 7) / 8; b += z) {
        u32 v = 0;
        if (at) {
            for (u32 i = 8 * b; i < 8 * b + 8; i++)
                v = v << 1 | (i < count ? stage[at[i]] : 0);
        } else {
            v = ldpc_eight(stage + first + 8 * b);
            if (8 * b + 8 > count)
                v &= 0xffu << (8 * b + 8 - count);
        }
        out[b] = (u8)v;
    }
}
