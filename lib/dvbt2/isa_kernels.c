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

/* Vectors of the compiler's own kind: as many registers as the instruction set needs for them. */
typedef float v4 __attribute__((vector_size(16)));
typedef float v8 __attribute__((vector_size(32)));
typedef float v16 __attribute__((vector_size(64)));

static inline v16 load(const float *p)
{
    v16 v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Sums of the four quarters, lane by lane. */
static inline v4 fold(v16 v)
{
    v4 q[4];
    memcpy(q, &v, sizeof v);
    return (q[0] + q[1]) + (q[2] + q[3]);
}

static double resample(const float *re, const float *im, const float *filter, uint32_t taps, double position,
                       double step, float *out, size_t count)
{
    for (size_t n = 0; n < count; n++, position += step) {
        size_t i = (size_t)position;
        uint32_t phase = (uint32_t)((position - (double)i) * DVBT2_PHASES + 0.5);
        const float *h = filter + (size_t)phase * taps, *x = re + i, *y = im + i;
        v16 a = {0}, b = {0};
        for (uint32_t t = 0; t < taps; t += 16) {
            v16 tap = load(h + t);
            a += tap * load(x + t);
            b += tap * load(y + t);
        }
        v4 p = fold(a), q = fold(b);
        out[2 * n] = (p[0] + p[1]) + (p[2] + p[3]);
        out[2 * n + 1] = (q[0] + q[1]) + (q[2] + q[3]);
    }
    return position;
}

/* 24 carriers: I and Q of the sums are 6 vectors of 8. */
static inline void interpolate_24(const float complex *in, const float *taps, uint32_t n, uint32_t stride,
                                  float complex *out)
{
    v8 re[3] = {0}, im[3] = {0};
    for (uint32_t t = 0; t < n; t++) {
        const float x = crealf(in[t]), y = cimagf(in[t]);
        for (uint32_t i = 0; i < 3; i++) {
            v8 h;
            memcpy(&h, taps + (size_t)t * stride + 8 * i, sizeof h);
            re[i] += h * x;
            im[i] += h * y;
        }
    }
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 8; k++)
            out[8 * i + k] = dvbt2_cplx(re[i][k], im[i][k]);
}

static void interpolate(const float complex *in, const float *taps, uint32_t n, uint32_t width,
                        float complex *out)
{
    for (uint32_t k = 0; k < width; k += 24)
        interpolate_24(in, taps + k, n, width, out + k);
}

/* A carrier without signal has noise so large that its cell tells nothing. */
static const float least_power = 1e-30f;

static void equalise(const float complex *y, const float complex *h, float noise, uint32_t count,
                     float complex *cells, float *cell_noise)
{
    const float *a = (const float *)y, *b = (const float *)h;
    float *out = (float *)cells;
    for (uint32_t k = 0; k < count; k++) {
        float hr = b[2 * k], hi = b[2 * k + 1];
        float inverse = 1 / (hr * hr + hi * hi + least_power);
        out[2 * k] = (a[2 * k] * hr + a[2 * k + 1] * hi) * inverse;
        out[2 * k + 1] = (a[2 * k + 1] * hr - a[2 * k] * hi) * inverse;
        cell_noise[k] = noise * inverse;
    }
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
const dvbt2_kernels JOIN(dvbt2_kernels_, DVBT2_ISA) = {TEXT(DVBT2_ISA), resample, interpolate, straighten,
                                                       equalise};
