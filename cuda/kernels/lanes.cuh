// SPDX-License-Identifier: BSD-3-Clause
// Addresses of lanes, messages as bytes, bits out: what the kernels on half.cuh share.
// a where a < z, else a - z, both times 4: the byte offset of lane (t + shift) mod z from base = 4 t + 4
// shift.
F u32 hwrap(u32 t4, u32 shift4_z4, u32 base)
{
    return min(t4 + shift4_z4, base);
}

// Messages of two edges and two words, R plus a bias, as the low bytes of their halves in one register;
// number 0 or 1 of them, given the other byte.
F u32 hunpack0(u32 w, u32 high)
{
    return prmt(w, high, 0x4240u);
}
F u32 hunpack1(u32 w, u32 high)
{
    return prmt(w, high, 0x4341u);
}
F u32 hpack(u32 a, u32 b)
{
    return prmt(a, b, 0x6240u);
}

// Posteriors of 8 bits, saturated, plus 1280: what packed messages leave of Q + 128 and R + 1152.
F u32 hlimit(u32 l)
{
    return hmin(hmax(l, 0x64806480u), 0x657f657fu);
}

// LLRs of two words, as they stand in bytes (-128 reads as -127), plus 1152.
F u32 hchannel(u32 first, u32 second)
{
    return hmax(prmt(first, second, 0x5410u) ^ 0x64806480u, 0x64016401u); // 1024 + byte ^ 0x80; 1025
}

// Signs as two bytes, 255 for negative numbers.
F u32 hflags(u32 v)
{
    return prmt(v, 0, 0x44b9u);
}

// The LLRs of `words` words from `first` on, if there are so many, for the block that comes here next.
F void ldpc_prefetch_words(const ldpc_args &a, u32 first, u32 words, u32 thread, u32 threads)
{
    if (first + words > a.words)
        return;
    const s8 *llr = a.llr + (size_t)first * a.n;
    for (u32 i = 128 * thread; i < words * a.n; i += 128 * threads)
        ldpc_prefetch(llr + i);
}

// Eight bits, one per byte, most significant first.
F u32 ldpc_eight(u32 first, u32 second)
{
    return ((first & 0x01010101u) * 0x08040201u >> 24 & 15) << 4 |
           ((second & 0x01010101u) * 0x08040201u >> 24 & 15);
}

// `count` bits of the two words of a stage (hflags), from place `first` on when at is NULL, else from the
// places at[] (~0u: a zero), to those outputs that are set in ok; thread t of z.
F void ldpc_put_bits(const u16 *stage, const u32 *at, u32 first, u32 count, u8 *out0, u8 *out1, u32 ok, u32 t,
                     u32 z)
{
    for (u32 b = t; b < (count + 7) / 8; b += z) {
        u32 v0 = 0, v1 = 0;
        if (at) {
            for (u32 i = 8 * b; i < 8 * b + 8; i++) {
                u32 both = i < count && at[i] != ~0u ? stage[at[i]] : 0;
                v0 = v0 << 1 | (both & 1);
                v1 = v1 << 1 | (both >> 8 & 1);
            }
        } else {
            uint4 x = *(const uint4 *)(stage + first + 8 * b);
            u32 kept = 8 * b + 8 > count ? 0xffu << (8 * b + 8 - count) : 0xffu;
            v0 = ldpc_eight(prmt(x.x, x.y, 0x6420u), prmt(x.z, x.w, 0x6420u)) & kept;
            v1 = ldpc_eight(prmt(x.x, x.y, 0x7531u), prmt(x.z, x.w, 0x7531u)) & kept;
        }
        if (ok & 1)
            out0[b] = (u8)v0;
        if (ok & 2)
            out1[b] = (u8)v1;
    }
}
