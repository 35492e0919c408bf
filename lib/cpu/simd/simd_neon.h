/* SPDX-License-Identifier: BSD-3-Clause */
/* NEON primitives (AArch64) for 128 bits (simd.h). */
#ifndef LDPC_SIMD_NEON_H
#define LDPC_SIMD_NEON_H

#include <stddef.h>

#include "cpu/simd/simd_common.h"

#if defined(LDPC_ISA_NEON)

#include <arm_neon.h>

#define VECTOR_REGISTER  "w"
#define VECTOR_REGISTERS 32
#define REGISTER_BYTES   16
typedef uint8x16_t vec;
typedef float32x4_t vecf;

/* ---- bits */

FORCE_INLINE vec v_zero(void)
{
    return vdupq_n_u8(0);
}
FORCE_INLINE vec v_load(const void *p)
{
    return vld1q_u8(p);
}
FORCE_INLINE vec v_loadu(const void *p)
{
    return vld1q_u8(p);
}
FORCE_INLINE void v_store(void *p, vec x)
{
    vst1q_u8(p, x);
}
FORCE_INLINE void v_storeu(void *p, vec x)
{
    vst1q_u8(p, x);
}
FORCE_INLINE vec v_table(const uint8_t p[16])
{
    return vld1q_u8(p);
}
FORCE_INLINE vec v_load_xor(const void *p, unsigned by)
{
    return vqtbl1q_u8(vld1q_u8(p), vld1q_u8(xor_index[by]));
}
FORCE_INLINE vec v_swap_blocks(vec x, int k)
{
    return (void)k, x;
}
FORCE_INLINE vec v_load_blocks(const void *p, const size_t at[1])
{
    return v_loadu((const char *)p + at[0]);
}
FORCE_INLINE void v_store_blocks(void *p, const size_t at[1], vec x)
{
    v_storeu((char *)p + at[0], x);
}
OF_TWO(v_zip_low_u8, vec, vzip1q_u8)
OF_TWO(v_zip_high_u8, vec, vzip2q_u8)
OF_TWO(v_and, vec, vandq_u8)
OF_TWO(v_or, vec, vorrq_u8)
OF_TWO(v_xor, vec, veorq_u8)
FORCE_INLINE vec v_blend(vec mask, vec x, vec y)
{
    return vbslq_u8(mask, y, x);
}

/* ---- integers */

FORCE_INLINE vec v_set_s8(int x)
{
    return vreinterpretq_u8_s8(vdupq_n_s8((int8_t)x));
}
FORCE_INLINE vec v_set_u8(unsigned x)
{
    return vdupq_n_u8((uint8_t)x);
}
FORCE_INLINE vec v_set_s16(int x)
{
    return vreinterpretq_u8_s16(vdupq_n_s16((int16_t)x));
}
FORCE_INLINE vec v_set_u32(uint32_t x)
{
    return vreinterpretq_u8_u32(vdupq_n_u32(x));
}
OF_TWO(v_add_s8, int8x16_t, vaddq_s8)
OF_TWO(v_add_s16, int16x8_t, vaddq_s16)
OF_TWO(v_sub_s8, int8x16_t, vsubq_s8)
OF_TWO(v_sub_s16, int16x8_t, vsubq_s16)
OF_TWO(v_adds_s8, int8x16_t, vqaddq_s8)
OF_TWO(v_adds_s16, int16x8_t, vqaddq_s16)
OF_TWO(v_adds_u8, uint8x16_t, vqaddq_u8)
OF_TWO(v_adds_u16, uint16x8_t, vqaddq_u16)
OF_TWO(v_subs_s8, int8x16_t, vqsubq_s8)
OF_TWO(v_subs_s16, int16x8_t, vqsubq_s16)
OF_TWO(v_subs_u8, uint8x16_t, vqsubq_u8)
OF_TWO(v_subs_u16, uint16x8_t, vqsubq_u16)
OF_TWO(v_min_u8, uint8x16_t, vminq_u8)
OF_TWO(v_min_u16, uint16x8_t, vminq_u16)
OF_TWO(v_min_u32, uint32x4_t, vminq_u32)
OF_TWO(v_min_s8, int8x16_t, vminq_s8)
OF_TWO(v_max_s8, int8x16_t, vmaxq_s8)
OF_TWO(v_max_u8, uint8x16_t, vmaxq_u8)
OF_TWO(v_max_u16, uint16x8_t, vmaxq_u16)
OF_TWO(v_max_u32, uint32x4_t, vmaxq_u32)
OF_TWO(v_shuffle_u8, uint8x16_t, vqtbl1q_u8) /* 0 for indices of 16 and above */
OF_ONE(v_abs_s8, int8x16_t, vabsq_s8)        /* |-128| wraps to the unsigned 128 */
OF_ONE(v_abs_s16, int16x8_t, vabsq_s16)

