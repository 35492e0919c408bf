/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A Volterra series of the interference between symbols that a nonlinear amplifier causes. The pulse filter is before the
 * amplifier, so that the interference contains products of three neighbouring symbols x:
 *
 *     y[i] = a0 x[i] + a1 x[i] |x[i]|^2 + a2 x[i] |x[i]|^4 + sum b[k] x[i + k] + sum c[k, l, m] x[i + k] x[i + l] conj(x[i + m])
 *
 * The coefficients are estimated by least squares from decided symbols. The two sums are the interference. */
#ifndef DVBS2_VOLTERRA_H
#define DVBS2_VOLTERRA_H

#include <complex.h>
#include <stddef.h>

enum {
    DVBS2_VOLTERRA_SIDE = 3,   /* number of neighbours on each side that are used */
    DVBS2_VOLTERRA_TERMS = 42, /* number of coefficients */
};

/* All members are 0 before the first symbols. */
typedef struct dvbs2_volterra {
    float covariance[2][DVBS2_VOLTERRA_TERMS][DVBS2_VOLTERRA_TERMS]; /* real and imaginary parts */
    double complex correlation[DVBS2_VOLTERRA_TERMS];
    float complex coefficients[DVBS2_VOLTERRA_TERMS];
    size_t symbols;
} dvbs2_volterra;

/* Adds received symbols to the sums. symbols: decided, with DVBS2_VOLTERRA_SIDE neighbours on each side. */
void dvbs2_volterra_learn(dvbs2_volterra *series, const float complex *symbols, const float complex *received,
                          size_t count);

/* Computes the coefficients. */
void dvbs2_volterra_solve(dvbs2_volterra *series);

/* Writes the interference in `count` symbols. */
void dvbs2_volterra_estimate(const dvbs2_volterra *series, const float complex *symbols, size_t count,
                             float complex *estimate);

#endif
