/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweep kernels' numbers and check nodes; sweep_schedule.h, included twice, has the rest. Every loop over
 * CHUNK lanes becomes a few vector instructions of the instruction set that this file is compiled for. */
#include <string.h>

#include "cpu/numbers.h"
#include "cpu/sweep.h"

/* Otherwise gcc unrolls so short a loop before it looks for vectors. */
#if defined(LDPC_OPENMP_SIMD)
#define VECTORS _Pragma("omp simd")
#else
#define VECTORS
#endif

/* A chunk is one register. */
#if defined(LDPC_ISA_AVX512)
#define CHUNK_BYTES 64
#elif defined(LDPC_ISA_AVX2)
#define CHUNK_BYTES 32
#else
#define CHUNK_BYTES 16
#endif

#define JOINED(a, b)     a##b
#define FOR_ISA(a, b)    JOINED(a, b)
#define EACH_LANE(i)     VECTORS for (int i = 0; i < CHUNK; i++)
#define SMALLER_OF(a, b) ((a) < (b) ? (a) : (b))
#define LARGER_OF(a, b)  ((a) > (b) ? (a) : (b))
#define FORCE_INLINE     static inline __attribute__((always_inline))

/* ------------------------------------------------------------------------------------------------ integers:
 * both widths in 16 bits, where |Q| <= 2047, its product with 16 and the sums of flooding fit */

#define VALUE      int16_t
#define PATTERN    int16_t /* of the same size: bit patterns, magnitudes that can be compared */
#define NAME(name) int_##name
#define CHUNK      (CHUNK_BYTES / 2)
#define SURE       ((int16_t)s->tables->nobody)

FORCE_INLINE int16_t int_pattern(int16_t x)
{
    return x;
}

FORCE_INLINE int16_t int_magnitude(int16_t x)
{
    return (int16_t)(x < 0 ? -x : x);
}

/* x, or -x where the sign of `s` says so. */
FORCE_INLINE int16_t int_signed(int16_t x, int16_t s)
{
    return (int16_t)(s < 0 ? -x : x);
}

typedef struct int_limits {
    int16_t lowest, highest;
} int_limits;

static const int_limits int_wide = {INT16_MIN, INT16_MAX};

FORCE_INLINE int_limits int_limits_of(const ldpc_sweep *tables)
{
    return (int_limits){(int16_t)tables->lowest, (int16_t)tables->highest};
}

FORCE_INLINE int16_t int_saturate(int_limits limits, int16_t x)
{
    x = LARGER_OF(x, limits.lowest);
    return SMALLER_OF(x, limits.highest);
}

FORCE_INLINE int16_t int_nobody(const ldpc_sweep *tables)
{
    return (int16_t)tables->nobody;
}

FORCE_INLINE void int_magnitudes(const ldpc_rule *rule, const int16_t *u, const int16_t *v, const int16_t *w,
                                 int16_t *restrict others, int16_t *restrict holder)
{
    int16_t offset = (int16_t)rule->offset, step = (int16_t)rule->step;
    int16_t max_others = (int16_t)rule->max_others, max_holder = (int16_t)rule->max_message;
    switch (rule->algorithm) {
    case LDPC_ALGORITHM_OFFSET_MIN_SUM:
        EACH_LANE(i) others[i] = (int16_t)LARGER_OF(u[i] - offset, 0);
        EACH_LANE(i) holder[i] = (int16_t)LARGER_OF(v[i] - offset, 0);
        break;
    case LDPC_ALGORITHM_NORMALIZED_MIN_SUM:
        EACH_LANE(i) others[i] = (int16_t)((int16_t)(u[i] * rule->factor) >> 4);
        EACH_LANE(i) holder[i] = (int16_t)((int16_t)(v[i] * rule->factor) >> 4);
        break;
    case LDPC_ALGORITHM_CORRECTED_MIN_SUM:
        EACH_LANE(i)
        {
            int16_t more = (int16_t)(v[i] - u[i] < rule->threshold ? step : 0);
            int16_t less = (int16_t)(u[i] - offset - more), half = (int16_t)((u[i] + 1) >> 1);
            others[i] = LARGER_OF(less, half);
        }
        EACH_LANE(i) holder[i] = (int16_t)LARGER_OF(v[i] - offset, 0);
        break;
    case LDPC_ALGORITHM_THREE_MIN:
        EACH_LANE(i)
        {
            int16_t more = (int16_t)(v[i] - u[i] < rule->threshold ? step : 0);
            int16_t less = (int16_t)(u[i] - offset - more), half = (int16_t)((u[i] + 1) >> 1);
            others[i] = LARGER_OF(less, half);
        }
        EACH_LANE(i)
        {
            int16_t far = (int16_t)(w[i] - v[i] < rule->far ? step : 0);
            int16_t near = (int16_t)(w[i] - v[i] < rule->threshold ? step : 0);
            holder[i] = (int16_t)LARGER_OF(v[i] - far - near, 0);
        }
        break;
    default:
        memcpy(others, u, CHUNK_BYTES);
        memcpy(holder, v, CHUNK_BYTES);
    }
    EACH_LANE(i) others[i] = SMALLER_OF(others[i], max_others);
    EACH_LANE(i) holder[i] = SMALLER_OF(holder[i], max_holder);
}

