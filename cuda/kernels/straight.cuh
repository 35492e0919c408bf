// SPDX-License-Identifier: BSD-3-Clause
// What stands in front of the statements that straight_text.c writes. In front of this: Z, PARTS, and the
// words of half_rule.cuh.
#include "half_rule.cuh"

// Names of the text: t lane, s shared memory of the group, st its stage of bits, la and lb LLRs, c0 and c1
// codewords, ok those that are done.

// The word of lane t + shift of Z words from `base` on; that lane.
#define AT(base, shift)                                                                                      \
    (*(u32 *)((char *)(s + (base)) + rotated_lane(4 * t, 4 * (shift)-4 * Z, 4 * t + 4 * (shift))))
#define LANE(shift)           ((shift) ? min(t + (shift)-Z, t + (shift)) : t)
// Staged bits of lane t + shift of a column, whose lanes are PARTS positions apart.
#define BITS(position, shift) st[(position) + PARTS * LANE(shift)]
// The posteriors v of symbol `at`, if that is one.
#define POSTERIOR                                                                                            \
    if (at >= 0)                                                                                             \
        store_pair_posterior(&a, ok, c0, c1, at, v);

// Eight bits of eight bytes, most significant first.
DEVICE_INLINE u32 eight_bits(u32 first, u32 second)
{
    return ((first & 0x01010101u) * 0x08040201u >> 24 & 15) << 4 |
           ((second & 0x01010101u) * 0x08040201u >> 24 & 15);
}

// `count` bits of the two codewords of a stage (sign_bytes), from place `first` on when at is 0, else from
// the places at[], to those outputs that are set in ok; thread t of Z.
DEVICE_INLINE void put_bits(const u16 *stage, const u32 *at, u32 first, u32 count, u8 *out0, u8 *out1, u32 ok,
                            u32 t)
{
    for (u32 b = t; b < (count + 7) / 8; b += Z) {
        u32 v0 = 0, v1 = 0;
        if (at) {
            for (u32 i = 8 * b; i < 8 * b + 8; i++) {
                u32 both = i < count && at[i] != LDPC_CUDA_ZERO ? stage[at[i]] : 0;
                v0 = v0 << 1 | (both & 1);
                v1 = v1 << 1 | (both >> 8 & 1);
            }
        } else {
            uint4 x = *(const uint4 *)(stage + first + 8 * b);
            u32 kept = 8 * b + 8 > count ? 0xffu << (8 * b + 8 - count) : 0xffu;
            v0 = eight_bits(prmt(x.x, x.y, 0x6420u), prmt(x.z, x.w, 0x6420u)) & kept;
            v1 = eight_bits(prmt(x.x, x.y, 0x7531u), prmt(x.z, x.w, 0x7531u)) & kept;
        }
        if (ok & 1)
            out0[b] = (u8)v0;
        if (ok & 2)
            out1[b] = (u8)v1;
    }
}
