/* SPDX-License-Identifier: BSD-3-Clause */
/* AVX2 primitives for 256 bits (simd.h), also for avx2_mask and avx512_256 (simd_x86.h). */
#ifndef LDPC_SIMD_AVX2_H
#define LDPC_SIMD_AVX2_H

#include "cpu/simd/simd_x86.h"

#if defined(LDPC_ISA_AVX2)

FORCE_INLINE vec v_load_xor(const void *p, unsigned by)
{
    const char *low = (const char *)p + (by & 16);
    const __m128i bytes = _mm_load_si128((const void *)xor_index[by % 16]);
    const __m128i first = _mm_load_si128((const void *)low),
                  second = _mm_load_si128((const void *)((const char *)p + 16 - (low - (const char *)p)));
    return _mm256_shuffle_epi8(_mm256_set_m128i(second, first), X86_BROADCAST(bytes));
}
FORCE_INLINE vec v_load_blocks(const void *p, const size_t at[2])
{
    const __m128i low = _mm_loadu_si128((const void *)((const char *)p + at[0])),
                  high = _mm_loadu_si128((const void *)((const char *)p + at[1]));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}
FORCE_INLINE void v_store_blocks(void *p, const size_t at[2], vec x)
{
    _mm_storeu_si128((void *)((char *)p + at[0]), _mm256_castsi256_si128(x));
    _mm_storeu_si128((void *)((char *)p + at[1]), _mm256_extracti128_si256(x, 1));
}
FORCE_INLINE vec v_swap_blocks(vec x, int k)
{
    return k == 1 ? _mm256_permute4x64_epi64(x, 0x4e) : x;
}
FORCE_INLINE uint64_t v_signs_s32(vec x)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(x));
}
FORCE_INLINE uint64_t v_nonzero_u8(vec x)
{
    return (uint32_t)~_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, v_zero()));
}
FORCE_INLINE uint8_t v_smallest_u8(vec x)
{
    __m128i c = _mm_min_epu8(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    return (uint8_t)_mm_cvtsi128_si32(_mm_minpos_epu16(_mm_min_epu8(c, _mm_srli_epi16(c, 8))));
}
FORCE_INLINE void v_store_s8_f32(int8_t *p, vecf x)
{
    const __m256i whole = _mm256_cvtps_epi32(x);
    const __m128i halves = _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    _mm_storel_epi64((void *)p, _mm_packs_epi16(halves, halves));
}

#endif
#endif
