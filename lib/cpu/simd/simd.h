/* SPDX-License-Identifier: BSD-3-Clause */
/* The few vector words that the SIMD kernels speak, for LANE_BITS 8, 16 or 32 and the instruction set that
 * the file is compiled for. `vec` is one register of REGISTER_BYTES; lanes are signed where it matters,
 * magnitudes are unsigned (|Q| of an 8-bit lane reaches 128).
 *
 *   v_load v_store   aligned            v_loadu v_storeu   anywhere             v_set        one in all lanes
 *   v_subs v_adds    saturating         v_sub v_add        plain                v_abs        magnitude
 *   v_min v_max      of magnitudes      v_usubs v_uadds    of magnitudes, saturating
 *   v_other(a, b, min)     the larger of two magnitudes whose smaller is known
 *   v_and v_xor      bits               v_half             (x + 1) / 2 of magnitudes
 *   v_half_if(mask, x)     (x + 1) / 2 where the mask is set, else 0
 *   v_if_less(a, b, x)     x where a < b (magnitudes), else 0
 *   v_table(p)  v_look(t, x)  16 bytes; the one with the number x, 0 from V_TABLE on
 *   v_less(x, y, a, b, z)  x - y - z of magnitudes where a <= b <= a + 127, else x - y if a - b <= 128, not
 *                          below 0; z is the same in all lanes
 *   v_pick(h, a, x, y)     y where h == a, else x; a <= h <= a + 128
 *   v_negate_by(x, s)      -x where s < 0, else x
 *   v_times(x, f)          x * f / 16 of magnitudes, rounded down, f <= 16
 *   v_signs(x)             one bit per lane, set where x < 0
 *   v_load_xor(p, by)      from the register at p, aligned: byte i is its byte i ^ by
 *
 * Lanes of 32 bits are floats, as bit patterns: those of magnitudes compare as they do. They have v_mul, and
 * no v_uadds, v_half, v_half_if, v_if_less, v_less, v_table, v_look and v_times; what saturates does not, but
 * v_usubs ends at 0. As `floats` they have the compilers' operators, and v_larger and v_smaller.
 *
 * Of 8 bits, sums that leave them: `wide` has 16 for each lane.
 *
 *   w_zero   w_add(w, x)   w_narrow(w), saturating
 */
#ifndef LDPC_SIMD_H
#define LDPC_SIMD_H

#include <stdint.h>
#include <string.h>

#if LANE_BITS == 8
typedef int8_t lane_t;
typedef uint8_t ulane_t;
#elif LANE_BITS == 16
typedef int16_t lane_t;
typedef uint16_t ulane_t;
#else
typedef int32_t lane_t;
typedef uint32_t ulane_t;
#endif

#define FORCE_INLINE static inline __attribute__((always_inline))

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

/* The bytes of two halves in turn. */
static const uint8_t zip_index[16]
    __attribute__((aligned(16), unused)) = {0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15};

#if defined(LDPC_ISA_AVX2_MASK) || defined(LDPC_ISA_AVX512_256)
#define LDPC_ISA_AVX2 1
#endif

#if defined(LDPC_ISA_SCALAR)
#define V_TABLE 0
#else
#define V_TABLE 16
#endif

#if defined(LDPC_ISA_AVX512)

#include <immintrin.h>
#define VECTOR_REGISTER  "v"
#define VECTOR_REGISTERS 32
#define REGISTER_BYTES   64
typedef __m512i vec;
#if LANE_BITS == 8
#define LANES(op)      _mm512_##op##_epi8
#define LANES_U(op)    _mm512_##op##_epu8
#define LANES_MASK(op) _mm512_##op##_epi8_mask
#define BELOW(a, b)    _mm512_cmplt_epu8_mask(a, b)
#define UP_TO(a, b)    _mm512_cmple_epu8_mask(a, b)
#elif LANE_BITS == 32
#define LANES(op)      _mm512_##op##_epi32
#define LANES_U(op)    _mm512_##op##_epu32
#define LANES_MASK(op) _mm512_##op##_epi32_mask
#else
#define LANES(op)      _mm512_##op##_epi16
#define LANES_U(op)    _mm512_##op##_epu16
#define LANES_MASK(op) _mm512_##op##_epi16_mask
#define BELOW(a, b)    _mm512_cmplt_epu16_mask(a, b)
#define UP_TO(a, b)    _mm512_cmple_epu16_mask(a, b)
#endif
#define BITS(op) _mm512_##op##_si512

