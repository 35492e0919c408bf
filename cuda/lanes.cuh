// SPDX-License-Identifier: BSD-3-Clause
// Addresses of lanes, messages as bytes, bits out: what the kernels on half.cuh share.
// a where a < z, else a - z, both times 4: the byte offset of lane (t + shift) mod z from base = 4 t + 4
// shift.
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

// `count` bits from stage (one per byte), from place `first` on when at is NULL, else from the places at[];
// thread t of z.
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
