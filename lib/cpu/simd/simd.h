/* SPDX-License-Identifier: BSD-3-Clause */
/* SIMD primitives with the same meaning for all instruction sets (isa.h).
 *
 * `vec` is a register of REGISTER_BYTES bytes without a lane type. The suffix of a name gives the lane type:
 * integers _s8 _u8 _s16 _u16 _s32 _u32 _u64, or floats _f32. Float registers have their own type, `vecf`, of
 * F32_LANES lanes. Names without a suffix operate on bits or bytes. Kernels that are compiled for several
 * lane widths include lanes.h instead.
 *
 * Arguments are registers unless they are named p (memory), k, f or by. Each line describes the operation in
 * one lane. A block is 16 bytes. tests/simd compares each primitive of each instruction set with this list.
 *
 *   bits
 *     v_zero()                       all bits 0
 *     v_load(p) v_store(p, x)        p is a multiple of REGISTER_BYTES
 *     v_loadu(p) v_storeu(p, x)      any p
 *     v_and v_or v_xor (a, b)
 *     v_blend(mask, x, y)            y where all bits of a byte of the mask are 1, x where all are 0
 *     v_load_first(p, n) v_store_first(p, n, x)    the first n bytes, n < REGISTER_BYTES, at any p; all other
 *                                    bytes become 0 (load) or remain unchanged (store); only if V_FIRST is defined
 *     v_prefetch(p)                  brings a line of memory into the level-2 cache
 *
 *   positions of bytes
 *     v_table(p)                     the 16 bytes at p in each block
 *     v_look_T(table, x)             entry x of a v_table(), 0 if x >= 16; T = u8 u16
 *     v_shuffle_u8(table, x)         byte x of the same block of the table, x < 16; 0 if x >= 128
 *     v_permute_u8(table, x)         byte x of the table, x < REGISTER_BYTES; only if V_PERMUTE is defined
 *     v_load_xor(p, by)              byte i is byte i ^ by of the register at p; p as for v_load
 *     v_swap_blocks(x, k)            block i is block i ^ k
 *     v_load_blocks(p, at) v_store_blocks(p, at, x)    block i is the 16 bytes at p + at[i], any address
 *     v_zip_low_u8(a, b)             a0 b0 a1 b1 .. a7 b7 of the 16 bytes of each block
 *     v_zip_high_u8(a, b)            a8 b8 a9 b9 .. a15 b15
 *
 *   integers
 *     v_set_T(k)                     k in all lanes; T = s8 u8 s16 u32
 *     v_add_T v_sub_T (a, b)         modulo 2^8, 2^16; T = s8 s16
 *     v_adds_T v_subs_T (a, b)       a + b, a - b, saturated to the range of T; T = s8 u8 s16 u16
 *     v_subs_where_T(k, a, b)        v_subs_T(a, b) where bit i of k is 1, else a; only if V_WHERE is defined;
 *                                    T = s8 s16; k has the type where_mask
 *     v_abs_T(x)                     |x| as an unsigned number: |-128| is 128; T = s8 s16
 *     v_negate_by_T(x, s)            -x where s < 0, else x; -(-128) is -128; T = s8 s16
 *     v_min_T v_max_T (a, b)         T = s8 u8 u16 u32
 *     v_other_T(a, b, min)           the larger of a and b, given the smaller, min; T = u8 u16 u32
 *     v_half_T(x)                    x / 2, rounded up; T = u8 u16
 *     v_half_if_T(mask, x)           x / 2, rounded up, where the mask is -1; 0 where it is 0; T = u8 u16
 *     v_times_T(x, f)                x * f / 16, rounded down; 0 <= f <= 16, x < 4096; T = u8 u16
 *     v_if_less_T(a, b, x)           x where a < b, else 0; T = u8 u16
 *     v_choose_less_u8(a, b, x, y)   x where a < b, else y
 *     v_pick_T(h, a, x, y)           y where h == a, else x; only if a <= h <= a + 128; T = u8 u16 u32
 *     v_reduce_T(x, y, a, b, z)      x - y, minus z where a <= b; both subtractions saturate at 0. z is the same
 *                                    in all lanes; only if b <= a + 127 and a <= b + 128; T = u8 u16
 *     v_high_nibble_u8(x)            x / 16
 *     v_high_bit_u8(x)               x / 128
 *     v_expand_u8(k)                 byte i is bit i of k, a uint64
 *     v_product_u64(a, b)            product of the lower halves
 *     v_high_u64(x)                  x / 2^32
 *
 *   one number of all lanes
 *     v_signs_T(x)                   bit i: lane i is negative; T = s8 s16 s32
 *     v_nonzero_u8(x)                bit i: lane i is not 0
 *     v_smallest_u8(x)               the smallest lane
 *
 *   sums of 8-bit lanes: a `wide` has 16 bits for each lane
 *     w_zero()  w_add(w, x)          x is signed
 *     w_narrow(w)                    converts back to 8 bits with saturation
 *
 *   floats
 *     v_load_f32(p) v_store_f32(p, x)    any p
 *     v_set_f32(k)
 *     v_add_f32 v_sub_f32 v_mul_f32 v_div_f32 (a, b)
 *     v_min_f32 v_max_f32 (a, b)     not for NaN; of 0 and -0, either may be returned
 *     v_sqrt_f32(x)                  rounded as in IEEE 754; x is 0 or 2^-60 <= x <= 2^60
 *     v_round_f32(x)                 nearest integer, ties to even; the sign of 0 is undefined; |x| < 2^22
 *     v_store_s8_f32(p, x)           F32_LANES signed bytes, rounded as above; |x| <= 127
 *
 * For inline assembly, VECTOR_REGISTER is the constraint for a register. There are VECTOR_REGISTERS registers.
 */
