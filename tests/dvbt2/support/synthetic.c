/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/support/synthetic.h"

#include <math.h>
#include <stdint.h>

#include "receiver/complex.h"

static uint32_t seed = 1;

void reseed(uint32_t number)
{
    seed = number * 2654435761U; /* neighbouring numbers give unrelated sequences */
}

double uniform(void)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) / 16777216.0 + 0.5 / 16777216.0;
}

float complex noise(double power)
{
    const float r = sqrtf(-(float)power * logf((float)uniform()));
    const float angle = (float)(2 * RX_PI * uniform());
    return rx_cplx(r * cosf(angle), r * sinf(angle));
}

float complex phasor(double turns)
{
    const float angle = (float)(2 * RX_PI * (turns - floor(turns)));
    return rx_cplx(cosf(angle), sinf(angle));
}

void interpolation_weights(double part, int half, float *weights)
{
    const double turn = sin(RX_PI * part) / RX_PI, step = RX_PI / half;
    const double cos_step = cos(step), sin_step = sin(step);
    double distance = part + half - 1, c = cos(step * distance), s = sin(step * distance);
    for (int i = 0; i < 2 * half; i++, distance--) {
        const double sinc = fabs(distance) < 1e-9 ? 1 : ((i + half) % 2 ? turn : -turn) / distance;
        weights[i] = (float)(sinc * (0.5 + 0.5 * c));
        const double next = c * cos_step + s * sin_step;
        s = s * cos_step - c * sin_step;
        c = next;
    }
}

double decibel(double ratio)
{
    return 10 * log10(ratio + 1e-30);
}