FORCE_INLINE vec v_zero(void)
{
    return _mm512_setzero_si512();
}
#if LANE_BITS < 32
FORCE_INLINE vec v_if_less(vec a, vec b, vec x)
{
    return LANES(maskz_mov)(BELOW(a, b), x);
}
#endif
FORCE_INLINE vec v_pick(vec h, vec a, vec x, vec y)
{
    return LANES(mask_mov)(x, LANES_MASK(cmpeq)(h, a), y);
}
/* All three xored: a maximum would need the port of the minima, this has the choice of two. */
FORCE_INLINE vec v_other(vec a, vec b, vec min)
{
    return _mm512_ternarylogic_epi32(a, b, min, 0x96);
}
#if LANE_BITS < 32
/* By compare: movepi8_mask needs the port of the minima. */
FORCE_INLINE vec v_negate_by(vec x, vec s)
{
    return LANES(mask_sub)(x, LANES_MASK(cmplt)(s, v_zero()), v_zero(), x);
}
/* The comparison masks what it decides on: no operation makes z or 0. */
FORCE_INLINE vec v_less(vec x, vec y, vec a, vec b, vec z)
{
    vec less = LANES_U(subs)(x, y);
    return LANES_U(mask_subs)(less, UP_TO(a, b), less, z);
}
FORCE_INLINE vec v_half_if(vec mask, vec x)
{
    return LANES_U(maskz_avg)(LANES_MASK(cmplt)(mask, v_zero()), x, v_zero());
}
#endif
FORCE_INLINE uint64_t v_signs(vec x)
{
    return LANES_MASK(cmplt)(x, v_zero());
}
/* Quarters change places, then the bytes within them. */
FORCE_INLINE vec v_load_xor(const void *p, unsigned by)
{
    vec quarters = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const void *)xor_index[by / 16 * 2]));
    vec bytes = _mm512_broadcast_i32x4(_mm_load_si128((const void *)xor_index[by % 16]));
    return _mm512_shuffle_epi8(_mm512_permutexvar_epi64(quarters, _mm512_load_si512(p)), bytes);
}

#elif defined(LDPC_ISA_AVX2) || defined(LDPC_ISA_SSE41)

#include <immintrin.h>
#if defined(LDPC_ISA_AVX512_256)
#define VECTOR_REGISTER  "v"
#define VECTOR_REGISTERS 32
#else
#define VECTOR_REGISTER  "x"
#define VECTOR_REGISTERS 16
#endif
#if defined(LDPC_ISA_AVX2)
#define REGISTER_BYTES 32
typedef __m256i vec;
#define OP(op)         _mm256_##op
#define BITS(op)       _mm256_##op##_si256
#else
#define REGISTER_BYTES 16
typedef __m128i vec;
#define OP(op)         _mm_##op
#define BITS(op)       _mm_##op##_si128
#endif
#if LANE_BITS == 8
#define LANES(op)      OP(op##_epi8)
#define LANES_U(op)    OP(op##_epu8)
#define LANES_MASK(op) OP(op##_epi8_mask)
#elif LANE_BITS == 32
#define LANES(op)   OP(op##_epi32)
#define LANES_U(op) OP(op##_epu32)
#else
#define LANES(op)      OP(op##_epi16)
#define LANES_U(op)    OP(op##_epu16)
#define LANES_MASK(op) OP(op##_epi16_mask)
#endif

