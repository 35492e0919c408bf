/* SPDX-License-Identifier: BSD-3-Clause */
/* The few vector words that nonbinary kernels speak: unsigned bytes, one instruction set per compilation. */
#ifndef LDPC_NB_SIMD_H
#define LDPC_NB_SIMD_H

#include <stdint.h>
#include <string.h>

/* Bring a line into the level-2 cache. */
static inline void v_fetch(const void *p)
{
#ifdef __GNUC__
    __builtin_prefetch(p, 0, 2);
#else
    (void)p;
#endif
}

#if defined(__AVX512BW__)
#include <immintrin.h>
typedef __m512i vec;
enum { LANES = 64 };
static inline vec v_load(const uint8_t *p)
{
    return _mm512_loadu_si512(p);
}
static inline void v_store(uint8_t *p, vec a)
{
    _mm512_storeu_si512(p, a);
}
static inline vec v_set1(uint8_t a)
{
    return _mm512_set1_epi8((char)a);
}
static inline vec v_min(vec a, vec b)
{
    return _mm512_min_epu8(a, b);
}
static inline vec v_max(vec a, vec b)
{
    return _mm512_max_epu8(a, b);
}
static inline vec v_adds(vec a, vec b)
{
    return _mm512_adds_epu8(a, b);
}
static inline vec v_subs(vec a, vec b)
{
    return _mm512_subs_epu8(a, b);
}
static inline vec v_xor(vec a, vec b)
{
    return _mm512_xor_si512(a, b);
}
static inline vec v_or(vec a, vec b)
{
    return _mm512_or_si512(a, b);
}
static inline vec v_and(vec a, vec b)
{
    return _mm512_and_si512(a, b);
}
/* table16 (repeated in every 16 bytes) [index], 0 where the top bit of the index is set */
static inline vec v_lookup(vec table, vec index)
{
    return _mm512_shuffle_epi8(table, index);
}
static inline vec v_table16(const uint8_t *p)
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)p));
}
static inline vec v_shift4(vec a)
{
    return _mm512_and_si512(_mm512_srli_epi16(a, 4), _mm512_set1_epi8(15));
}
/* a < b ? x : y */
static inline vec v_pick_less(vec a, vec b, vec x, vec y)
{
    return _mm512_mask_mov_epi8(y, _mm512_cmplt_epu8_mask(a, b), x);
}
/* bit i: lane i is not zero */
static inline uint64_t v_nonzero(vec a)
{
    return _mm512_test_epi8_mask(a, a);
}
/* block i of 16 bytes becomes block i ^ k */
static inline vec v_swap_blocks(vec a, int k)
{
    return k == 1   ? _mm512_shuffle_i32x4(a, a, 0xb1)
           : k == 2 ? _mm512_shuffle_i32x4(a, a, 0x4e)
           : k == 3 ? _mm512_shuffle_i32x4(a, a, 0x1b)
                    : a;
}
static inline uint8_t v_smallest(vec a)
{
    __m256i b = _mm256_min_epu8(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1));
    __m128i c = _mm_min_epu8(_mm256_castsi256_si128(b), _mm256_extracti128_si256(b, 1));
    return (uint8_t)_mm_cvtsi128_si32(_mm_minpos_epu16(_mm_min_epu8(c, _mm_srli_epi16(c, 8))));
}
#elif defined(__AVX2__)
#include <immintrin.h>
typedef __m256i vec;
enum { LANES = 32 };
static inline vec v_load(const uint8_t *p)
{
    return _mm256_loadu_si256((const vec *)p);
}
static inline void v_store(uint8_t *p, vec a)
{
    _mm256_storeu_si256((vec *)p, a);
}
static inline vec v_set1(uint8_t a)
{
    return _mm256_set1_epi8((char)a);
}
static inline vec v_min(vec a, vec b)
{
    return _mm256_min_epu8(a, b);
}
static inline vec v_max(vec a, vec b)
{
    return _mm256_max_epu8(a, b);
}
static inline vec v_adds(vec a, vec b)
{
    return _mm256_adds_epu8(a, b);
}
static inline vec v_subs(vec a, vec b)
{
    return _mm256_subs_epu8(a, b);
}
static inline vec v_xor(vec a, vec b)
{
    return _mm256_xor_si256(a, b);
}
static inline vec v_or(vec a, vec b)
{
    return _mm256_or_si256(a, b);
}
static inline vec v_and(vec a, vec b)
{
    return _mm256_and_si256(a, b);
}
static inline vec v_lookup(vec table, vec index)
{
    return _mm256_shuffle_epi8(table, index);
}
static inline vec v_table16(const uint8_t *p)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)p));
}
static inline vec v_shift4(vec a)
{
    return _mm256_and_si256(_mm256_srli_epi16(a, 4), _mm256_set1_epi8(15));
}
static inline vec v_pick_less(vec a, vec b, vec x, vec y)
{
    return _mm256_blendv_epi8(x, y, _mm256_cmpeq_epi8(_mm256_max_epu8(a, b), a)); /* a >= b */
}
static inline uint64_t v_nonzero(vec a)
{
    return (uint32_t)~_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, _mm256_setzero_si256()));
}
static inline vec v_swap_blocks(vec a, int k)
{
    return k == 1 ? _mm256_permute4x64_epi64(a, 0x4e) : a;
}
static inline uint8_t v_smallest(vec a)
{
    __m128i c = _mm_min_epu8(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    return (uint8_t)_mm_cvtsi128_si32(_mm_minpos_epu16(_mm_min_epu8(c, _mm_srli_epi16(c, 8))));
}
#elif defined(__SSE4_1__)
#include <smmintrin.h>
typedef __m128i vec;
enum { LANES = 16 };
static inline vec v_load(const uint8_t *p)
{
    return _mm_loadu_si128((const vec *)p);
}
static inline void v_store(uint8_t *p, vec a)
{
    _mm_storeu_si128((vec *)p, a);
}
static inline vec v_set1(uint8_t a)
{
    return _mm_set1_epi8((char)a);
}
static inline vec v_min(vec a, vec b)
{
    return _mm_min_epu8(a, b);
}
static inline vec v_max(vec a, vec b)
{
    return _mm_max_epu8(a, b);
}
static inline vec v_adds(vec a, vec b)
{
    return _mm_adds_epu8(a, b);
}
static inline vec v_subs(vec a, vec b)
{
    return _mm_subs_epu8(a, b);
}
static inline vec v_xor(vec a, vec b)
{
    return _mm_xor_si128(a, b);
}
static inline vec v_or(vec a, vec b)
{
    return _mm_or_si128(a, b);
}
static inline vec v_and(vec a, vec b)
{
    return _mm_and_si128(a, b);
}
static inline vec v_lookup(vec table, vec index)
{
    return _mm_shuffle_epi8(table, index);
}
static inline vec v_table16(const uint8_t *p)
{
    return v_load(p);
}
static inline vec v_shift4(vec a)
{
    return _mm_and_si128(_mm_srli_epi16(a, 4), _mm_set1_epi8(15));
}
static inline vec v_pick_less(vec a, vec b, vec x, vec y)
{
    return _mm_blendv_epi8(x, y, _mm_cmpeq_epi8(_mm_max_epu8(a, b), a));
}
static inline uint64_t v_nonzero(vec a)
{
    return 0xffff & ~(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(a, _mm_setzero_si128()));
}
static inline vec v_swap_blocks(vec a, int k)
{
    return (void)k, a;
}
static inline uint8_t v_smallest(vec a)
{
    return (uint8_t)_mm_cvtsi128_si32(_mm_minpos_epu16(_mm_min_epu8(a, _mm_srli_epi16(a, 8))));
}
#else
typedef struct vec {
    uint8_t lane[16];
} vec;
enum { LANES = 16 };
#define EACH(expression)                                                                                     \
    vec out;                                                                                                 \
    for (int i = 0; i < LANES; i++)                                                                          \
        out.lane[i] = (uint8_t)(expression);                                                                 \
    return out
static inline vec v_load(const uint8_t *p)
{
    EACH(p[i]);
}
static inline void v_store(uint8_t *p, vec a)
{
    memcpy(p, a.lane, LANES);
}
static inline vec v_set1(uint8_t a)
{
    EACH(a);
}
static inline vec v_min(vec a, vec b)
{
    EACH(a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]);
}
static inline vec v_max(vec a, vec b)
{
    EACH(a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]);
}
static inline vec v_adds(vec a, vec b)
{
    EACH(a.lane[i] + b.lane[i] > 255 ? 255 : a.lane[i] + b.lane[i]);
}
static inline vec v_subs(vec a, vec b)
{
    EACH(a.lane[i] > b.lane[i] ? a.lane[i] - b.lane[i] : 0);
}
static inline vec v_xor(vec a, vec b)
{
    EACH(a.lane[i] ^ b.lane[i]);
}
static inline vec v_or(vec a, vec b)
{
    EACH(a.lane[i] | b.lane[i]);
}
static inline vec v_and(vec a, vec b)
{
    EACH(a.lane[i] & b.lane[i]);
}
static inline vec v_lookup(vec t, vec index)
{
    EACH(index.lane[i] & 0x80 ? 0 : t.lane[index.lane[i] & 15]);
}
static inline vec v_table16(const uint8_t *p)
{
    return v_load(p);
}
static inline vec v_shift4(vec a)
{
    EACH(a.lane[i] >> 4);
}
static inline vec v_swap_blocks(vec a, int k)
{
    return (void)k, a;
}
static inline uint8_t v_smallest(vec a)
{
    uint8_t smallest = 255;
    for (int i = 0; i < LANES; i++)
        smallest = a.lane[i] < smallest ? a.lane[i] : smallest;
    return smallest;
}
static inline vec v_pick_less(vec a, vec b, vec x, vec y)
{
    EACH(a.lane[i] < b.lane[i] ? x.lane[i] : y.lane[i]);
}
static inline uint64_t v_nonzero(vec a)
{
    uint64_t mask = 0;
    for (int i = 0; i < LANES; i++)
        mask |= (uint64_t)(a.lane[i] != 0) << i;
    return mask;
}
#undef EACH
#endif
#endif
