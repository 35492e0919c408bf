/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Complex products without the checks for infinity and NaN that C99 requires. */
#ifndef RX_COMPLEX_H
#define RX_COMPLEX_H

#include <complex.h>

#define RX_PI 3.14159265358979323846

/* Replaces CMPLXF(). */
static inline float complex rx_cplx(float re, float im)
{
    union {
        float part[2];
        float complex whole;
    } c = {
        {re, im}
    };
    return c.whole;
}

static inline float complex rx_mul(float complex a, float complex b)
{
    return rx_cplx(crealf(a) * crealf(b) - cimagf(a) * cimagf(b),
                   crealf(a) * cimagf(b) + cimagf(a) * crealf(b));
}

/* Returns a times the conjugate of b. */
static inline float complex rx_mul_conj(float complex a, float complex b)
{
    return rx_cplx(crealf(a) * crealf(b) + cimagf(a) * cimagf(b),
                   cimagf(a) * crealf(b) - crealf(a) * cimagf(b));
}

static inline float rx_power(float complex a)
{
    return crealf(a) * crealf(a) + cimagf(a) * cimagf(a);
}

#endif
