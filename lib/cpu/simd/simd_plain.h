/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain C primitives for 128 bits (simd.h), with the vector types of GCC and Clang. */
#ifndef LDPC_SIMD_PLAIN_H
#define LDPC_SIMD_PLAIN_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "cpu/simd/simd_common.h"

#if defined(LDPC_ISA_SCALAR)

#define REGISTER_BYTES   16
#define VECTOR_REGISTERS 16
#define LANES_OF(type)   type __attribute__((vector_size(REGISTER_BYTES)))
typedef LANES_OF(uint8_t) vec;
typedef LANES_OF(float) vecf;
typedef LANES_OF(int8_t) lanes_s8;
typedef LANES_OF(int16_t) lanes_s16;
typedef LANES_OF(int32_t) lanes_s32;
typedef LANES_OF(uint8_t) lanes_u8;
typedef LANES_OF(uint16_t) lanes_u16;
typedef LANES_OF(uint32_t) lanes_u32;
typedef LANES_OF(uint64_t) lanes_u64;
#undef LANES_OF

/* Defines a primitive as an expression of its arguments `a` and `b`. */
#define EXPRESSION(name, type, expression)                                                                   \
    FORCE_INLINE vec name(vec first, vec second)                                                             \
    {                                                                                                        \
        const type a = (type)first, b = (type)second;                                                        \
        return (vec)(expression);                                                                            \
    }

FORCE_INLINE vec v_choose(vec mask, vec x, vec y)
{
    return (y & mask) | (x & ~mask);
}

/* ---- bits */