FORCE_INLINE vec v_half_u8(vec x)
{
    return vrhaddq_u8(x, v_zero());
}
FORCE_INLINE vec v_half_u16(vec x)
{
    return (vec)vrhaddq_u16((uint16x8_t)x, vdupq_n_u16(0));
}
FORCE_INLINE vec v_high_nibble_u8(vec x)
{
    return vshrq_n_u8(x, 4);
}
FORCE_INLINE vec v_high_bit_u8(vec x)
{
    return vshrq_n_u8(x, 7);
}
FORCE_INLINE vec v_expand_u8(uint64_t k)
{
    static const uint8_t bit_of[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const vec bits = vcombine_u8(vdup_n_u8((uint8_t)k), vdup_n_u8((uint8_t)(k >> 8)));
    return v_high_bit_u8(vtstq_u8(bits, vld1q_u8(bit_of)));
}
FORCE_INLINE vec v_high_u64(vec x)
{
    return (vec)vshrq_n_u64((uint64x2_t)x, 32);
}
FORCE_INLINE vec v_product_u64(vec a, vec b)
{
    return (vec)vmull_u32(vmovn_u64((uint64x2_t)a), vmovn_u64((uint64x2_t)b));
}
FORCE_INLINE vec v_if_less_u8(vec a, vec b, vec x)
{
    return vandq_u8(vcltq_u8(a, b), x);
}
FORCE_INLINE vec v_if_less_u16(vec a, vec b, vec x)
{
    return vandq_u8((vec)vcltq_u16((uint16x8_t)a, (uint16x8_t)b), x);
}
FORCE_INLINE vec v_if_near_u8(vec a, vec b, vec x)
{
    return vandq_u8(vcleq_u8(a, b), x);
}
FORCE_INLINE vec v_if_near_u16(vec a, vec b, vec x)
{
    return vandq_u8((vec)vcleq_u16((uint16x8_t)a, (uint16x8_t)b), x);
}
FORCE_INLINE vec v_choose_less_u8(vec a, vec b, vec x, vec y)
{
    return vbslq_u8(vcltq_u8(a, b), x, y);
}
FORCE_INLINE vec v_pick_u8(vec h, vec a, vec x, vec y)
{
    return vbslq_u8(vceqq_u8(h, a), y, x);
}
FORCE_INLINE vec v_pick_u16(vec h, vec a, vec x, vec y)
{
    return vbslq_u8((vec)vceqq_u16((uint16x8_t)h, (uint16x8_t)a), y, x);
}
FORCE_INLINE vec v_pick_u32(vec h, vec a, vec x, vec y)
{
    return vbslq_u8((vec)vceqq_u32((uint32x4_t)h, (uint32x4_t)a), y, x);
}
FORCE_INLINE vec v_negate_by_s8(vec x, vec s)
{
    return vbslq_u8(vcltq_s8((int8x16_t)s, vdupq_n_s8(0)), (vec)vnegq_s8((int8x16_t)x), x);
}
FORCE_INLINE vec v_negate_by_s16(vec x, vec s)
{
    return vbslq_u8((vec)vcltq_s16((int16x8_t)s, vdupq_n_s16(0)), (vec)vnegq_s16((int16x8_t)x), x);
}
FORCE_INLINE vec v_look_u8(vec table, vec x)
{
    return vqtbl1q_u8(table, x);
}
FORCE_INLINE vec v_look_u16(vec table, vec x)
{
    return vqtbl1q_u8(table, v_adds_u16(x, v_set_s16(-0x100)));
}
FORCE_INLINE vec v_times_u8(vec x, int f)
{
    uint8x8_t factor = vdup_n_u8((uint8_t)f);
    return vcombine_u8(vshrn_n_u16(vmull_u8(vget_low_u8(x), factor), 4),
                       vshrn_n_u16(vmull_u8(vget_high_u8(x), factor), 4));
}
FORCE_INLINE vec v_times_u16(vec x, int f)
{
    return (vec)vshrq_n_u16(vmulq_n_u16((uint16x8_t)x, (uint16_t)f), 4);
}

/* ---- from lanes to one number */

FORCE_INLINE uint64_t v_signs_s8(vec x)
{
    static const uint8_t weight[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vandq_u8(vcltq_s8((int8x16_t)x, vdupq_n_s8(0)), vld1q_u8(weight));
    return (uint64_t)vaddv_u8(vget_low_u8(bits)) | (uint64_t)vaddv_u8(vget_high_u8(bits)) << 8;
}
FORCE_INLINE uint64_t v_signs_s16(vec x)
{
    static const uint16_t weight[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    return vaddvq_u16(vandq_u16(vcltq_s16((int16x8_t)x, vdupq_n_s16(0)), vld1q_u16(weight)));
}
FORCE_INLINE uint64_t v_signs_s32(vec x)
{
    static const uint32_t weight[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcltq_s32((int32x4_t)x, vdupq_n_s32(0)), vld1q_u32(weight)));
}
FORCE_INLINE uint64_t v_nonzero_u8(vec x)
{
    return v_signs_s8(vtstq_u8(x, x));
}
FORCE_INLINE uint8_t v_smallest_u8(vec x)
{
    return vminvq_u8(x);
}

/* ---- sums of 8-bit lanes in two halves */

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
        {vaddw_s8(w.val[0], vget_low_s8((int8x16_t)x)), vaddw_s8(w.val[1], vget_high_s8((int8x16_t)x))}
    };
}
FORCE_INLINE vec w_narrow(wide w)
{
    return (vec)vcombine_s8(vqmovn_s16(w.val[0]), vqmovn_s16(w.val[1]));
}

