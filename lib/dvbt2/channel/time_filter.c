/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/time_filter.h"

#include <math.h>

#include "receiver/complex.h"

/* Length of the running mean in symbols, and number of symbols before its first use. */
static const double memory = 40, few = 2;
/* Width of the Doppler spectrum. It is sqrt(2) for Rayleigh fading and 1 for two paths. */
static const double spectrum_width = 1.45;
/* added to the error of each estimate, because the channel model is inexact */
static const double doubt = 1e-4;

void dvbt2_speed_add(dvbt2_speed *speed, double power, double product)
{
    speed->symbols += 1 - speed->symbols / memory;
    speed->power += power - speed->power / memory;
    speed->product += product - speed->product / memory;
}

bool dvbt2_speed_known(const dvbt2_speed *speed)
{
    return speed->symbols > few;
}

/* Returns the maximum Doppler frequency, radians per symbol. */
static double spread_of(const dvbt2_speed *speed)
{
    double correlation = speed->power > 0 ? speed->product / speed->power : 1;
    return fmin(RX_PI, spectrum_width * acos(fmin(1, fmax(-1, correlation))));
}

static double sinc(double x)
{
    return fabs(x) < 1e-9 ? 1 : sin(x) / x;
}

/* Solves a x = b by Cholesky decomposition. Replaces b by x and overwrites a. */
static void solve(double a[][DVBT2_TIME_POINTS], uint32_t n, double *b)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (uint32_t k = 0; k < j; k++)
                sum -= a[i][k] * a[j][k];
            a[i][j] = i == j ? sqrt(fmax(sum, 1e-30)) : sum / a[j][j];
        }
        for (uint32_t k = 0; k < i; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t k = i + 1; k < n; k++)
            b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
}

double dvbt2_time_filter(const dvbt2_speed *speed, const dvbt2_time_point *point, uint32_t n, float *weight)
{
    const double spread = spread_of(speed), power = speed->power / speed->symbols;
    double a[DVBT2_TIME_POINTS][DVBT2_TIME_POINTS], x[DVBT2_TIME_POINTS];
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j <= i; j++)
            a[i][j] = power * sinc(spread * (point[i].time - point[j].time));
        a[i][i] += doubt * power + point[i].noise;
        x[i] = power * sinc(spread * point[i].time);
    }
    solve(a, n, x);
    double error = power;
    for (uint32_t i = 0; i < n; i++) {
        weight[i] = (float)x[i];
        error -= x[i] * power * sinc(spread * point[i].time);
    }
    return fmax(error, 0);
}
