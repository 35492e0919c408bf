/* SPDX-License-Identifier: BSD-3-Clause */
/* SIMD primitives of AVX-512 (F, BW, DQ, VL) on 512 bits, where comparisons give mask registers; simd.h says
 * what each means. */
#ifndef LDPC_SIMD_AVX512_H
#define LDPC_SIMD_AVX512_H

#include "cpu/simd/simd_x86.h"

#if defined(LDPC_ISA_AVX512)

/* ---- bits */

/* The 64-bit quarters of blocks change places, then the bytes within the blocks. */
FORCE_INLINE vec v_load_xor(const void *p, unsigned by)
{
    vec blocks = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const void *)xor_index[by / 16 * 2]));
    vec bytes = _mm512_broadcast_i32x4(_mm_load_si128((const void *)xor_index[by % 16]));
    return _mm512_shuffle_epi8(_mm512_permutexvar_epi64(blocks, _mm512_load_si512(p)), bytes);
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
/* All three xored: a maximum would need the port of the minima, this has the choice of two. */
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
/* By compare: movepi8_mask needs the port of the minima. */
FORCE_INLINE vec v_negate_by_s8(vec x, vec s)
{
    return _mm512_mask_sub_epi8(x, _mm512_cmplt_epi8_mask(s, v_zero()), v_zero(), x);
}
FORCE_INLINE vec v_negate_by_s16(vec x, vec s)
{
    return _mm512_mask_sub_epi16(x, _mm512_cmplt_epi16_mask(s, v_zero()), v_zero(), x);
}
/* The comparison masks the second subtraction: no operation makes z or 0. */
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
