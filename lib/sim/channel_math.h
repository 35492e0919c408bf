/* SPDX-License-Identifier: BSD-3-Clause */
/* The arithmetic of simulated frames. It is equal on every machine, because host kernels (isa_channel.c) and
 * GPU kernels (cuda/sim) compile this header. Every number is a function of (seed, point, frame, index). It
 * is computed from a random integer (Philox) with IEEE single-precision add, multiply and square root,
 * rounded to nearest even. Fused multiply-add and library functions are not used.
 *
 *   ln(u)      u = (x + 0.5) / 2^32 from a random uint32 x. With u = m * 2^e, m in [0.7071, 1.4142), t = m - 1:
 *              e * ln 2 + t * (polynomial of degree 8 in t), error below 3e-8
 *   radius     sqrt(-2 ln u), at most 6.8
 *   direction  a random uint32 y as an angle: q right angles and a rest r in [-1/2, 1/2) right angles, whose
 *              sine and cosine are polynomials of degree 3 in r^2, error below 3e-8
 *   noise      two samples of unit variance: radius * cosine, radius * sine (Box and Muller 1958). A block of
 *              stream 0 has four numbers x0 y0 x1 y1 and so gives samples 4b .. 4b + 3 of its frame
 *   message    128 bits from a block of stream 1, the lowest bit of its first number first
 *   fading     sqrt(-ln u) from each number of stream 2, one for a channel symbol: mean square 1 (Rayleigh)
 *   axis       a real dimension of a channel symbol carries 1 .. 4 bits as an odd level (pam_level), and
 *              receives  y = fading * level + sigma * noise
 */
#ifndef LDPC_CHANNEL_MATH_H
#define LDPC_CHANNEL_MATH_H

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

typedef unsigned int sim_u32;
typedef unsigned long long sim_u64;
#define SIM_FUNCTION static __device__ __forceinline__

SIM_FUNCTION float sim_add(float a, float b)
{
    return __fadd_rn(a, b);
}
SIM_FUNCTION float sim_mul(float a, float b)
{
    return __fmul_rn(a, b);
}
SIM_FUNCTION float sim_sqrt(float a)
{
    return __fsqrt_rn(a);
}
SIM_FUNCTION sim_u32 sim_bits(float a)
{
    return __float_as_uint(a);
}
SIM_FUNCTION float sim_float(sim_u32 bits)
{
    return __uint_as_float(bits);
}

#else

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef uint32_t sim_u32;
typedef uint64_t sim_u64;
#define SIM_FUNCTION static inline

/* Needs -ffp-contract=off, because a * b + c must not be fused. */
SIM_FUNCTION float sim_add(float a, float b)
{
    return a + b;
}
SIM_FUNCTION float sim_mul(float a, float b)
{
    return a * b;
}
SIM_FUNCTION float sim_sqrt(float a)
{
    return sqrtf(a);
}
SIM_FUNCTION sim_u32 sim_bits(float a)
{
    sim_u32 bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}