/* ---- floats */

FORCE_INLINE vecf v_load_f32(const float *p)
{
    return vld1q_f32(p);
}
FORCE_INLINE void v_store_f32(float *p, vecf x)
{
    vst1q_f32(p, x);
}
FORCE_INLINE vecf v_set_f32(float x)
{
    return vdupq_n_f32(x);
}
OF_TWO_FLOATS(v_add_f32, vaddq_f32)
OF_TWO_FLOATS(v_sub_f32, vsubq_f32)
OF_TWO_FLOATS(v_mul_f32, vmulq_f32)
OF_TWO_FLOATS(v_div_f32, vdivq_f32)
OF_TWO_FLOATS(v_min_f32, vminq_f32)
OF_TWO_FLOATS(v_max_f32, vmaxq_f32)

FORCE_INLINE vecf v_sqrt_f32(vecf x)
{
    return vsqrtq_f32(x);
}
FORCE_INLINE vecf v_round_f32(vecf x)
{
    return vrndnq_f32(x);
}
FORCE_INLINE void v_store_s8_f32(int8_t *p, vecf x)
{
    const int16x4_t whole = vqmovn_s32(vcvtnq_s32_f32(x));
    const int8x8_t bytes = vqmovn_s16(vcombine_s16(whole, whole));
    vst1_lane_s32((void *)p, vreinterpret_s32_s8(bytes), 0);
}

#endif
#endif
