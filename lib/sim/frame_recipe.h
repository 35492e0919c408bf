/* SPDX-License-Identifier: BSD-3-Clause */
/* How the simulation makes a frame, operation by operation, so that every machine makes the same one: Philox
 * integers, then IEEE single precision (add, multiply, square root, each rounded to nearest even, no fused
 * multiply-add, no library function). C11 on the host, and device code for a GPU.
 *
 *   ln(u)      u = (x + 0.5) / 2^32 from a word x; u = m * 2^e with m in [0.7071, 1.4142), t = m - 1:
 *              e * ln 2 + t * (polynomial of degree 8 in t), error below 3e-8
 *   radius     sqrt(-2 ln u), at most 6.8
 *   direction  a word y as an angle: quarter turns q and a rest r in [-1/2, 1/2) quarter turns, whose sine
 *              and cosine are polynomials of degree 3 in r^2, error below 3e-8
 *   noise      two samples of unit variance: radius * cosine, radius * sine (Box and Muller 1958); a block of
 *              stream 0 gives four words x0 y0 x1 y1 and so samples 4b .. 4b + 3 of its frame
 *   message    128 bits from a block of stream 1, the lowest bit of word 0 first
 *   fading     sqrt(-ln u) from each word of stream 2, one for a channel symbol: mean square 1 (Rayleigh)
 *   axis       a real dimension of a channel symbol carries 1 .. 4 bits as an odd level (pam_level), and
 *              receives  y = fading * level + sigma * noise
 */
#ifndef LDPC_RECIPE_H
#define LDPC_RECIPE_H

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

typedef unsigned int recipe_word;
typedef unsigned long long recipe_long;
#define RECIPE static __device__ __forceinline__

RECIPE float recipe_add(float a, float b)
{
    return __fadd_rn(a, b);
}
RECIPE float recipe_mul(float a, float b)
{
    return __fmul_rn(a, b);
}
RECIPE float recipe_sqrt(float a)
{
    return __fsqrt_rn(a);
}
RECIPE recipe_word recipe_bits(float a)
{
    return __float_as_uint(a);
}
RECIPE float recipe_float(recipe_word bits)
{
    return __uint_as_float(bits);
}

#else

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef uint32_t recipe_word;
typedef uint64_t recipe_long;
#define RECIPE static inline

/* The build must not contract a * b + c into a fused operation (-ffp-contract=off). */
RECIPE float recipe_add(float a, float b)
{
    return a + b;
}
RECIPE float recipe_mul(float a, float b)
{
    return a * b;
}
RECIPE float recipe_sqrt(float a)
{
    return sqrtf(a);
}
RECIPE recipe_word recipe_bits(float a)
{
    recipe_word bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}
