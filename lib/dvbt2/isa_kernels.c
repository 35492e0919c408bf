/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of one instruction set: compiled once for each, DVBT2_ISA is its name. */
#include <math.h>
#include <string.h>

#include "dvbt2/complex.h"
#include "dvbt2/kernels.h"
#include "dvbt2/resampler.h"

#define JOIN(a, b)       JOIN_AGAIN(a, b)
#define JOIN_AGAIN(a, b) a##b
#define TEXT(a)          TEXT_AGAIN(a)
#define TEXT_AGAIN(a)    #a

/* Vectors of the compiler's own kind, as wide as the registers: wider ones would live in memory. */
typedef float v4 __attribute__((vector_size(16)));
typedef float v8 __attribute__((vector_size(32)));
#if defined(__AVX512F__)
typedef float vec __attribute__((vector_size(64)));
typedef v8 part; /* vectors whose length divides 24 */
#elif defined(__AVX__)
typedef v8 vec;
typedef v8 part;
#else
typedef v4 vec;
typedef v4 part;
#endif
enum { LANES = sizeof(vec) / sizeof(float), PART = sizeof(part) / sizeof(float), PARTS = 24 / PART };
/* Short vectors take two sums, since an addition takes longer than a load. */
enum { SUMS = LANES < 16 ? 2 : 1 };

