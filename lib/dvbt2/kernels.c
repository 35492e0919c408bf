/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops that the time of a receiver goes into. */
#include "dvbt2/kernels.h"

#include <string.h>

#include "dvbt2/complex.h"
#include "dvbt2/resampler.h"

enum { LANES = 16, MAX_WIDTH = 48 };

static float sum_of(const float lane[LANES])
{
    float s[4] = {0};
    for (int i = 0; i < LANES; i++)
        s[i % 4] += lane[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

double dvbt2_resample(const float *re, const float *im, const float *filter, uint32_t taps, double position,
                      double step, float *out, size_t count)
{
    for (size_t n = 0; n < count; n++, position += step) {
        size_t i = (size_t)position;
        uint32_t phase = (uint32_t)((position - (double)i) * DVBT2_PHASES + 0.5);
        const float *h = filter + (size_t)phase * taps, *x = re + i, *y = im + i;
        float a[LANES] = {0}, b[LANES] = {0};
        for (uint32_t t = 0; t < taps; t += LANES)
            for (uint32_t l = 0; l < LANES; l++) {
                a[l] += h[t + l] * x[t + l];
                b[l] += h[t + l] * y[t + l];
            }
        out[2 * n] = sum_of(a);
        out[2 * n + 1] = sum_of(b);
    }
    return position;
}

void dvbt2_interpolate(const float complex *in, const float *taps, uint32_t n, uint32_t width,
                       float complex *out)
{
    float re[MAX_WIDTH] = {0}, im[MAX_WIDTH] = {0};
    for (uint32_t t = 0; t < n; t++) {
        const float x = crealf(in[t]), y = cimagf(in[t]), *h = taps + (size_t)t * width;
        for (uint32_t k = 0; k < width; k++) {
            re[k] += h[k] * x;
            im[k] += h[k] * y;
        }
    }
    for (uint32_t k = 0; k < width; k++)
        out[k] = dvbt2_cplx(re[k], im[k]);
}
