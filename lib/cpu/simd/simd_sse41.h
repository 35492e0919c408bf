/* SPDX-License-Identifier: BSD-3-Clause */
/* SSE4.1 primitives for 128 bits (simd.h). */
#ifndef LDPC_SIMD_SSE41_H
#define LDPC_SIMD_SSE41_H

#include <string.h>

#include "cpu/simd/simd_x86.h"

#if defined(LDPC_ISA_SSE41)

FORCE_INLINE vec v_load_xor(const void *p, unsigned by)
{
    return _mm_shuffle_epi8(_mm_load_si128(p), _mm_load_si128((const void *)xor_index[by]));
}
FORCE_INLINE vec v_load_blocks(const void *p, const size_t at[1])
{
    return v_loadu((const char *)p + at[0]);
}
FORCE_INLINE void v_store_blocks(void *p, const size_t at[1], vec x)
{
    v_storeu((char *)p + at[0], x);
}
FORCE_INLINE vec v_swap_blocks(vec x, int k)
{
    return (void)k, x;
}
FORCE_INLINE uint64_t v_signs_s32(vec x)
{
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(x));
}
FORCE_INLINE uint64_t v_nonzero_u8(vec x)
{
    return 0xffff & ~(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, v_zero()));
}
FORCE_INLINE uint8_t v_smallest_u8(vec x)
{
    return (uint8_t)_mm_cvtsi128_si32(_mm_minpos_epu16(_mm_min_epu8(x, _mm_srli_epi16(x, 8))));
}
FORCE_INLINE void v_store_s8_f32(int8_t *p, vecf x)
{
    const __m128i whole = _mm_cvtps_epi32(x), halves = _mm_packs_epi32(whole, whole);
    const int32_t bytes = _mm_cvtsi128_si32(_mm_packs_epi16(halves, halves));
    memcpy(p, &bytes, sizeof bytes);
}

#endif
#endif
