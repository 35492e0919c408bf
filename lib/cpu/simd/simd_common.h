/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_SIMD_COMMON_H
#define LDPC_SIMD_COMMON_H

#include <stdint.h>

#include "cpu/simd/isa.h"

#define OF_ONE(name, type, intrinsic)                                                                        \
    FORCE_INLINE vec name(vec x)                                                                             \
    {                                                                                                        \
        return (vec)intrinsic((type)x);                                                                      \
    }
#define OF_TWO(name, type, intrinsic)                                                                        \
    FORCE_INLINE vec name(vec a, vec b)                                                                      \
    {                                                                                                        \
        return (vec)intrinsic((type)a, (type)b);                                                             \
    }
#define OF_TWO_FLOATS(name, intrinsic)                                                                       \
    FORCE_INLINE vecf name(vecf a, vecf b)                                                                   \
    {                                                                                                        \
        return intrinsic(a, b);                                                                              \
    }

/* [s][i] = i ^ s */
#define XOR_4(s) (s), (s) ^ 1, (s) ^ 2, (s) ^ 3
#define XOR_16(s)                                                                                            \
    {                                                                                                        \
        XOR_4(s), XOR_4((s) ^ 4), XOR_4((s) ^ 8), XOR_4((s) ^ 12)                                            \
    }
static const uint8_t xor_index[16][16] __attribute__((aligned(16), unused)) = {
    XOR_16(0), XOR_16(1), XOR_16(2),  XOR_16(3),  XOR_16(4),  XOR_16(5),  XOR_16(6),  XOR_16(7),
    XOR_16(8), XOR_16(9), XOR_16(10), XOR_16(11), XOR_16(12), XOR_16(13), XOR_16(14), XOR_16(15),
};

#endif
