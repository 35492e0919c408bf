/* SPDX-License-Identifier: BSD-3-Clause */
/* SIMD primitives that are equal for 128, 256 and 512 bits on x86 (simd.h). */
#ifndef LDPC_SIMD_X86_H
#define LDPC_SIMD_X86_H

#include <stddef.h>
#include <stdint.h>

#include "cpu/simd/simd_common.h"

#if defined(LDPC_ISA_SSE41) || defined(LDPC_ISA_AVX2) || defined(LDPC_ISA_AVX512)

#include <immintrin.h>

/* X86(adds_epi8) is an intrinsic for a whole register. X86_BITS is the register size in the names of
 * intrinsics. */
#if defined(LDPC_ISA_AVX512)
#define REGISTER_BYTES 64
typedef __m512i vec;
typedef __m512 vecf;
#define X86(op)          _mm512_##op
#define X86_BITS(op)     _mm512_##op##_si512
#define X86_BROADCAST(x) _mm512_broadcast_i32x4(x)
#elif defined(LDPC_ISA_AVX2)
#define REGISTER_BYTES   32
typedef __m256i vec;
typedef __m256 vecf;
#define X86(op)          _mm256_##op
#define X86_BITS(op)     _mm256_##op##_si256
#define X86_BROADCAST(x) _mm256_broadcastsi128_si256(x)
#else
#define REGISTER_BYTES   16
typedef __m128i vec;
typedef __m128 vecf;
#define X86(op)          _mm_##op
#define X86_BITS(op)     _mm_##op##_si128
#define X86_BROADCAST(x) (x)
#endif
#if defined(LDPC_ISA_AVX512)
typedef __mmask64 byte_mask;
#elif defined(LDPC_ISA_AVX512_256)
typedef __mmask32 byte_mask;
#endif
#if defined(LDPC_ISA_AVX512) || defined(LDPC_ISA_AVX512_256)
#define VECTOR_REGISTER  "v"
#define VECTOR_REGISTERS 32
#else
#define VECTOR_REGISTER  "x"
#define VECTOR_REGISTERS 16
#endif

/* ---- bits */

FORCE_INLINE vec v_zero(void)
{
    return X86_BITS(setzero)();
}
FORCE_INLINE vec v_load(const void *p)
{
    return X86_BITS(load)(p);
}
FORCE_INLINE vec v_loadu(const void *p)
{
    return X86_BITS(loadu)(p);
}
FORCE_INLINE void v_store(void *p, vec x)
{
    X86_BITS(store)(p, x);
}
FORCE_INLINE void v_storeu(void *p, vec x)
{
    X86_BITS(storeu)(p, x);
}
FORCE_INLINE vec v_table(const uint8_t p[16])
{
    return X86_BROADCAST(_mm_loadu_si128((const void *)p));
}
#if defined(LDPC_ISA_AVX512) || defined(LDPC_ISA_AVX512_256)
#define V_FIRST
FORCE_INLINE vec v_load_first(const void *p, size_t n)
{
    return X86(maskz_loadu_epi8)((byte_mask)((UINT64_C(1) << n) - 1), p);
}
FORCE_INLINE void v_store_first(void *p, size_t n, vec x)
{
    X86(mask_storeu_epi8)(p, (byte_mask)((UINT64_C(1) << n) - 1), x);
}
#endif

OF_TWO(v_zip_low_u8, vec, X86(unpacklo_epi8))
OF_TWO(v_zip_high_u8, vec, X86(unpackhi_epi8))
OF_TWO(v_and, vec, X86_BITS(and))
OF_TWO(v_or, vec, X86_BITS(or))
OF_TWO(v_xor, vec, X86_BITS(xor))

/* ---- integers */