SIM_FUNCTION float sim_float(sim_u32 bits)
{
    float a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

#endif

/* ---- random integers */

enum { SIM_NOISE = 0, SIM_MESSAGE = 1, SIM_FADING = 2, SIM_STREAMS = 4 };

typedef struct philox_block {
    sim_u32 word[4];
} philox_block;

#define PHILOX_M0 0xD2511F53u
#define PHILOX_M1 0xCD9E8D57u
#define PHILOX_W0 0x9E3779B9u
#define PHILOX_W1 0xBB67AE85u

/* Philox 4x32-10: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
 * Key: seed. Counter: block, stream, frame. Stream: SIM_NOISE, SIM_MESSAGE or SIM_FADING + SIM_STREAMS *
 * point. */
SIM_FUNCTION philox_block philox(sim_u64 seed, sim_u64 frame, sim_u32 stream, sim_u32 block)
{
    sim_u32 key0 = (sim_u32)seed, key1 = (sim_u32)(seed >> 32);
    sim_u32 c0 = block, c1 = stream, c2 = (sim_u32)frame, c3 = (sim_u32)(frame >> 32);
    for (int round = 0; round < 10; round++) {
        sim_u64 product0 = (sim_u64)PHILOX_M0 * c0, product1 = (sim_u64)PHILOX_M1 * c2;
        c0 = (sim_u32)(product1 >> 32) ^ c1 ^ key0;
        c1 = (sim_u32)product1;
        c2 = (sim_u32)(product0 >> 32) ^ c3 ^ key1;
        c3 = (sim_u32)product0;
        key0 += PHILOX_W0;
        key1 += PHILOX_W1;
    }
    philox_block result = {
        {c0, c1, c2, c3}
    };
    return result;
}

/* ---- noise and fading */

/* Returns p * t + c with two roundings. */
SIM_FUNCTION float sim_step(float p, float t, float c)
{
    return sim_add(sim_mul(p, t), c);
}

/* -2 ln((x + 0.5) / 2^32) */
SIM_FUNCTION float minus_two_log(sim_u32 x)
{
    sim_u32 bits = sim_bits(sim_add((float)x, 0.5f));
    /* exponent relative to sqrt(1/2) = 0x3f3504f3 */
    int exponent = (int)(bits - 0x3f3504f3u) >> 23;
    float t = sim_add(sim_float(bits - ((sim_u32)exponent << 23)), -1.0f);
    float p = 0.0895945951f;
    p = sim_step(p, t, -0.144819781f);
    p = sim_step(p, t, 0.149174497f);
    p = sim_step(p, t, -0.165437713f);
    p = sim_step(p, t, 0.199584126f);
    p = sim_step(p, t, -0.250029445f);
    p = sim_step(p, t, 0.333341599f);
    p = sim_step(p, t, -0.499999791f);
    p = sim_step(p, t, 1.0f);
    float log_u = sim_add(sim_mul((float)(exponent - 32), 0.693147182f), sim_mul(t, p));
    float result = sim_mul(-2.0f, log_u);
    return result > 0 ? result : 0;
}

/* Cosine and sine of 2 pi y / 2^32. */
SIM_FUNCTION void direction(sim_u32 y, float *cosine, float *sine)
{
    sim_u32 quarter = (y + 0x20000000u) >> 30;
    float r = sim_mul((float)(int)(y - (quarter << 30)), 9.31322575e-10f); /* 2^-30 */
    float s = sim_mul(r, r);
    float sin_r = -0.00460217707f;
    sin_r = sim_step(sin_r, s, 0.0796802267f);
    sin_r = sim_step(sin_r, s, -0.64596349f);
    sin_r = sim_step(sin_r, s, 1.57079637f);
    sin_r = sim_mul(sin_r, r);
    float cos_r = -0.0204083528f;
    cos_r = sim_step(cos_r, s, 0.25359863f);
    cos_r = sim_step(cos_r, s, -1.23369706f);
    cos_r = sim_step(cos_r, s, 1.0f);
    *cosine = sim_float(sim_bits(quarter & 1 ? sin_r : cos_r) ^ ((quarter + 1) & 2) << 30);
    *sine = sim_float(sim_bits(quarter & 1 ? cos_r : sin_r) ^ (quarter & 2) << 30);
}

/* Computes two noise samples from two random integers. */
SIM_FUNCTION void two_samples(sim_u32 x, sim_u32 y, float *first, float *second)
{
    float radius = sim_sqrt(minus_two_log(x));
    float cosine, sine;
    direction(y, &cosine, &sine);
    *first = sim_mul(radius, cosine);
    *second = sim_mul(radius, sine);
}

SIM_FUNCTION float fading_of(sim_u32 x)
{
    return sim_sqrt(sim_mul(0.5f, minus_two_log(x)));
}

/* ---- channel symbols */

/* Returns the level of the lowest `count` bits of `bits`, highest bit first. The level is odd. Gray labels of
 * 3GPP TS 38.211, section 5.1:
 *
 *   (1 - 2 b0) [2 - (1 - 2 b1)], (1 - 2 b0) [4 - (1 - 2 b1) [2 - (1 - 2 b2)]] ... */
SIM_FUNCTION int pam_level(sim_u32 bits, int count)
{
    int level = 1 - 2 * (int)(bits & 1);
    for (int i = 1; i < count; i++)
        level = (1 - 2 * (int)(bits >> i & 1)) * ((1 << i) - level);
    return level;
}

/* Rounds an LLR to int8 (ties to even), saturated to +-127. Adding 1.5 * 2^23 removes all fraction bits. */
SIM_FUNCTION sim_u32 quantized(float steps)
{
    float below = steps < 127.0f ? steps : 127.0f;
    float limited = below > -127.0f ? below : -127.0f;
    return sim_bits(sim_add(limited, 12582912.0f)) & 255u;
}

#endif