static inline vec load(const float *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline float sum_of_4(v4 v)
{
    return (v[0] + v[1]) + (v[2] + v[3]);
}

static inline float sum_of(vec v)
{
    v4 quarter[LANES / 4];
    memcpy(quarter, &v, sizeof v);
#if defined(__AVX512F__)
    return sum_of_4((quarter[0] + quarter[1]) + (quarter[2] + quarter[3]));
#elif defined(__AVX__)
    return sum_of_4(quarter[0] + quarter[1]);
#else
    return sum_of_4(quarter[0]);
#endif
}

static void moments(const float *iq, size_t count, double sums[5])
{
    enum { COLUMNS = 16, BLOCK = 512 };
    for (int i = 0; i < 5; i++)
        sums[i] = 0;
    for (size_t start = 0; start < count; start += BLOCK) {
        const size_t end = count - start < BLOCK ? count : start + BLOCK;
        float s[5][COLUMNS] = {{0}};
        size_t n = start;
        for (; n + COLUMNS <= end; n += COLUMNS)
            for (size_t c = 0; c < COLUMNS; c++) {
                float re = iq[2 * (n + c)], im = iq[2 * (n + c) + 1];
                s[0][c] += re;
                s[1][c] += im;
                s[2][c] += re * re;
                s[3][c] += im * im;
                s[4][c] += re * im;
            }
        for (int i = 0; i < 5; i++)
            for (int c = 0; c < COLUMNS; c++)
                sums[i] += (double)s[i][c];
        for (; n < end; n++) {
            double re = (double)iq[2 * n], im = (double)iq[2 * n + 1];
            const double terms[5] = {re, im, re * re, im * im, re * im};
            for (int i = 0; i < 5; i++)
                sums[i] += terms[i];
        }
    }
}

static void correct(float *iq, size_t count, float complex dc, float complex image)
{
    const float dr = crealf(dc), di = cimagf(dc), ir = crealf(image), ii = cimagf(image);
    for (size_t n = 0; n < count; n++) {
        float re = iq[2 * n] - dr, im = iq[2 * n + 1] - di;
        iq[2 * n] = re - (ir * re + ii * im);
        iq[2 * n + 1] = im - (ii * re - ir * im);
    }
}

static double resample(const float *re, const float *im, const float *filter, uint32_t taps, double position,
                       double step, float *out, size_t count)
{
    for (size_t n = 0; n < count; n++, position += step) {
        const uint32_t first = (uint32_t)position;
        const uint32_t phase = (uint32_t)((position - (double)first) * DVBT2_PHASES + 0.5);
        const float *h = filter + (size_t)phase * taps, *x = re + first, *y = im + first;
        vec a[SUMS] = {{0}}, b[SUMS] = {{0}};
        for (uint32_t t = 0; t < taps; t += SUMS * LANES)
            for (uint32_t i = 0; i < SUMS; i++) {
                vec tap = load(h + t + i * LANES);
                a[i] += tap * load(x + t + i * LANES);
                b[i] += tap * load(y + t + i * LANES);
            }
        out[2 * n] = sum_of(a[0] + (SUMS > 1 ? a[SUMS - 1] : (vec){0}));
        out[2 * n + 1] = sum_of(b[0] + (SUMS > 1 ? b[SUMS - 1] : (vec){0}));
    }
    return position;
}

/* 24 carriers: I and Q of the sums stay in registers. */
static inline void interpolate_24(const float complex *in, const float *taps, uint32_t n, uint32_t stride,
                                  float complex *out)
{
    part re[PARTS], im[PARTS];
    memset(re, 0, sizeof re);
    memset(im, 0, sizeof im);
    for (uint32_t t = 0; t < n; t++) {
        const float x = crealf(in[t]), y = cimagf(in[t]);
        for (uint32_t i = 0; i < PARTS; i++) {
            part h;
            memcpy(&h, taps + (size_t)t * stride + PART * i, sizeof h);
            re[i] += h * x;
            im[i] += h * y;
        }
    }
    for (uint32_t i = 0; i < PARTS; i++)
        for (uint32_t k = 0; k < PART; k++)
            out[PART * i + k] = dvbt2_cplx(re[i][k], im[i][k]);
}

static void interpolate(const float complex *in, const float *taps, uint32_t n, uint32_t width,
                        float complex *out)
{
    for (uint32_t k = 0; k < width; k += 24)
        interpolate_24(in, taps + k, n, width, out + k);
}

/* A carrier without signal gets noise so large that the demapper treats its cell as an erasure. */
static const float least_power = 1e-30f;

static double equalise(const float complex *y, const float complex *h, float noise, const uint16_t *carrier,
                       uint32_t count, float complex *cells, float *cell_noise)
{
    const float *a = (const float *)y, *b = (const float *)h;
    float *out = (float *)cells;
    double sum = 0;
    for (uint32_t c = 0; c < count; c++) {
        const uint32_t k = 2 * (uint32_t)carrier[c];
        const float hr = b[k], hi = b[k + 1], yr = a[k], yi = a[k + 1];
        const float inverse = 1 / (hr * hr + hi * hi + least_power);
        out[2 * c] = (yr * hr + yi * hi) * inverse;
        out[2 * c + 1] = (yi * hr - yr * hi) * inverse;
        cell_noise[c] = noise * inverse;
        sum += (double)cell_noise[c];
    }
    return sum;
}

/* Each block of carriers has the same phases, turned by that of its first carrier. */
static void straighten(float complex *y, uint32_t count, double phase, double slope)
{
    enum { BLOCK = 32 };
    float c[BLOCK], s[BLOCK], *a = (float *)y;
    for (uint32_t i = 0; i < BLOCK; i++) {
        c[i] = (float)cos(slope * i);
        s[i] = (float)sin(slope * i);
    }
    double re = cos(phase), im = sin(phase), step_re = cos(slope * BLOCK), step_im = sin(slope * BLOCK);
    for (uint32_t k = 0; k < count; k += BLOCK) {
        const uint32_t n = count - k < BLOCK ? count - k : BLOCK;
        const float br = (float)re, bi = (float)im;
        for (uint32_t i = 0; i < n; i++) {
            float wr = c[i] * br - s[i] * bi, wi = c[i] * bi + s[i] * br;
            float yr = a[2 * (k + i)], yi = a[2 * (k + i) + 1];
            a[2 * (k + i)] = yr * wr - yi * wi;
            a[2 * (k + i) + 1] = yr * wi + yi * wr;
        }
        double next = re * step_re - im * step_im;
        im = re * step_im + im * step_re;
        re = next;
    }
}

extern const dvbt2_kernels JOIN(dvbt2_kernels_, DVBT2_ISA);
const dvbt2_kernels JOIN(dvbt2_kernels_, DVBT2_ISA) = {TEXT(DVBT2_ISA), moments,    correct, resample,
                                                       interpolate,     straighten, equalise};