FORCE_INLINE vec v_zero(void)
{
    return (vec){0};
}
FORCE_INLINE vec v_load(const void *p)
{
    vec x;
    memcpy(&x, p, sizeof x);
    return x;
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
FORCE_INLINE vec v_table(const uint8_t p[16])
{
    return v_load(p);
}
FORCE_INLINE vec v_load_xor(const void *p, unsigned by)
{
    char mixed[REGISTER_BYTES];
    for (unsigned i = 0; i < REGISTER_BYTES; i++)
        mixed[i] = ((const char *)p)[i ^ by];
    return v_load(mixed);
}
FORCE_INLINE vec v_swap_blocks(vec x, int k)
{
    return (void)k, x;
}
FORCE_INLINE vec v_load_blocks(const void *p, const size_t at[1])
{
    return v_load((const char *)p + at[0]);
}
FORCE_INLINE void v_store_blocks(void *p, const size_t at[1], vec x)
{
    v_store((char *)p + at[0], x);
}
FORCE_INLINE vec v_zip_u8(vec a, vec b, int first)
{
    vec zipped;
    for (int i = 0; i < REGISTER_BYTES; i++)
        zipped[i] = (i % 2 ? b : a)[first + i / 2];
    return zipped;
}
FORCE_INLINE vec v_zip_low_u8(vec a, vec b)
{
    return v_zip_u8(a, b, 0);
}
FORCE_INLINE vec v_zip_high_u8(vec a, vec b)
{
    return v_zip_u8(a, b, 8);
}
EXPRESSION(v_and, vec, a &b)
EXPRESSION(v_or, vec, a | b)
EXPRESSION(v_xor, vec, a ^ b)
FORCE_INLINE vec v_blend(vec mask, vec x, vec y)
{
    return v_choose(mask, x, y);
}

/* ---- integers */

FORCE_INLINE vec v_set_s8(int x)
{
    return v_zero() + (uint8_t)x;
}
FORCE_INLINE vec v_set_u8(unsigned x)
{
    return v_zero() + (uint8_t)x;
}
FORCE_INLINE vec v_set_s16(int x)
{
    return (vec)((lanes_u16){0} + (uint16_t)x);
}
FORCE_INLINE vec v_set_u32(uint32_t x)
{
    return (vec)((lanes_u32){0} + x);
}
EXPRESSION(v_add_s8, lanes_u8, a + b)
EXPRESSION(v_add_s16, lanes_u16, a + b)
EXPRESSION(v_sub_s8, lanes_u8, a - b)
EXPRESSION(v_sub_s16, lanes_u16, a - b)
EXPRESSION(v_adds_u8, lanes_u8, (a + b) | (lanes_u8)((a + b) < a))
EXPRESSION(v_adds_u16, lanes_u16, (a + b) | (lanes_u16)((a + b) < a))
EXPRESSION(v_subs_u8, lanes_u8, (a - b) & (lanes_u8)(a > b))
EXPRESSION(v_subs_u16, lanes_u16, (a - b) & (lanes_u16)(a > b))
EXPRESSION(v_min_u8, lanes_u8, v_choose((vec)(a < b), (vec)b, (vec)a))
EXPRESSION(v_min_u16, lanes_u16, v_choose((vec)(a < b), (vec)b, (vec)a))
EXPRESSION(v_min_u32, lanes_u32, v_choose((vec)(a < b), (vec)b, (vec)a))
EXPRESSION(v_min_s8, lanes_s8, v_choose((vec)(a < b), (vec)b, (vec)a))
EXPRESSION(v_max_s8, lanes_s8, v_choose((vec)(a > b), (vec)b, (vec)a))
EXPRESSION(v_max_u8, lanes_u8, v_choose((vec)(a > b), (vec)b, (vec)a))
EXPRESSION(v_max_u16, lanes_u16, v_choose((vec)(a > b), (vec)b, (vec)a))
EXPRESSION(v_max_u32, lanes_u32, v_choose((vec)(a > b), (vec)b, (vec)a))
EXPRESSION(v_product_u64, lanes_u64, (a & 0xffffffffu) * (b & 0xffffffffu))

FORCE_INLINE vec v_limited_s8(vec sum, vec a, vec left)
{
    return v_choose((vec)((lanes_s8)left < 0), sum, (vec)(((lanes_s8)a < 0) ^ (int8_t)INT8_MAX));
}
FORCE_INLINE vec v_limited_s16(vec sum, vec a, vec left)
{
    return v_choose((vec)((lanes_s16)left < 0), sum, (vec)(((lanes_s16)a < 0) ^ (int16_t)INT16_MAX));
}
FORCE_INLINE vec v_subs_s8(vec a, vec b)
{
    vec r = v_sub_s8(a, b);
    return v_limited_s8(r, a, (a ^ b) & (a ^ r));
}
FORCE_INLINE vec v_subs_s16(vec a, vec b)
{
    vec r = v_sub_s16(a, b);
    return v_limited_s16(r, a, (a ^ b) & (a ^ r));
}
FORCE_INLINE vec v_adds_s8(vec a, vec b)
{
    vec r = v_add_s8(a, b);
    return v_limited_s8(r, a, ~(a ^ b) & (a ^ r));
}
FORCE_INLINE vec v_adds_s16(vec a, vec b)
{
    vec r = v_add_s16(a, b);
    return v_limited_s16(r, a, ~(a ^ b) & (a ^ r));
}
FORCE_INLINE vec v_negate_by_s8(vec x, vec s)
{
    vec negative = (vec)((lanes_s8)s < 0);
    return v_sub_s8(x ^ negative, negative);
}
FORCE_INLINE vec v_negate_by_s16(vec x, vec s)
{
    vec negative = (vec)((lanes_s16)s < 0);
    return v_sub_s16(x ^ negative, negative);
}
FORCE_INLINE vec v_abs_s8(vec x)
{
    return v_negate_by_s8(x, x);
}
FORCE_INLINE vec v_abs_s16(vec x)
{
    return v_negate_by_s16(x, x);
}
FORCE_INLINE vec v_half_u8(vec x)
{
    return (x >> 1) + (x & 1);
}
FORCE_INLINE vec v_half_u16(vec x)
{
    return (vec)(((lanes_u16)x >> 1) + ((lanes_u16)x & 1));
}
FORCE_INLINE vec v_high_nibble_u8(vec x)
{
    return x >> 4;
}
FORCE_INLINE vec v_high_u64(vec x)
{
    return (vec)((lanes_u64)x >> 32);
}
FORCE_INLINE vec v_if_less_u8(vec a, vec b, vec x)
{
    return x & (vec)(a < b);
}
FORCE_INLINE vec v_if_less_u16(vec a, vec b, vec x)
{
    return x & (vec)((lanes_u16)a < (lanes_u16)b);
}
FORCE_INLINE vec v_if_near_u8(vec a, vec b, vec x)
{
    return x & (vec)(a <= b);
}
FORCE_INLINE vec v_if_near_u16(vec a, vec b, vec x)
{
    return x & (vec)((lanes_u16)a <= (lanes_u16)b);
}
FORCE_INLINE vec v_choose_less_u8(vec a, vec b, vec x, vec y)
{
    return v_choose((vec)(a < b), y, x);
}
FORCE_INLINE vec v_pick_u8(vec h, vec a, vec x, vec y)
{
    return v_choose((vec)(h == a), x, y);
}
FORCE_INLINE vec v_pick_u16(vec h, vec a, vec x, vec y)
{
    return v_choose((vec)((lanes_u16)h == (lanes_u16)a), x, y);
}
FORCE_INLINE vec v_pick_u32(vec h, vec a, vec x, vec y)
{
    return v_choose((vec)((lanes_u32)h == (lanes_u32)a), x, y);
}
FORCE_INLINE vec v_shuffle_u8(vec table, vec index)
{
    uint8_t entries[REGISTER_BYTES], x[REGISTER_BYTES];
    v_store(entries, table);
    v_store(x, index);
    for (int i = 0; i < REGISTER_BYTES; i++)
        x[i] = x[i] < 16 ? entries[x[i] & 15] : 0;
    return v_load(x);
}
FORCE_INLINE vec v_look_u8(vec table, vec x)
{
    return v_shuffle_u8(table, x);
}
FORCE_INLINE vec v_look_u16(vec table, vec index)
{
    uint8_t entries[REGISTER_BYTES];
    uint16_t x[REGISTER_BYTES / 2];
    v_store(entries, table);
    v_store(x, index);
    for (int i = 0; i < REGISTER_BYTES / 2; i++)
        x[i] = x[i] < 16 ? entries[x[i] & 15] : 0;
    return v_load(x);
}
FORCE_INLINE vec v_times_u8(vec x, int f)
{
    return (x >> 4) * (uint8_t)f + ((x & 15) * (uint8_t)f >> 4);
}
FORCE_INLINE vec v_times_u16(vec x, int f)
{
    const lanes_u16 a = (lanes_u16)x;
    return (vec)((a >> 4) * (uint16_t)f + ((a & 15) * (uint16_t)f >> 4));
}

FORCE_INLINE uint64_t v_expand_8(uint64_t bits)
{
    static const uint8_t one_bit_each[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint64_t keep;
    memcpy(&keep, one_bit_each, sizeof keep);
    const uint64_t kept = (bits & 255) * UINT64_C(0x0101010101010101) & keep;
    return (kept + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
}
FORCE_INLINE vec v_expand_u8(uint64_t k)
{
    return (vec)(lanes_u64){v_expand_8(k), v_expand_8(k >> 8)};
}
FORCE_INLINE vec v_high_bit_u8(vec x)
{
    return x >> 7;
}

/* ---- from lanes to one number */

FORCE_INLINE uint64_t v_signs_s8(vec x)
{
    uint64_t signs = 0;
    for (int i = 0; i < REGISTER_BYTES; i++)
        signs |= (uint64_t)(((lanes_s8)x)[i] < 0) << i;
    return signs;
}
FORCE_INLINE uint64_t v_signs_s16(vec x)
{
    uint64_t signs = 0;
    for (int i = 0; i < REGISTER_BYTES / 2; i++)
        signs |= (uint64_t)(((lanes_s16)x)[i] < 0) << i;
    return signs;
}
FORCE_INLINE uint64_t v_signs_s32(vec x)
{
    uint64_t signs = 0;
    for (int i = 0; i < REGISTER_BYTES / 4; i++)
        signs |= (uint64_t)(((lanes_s32)x)[i] < 0) << i;
    return signs;
}
FORCE_INLINE uint64_t v_nonzero_u8(vec x)
{
    return v_signs_s8((vec)(x != 0));
}
FORCE_INLINE uint8_t v_smallest_u8(vec x)
{
    uint8_t smallest = x[0];
    for (int i = 1; i < REGISTER_BYTES; i++)
        smallest = x[i] < smallest ? x[i] : smallest;
    return smallest;
}

/* ---- sums of 8-bit lanes, in lower and upper bytes of 16-bit lanes */

typedef struct wide {
    lanes_s16 low, high;
} wide;

FORCE_INLINE wide w_zero(void)
{
    return (wide){{0}, {0}};
}
FORCE_INLINE wide w_add(wide w, vec x)
{
    const lanes_u16 pairs = (lanes_u16)x;
    return (wide){w.low + ((lanes_s16)(pairs << 8) >> 8), w.high + ((lanes_s16)pairs >> 8)};
}
FORCE_INLINE lanes_u16 w_limited(lanes_s16 x)
{
    const lanes_s16 above = x > INT8_MAX, below = x < INT8_MIN;
    return (lanes_u16)((x & ~above & ~below) | (above & INT8_MAX) | (below & INT8_MIN));
}
FORCE_INLINE vec w_narrow(wide w)
{
    return (vec)(w_limited(w.high) << 8 | (w_limited(w.low) & 255));
}

/* ---- floats */

FORCE_INLINE vecf v_sqrt_f32(vecf x)
{
    for (int i = 0; i < REGISTER_BYTES / 4; i++)
        x[i] = sqrtf(x[i]);
    return x;
}
FORCE_INLINE vecf v_load_f32(const float *p)
{
    vecf x;
    memcpy(&x, p, sizeof x);
    return x;
}
FORCE_INLINE void v_store_f32(float *p, vecf x)
{
    memcpy(p, &x, sizeof x);
}
FORCE_INLINE vecf v_set_f32(float x)
{
    return (vecf){x, x, x, x};
}
#define PLUS(a, b)    ((a) + (b))
#define MINUS(a, b)   ((a) - (b))
#define TIMES(a, b)   ((a) * (b))
#define DIVIDED(a, b) ((a) / (b))
OF_TWO_FLOATS(v_add_f32, PLUS)
OF_TWO_FLOATS(v_sub_f32, MINUS)
OF_TWO_FLOATS(v_mul_f32, TIMES)
OF_TWO_FLOATS(v_div_f32, DIVIDED)
#undef PLUS
#undef MINUS
#undef TIMES
#undef DIVIDED

FORCE_INLINE vecf v_min_f32(vecf a, vecf b)
{
    const lanes_s32 from_a = a < b;
    return (vecf)(((lanes_s32)a & from_a) | ((lanes_s32)b & ~from_a));
}
FORCE_INLINE vecf v_max_f32(vecf a, vecf b)
{
    const lanes_s32 from_a = a > b;
    return (vecf)(((lanes_s32)a & from_a) | ((lanes_s32)b & ~from_a));
}
/* Floats near 1.5 * 2^23 have no fractional bits. */
FORCE_INLINE vecf v_round_f32(vecf x)
{
    return (x + 12582912.0f) - 12582912.0f;
}
FORCE_INLINE void v_store_s8_f32(int8_t *p, vecf x)
{
    const lanes_s32 whole = __builtin_convertvector(v_round_f32(x), lanes_s32);
    for (int i = 0; i < REGISTER_BYTES / 4; i++)
        p[i] = (int8_t)whole[i];
}

#undef EXPRESSION
#endif
#endif
