/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "receiver/kaiser.h"

#include <math.h>

/* Modified Bessel function of the first kind, order 0. */
static double bessel_i0(double x)
{
    double term = 1, sum = 1;
    for (int i = 1; term > 1e-12 * sum; i++) {
        term *= x * x / (4.0 * i * i);
        sum += term;
    }
    return sum;
}

double rx_kaiser(double x, double beta)
{
    return bessel_i0(beta * sqrt(fmax(0, 1 - x * x)));
}
