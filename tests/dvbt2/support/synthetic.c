/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/support/synthetic.h"

#include <math.h>
#include <stdint.h>

#include "receiver/complex.h"

static uint32_t seed = 1;

double uniform(void)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) / 16777216.0 + 0.5 / 16777216.0;
}

float complex noise(double power)
{
    double r = sqrt(-power * log(uniform())), angle = 2 * RX_PI * uniform();
    return rx_cplx((float)(r * cos(angle)), (float)(r * sin(angle)));
}

float complex phasor(double turns)
{
    double angle = 2 * RX_PI * (turns - floor(turns));
    return rx_cplx((float)cos(angle), (float)sin(angle));
}

double decibel(double ratio)
{
    return 10 * log10(ratio + 1e-30);
}
