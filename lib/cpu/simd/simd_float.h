/* SPDX-License-Identifier: BSD-3-Clause */
/* The few vector words of the demappers, for the instruction set that the file is compiled for. `vecf` is one
 * register of FLOAT_LANES floats.
 *
 *   f_load f_set  f_add f_sub f_mul f_div      as usual; loads from anywhere
 *   f_min f_max             of two numbers
 *   f_whole                 the nearest whole number, ties to the even one; |x| < 2^22
 *   f_store_bytes(p, x)     lanes rounded like f_whole to FLOAT_LANES signed bytes; |x| <= 127
 */
#ifndef LDPC_SIMD_FLOAT_H
#define LDPC_SIMD_FLOAT_H

#include <stdint.h>
#include <string.h>

/* Straight code is what makes the kernels fast; sanitizers take minutes for it and find no more in it. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FORCE_INLINE static inline
#define UNROLL
#else
#define FORCE_INLINE static inline __attribute__((always_inline))
#define UNROLL       _Pragma("GCC unroll 32")
#endif

#if defined(LDPC_ISA_AVX512)

#include <immintrin.h>
#define FLOAT_LANES 16
typedef __m512 vecf;
#define F(op) _mm512_##op##_ps

FORCE_INLINE vecf f_whole(vecf x)
{
    return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
FORCE_INLINE void f_store_bytes(int8_t *p, vecf x)
{
    _mm_storeu_si128((void *)p, _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(x)));
}

#elif defined(LDPC_ISA_AVX2)

#include <immintrin.h>
#define FLOAT_LANES 8
typedef __m256 vecf;
#define F(op)       _mm256_##op##_ps

FORCE_INLINE vecf f_whole(vecf x)
{
    return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
FORCE_INLINE void f_store_bytes(int8_t *p, vecf x)
{
    const __m256i whole = _mm256_cvtps_epi32(x);
    const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    _mm_storel_epi64((void *)p, _mm_packs_epi16(words, words));
}

#elif defined(LDPC_ISA_SSE41)

#include <immintrin.h>
#define FLOAT_LANES 4
typedef __m128 vecf;
#define F(op)       _mm_##op##_ps

FORCE_INLINE vecf f_whole(vecf x)
{
    return _mm_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
FORCE_INLINE void f_store_bytes(int8_t *p, vecf x)
{
    const __m128i whole = _mm_cvtps_epi32(x);
    const __m128i words = _mm_packs_epi32(whole, whole);
    const int32_t bytes = _mm_cvtsi128_si32(_mm_packs_epi16(words, words));
    memcpy(p, &bytes, sizeof bytes);
}

#elif defined(LDPC_ISA_NEON)

#include <arm_neon.h>
#define FLOAT_LANES 4
typedef float32x4_t vecf;

FORCE_INLINE vecf f_load(const float *p)
{
    return vld1q_f32(p);
}
FORCE_INLINE vecf f_set(float x)
{
    return vdupq_n_f32(x);
}
FORCE_INLINE vecf f_add(vecf a, vecf b)
{
    return vaddq_f32(a, b);
}
FORCE_INLINE vecf f_sub(vecf a, vecf b)
{
    return vsubq_f32(a, b);
}
FORCE_INLINE vecf f_mul(vecf a, vecf b)
{
    return vmulq_f32(a, b);
}
FORCE_INLINE vecf f_div(vecf a, vecf b)
{
    return vdivq_f32(a, b);
}
FORCE_INLINE vecf f_min(vecf a, vecf b)
{
    return vminq_f32(a, b);
}
FORCE_INLINE vecf f_max(vecf a, vecf b)
{
    return vmaxq_f32(a, b);
}
FORCE_INLINE vecf f_whole(vecf x)
{
    return vrndnq_f32(x);
}
FORCE_INLINE void f_store_bytes(int8_t *p, vecf x)
{
    const int16x4_t words = vqmovn_s32(vcvtnq_s32_f32(x));
    const int8x8_t bytes = vqmovn_s16(vcombine_s16(words, words));
    vst1_lane_s32((void *)p, vreinterpret_s32_s8(bytes), 0);
}

#else

#define FLOAT_LANES 1
typedef float vecf;

FORCE_INLINE vecf f_load(const float *p)
{
    return *p;
}
FORCE_INLINE vecf f_set(float x)
{
    return x;
}
FORCE_INLINE vecf f_add(vecf a, vecf b)
{
    return a + b;
}
FORCE_INLINE vecf f_sub(vecf a, vecf b)
{
    return a - b;
}
FORCE_INLINE vecf f_mul(vecf a, vecf b)
{
    return a * b;
}
FORCE_INLINE vecf f_div(vecf a, vecf b)
{
    return a / b;
}
FORCE_INLINE vecf f_min(vecf a, vecf b)
{
    return a < b ? a : b;
}
FORCE_INLINE vecf f_max(vecf a, vecf b)
{
    return a > b ? a : b;
}
/* Adding 1.5 * 2^23 leaves no place for a fraction. */
FORCE_INLINE vecf f_whole(vecf x)
{
    return (x + 12582912.0f) - 12582912.0f;
}
FORCE_INLINE void f_store_bytes(int8_t *p, vecf x)
{
    *p = (int8_t)f_whole(x);
}

#endif

#if defined(F)

FORCE_INLINE vecf f_load(const float *p)
{
    return F(loadu)(p);
}
FORCE_INLINE vecf f_set(float x)
{
    return F(set1)(x);
}
FORCE_INLINE vecf f_add(vecf a, vecf b)
{
    return F(add)(a, b);
}
FORCE_INLINE vecf f_sub(vecf a, vecf b)
{
    return F(sub)(a, b);
}
FORCE_INLINE vecf f_mul(vecf a, vecf b)
{
    return F(mul)(a, b);
}
FORCE_INLINE vecf f_div(vecf a, vecf b)
{
    return F(div)(a, b);
}
FORCE_INLINE vecf f_min(vecf a, vecf b)
{
    return F(min)(a, b);
}
FORCE_INLINE vecf f_max(vecf a, vecf b)
{
    return F(max)(a, b);
}

#endif
#endif
