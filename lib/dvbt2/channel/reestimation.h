/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The channel in a symbol whose cells are known, or guessed: a correction of the estimate that pilots gave.
 *
 * With carriers y = (h + e) x + noise, what is left after the estimate h, y - h x, tells its error e wherever the cell
 * x is known. Of a cell with a mean and a variance the mean counts as the cell, and the variance times |h|^2 as more noise.
 * The error has an impulse response as short as the channel's, with taps that share its power evenly; the taps of least
 * squared error solve a linear system whose matrix is Toeplitz, since its sums over carriers depend on differences of
 * delays alone. Conjugate gradients solve it, with products by FFT. Where nothing is known the estimate stays as it
 * is. */
#ifndef DVBT2_REESTIMATION_H
#define DVBT2_REESTIMATION_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <fftw3.h>

enum { DVBT2_LOG_FFT = 15 }; /* 32K */

typedef struct dvbt2_reestimation {
    uint32_t length, carriers;                                          /* of the FFT; active ones */
    fftwf_plan forward[DVBT2_LOG_FFT + 1], backward[DVBT2_LOG_FFT + 1]; /* of 2^i values, from in to out */
    float complex *in, *out;                                            /* length */
    float *matrix;                                                      /* eigenvalues; length */
    float complex *taps, *rest, *direction, *product;                   /* length / 2 */
} dvbt2_reestimation;

/* A symbol: carriers as received, mean and variance of the cells on them (mean 0: nothing is known), the channel. */
typedef struct dvbt2_reestimated_symbol {
    const float complex *received, *mean, *channel;
    const float *variance;
    const float *interference; /* of each carrier, beside the noise */
    float noise;               /* of a carrier */
    float error;               /* mean squared, of the channel */
    float spread;              /* of delays around 0, as a share of the symbol */
} dvbt2_reestimated_symbol;

/* false: out of memory. */
bool dvbt2_reestimation_init(dvbt2_reestimation *a, uint32_t length, uint32_t carriers);
void dvbt2_reestimation_free(dvbt2_reestimation *a);

/* The corrected channel on all carriers; returns the mean squared error that is left. */
float dvbt2_reestimation_correct(dvbt2_reestimation *a, const dvbt2_reestimated_symbol *symbol,
                                 float complex *h);

#endif
