/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the maximum rate of layered offset min-sum on one core: 8-bit lanes, data in L1, no rotations, no tables.
 *
 * Prints lanes per register, edge-lanes per second, and the clock in Hz. The clock is measured with a chain
 * of rotate instructions, because new cores execute several additions of a chain per cycle.
 *
 *   cc -O3 -mavx512bw roof.c    or -mavx2 or -msse4.1 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { DEGREE = 7, ROWS = 12, PASSES = 4000, TRIES = 100 };

#ifdef __AVX512BW__
typedef __m512i vec;
#define OP(op)   _mm512_##op
#define BITS(op) _mm512_##op##_si512
#define WIDTH    64
#elif defined(__AVX2__)
typedef __m256i vec;
#define OP(op)   _mm256_##op
#define BITS(op) _mm256_##op##_si256
#define WIDTH    32
#else
typedef __m128i vec;
#define OP(op)   _mm_##op
#define BITS(op) _mm_##op##_si128
#define WIDTH    16
#endif

static int8_t posteriors[ROWS * DEGREE * WIDTH] __attribute__((aligned(64)));
static int8_t messages[ROWS * DEGREE * WIDTH] __attribute__((aligned(64)));

/* The magnitude is `second` for the edge with the minimum, otherwise `first`. The sign is the product of all
 * other signs. */
static inline vec message_of(vec q, vec smallest, vec first, vec second, vec sign)
{
#ifdef __AVX512BW__
    vec v = _mm512_mask_mov_epi8(first, _mm512_cmpeq_epi8_mask(_mm512_abs_epi8(q), smallest), second);
    return _mm512_mask_sub_epi8(v, _mm512_movepi8_mask(_mm512_xor_si512(sign, q)), _mm512_setzero_si512(), v);
#else
    vec v = OP(blendv_epi8)(first, second, OP(cmpeq_epi8)(OP(abs_epi8)(q), smallest));
    return OP(sign_epi8)(v, BITS(or)(BITS(xor)(sign, q), OP(set1_epi8)(1)));
#endif
}

static void one_row(int8_t *l, int8_t *r)
{
    const vec one = OP(set1_epi8)(1);
    vec q[DEGREE], u = OP(set1_epi8)(127), v = u, sign = OP(set1_epi8)(0);
    for (int e = 0; e < DEGREE; e++) {
        q[e] = OP(subs_epi8)(BITS(loadu)((const void *)(l + e * WIDTH)),
                             BITS(load)((const void *)(r + e * WIDTH)));
        vec magnitude = OP(abs_epi8)(q[e]);
        v = OP(min_epu8)(v, OP(max_epu8)(u, magnitude));
        u = OP(min_epu8)(u, magnitude);
        sign = BITS(xor)(sign, q[e]);
    }
    vec first = OP(subs_epu8)(u, one), second = OP(subs_epu8)(v, one);
    for (int e = 0; e < DEGREE; e++) {
        vec m = message_of(q[e], u, first, second, sign);
        BITS(store)((void *)(r + e * WIDTH), m);
        BITS(storeu)((void *)(l + e * WIDTH), OP(adds_epi8)(q[e], m));
    }
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double edges_per_second(void)
{
    double start = now();
    for (int i = 0; i < PASSES; i++) {
        for (int row = 0; row < ROWS; row++)
            one_row(posteriors + row * DEGREE * WIDTH, messages + row * DEGREE * WIDTH);
        __asm__ volatile("" ::: "memory");
    }
    return (double)PASSES * ROWS * DEGREE * WIDTH / (now() - start);
}

static double rotations_per_second(void)
{
    enum { TIMES = 100000, CHAIN = 10 };
    double start = now();
    uint64_t x = 1;
    for (int i = 0; i < TIMES; i++)
        __asm__ volatile(
            "ror $1, %0\n\tror $1, %0\n\tror $1, %0\n\tror $1, %0\n\tror $1, %0\n\tror $1, %0\n\t"
            "ror $1, %0\n\tror $1, %0\n\tror $1, %0\n\tror $1, %0"
            : "+r"(x));
    return (double)TIMES * CHAIN / (now() - start);
}

int main(void)
{
    double edges = 0, clock = 0;
    uint32_t x = 1;
    for (size_t i = 0; i < sizeof posteriors; i++) {
        x = x * 1664525u + 1013904223u;
        posteriors[i] = (int8_t)(x >> 24);
        messages[i] = (int8_t)(x >> 16 & 15);
    }
    for (int i = 0; i < TRIES; i++) {
        double e = edges_per_second(), r = rotations_per_second();
        edges = e > edges ? e : edges;
        clock = r > clock ? r : clock;
    }
    printf("%d %.6g %.6g\n", WIDTH, edges, clock);
    return 0;
}
