/* SPDX-License-Identifier: BSD-3-Clause */
/* AVX-512 primitives (F, BW, DQ, VL) for 512 bits (simd.h). Comparisons return mask registers. */
#ifndef LDPC_SIMD_AVX512_H
#define LDPC_SIMD_AVX512_H

#include "cpu/simd/simd_x86.h"

#if defined(LDPC_ISA_AVX512)

/* ---- bits */

FORCE_INLINE vec v_load_xor(const void *p, unsigned by)
{
    vec blocks = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const void *)xor_index[by / 16 * 2]));
    vec bytes = _mm512_broadcast_i32x4(_mm_load_si128((const void *)xor_index[by % 16]));
    return _mm512_shuffle_epi8(_mm512_permutexvar_epi64(blocks, _mm512_load_si512(p)), bytes);
}
FORCE_INLINE __m128i block_at(const void *p, size_t at)
{
    return _mm_loadu_si128((const void *)((const char *)p + at));
}
FORCE_INLINE vec v_load_blocks(const void *p, const size_t at[4])
{
    vec x = _mm512_castsi128_si512(block_at(p, at[0]));
    x = _mm512_inserti32x4(x, block_at(p, at[1]), 1);
    x = _mm512_inserti32x4(x, block_at(p, at[2]), 2);
    return _mm512_inserti32x4(x, block_at(p, at[3]), 3);
}
FORCE_INLINE void v_store_blocks(void *p, const size_t at[4], vec x)
{
    char *bytes = p;
    _mm_storeu_si128((void *)(bytes + at[0]), _mm512_castsi512_si128(x));
    _mm_storeu_si128((void *)(bytes + at[1]), _mm512_extracti32x4_epi32(x, 1));
    _mm_storeu_si128((void *)(bytes + at[2]), _mm512_extracti32x4_epi32(x, 2));
    _mm_storeu_si128((void *)(bytes + at[3]), _mm512_extracti32x4_epi32(x, 3));
}
FORCE_INLINE vec v_blend(vec mask, vec x, vec y)
{
    return _mm512_ternarylogic_epi32(mask, y, x, 0xca);
}
FORCE_INLINE vec v_swap_blocks(vec x, int k)
{
    return k == 1   ? _mm512_shuffle_i32x4(x, x, 0xb1)
           : k == 2 ? _mm512_shuffle_i32x4(x, x, 0x4e)
           : k == 3 ? _mm512_shuffle_i32x4(x, x, 0x1b)
                    : x;
}

#if defined(LDPC_ISA_AVX512VBMI)
#define V_PERMUTE
FORCE_INLINE vec v_permute_u8(vec table, vec x)
{
    return _mm512_permutexvar_epi8(x, table);
}
#endif

/* ---- integers */

FORCE_INLINE vec v_expand_u8(uint64_t k)
{
    return _mm512_maskz_set1_epi8(k, 1);
}
#define V_WHERE
typedef uint64_t where_mask;
FORCE_INLINE vec v_subs_where_s8(where_mask k, vec a, vec b)
{
    return _mm512_mask_subs_epi8(a, k, a, b);
}
FORCE_INLINE vec v_subs_where_s16(where_mask k, vec a, vec b)
{
    return _mm512_mask_subs_epi16(a, (__mmask32)k, a, b);
}
FORCE_INLINE vec v_if_less_u8(vec a, vec b, vec x)
{
    return _mm512_maskz_mov_epi8(_mm512_cmplt_epu8_mask(a, b), x);
}
FORCE_INLINE vec v_if_less_u16(vec a, vec b, vec x)
{
    return _mm512_maskz_mov_epi16(_mm512_cmplt_epu16_mask(a, b), x);
}
FORCE_INLINE vec v_choose_less_u8(vec a, vec b, vec x, vec y)
{
    return _mm512_mask_mov_epi8(y, _mm512_cmplt_epu8_mask(a, b), x);
}
FORCE_INLINE vec v_pick_u8(vec h, vec a, vec x, vec y)
{
    return _mm512_mask_mov_epi8(x, _mm512_cmpeq_epi8_mask(h, a), y);
}
FORCE_INLINE vec v_pick_u16(vec h, vec a, vec x, vec y)
{
    return _mm512_mask_mov_epi16(x, _mm512_cmpeq_epi16_mask(h, a), y);
}
FORCE_INLINE vec v_pick_u32(vec h, vec a, vec x, vec y)
{
    return _mm512_mask_mov_epi32(x, _mm512_cmpeq_epi32_mask(h, a), y);
}
/* a ^ b ^ min is the maximum. v_max would use the execution port of v_min. */
FORCE_INLINE vec v_xor3(vec a, vec b, vec c)
{
    return _mm512_ternarylogic_epi32(a, b, c, 0x96);
}
FORCE_INLINE vec v_other_u8(vec a, vec b, vec min)
{
    return v_xor3(a, b, min);
}
FORCE_INLINE vec v_other_u16(vec a, vec b, vec min)
{
    return v_xor3(a, b, min);
}
FORCE_INLINE vec v_other_u32(vec a, vec b, vec min)
{
    return v_xor3(a, b, min);
}
/* Hides the zero from Clang. Otherwise Clang uses movepi8_mask, which competes with the minima for an
 * execution port. */