FORCE_INLINE vec v_zero(void)
{
    return BITS(setzero)();
}
#if LANE_BITS < 32
FORCE_INLINE vec v_if_less(vec a, vec b, vec x)
{
    return BITS(andnot)(LANES(cmpeq)(LANES_U(subs)(b, a), v_zero()), x);
}
#endif
/* A blend is three instructions on Intel. 8 bits: by the sign of a - h. A comparison would need one of the
 * two ports that most other instructions of a row need too. */
FORCE_INLINE vec v_pick(vec h, vec a, vec x, vec y)
{
#if defined(LDPC_ISA_AVX512_256)
    return LANES(mask_mov)(x, LANES_MASK(cmpeq)(h, a), y);
#elif defined(LDPC_ISA_AVX2_MASK)
    return LANES(add)(x, BITS(and)(LANES(cmpeq)(h, a), LANES(sub)(y, x)));
#elif LANE_BITS == 8
    return OP(blendv_epi8)(y, x, LANES(sub)(a, h));
#else
    return OP(blendv_epi8)(x, y, LANES(cmpeq)(h, a));
#endif
}
#if LANE_BITS < 32
FORCE_INLINE vec v_negate_by(vec x, vec s)
{
    return LANES(sign)(x, BITS(or)(s, LANES(set1)(1))); /* 0 counts as positive */
}
#endif
FORCE_INLINE uint64_t v_signs(vec x)
{
#if LANE_BITS == 8
    return (uint32_t)OP(movemask_epi8)(x);
#elif LANE_BITS == 32 && defined(LDPC_ISA_AVX2)
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(x));
#elif LANE_BITS == 32
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(x));
#else
    /* two bits per lane: the second is that of the upper byte */
    uint32_t pairs = (uint32_t)OP(movemask_epi8)(x) >> 1 & 0x55555555u;
    pairs = (pairs | pairs >> 1) & 0x33333333u;
    pairs = (pairs | pairs >> 2) & 0x0f0f0f0fu;
    pairs = (pairs | pairs >> 4) & 0x00ff00ffu;
    return (pairs | pairs >> 8) & 0xffffu;
#endif
}
FORCE_INLINE vec v_load_xor(const void *p, unsigned by)
{
    const char *from = (const char *)p + (by & (REGISTER_BYTES - 16)); /* the first half may be the second */
    const __m128i bytes = _mm_load_si128((const void *)xor_index[by % 16]);
#if defined(LDPC_ISA_AVX2)
    const __m128i first = _mm_load_si128((const void *)from),
                  second = _mm_load_si128((const void *)((const char *)p + 16 - (from - (const char *)p)));
    return _mm256_shuffle_epi8(_mm256_set_m128i(second, first), _mm256_broadcastsi128_si256(bytes));
#else
    return _mm_shuffle_epi8(_mm_load_si128((const void *)from), bytes);
#endif
}

#endif

#if defined(LDPC_ISA_AVX512) || defined(LDPC_ISA_AVX2) || defined(LDPC_ISA_SSE41)

FORCE_INLINE vec v_load(const void *p)
{
    return BITS(load)(p);
}
FORCE_INLINE vec v_loadu(const void *p)
{
    return BITS(loadu)(p);
}
FORCE_INLINE void v_store(void *p, vec x)
{
    BITS(store)(p, x);
}
FORCE_INLINE void v_storeu(void *p, vec x)
{
    BITS(storeu)(p, x);
}
#if LANE_BITS < 32
FORCE_INLINE vec v_set(int x)
{
    return LANES(set1)((lane_t)x);
}
FORCE_INLINE vec v_subs(vec a, vec b)
{
    return LANES(subs)(a, b);
}
FORCE_INLINE vec v_adds(vec a, vec b)
{
    return LANES(adds)(a, b);
}
FORCE_INLINE vec v_sub(vec a, vec b)
{
    return LANES(sub)(a, b);
}
FORCE_INLINE vec v_add(vec a, vec b)
{
    return LANES(add)(a, b);
}
FORCE_INLINE vec v_abs(vec a)
{
    return LANES(abs)(a);
}
FORCE_INLINE vec v_usubs(vec a, vec b)
{
    return LANES_U(subs)(a, b);
}
#endif
FORCE_INLINE vec v_min(vec a, vec b)
{
    return LANES_U(min)(a, b);
}
FORCE_INLINE vec v_max(vec a, vec b)
{
    return LANES_U(max)(a, b);
}
FORCE_INLINE vec v_and(vec a, vec b)
{
    return BITS(and)(a, b);
}
FORCE_INLINE vec v_xor(vec a, vec b)
{
    return BITS(xor)(a, b);
}
#if LANE_BITS < 32
FORCE_INLINE vec v_half(vec a)
{
    return LANES_U(avg)(a, v_zero());
}
#if defined(LDPC_ISA_AVX512)
#define BYTES(op) _mm512_##op##_epi8
#define WORDS(op) _mm512_##op##_epi16
#else
#define BYTES(op) OP(op##_epi8)
#define WORDS(op) OP(op##_epi16)
#endif
#if !defined(LDPC_ISA_AVX512)
/* z where a <= b. 8 bits: a table look-up, whose result is 0 for negative indices; sooner done than a
 * comparison. */