RECIPE float recipe_float(recipe_word bits)
{
    float a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

#endif

/* ---- random integers */

enum { RECIPE_NOISE = 0, RECIPE_MESSAGE = 1, RECIPE_FADING = 2, RECIPE_STREAMS = 4 };

typedef struct philox_block {
    recipe_word word[4];
} philox_block;

#define PHILOX_M0 0xD2511F53u
#define PHILOX_M1 0xCD9E8D57u
#define PHILOX_W0 0x9E3779B9u
#define PHILOX_W1 0xBB67AE85u

/* Philox 4x32-10, the counter-based random numbers of Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3" (SC 2011). Key = seed; counter = (block, stream, frame). The stream of a
 * point is RECIPE_... + RECIPE_STREAMS * point. */
RECIPE philox_block philox(recipe_long seed, recipe_long frame, recipe_word stream, recipe_word block)
{
    recipe_word key0 = (recipe_word)seed, key1 = (recipe_word)(seed >> 32);
    recipe_word c0 = block, c1 = stream, c2 = (recipe_word)frame, c3 = (recipe_word)(frame >> 32);
    for (int round = 0; round < 10; round++) {
        recipe_long product0 = (recipe_long)PHILOX_M0 * c0, product1 = (recipe_long)PHILOX_M1 * c2;
        c0 = (recipe_word)(product1 >> 32) ^ c1 ^ key0;
        c1 = (recipe_word)product1;
        c2 = (recipe_word)(product0 >> 32) ^ c3 ^ key1;
        c3 = (recipe_word)product0;
        key0 += PHILOX_W0;
        key1 += PHILOX_W1;
    }
    philox_block result = {
        {c0, c1, c2, c3}
    };
    return result;
}

/* ---- noise and fading */

/* p * t + c in two roundings. */
RECIPE float recipe_step(float p, float t, float c)
{
    return recipe_add(recipe_mul(p, t), c);
}

/* -2 ln((x + 0.5) / 2^32) */
RECIPE float minus_two_log(recipe_word x)
{
    recipe_word bits = recipe_bits(recipe_add((float)x, 0.5f));
    /* 0x3f3504f3 is sqrt(1/2): after the shift of origin the exponent field counts from there */
    int exponent = (int)(bits - 0x3f3504f3u) >> 23;
    float t = recipe_add(recipe_float(bits - ((recipe_word)exponent << 23)), -1.0f);
    float p = 0.0895945951f;
    p = recipe_step(p, t, -0.144819781f);
    p = recipe_step(p, t, 0.149174497f);
    p = recipe_step(p, t, -0.165437713f);
    p = recipe_step(p, t, 0.199584126f);
    p = recipe_step(p, t, -0.250029445f);
    p = recipe_step(p, t, 0.333341599f);
    p = recipe_step(p, t, -0.499999791f);
    p = recipe_step(p, t, 1.0f);
    float log_u = recipe_add(recipe_mul((float)(exponent - 32), 0.693147182f), recipe_mul(t, p));
    float result = recipe_mul(-2.0f, log_u);
    return result > 0 ? result : 0;
}

/* Cosine and sine of y / 2^32 turns. */
RECIPE void direction(recipe_word y, float *cosine, float *sine)
{
    recipe_word quarter = (y + 0x20000000u) >> 30;
    float r = recipe_mul((float)(int)(y - (quarter << 30)), 9.31322575e-10f); /* 2^-30 */
    float s = recipe_mul(r, r);
    float sin_r = -0.00460217707f;
    sin_r = recipe_step(sin_r, s, 0.0796802267f);
    sin_r = recipe_step(sin_r, s, -0.64596349f);
    sin_r = recipe_step(sin_r, s, 1.57079637f);
    sin_r = recipe_mul(sin_r, r);
    float cos_r = -0.0204083528f;
    cos_r = recipe_step(cos_r, s, 0.25359863f);
    cos_r = recipe_step(cos_r, s, -1.23369706f);
    cos_r = recipe_step(cos_r, s, 1.0f);
    *cosine = recipe_float(recipe_bits(quarter & 1 ? sin_r : cos_r) ^ ((quarter + 1) & 2) << 30);
    *sine = recipe_float(recipe_bits(quarter & 1 ? cos_r : sin_r) ^ (quarter & 2) << 30);
}

/* Two samples of the noise from two words. */
RECIPE void two_samples(recipe_word x, recipe_word y, float *first, float *second)
{
    float radius = recipe_sqrt(minus_two_log(x));
    float cosine, sine;
    direction(y, &cosine, &sine);
    *first = recipe_mul(radius, cosine);
    *second = recipe_mul(radius, sine);
}

/* Amplitude of a Rayleigh fading symbol. */
RECIPE float fading_of(recipe_word x)
{
    return recipe_sqrt(recipe_mul(0.5f, minus_two_log(x)));
}

/* ---- channel symbols */

/* Level of an axis that carries the lowest `count` bits of `bits`, the highest of them its sign: Gray labels
 * as in 3GPP TS 38.211, section 5.1: (1 - 2 b0) [2 - (1 - 2 b1)], (1 - 2 b0) [4 - (1 - 2 b1) [2 - (1 - 2
 * b2)]] and so on; always odd, positive for b0 = 0. */
RECIPE int pam_level(recipe_word bits, int count)
{
    int level = 1 - 2 * (int)(bits & 1);
    for (int i = 1; i < count; i++)
        level = (1 - 2 * (int)(bits >> i & 1)) * ((1 << i) - level);
    return level;
}

/* An LLR in steps to the nearest int8 (ties to even) as the low byte, saturated to +-127: adding 1.5 * 2^23
 * leaves no fraction bits. */
RECIPE recipe_word quantized(float steps)
{
    float below = steps < 127.0f ? steps : 127.0f;
    float limited = below > -127.0f ? below : -127.0f;
    return recipe_bits(recipe_add(limited, 12582912.0f)) & 255u;
}

#endif
