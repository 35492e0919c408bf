/* SPDX-License-Identifier: BSD-3-Clause */
/* The primitives of simd.h for several lane widths. LANE_BITS is 8, 16 or 32 (floats), lane_t the type of a
 * lane. Numbers are signed. Magnitudes are unsigned, because |Q| in 8 bits may be 128:
 *
 *   here                                    8 bits   16 bits   floats
 *   v_set v_add v_sub v_abs                 _s8      _s16      as usual
 *   v_negate_by v_signs                     _s8      _s16      of the sign bit
 *   v_adds v_subs                           _s8      _s16      like v_add, v_sub
 *   v_subs_where                            _s8      _s16      -
 *   v_min v_max v_other v_pick              _u8      _u16      _u32, which order magnitudes alike
 *   v_usubs: v_subs of magnitudes           _u8      _u16      not below 0
 *   v_uadds: v_adds of magnitudes           _u8      _u16      -
 *   v_half v_half_if v_times v_if_less      _u8      _u16      -
 *   v_look, and v_less: v_reduce            _u8      _u16      -
 *   v_mul                                   -        -         _f32
 *
 * A `vec` may hold floats as bit patterns, which order magnitudes alike. As `floats`, it has the compiler's
 * operators, v_larger and v_smaller; as `patterns`, the operators of 32-bit integers.
 */
#ifndef LDPC_SIMD_LANES_H
#define LDPC_SIMD_LANES_H

#include "cpu/simd/simd.h"

#if !defined(LANE_BITS)
#define LANE_BITS 8
#endif

/* in plain C, comparisons are faster */
#if defined(LDPC_ISA_SCALAR)
#define V_TABLE 0
#else
#define V_TABLE 16
#endif

#if LANE_BITS < 32

#if LANE_BITS == 8
typedef int8_t lane_t;
#define SIGNED(name)   name##_s8
#define UNSIGNED(name) name##_u8
#else
typedef int16_t lane_t;
#define SIGNED(name)   name##_s16
#define UNSIGNED(name) name##_u16
#endif

#define v_set        SIGNED(v_set)
#define v_add        SIGNED(v_add)
#define v_sub        SIGNED(v_sub)
#define v_adds       SIGNED(v_adds)
#define v_subs       SIGNED(v_subs)
#define v_subs_where SIGNED(v_subs_where)
#define v_abs        SIGNED(v_abs)
#define v_negate_by  SIGNED(v_negate_by)
#define v_signs      SIGNED(v_signs)
#define v_uadds      UNSIGNED(v_adds)
#define v_usubs      UNSIGNED(v_subs)
#define v_half       UNSIGNED(v_half)
#define v_half_if    UNSIGNED(v_half_if)
#define v_times      UNSIGNED(v_times)
#define v_if_less    UNSIGNED(v_if_less)
#define v_less       UNSIGNED(v_reduce)
#define v_look       UNSIGNED(v_look)

#else

typedef int32_t lane_t;
#define UNSIGNED(name) name##_u32
#define v_signs        v_signs_s32

typedef float floats __attribute__((vector_size(REGISTER_BYTES)));
typedef int32_t patterns __attribute__((vector_size(REGISTER_BYTES)));

FORCE_INLINE vec v_set(float x)
{
    return (vec)((floats){0} + x);
}
FORCE_INLINE vec v_add(vec a, vec b)
{
    return (vec)((floats)a + (floats)b);
}
FORCE_INLINE vec v_sub(vec a, vec b)
{
    return (vec)((floats)a - (floats)b);
}
FORCE_INLINE vec v_mul(vec a, vec b)
{
    return (vec)((floats)a * (floats)b);
}
FORCE_INLINE vec v_adds(vec a, vec b)
{
    return v_add(a, b);
}
FORCE_INLINE vec v_subs(vec a, vec b)
{
    return v_sub(a, b);
}
FORCE_INLINE floats v_larger(floats a, floats b)
{
    return (floats)v_max_f32((vecf)a, (vecf)b);
}
FORCE_INLINE floats v_smaller(floats a, floats b)
{
    return (floats)v_min_f32((vecf)a, (vecf)b);
}
FORCE_INLINE vec v_usubs(vec a, vec b)
{
    return (vec)v_larger((floats)a - (floats)b, (floats){0});
}
FORCE_INLINE vec v_abs(vec x)
{
    return (vec)((patterns)x & INT32_MAX);
}
FORCE_INLINE vec v_negate_by(vec x, vec s)
{
    return x ^ (vec)((patterns)s & INT32_MIN);
}

#endif

#define v_min   UNSIGNED(v_min)
#define v_max   UNSIGNED(v_max)
#define v_other UNSIGNED(v_other)
#define v_pick  UNSIGNED(v_pick)

#endif