FORCE_INLINE vec v_if_near(vec a, vec b, vec z)
{
#if LANE_BITS == 8
    return BYTES(shuffle)(z, LANES(sub)(b, a));
#else
    return v_xor(z, v_if_less(b, a, z));
#endif
}
#endif
/* The four lowest bits of a byte are the index, and the highest gives 0: it is set from 16 on, and in the
 * upper byte of 16-bit lanes. */
FORCE_INLINE vec v_table(const uint8_t p[16])
{
    const __m128i table = _mm_loadu_si128((const void *)p);
#if defined(LDPC_ISA_AVX512)
    return _mm512_broadcast_i32x4(table);
#elif defined(LDPC_ISA_AVX2)
    return _mm256_broadcastsi128_si256(table);
#else
    return table;
#endif
}
FORCE_INLINE vec v_uadds(vec a, vec b)
{
    return LANES_U(adds)(a, b);
}
FORCE_INLINE vec v_look(vec table, vec x)
{
    return BYTES(shuffle)(table, v_uadds(x, v_set(-0x90)));
}
FORCE_INLINE vec v_times(vec x, int f)
{
    vec factor = WORDS(set1)((short)f);
#if LANE_BITS == 8
    vec even = WORDS(srli)(WORDS(mullo)(BITS(and)(x, WORDS(set1)(0xff)), factor), 4);
    vec odd = WORDS(srli)(WORDS(mullo)(WORDS(srli)(x, 8), factor), 4);
    return BITS(or)(even, WORDS(slli)(odd, 8));
#else
    return WORDS(srli)(WORDS(mullo)(x, factor), 4);
#endif
}
#endif

#if LANE_BITS == 8
typedef struct wide {
    vec even, odd;
} wide;

FORCE_INLINE wide w_zero(void)
{
    return (wide){v_zero(), v_zero()};
}
/* Multiplied by 1 and 0, the two lanes of a pair add up to one of them. */
FORCE_INLINE wide w_add(wide w, vec x)
{
    return (wide){WORDS(add)(w.even, WORDS(maddubs)(WORDS(set1)(0x0001), x)),
                  WORDS(add)(w.odd, WORDS(maddubs)(WORDS(set1)(0x0100), x))};
}
FORCE_INLINE vec w_narrow(wide w)
{
#if defined(LDPC_ISA_AVX512)
    const vec index = _mm512_broadcast_i32x4(_mm_load_si128((const void *)zip_index));
#elif defined(LDPC_ISA_AVX2)
    const vec index = _mm256_broadcastsi128_si256(_mm_load_si128((const void *)zip_index));
#else
    const vec index = _mm_load_si128((const void *)zip_index);
#endif
    return BYTES(shuffle)(WORDS(packs)(w.even, w.odd), index);
}
#endif

#elif defined(LDPC_ISA_NEON)