FORCE_INLINE vec v_set_s8(int x)
{
    return X86(set1_epi8)((char)x);
}
FORCE_INLINE vec v_set_u8(unsigned x)
{
    return X86(set1_epi8)((char)x);
}
FORCE_INLINE vec v_set_s16(int x)
{
    return X86(set1_epi16)((short)x);
}
FORCE_INLINE vec v_set_u32(uint32_t x)
{
    return X86(set1_epi32)((int)x);
}
OF_TWO(v_add_s8, vec, X86(add_epi8))
OF_TWO(v_add_s16, vec, X86(add_epi16))
OF_TWO(v_sub_s8, vec, X86(sub_epi8))
OF_TWO(v_sub_s16, vec, X86(sub_epi16))
OF_TWO(v_adds_s8, vec, X86(adds_epi8))
OF_TWO(v_adds_s16, vec, X86(adds_epi16))
OF_TWO(v_adds_u8, vec, X86(adds_epu8))
OF_TWO(v_adds_u16, vec, X86(adds_epu16))
OF_TWO(v_subs_s8, vec, X86(subs_epi8))
OF_TWO(v_subs_s16, vec, X86(subs_epi16))
OF_TWO(v_subs_u8, vec, X86(subs_epu8))
OF_TWO(v_subs_u16, vec, X86(subs_epu16))
OF_TWO(v_min_u8, vec, X86(min_epu8))
OF_TWO(v_min_u16, vec, X86(min_epu16))
OF_TWO(v_min_u32, vec, X86(min_epu32))
OF_TWO(v_min_s8, vec, X86(min_epi8))
OF_TWO(v_max_s8, vec, X86(max_epi8))
OF_TWO(v_max_u8, vec, X86(max_epu8))
OF_TWO(v_max_u16, vec, X86(max_epu16))
OF_TWO(v_max_u32, vec, X86(max_epu32))
OF_TWO(v_shuffle_u8, vec, X86(shuffle_epi8))
OF_TWO(v_product_u64, vec, X86(mul_epu32))
OF_ONE(v_abs_s8, vec, X86(abs_epi8))
OF_ONE(v_abs_s16, vec, X86(abs_epi16))

FORCE_INLINE vec v_half_u8(vec x)
{
    return X86(avg_epu8)(x, v_zero());
}
FORCE_INLINE vec v_half_u16(vec x)
{
    return X86(avg_epu16)(x, v_zero());
}
FORCE_INLINE vec v_high_u64(vec x)
{
    return X86(srli_epi64)(x, 32);
}
FORCE_INLINE vec v_high_nibble_u8(vec x)
{
    return v_and(X86(srli_epi16)(x, 4), v_set_u8(15));
}
FORCE_INLINE vec v_high_bit_u8(vec x)
{
    return v_and(X86(srli_epi16)(x, 7), v_set_u8(1));
}
FORCE_INLINE vec v_look_u8(vec table, vec x)
{
    return v_shuffle_u8(table, v_adds_u8(x, v_set_u8(0x70)));
}
FORCE_INLINE vec v_look_u16(vec table, vec x)
{
    return v_shuffle_u8(table, v_adds_u16(x, v_set_s16(-0x90)));
}
FORCE_INLINE vec v_times_u16(vec x, int f)
{
    return X86(srli_epi16)(X86(mullo_epi16)(x, v_set_s16(f)), 4);
}
FORCE_INLINE vec v_times_u8(vec x, int f)
{
    vec even = v_times_u16(v_and(x, v_set_s16(0xff)), f), odd = v_times_u16(X86(srli_epi16)(x, 8), f);
    return v_or(even, X86(slli_epi16)(odd, 8));
}

/* ---- sums of 8-bit lanes, even and odd lanes */

typedef struct wide {
    vec even, odd;
} wide;

FORCE_INLINE wide w_zero(void)
{
    return (wide){v_zero(), v_zero()};
}
FORCE_INLINE wide w_add(wide w, vec x)
{
    return (wide){v_add_s16(w.even, X86(maddubs_epi16)(v_set_s16(0x0001), x)),
                  v_add_s16(w.odd, X86(maddubs_epi16)(v_set_s16(0x0100), x))};
}
FORCE_INLINE vec w_narrow(wide w)
{
    static const uint8_t zip[16]
        __attribute__((aligned(16))) = {0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15};
    return v_shuffle_u8(X86(packs_epi16)(w.even, w.odd), X86_BROADCAST(_mm_load_si128((const void *)zip)));
}

/* ---- floats */

FORCE_INLINE vecf v_load_f32(const float *p)
{
    return X86(loadu_ps)(p);
}
FORCE_INLINE void v_store_f32(float *p, vecf x)
{
    X86(storeu_ps)(p, x);
}
FORCE_INLINE vecf v_set_f32(float x)
{
    return X86(set1_ps)(x);
}
OF_TWO_FLOATS(v_add_f32, X86(add_ps))
OF_TWO_FLOATS(v_sub_f32, X86(sub_ps))
OF_TWO_FLOATS(v_mul_f32, X86(mul_ps))
OF_TWO_FLOATS(v_div_f32, X86(div_ps))
OF_TWO_FLOATS(v_min_f32, X86(min_ps))
OF_TWO_FLOATS(v_max_f32, X86(max_ps))

/* ---- without mask registers: SSE4.1 and AVX2 */