#include "cpu/sweep_schedule.h"

#undef VALUE
#undef PATTERN
#undef NAME
#undef CHUNK
#undef SURE

/* ------------------------------------------------------------------------------------------------ floats: of
 * the same sign, their bit patterns compare as they do */

#define VALUE      float
#define PATTERN    int32_t
#define NAME(name) float_##name
#define CHUNK      (CHUNK_BYTES / 4)
#define SURE       1e30f

FORCE_INLINE int32_t float_pattern(float x)
{
    int32_t pattern;
    memcpy(&pattern, &x, sizeof pattern);
    return pattern;
}

FORCE_INLINE float float_of(int32_t pattern)
{
    float x;
    memcpy(&x, &pattern, sizeof x);
    return x;
}

FORCE_INLINE int32_t float_magnitude(float x)
{
    return float_pattern(x) & INT32_MAX;
}

FORCE_INLINE float float_signed(float x, int32_t s)
{
    return float_of(float_pattern(x) ^ (s & INT32_MIN));
}

typedef struct float_limits {
    char none;
} float_limits;

static const float_limits float_wide = {0};

FORCE_INLINE float_limits float_limits_of(const ldpc_sweep *tables)
{
    (void)tables;
    return (float_limits){0};
}

FORCE_INLINE float float_saturate(float_limits limits, float x)
{
    (void)limits;
    return x;
}

FORCE_INLINE int32_t float_nobody(const ldpc_sweep *tables)
{
    (void)tables;
    return float_pattern(FLOAT_LIMIT);
}

FORCE_INLINE void float_magnitudes(const ldpc_rule *rule, const int32_t *u_pattern, const int32_t *v_pattern,
                                   const int32_t *w_pattern, float *restrict others, float *restrict holder)
{
    float u[CHUNK], v[CHUNK], offset = rule->offset_f, peak = rule->peak_f, slope = rule->slope_f;
    float far_peak = rule->far_peak_f, far_slope = rule->far_slope_f;
    EACH_LANE(i) u[i] = float_of(u_pattern[i]);
    EACH_LANE(i) v[i] = float_of(v_pattern[i]);
    switch (rule->algorithm) {
    case LDPC_ALGORITHM_OFFSET_MIN_SUM:
        EACH_LANE(i) others[i] = LARGER_OF(u[i] - offset, 0);
        EACH_LANE(i) holder[i] = LARGER_OF(v[i] - offset, 0);
        break;
    case LDPC_ALGORITHM_NORMALIZED_MIN_SUM:
        EACH_LANE(i) others[i] = u[i] * rule->factor_f;
        EACH_LANE(i) holder[i] = v[i] * rule->factor_f;
        break;
    case LDPC_ALGORITHM_CORRECTED_MIN_SUM:
        EACH_LANE(i)
        {
            float sloped = peak - slope * (v[i] - u[i]), loss = LARGER_OF(offset, sloped);
            float less = u[i] - loss, half = u[i] / 2;
            others[i] = LARGER_OF(less, half);
        }
        EACH_LANE(i) holder[i] = LARGER_OF(v[i] - offset, 0);
        break;
    case LDPC_ALGORITHM_THREE_MIN:
        EACH_LANE(i)
        {
            float sloped = peak - slope * (v[i] - u[i]), loss = LARGER_OF(offset, sloped);
            float less = u[i] - loss, half = u[i] / 2;
            others[i] = LARGER_OF(less, half);
        }
        EACH_LANE(i)
        {
            float sloped = far_peak - far_slope * (float_of(w_pattern[i]) - v[i]);
            float less = v[i] - LARGER_OF(sloped, 0);
            holder[i] = LARGER_OF(less, 0);
        }
        break;
    default:
        memcpy(others, u, sizeof u);
        memcpy(holder, v, sizeof v);
    }
}