#include <arm_neon.h>
#define VECTOR_REGISTER  "w"
#define VECTOR_REGISTERS 32
#define REGISTER_BYTES   16
#if LANE_BITS == 8
typedef int8x16_t vec;
#define S(op)   op##q_s8
#define U(op)   op##q_u8
#define AS_U(x) vreinterpretq_u8_s8(x)
#define AS_S(x) vreinterpretq_s8_u8(x)
#elif LANE_BITS == 32
typedef int32x4_t vec;
#define S(op)   op##q_s32
#define U(op)   op##q_u32
#define AS_U(x) vreinterpretq_u32_s32(x)
#define AS_S(x) vreinterpretq_s32_u32(x)
#else
typedef int16x8_t vec;
#define S(op)   op##q_s16
#define U(op)   op##q_u16
#define AS_U(x) vreinterpretq_u16_s16(x)
#define AS_S(x) vreinterpretq_s16_u16(x)
#endif

FORCE_INLINE vec v_load(const void *p)
{
    return S(vld1)(p);
}
FORCE_INLINE vec v_loadu(const void *p)
{
    return S(vld1)(p);
}
FORCE_INLINE void v_store(void *p, vec x)
{
    S(vst1)(p, x);
}
FORCE_INLINE void v_storeu(void *p, vec x)
{
    S(vst1)(p, x);
}
FORCE_INLINE vec v_zero(void)
{
    return (vec){0};
}
#if LANE_BITS < 32
FORCE_INLINE vec v_set(int x)
{
#if LANE_BITS == 8
    return vdupq_n_s8((int8_t)x);
#else
    return vdupq_n_s16((int16_t)x);
#endif
}
FORCE_INLINE vec v_subs(vec a, vec b)
{
    return S(vqsub)(a, b);
}
FORCE_INLINE vec v_adds(vec a, vec b)
{
    return S(vqadd)(a, b);
}
FORCE_INLINE vec v_sub(vec a, vec b)
{
    return S(vsub)(a, b);
}
FORCE_INLINE vec v_add(vec a, vec b)
{
    return S(vadd)(a, b);
}
FORCE_INLINE vec v_abs(vec a)
{
    return S(vabs)(a); /* |-128| wraps to the unsigned 128 */
}
FORCE_INLINE vec v_usubs(vec a, vec b)
{
    return AS_S(U(vqsub)(AS_U(a), AS_U(b)));
}
#endif
FORCE_INLINE vec v_min(vec a, vec b)
{
    return AS_S(U(vmin)(AS_U(a), AS_U(b)));
}
FORCE_INLINE vec v_max(vec a, vec b)
{
    return AS_S(U(vmax)(AS_U(a), AS_U(b)));
}
FORCE_INLINE vec v_and(vec a, vec b)
{
    return S(vand)(a, b);
}
FORCE_INLINE vec v_xor(vec a, vec b)
{
    return S(veor)(a, b);
}
FORCE_INLINE vec v_pick(vec h, vec a, vec x, vec y)
{
    return S(vbsl)(S(vceq)(h, a), y, x);
}
#if LANE_BITS < 32
FORCE_INLINE vec v_half(vec a)
{
    return AS_S(U(vrhadd)(AS_U(a), AS_U(v_zero())));
}
FORCE_INLINE vec v_if_less(vec a, vec b, vec x)
{
    return AS_S(U(vand)(U(vclt)(AS_U(a), AS_U(b)), AS_U(x)));
}
FORCE_INLINE vec v_uadds(vec a, vec b)
{
    return AS_S(U(vqadd)(AS_U(a), AS_U(b)));
}
/* Indices from 16 on give 0; so do those of upper bytes of 16-bit lanes, which are set. */
FORCE_INLINE vec v_table(const uint8_t p[16])
{
#if LANE_BITS == 8
    return vreinterpretq_s8_u8(vld1q_u8(p));
#else
    return vreinterpretq_s16_u8(vld1q_u8(p));
#endif
}
FORCE_INLINE vec v_look(vec table, vec x)
{
#if LANE_BITS == 8
    return vreinterpretq_s8_u8(vqtbl1q_u8(AS_U(table), AS_U(x)));
#else
    vec index = v_uadds(x, v_set(-0x100));
    return vreinterpretq_s16_u8(vqtbl1q_u8(vreinterpretq_u8_s16(table), vreinterpretq_u8_s16(index)));
#endif
}
FORCE_INLINE vec v_if_near(vec a, vec b, vec x)
{
    return AS_S(U(vand)(U(vcle)(AS_U(a), AS_U(b)), AS_U(x)));
}
FORCE_INLINE vec v_negate_by(vec x, vec s)
{
    return S(vbsl)(S(vclt)(s, v_zero()), S(vneg)(x), x);
}
FORCE_INLINE vec v_times(vec x, int f)
{
#if LANE_BITS == 8
    uint8x8_t factor = vdup_n_u8((uint8_t)f);
    return AS_S(vcombine_u8(vshrn_n_u16(vmull_u8(vget_low_u8(AS_U(x)), factor), 4),
                            vshrn_n_u16(vmull_u8(vget_high_u8(AS_U(x)), factor), 4)));
#else
    return AS_S(vshrq_n_u16(vmulq_n_u16(AS_U(x), (uint16_t)f), 4));
#endif
}
#endif
FORCE_INLINE uint64_t v_signs(vec x)
{
#if LANE_BITS == 8
    static const uint8_t weight[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vandq_u8(vcltq_s8(x, v_zero()), vld1q_u8(weight));
    return (uint64_t)vaddv_u8(vget_low_u8(bits)) | (uint64_t)vaddv_u8(vget_high_u8(bits)) << 8;
#elif LANE_BITS == 32
    static const uint32_t weight[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcltq_s32(x, v_zero()), vld1q_u32(weight)));
#else
    static const uint16_t weight[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    return vaddvq_u16(vandq_u16(vcltq_s16(x, v_zero()), vld1q_u16(weight)));
#endif
}
FORCE_INLINE vec v_load_xor(const void *p, unsigned by)
{
    uint8x16_t mixed = vqtbl1q_u8(vld1q_u8(p), vld1q_u8(xor_index[by]));
#if LANE_BITS == 8
    return vreinterpretq_s8_u8(mixed);
#elif LANE_BITS == 32
    return vreinterpretq_s32_u8(mixed);
#else
    return vreinterpretq_s16_u8(mixed);
#endif
}
#if LANE_BITS == 8
typedef int16x8x2_t wide;

FORCE_INLINE wide w_zero(void)
{
    return (wide){
        {vdupq_n_s16(0), vdupq_n_s16(0)}
    };
}
FORCE_INLINE wide w_add(wide w, vec x)
{
    return (wide){
        {vaddw_s8(w.val[0], vget_low_s8(x)), vaddw_s8(w.val[1], vget_high_s8(x))}
    };
}
FORCE_INLINE vec w_narrow(wide w)
{
    return vcombine_s8(vqmovn_s16(w.val[0]), vqmovn_s16(w.val[1]));
}
#endif

#else /* plain C with the compilers' vectors, which they make from what every machine of the kind has */

#define REGISTER_BYTES 16
#define LANE_COUNT     (REGISTER_BYTES / (LANE_BITS / 8))
typedef lane_t vec __attribute__((vector_size(REGISTER_BYTES)));
typedef ulane_t unsigned_vec __attribute__((vector_size(REGISTER_BYTES)));
#define U(x)           ((unsigned_vec)(x))
#define S(x)           ((vec)(x))

/* y where the mask is set, else x */
FORCE_INLINE vec v_choose(vec mask, vec x, vec y)
{
    return (y & mask) | (x & ~mask);
}
FORCE_INLINE vec v_load(const void *p)
{
    vec r;
    memcpy(&r, p, sizeof r);
    return r;
}
FORCE_INLINE vec v_loadu(const void *p)
{
    return v_load(p);
}
FORCE_INLINE void v_store(void *p, vec x)
{
    memcpy(p, &x, sizeof x);
}
FORCE_INLINE void v_storeu(void *p, vec x)
{
    memcpy(p, &x, sizeof x);
}
FORCE_INLINE vec v_zero(void)
{
    return (vec){0};
}
#if LANE_BITS < 32
FORCE_INLINE vec v_set(int x)
{
    return v_zero() + (lane_t)x;
}
FORCE_INLINE vec v_sub(vec a, vec b)
{
    return S(U(a) - U(b));
}
FORCE_INLINE vec v_add(vec a, vec b)
{
    return S(U(a) + U(b));
}
/* What a sum or difference becomes where it has left the range: the end on the side of `a`. */
FORCE_INLINE vec v_limited(vec sum, vec a, vec left)
{
    vec end = S(a < 0) ^ (lane_t)((1 << (LANE_BITS - 1)) - 1);
    return v_choose(S(left < 0), sum, end);
}
FORCE_INLINE vec v_subs(vec a, vec b)
{
    vec r = v_sub(a, b);
    return v_limited(r, a, (a ^ b) & (a ^ r));
}
FORCE_INLINE vec v_adds(vec a, vec b)
{
    vec r = v_add(a, b);
    return v_limited(r, a, ~(a ^ b) & (a ^ r));
}
FORCE_INLINE vec v_negate_by(vec x, vec s)
{
    vec negative = S(s < 0);
    return v_sub(x ^ negative, negative);
}
FORCE_INLINE vec v_abs(vec a)
{
    return v_negate_by(a, a);
}
FORCE_INLINE vec v_usubs(vec a, vec b)
{
    return v_sub(a, b) & S(U(a) > U(b));
}
#endif
FORCE_INLINE vec v_min(vec a, vec b)
{
    return v_choose(S(U(a) < U(b)), b, a);
}
FORCE_INLINE vec v_max(vec a, vec b)
{
    return v_choose(S(U(a) > U(b)), b, a);
}
FORCE_INLINE vec v_and(vec a, vec b)
{
    return a & b;
}
FORCE_INLINE vec v_xor(vec a, vec b)
{
    return a ^ b;
}
FORCE_INLINE vec v_pick(vec h, vec a, vec x, vec y)
{
    return v_choose(S(h == a), x, y);
}
#if LANE_BITS < 32
FORCE_INLINE vec v_half(vec a)
{
    return S((U(a) >> 1) + (U(a) & 1));
}
FORCE_INLINE vec v_if_less(vec a, vec b, vec x)
{
    return x & S(U(a) < U(b));
}
FORCE_INLINE vec v_uadds(vec a, vec b)
{
    vec r = v_add(a, b);
    return r | S(U(r) < U(a));
}
/* There are none: V_TABLE is 0. */
FORCE_INLINE vec v_table(const uint8_t p[16])
{
    (void)p;
    return v_zero();
}
FORCE_INLINE vec v_look(vec table, vec x)
{
    (void)x;
    return table;
}
FORCE_INLINE vec v_if_near(vec a, vec b, vec x)
{
    return x & S(U(a) <= U(b));
}
/* The upper digits times f are whole sixteenths. */
FORCE_INLINE vec v_times(vec a, int f)
{
    return S((U(a) >> 4) * (ulane_t)f + ((U(a) & 15) * (ulane_t)f >> 4));
}
#endif
FORCE_INLINE uint64_t v_signs(vec x)
{
    uint64_t signs = 0;
    for (int i = 0; i < LANE_COUNT; i++)
        signs |= (uint64_t)(x[i] < 0) << i;
    return signs;
}
FORCE_INLINE vec v_load_xor(const void *p, unsigned by)
{
    char mixed[REGISTER_BYTES];
    for (unsigned i = 0; i < REGISTER_BYTES; i++)
        mixed[i] = ((const char *)p)[i ^ by];
    return v_load(mixed);
}
#if LANE_BITS == 8
typedef int16_t half __attribute__((vector_size(REGISTER_BYTES)));
typedef uint16_t unsigned_half __attribute__((vector_size(REGISTER_BYTES)));
typedef struct wide {
    half even, odd;
} wide;

FORCE_INLINE half upper_byte(unsigned_half x)
{
    return (half)x >> 8;
}
FORCE_INLINE unsigned_half w_limited(half x)
{
    half high = x > LDPC_I8_MAX, low = x < LDPC_I8_MIN;
    return (unsigned_half)((x & ~high & ~low) | (high & LDPC_I8_MAX) | (low & LDPC_I8_MIN));
}
FORCE_INLINE wide w_zero(void)
{
    return (wide){{0}, {0}};
}
FORCE_INLINE wide w_add(wide w, vec x)
{
    unsigned_half pairs = (unsigned_half)x;
    return (wide){w.even + upper_byte(pairs << 8), w.odd + upper_byte(pairs)};
}
FORCE_INLINE vec w_narrow(wide w)
{
    return (vec)(w_limited(w.odd) << 8 | (w_limited(w.even) & 255));
}
#endif

#endif

#if !defined(LDPC_ISA_AVX512)
FORCE_INLINE vec v_other(vec a, vec b, vec min)
{
    (void)min;
    return v_max(a, b);
}
#if LANE_BITS < 32
FORCE_INLINE vec v_less(vec x, vec y, vec a, vec b, vec z)
{
    vec more = v_if_near(a, b, z);
    return v_usubs(v_usubs(x, y), more);
}
FORCE_INLINE vec v_half_if(vec mask, vec x)
{
    return v_and(v_half(x), mask);
}
#endif
#endif

#if LANE_BITS == 32
typedef float floats __attribute__((vector_size(REGISTER_BYTES)));
typedef int32_t patterns __attribute__((vector_size(REGISTER_BYTES)));

FORCE_INLINE vec v_set(float x)
{
    return (vec)((floats)v_zero() + x);
}
FORCE_INLINE vec v_sub(vec a, vec b)
{
    return (vec)((floats)a - (floats)b);
}
FORCE_INLINE vec v_add(vec a, vec b)
{
    return (vec)((floats)a + (floats)b);
}
FORCE_INLINE vec v_mul(vec a, vec b)
{
    return (vec)((floats)a * (floats)b);
}
FORCE_INLINE vec v_subs(vec a, vec b)
{
    return v_sub(a, b);
}
FORCE_INLINE vec v_adds(vec a, vec b)
{
    return v_add(a, b);
}
#if defined(LDPC_ISA_AVX512)
#define FLOATS(op, a, b) (floats) _mm512_##op##_ps((__m512)(a), (__m512)(b))
#elif defined(LDPC_ISA_AVX2)
#define FLOATS(op, a, b) (floats) _mm256_##op##_ps((__m256)(a), (__m256)(b))
#elif defined(LDPC_ISA_SSE41)
#define FLOATS(op, a, b) (floats) _mm_##op##_ps((__m128)(a), (__m128)(b))
#endif
#if defined(FLOATS)
FORCE_INLINE floats v_larger(floats a, floats b)
{
    return FLOATS(max, a, b);
}
FORCE_INLINE floats v_smaller(floats a, floats b)
{
    return FLOATS(min, a, b);
}
#else
FORCE_INLINE floats v_larger(floats a, floats b)
{
    patterns from_a = a > b;
    return (floats)(((patterns)a & from_a) | ((patterns)b & ~from_a));
}
FORCE_INLINE floats v_smaller(floats a, floats b)
{
    patterns from_a = a < b;
    return (floats)(((patterns)a & from_a) | ((patterns)b & ~from_a));
}
#endif
FORCE_INLINE vec v_usubs(vec a, vec b)
{
    return (vec)v_larger((floats)a - (floats)b, (floats){0});
}
FORCE_INLINE vec v_abs(vec a)
{
    return (vec)((patterns)a & INT32_MAX);
}
FORCE_INLINE vec v_negate_by(vec x, vec s)
{
    return x ^ (vec)((patterns)s & INT32_MIN);
}
#endif

#endif
