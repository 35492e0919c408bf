// SPDX-License-Identifier: BSD-3-Clause
// Macros and functions for the generated source of the kernel "straight" (straight_text.h lists its names). The
// generated prologue defines Z, PARTS and the macros of half_rule.cuh.
#include "half_rule.cuh"

// LANE is t + shift, wrapped around at z, of a column group. AT is the word of this lane; the group starts at
// word `base` of the pair.
#define AT(base, shift)                                                                                      \
    (*(IN_SHARED u32 *)((IN_SHARED char *)(s + (base)) +                                                     \
                        rotated_lane(4 * t, 4 * (shift)-4 * Z, 4 * t + 4 * (shift))))
#define LANE(shift)  ((shift) ? min(t + (shift)-Z, t + (shift)) : t)
// Returns a mask that is 0 only in the thread of this lane. If a branch were used instead of the mask, PoCL 3.1
// would drop the earlier `if (t == 0)` that follows the same barrier (docs/opencl.md).
#define EXCEPT(lane) (0u - (t != (lane)))
// Stores the posteriors v of symbol `at`. If `at` is negative, the column is not transmitted and nothing is
// stored.
#define POSTERIOR                                                                                            \
    if (at >= 0)                                                                                             \
        store_pair_posterior(&a, ok, c0, c1, at, v);

// Rows of tables in constant memory, for loops that run once per codeword. Without loops, one statement per row would be
// a third of the source text and of the compile time.
//
// The table row of a column group. After an iteration, word p[word] of thread t is the posterior of lane t +
// shift.
typedef struct stored_column {
    u32 word, shift, position; // position: that of lane 0
} stored_column;
// The table row of an edge of the base matrix.
typedef struct bits_edge {
    u32 position, shift; // position: that of lane 0 of the column group
    u32 missing_lane;    // ~0: none
    u32 last;            // 1 for the last edge of its layer, otherwise 0
} bits_edge;

// Packs eight bits, one from each of eight bytes, most significant bit first.
DEVICE_INLINE u32 eight_bits(u32 first, u32 second)
{
    return ((first & 0x01010101u) * 0x08040201u >> 24 & 15) << 4 |
           ((second & 0x01010101u) * 0x08040201u >> 24 & 15);
}

// Packs `count` bits of each codeword of a pair. bits[position] contains one byte for each codeword
// (sign_bytes). The positions are at[0], at[1] ... or, if `at` is 0, first, first + 1 ... Results are written
// only for codewords in the mask `ok`. Thread t of Z writes bytes t, t + Z ...
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
