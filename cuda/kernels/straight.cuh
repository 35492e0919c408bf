// SPDX-License-Identifier: BSD-3-Clause
/* Functions for the generated source of the kernel "straight" (straight_text.h). Define Z, PARTS and the
 * macros of half_rule.cuh before this file is included. */
#include "half_rule.cuh"

#define AT(base, shift)                                                                                      \
    (*(IN_SHARED u32 *)((IN_SHARED char *)(s + (base)) +                                                     \
                        rotated_lane(4 * t, 4 * (shift)-4 * Z, 4 * t + 4 * (shift))))
#define LANE(shift)  ((shift) ? min(t + (shift)-Z, t + (shift)) : t)
/* PoCL 3.1 would miscompile a branch (docs/opencl.md). */
#define EXCEPT(lane) (0u - (t != (lane)))
// If symbol `at` is transmitted.
#define POSTERIOR                                                                                            \
    if (at >= 0)                                                                                             \
        store_pair_posterior(&a, ok, c0, c1, at, v);

/* Table rows in constant memory, for loops that run once per codeword. Generated statements would be a third
 * of the source.
 *
 * Row of a column group: p[word] of thread t is the posterior of lane t + shift. */
typedef struct stored_column {
    u32 word, shift, position; // position of lane 0
} stored_column;
typedef struct bits_edge {
    u32 position, shift; // of lane 0
    u32 missing_lane;    // ~0: none
    u32 last;            // 1: last edge of its layer
} bits_edge;

DEVICE_INLINE u32 eight_bits(u32 first, u32 second)
{
    return ((first & 0x01010101u) * 0x08040201u >> 24 & 15) << 4 |
           ((second & 0x01010101u) * 0x08040201u >> 24 & 15);
}

/* Packs `count` bits of both codewords, MSB first. bits[position] has one byte per codeword (sign_bytes).
 * Positions are at[i] or, if `at` is 0, first + i. */
DEVICE_INLINE void put_bits(IN_SHARED const u16 *bits, IN_GLOBAL const u32 *at, u32 first, u32 count,
                            IN_GLOBAL u8 *out0, IN_GLOBAL u8 *out1, u32 ok, u32 t)
{
    for (u32 b = t; b < (count + 7) / 8; b += Z) {
        u32 v0 = 0, v1 = 0;
        if (at) {
            for (u32 i = 8 * b; i < 8 * b + 8; i++) {
                u32 both = i < count && at[i] != LDPC_CUDA_ZERO ? bits[at[i]] : 0;
                v0 = v0 << 1 | (both & 1);
                v1 = v1 << 1 | (both >> 8 & 1);
            }
        } else {
            uint4 x = *(IN_SHARED const uint4 *)(bits + first + 8 * b);
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