#if !defined(LDPC_ISA_AVX512)

FORCE_INLINE vec v_expand_u8(uint64_t k)
{
    static const uint8_t byte_of[32] __attribute__((aligned(32))) = {
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3};
    const vec bit_of = X86(set1_epi64x)((int64_t)UINT64_C(0x8040201008040201));
    const vec bits = v_shuffle_u8(v_set_u32((uint32_t)k), v_load(byte_of));
    return v_min_u8(v_and(bits, bit_of), v_set_u8(1));
}

FORCE_INLINE vec v_if_less_u8(vec a, vec b, vec x)
{
    return X86_BITS(andnot)(X86(cmpeq_epi8)(v_subs_u8(b, a), v_zero()), x);
}
FORCE_INLINE vec v_if_less_u16(vec a, vec b, vec x)
{
    return X86_BITS(andnot)(X86(cmpeq_epi16)(v_subs_u16(b, a), v_zero()), x);
}
FORCE_INLINE vec v_if_near_u8(vec a, vec b, vec z)
{
    return v_shuffle_u8(z, v_sub_s8(b, a));
}
FORCE_INLINE vec v_if_near_u16(vec a, vec b, vec z)
{
    return v_xor(z, v_if_less_u16(b, a, z));
}
FORCE_INLINE vec v_choose_less_u8(vec a, vec b, vec x, vec y)
{
    return X86(blendv_epi8)(x, y, X86(cmpeq_epi8)(v_max_u8(a, b), a)); /* y where a >= b */
}

/* vpblendvb is three micro-operations on Intel CPUs. */
#if defined(LDPC_ISA_AVX512_256) || defined(LDPC_ISA_AVX2_MASK)
FORCE_INLINE vec v_blend(vec mask, vec x, vec y)
{
    return v_xor(x, v_and(mask, v_xor(x, y)));
}
#else
FORCE_INLINE vec v_blend(vec mask, vec x, vec y)
{
    return X86(blendv_epi8)(x, y, mask);
}
#endif

/* Selects by the sign of a - h. A comparison would use a busy execution port. */
#if defined(LDPC_ISA_AVX512_256)
#define PICK(lanes, h, a, x, y) X86(mask_mov_##lanes)(x, X86(cmpeq_##lanes##_mask)(h, a), y)
#elif defined(LDPC_ISA_AVX2_MASK)
#define PICK(lanes, h, a, x, y) X86(add_##lanes)(x, v_and(X86(cmpeq_##lanes)(h, a), X86(sub_##lanes)(y, x)))
#else
#define PICK(lanes, h, a, x, y) X86(blendv_epi8)(x, y, X86(cmpeq_##lanes)(h, a))
#endif
FORCE_INLINE vec v_pick_u8(vec h, vec a, vec x, vec y)
{
#if defined(LDPC_ISA_AVX512_256) || defined(LDPC_ISA_AVX2_MASK)
    return PICK(epi8, h, a, x, y);
#else
    return X86(blendv_epi8)(y, x, v_sub_s8(a, h));
#endif
}
FORCE_INLINE vec v_pick_u16(vec h, vec a, vec x, vec y)
{
    return PICK(epi16, h, a, x, y);
}
FORCE_INLINE vec v_pick_u32(vec h, vec a, vec x, vec y)
{
    return PICK(epi32, h, a, x, y);
}
#undef PICK

FORCE_INLINE vec v_negate_by_s8(vec x, vec s)
{
    return X86(sign_epi8)(x, v_or(s, v_set_s8(1)));
}
FORCE_INLINE vec v_negate_by_s16(vec x, vec s)
{
    return X86(sign_epi16)(x, v_or(s, v_set_s16(1)));
}
FORCE_INLINE uint64_t v_signs_s8(vec x)
{
    return (uint32_t)X86(movemask_epi8)(x);
}
FORCE_INLINE uint64_t v_signs_s16(vec x)
{
    uint32_t pairs = (uint32_t)X86(movemask_epi8)(x) >> 1 & 0x55555555u;
    pairs = (pairs | pairs >> 1) & 0x33333333u;
    pairs = (pairs | pairs >> 2) & 0x0f0f0f0fu;
    pairs = (pairs | pairs >> 4) & 0x00ff00ffu;
    return (pairs | pairs >> 8) & 0xffffu;
}
FORCE_INLINE vecf v_sqrt_f32(vecf x)
{
    return X86(sqrt_ps)(x);
}
FORCE_INLINE vecf v_round_f32(vecf x)
{
    return X86(round_ps)(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

#endif
#endif
#endif