FORCE_INLINE vec v_unknown_zero(void)
{
    vec zero = v_zero();
#if defined(__clang__)
    __asm__("" : "+" VECTOR_REGISTER(zero));
#endif
    return zero;
}
FORCE_INLINE vec v_negate_by_s8(vec x, vec s)
{
    return _mm512_mask_sub_epi8(x, _mm512_cmplt_epi8_mask(s, v_unknown_zero()), v_zero(), x);
}
FORCE_INLINE vec v_negate_by_s16(vec x, vec s)
{
    return _mm512_mask_sub_epi16(x, _mm512_cmplt_epi16_mask(s, v_unknown_zero()), v_zero(), x);
}
FORCE_INLINE vec v_reduce_u8(vec x, vec y, vec a, vec b, vec z)
{
    vec less = v_subs_u8(x, y);
    return _mm512_mask_subs_epu8(less, _mm512_cmple_epu8_mask(a, b), less, z);
}
FORCE_INLINE vec v_reduce_u16(vec x, vec y, vec a, vec b, vec z)
{
    vec less = v_subs_u16(x, y);
    return _mm512_mask_subs_epu16(less, _mm512_cmple_epu16_mask(a, b), less, z);
}
FORCE_INLINE vec v_half_if_u8(vec mask, vec x)
{
    return _mm512_maskz_avg_epu8(_mm512_cmplt_epi8_mask(mask, v_zero()), x, v_zero());
}
FORCE_INLINE vec v_half_if_u16(vec mask, vec x)
{
    return _mm512_maskz_avg_epu16(_mm512_cmplt_epi16_mask(mask, v_zero()), x, v_zero());
}

/* ---- from lanes to one number */

FORCE_INLINE uint64_t v_signs_s8(vec x)
{
    return _mm512_cmplt_epi8_mask(x, v_zero());
}
FORCE_INLINE uint64_t v_signs_s16(vec x)
{
    return _mm512_cmplt_epi16_mask(x, v_zero());
}
FORCE_INLINE uint64_t v_signs_s32(vec x)
{
    return _mm512_cmplt_epi32_mask(x, v_zero());
}
FORCE_INLINE uint64_t v_nonzero_u8(vec x)
{
    return _mm512_test_epi8_mask(x, x);
}
FORCE_INLINE uint8_t v_smallest_u8(vec x)
{
    __m256i b = _mm256_min_epu8(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));
    __m128i c = _mm_min_epu8(_mm256_castsi256_si128(b), _mm256_extracti128_si256(b, 1));
    return (uint8_t)_mm_cvtsi128_si32(_mm_minpos_epu16(_mm_min_epu8(c, _mm_srli_epi16(c, 8))));
}

/* ---- floats */

FORCE_INLINE vecf v_sqrt_f32(vecf x)
{
    const vecf half = v_set_f32(0.5f), y = _mm512_rsqrt14_ps(x);
    const __mmask16 positive = _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_GT_OQ);
    vecf g = v_mul_f32(x, y), h = v_mul_f32(half, y);
    const vecf r = _mm512_fnmadd_ps(g, h, half);
    g = _mm512_fmadd_ps(g, r, g);
    h = _mm512_fmadd_ps(h, r, h);
    g = _mm512_fmadd_ps(_mm512_fnmadd_ps(g, g, x), h, g);
    return _mm512_maskz_mov_ps(positive, g);
}
FORCE_INLINE vecf v_round_f32(vecf x)
{
    return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
FORCE_INLINE void v_store_s8_f32(int8_t *p, vecf x)
{
    _mm_storeu_si128((void *)p, _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(x)));
}

#endif
#endif