#ifndef LDPC_SIMD_H
#define LDPC_SIMD_H

#include "cpu/simd/isa.h"

#if defined(LDPC_ISA_AVX512)
#include "cpu/simd/simd_avx512.h"
#elif defined(LDPC_ISA_AVX2)
#include "cpu/simd/simd_avx2.h"
#elif defined(LDPC_ISA_SSE41)
#include "cpu/simd/simd_sse41.h"
#elif defined(LDPC_ISA_NEON)
#include "cpu/simd/simd_neon.h"
#else
#include "cpu/simd/simd_plain.h"
#endif

#define F32_LANES (REGISTER_BYTES / 4)

FORCE_INLINE void v_prefetch(const void *p)
{
    __builtin_prefetch(p, 0, 2);
}

/* v_if_near_T(a, b, z) is z where a <= b, else 0. */
#if !defined(LDPC_ISA_AVX512)

FORCE_INLINE vec v_other_u8(vec a, vec b, vec min)
{
    return (void)min, v_max_u8(a, b);
}
FORCE_INLINE vec v_other_u16(vec a, vec b, vec min)
{
    return (void)min, v_max_u16(a, b);
}
FORCE_INLINE vec v_other_u32(vec a, vec b, vec min)
{
    return (void)min, v_max_u32(a, b);
}
FORCE_INLINE vec v_half_if_u8(vec mask, vec x)
{
    return v_and(v_half_u8(x), mask);
}
FORCE_INLINE vec v_half_if_u16(vec mask, vec x)
{
    return v_and(v_half_u16(x), mask);
}
FORCE_INLINE vec v_reduce_u8(vec x, vec y, vec a, vec b, vec z)
{
    vec more = v_if_near_u8(a, b, z);
    return v_subs_u8(v_subs_u8(x, y), more);
}
FORCE_INLINE vec v_reduce_u16(vec x, vec y, vec a, vec b, vec z)
{
    vec more = v_if_near_u16(a, b, z);
    return v_subs_u16(v_subs_u16(x, y), more);
}

#endif
#endif