/* ------------------------------------------------------------------------------------------------
 * sum-product
 *
 * A message of magnitude x stands as t = e^-x. In these, box-plus needs no logarithm and does not cancel:
 *
 *   tanh(x/2) = (1 - t) / (1 + t), so the product of two tanh belongs to t = (t1 + t2) / (1 + t1 t2)
 *
 * So that large messages do not underflow, all t of a row are multiplied by e^v, where v is the second
 * smallest magnitude: only one t can then be large, and scale = e^-2v puts the product right. t below e^-20
 * are nothing beside the largest, scale below e^-40 is nothing beside 1; such limits keep everything far from
 * denormal numbers. */

FORCE_INLINE float box_plus(float a, float b, float scale)
{
    return (a + b) / (1 + scale * a * b);
}

/* e^x within 2e-8 of its size, x limited to -60 .. 40: 2^k e^r with |r| <= ln(2) / 2, by a fitted polynomial.
 */
FORCE_INLINE float exp_of(float x)
{
    const float round = 12582912; /* 1.5 * 2^23: what is added to it loses its fraction */
    x = SMALLER_OF(x, 40.0f);
    x = LARGER_OF(x, -60.0f);
    float shifted = x * 1.44269504f + round, k = shifted - round;
    float r = (x - k * 0.693359375f) + k * 2.12194440e-4f; /* ln 2 in two parts */
    float p = 1.3933649e-3f;
    p = p * r + 8.3631789e-3f;
    p = p * r + 4.1666467e-2f;
    p = p * r + 1.6666576e-1f;
    p = p * r + 0.5f;
    p = p * (r * r) + r + 1;
    return float_of((int32_t)((uint32_t)float_pattern(p) + ((uint32_t)float_pattern(shifted) << 23)));
}

/* t of a magnitude, times e^v. */
FORCE_INLINE float scaled(float v, float magnitude)
{
    float x = v - magnitude;
    return exp_of(LARGER_OF(x, -20.0f));
}

/* ln x within 2e-7, x > 0 and normal: the exponent, and a fitted polynomial from sqrt(1/2) to sqrt(2). */
FORCE_INLINE float log_of(float x)
{
    int32_t pattern = float_pattern(x) - float_pattern(0.70710678f);
    float k = (float)(pattern >> 23), y = float_of((pattern & 0x7fffff) + float_pattern(0.70710678f)) - 1;
    float p = 9.0043135e-2f;
    p = p * y - 1.4257967e-1f;
    p = p * y + 1.4806497e-1f;
    p = p * y - 1.6575029e-1f;
    p = p * y + 1.9973102e-1f;
    p = p * y - 2.5001609e-1f;
    p = p * y + 3.3333659e-1f;
    p = p * y - 0.5f;
    return p * (y * y) + y + k * 0.693147181f;
}

#define SUM_PRODUCT 1
#include "cpu/sweep_schedule.h"

/* ------------------------------------------------------------------------------------------------ what the
 * table gets */

const ldpc_sweep_engine FOR_ISA(ldpc_sweep_int_, LDPC_ISA) = {
    .lane_bytes = sizeof(int16_t),
    .chunk_bytes = CHUNK_BYTES,
    .scratch_bytes = int_scratch_bytes,
    .decode = int_decode,
};
const ldpc_sweep_engine FOR_ISA(ldpc_sweep_float_, LDPC_ISA) = {
    .lane_bytes = sizeof(float),
    .chunk_bytes = CHUNK_BYTES,
    .scratch_bytes = float_scratch_bytes,
    .decode = float_decode,
};
