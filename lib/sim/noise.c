/* SPDX-License-Identifier: BSD-3-Clause */
/* The recipe of noise.h. The build must not contract a * b + c into a fused operation (-ffp-contract=off). */
#include "sim/noise.h"

#include <math.h>
#include <string.h>

#include "sim/philox.h"

enum { STREAM_NOISE = 0, STREAM_MESSAGE = 1 };

/* -2 ln((x + 0.5) / 2^32) */
static inline float minus_two_log(uint32_t x)
{
    float u = (float)x + 0.5f;
    uint32_t bits;
    memcpy(&bits, &u, sizeof bits);
    /* 0x3f3504f3 is sqrt(1/2): after the shift of origin the exponent field counts from there */
    int32_t exponent = (int32_t)(bits - 0x3f3504f3) >> 23;
    bits -= (uint32_t)exponent << 23;
    float m;
    memcpy(&m, &bits, sizeof m);
    float t = m - 1.0f;
    float p = 0.0895945951f;
    p = p * t + -0.144819781f;
    p = p * t + 0.149174497f;
    p = p * t + -0.165437713f;
    p = p * t + 0.199584126f;
    p = p * t + -0.250029445f;
    p = p * t + 0.333341599f;
    p = p * t + -0.499999791f;
    p = p * t + 1.0f;
    float log_u = (float)(exponent - 32) * 0.693147182f + t * p;
    float result = -2.0f * log_u;
    return result > 0 ? result : 0;
}

/* Cosine and sine of y / 2^32 turns. */
static inline void direction(uint32_t y, float *cosine, float *sine)
{
    uint32_t quarter = (y + 0x20000000u) >> 30;
    float r = (float)(int32_t)(y - (quarter << 30)) * 0x1p-30f;
    float s = r * r;
    float sin_r = -0.00460217707f;
    sin_r = sin_r * s + 0.0796802267f;
    sin_r = sin_r * s + -0.64596349f;
    sin_r = sin_r * s + 1.57079637f;
    sin_r = sin_r * r;
    float cos_r = -0.0204083528f;
    cos_r = cos_r * s + 0.25359863f;
    cos_r = cos_r * s + -1.23369706f;
    cos_r = cos_r * s + 1.0f;
    float c = quarter & 1 ? sin_r : cos_r;
    float d = quarter & 1 ? cos_r : sin_r;
    *cosine = (quarter + 1) & 2 ? -c : c;
    *sine = quarter & 2 ? -d : d;
}

static inline void two_samples(uint32_t x, uint32_t y, float *samples)
{
    float radius = sqrtf(minus_two_log(x));
    float cosine, sine;
    direction(y, &cosine, &sine);
    samples[0] = radius * cosine;
    samples[1] = radius * sine;
}

static void four_samples(uint64_t seed, uint64_t frame, uint32_t block, float *samples)
{
    philox_block b = philox(seed, frame, STREAM_NOISE, block);
    two_samples(b.word[0], b.word[1], samples);
    two_samples(b.word[2], b.word[3], samples + 2);
}

void ldpc_noise(uint64_t seed, uint64_t frame, size_t count, float *samples)
{
    size_t whole = count / 4;
    for (size_t b = 0; b < whole; b++)
        four_samples(seed, frame, (uint32_t)b, samples + 4 * b);
    if (count % 4) {
        float last[4];
        four_samples(seed, frame, (uint32_t)whole, last);
        memcpy(samples + 4 * whole, last, count % 4 * sizeof *last);
    }
}

void ldpc_random_bits(uint64_t seed, uint64_t frame, size_t count, uint8_t *bits)
{
    for (size_t i = 0; i < count; i += 128) {
        philox_block b = philox(seed, frame, STREAM_MESSAGE, (uint32_t)(i / 128));
        for (size_t j = i; j < count && j < i + 128; j++)
            bits[j] = b.word[j % 128 / 32] >> j % 32 & 1;
    }
}
