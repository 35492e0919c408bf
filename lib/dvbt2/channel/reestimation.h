/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decision-directed channel re-estimation: corrects the pilot-based estimate of a symbol with its decoded or
 * soft-decided cells.
 *
 * With carriers y = (h + e) x + noise and the estimate h, the residual y - h x shows the error e on each
 * carrier whose cell x is known. For a soft decision, its mean is used as x, and its variance times |h|^2 is
 * added to the noise.
 *
 * The impulse response of e is as short as the channel's; its taps are modelled with equal power. The
 * least-squares taps solve a linear system with a Toeplitz matrix, since its sums over carriers depend only
 * on delay differences. The system is solved by conjugate gradients, with products computed by FFT. Without
 * any decisions the estimate is unchanged. */
#ifndef DVBT2_REESTIMATION_H
#define DVBT2_REESTIMATION_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <fftw3.h>

enum { DVBT2_LOG_FFT = 15 }; /* 32K */

typedef struct dvbt2_reestimation {
    /* FFT length, and number of active carriers */
    uint32_t length, carriers;
    /* FFT plans for 2^i values; they read `in` and write `out` */
    fftwf_plan forward[DVBT2_LOG_FFT + 1], backward[DVBT2_LOG_FFT + 1];
    float complex *in, *out; /* scratch arrays of `length` values each */
    /* eigenvalues of the circulant matrix (`length` values) */
    float *matrix;
    /* scratch arrays of `length / 2` values each */
    float complex *taps, *rest, *direction, *product;
} dvbt2_reestimation;

/* A symbol: for each carrier, the received value, the mean and variance of the cell, and the channel
 * estimate. A mean of 0 marks an unknown cell. */
typedef struct dvbt2_reestimated_symbol {
    const float complex *received, *mean, *channel;
    const float *variance;
    const float *interference; /* interference power on each carrier, which is added to `noise` */
    float noise;               /* noise power of a carrier */
    float error;               /* mean squared error of `channel` */
    float spread;              /* width of the impulse response around time 0, as a fraction of the symbol */
} dvbt2_reestimated_symbol;

/* Returns false if out of memory. */
bool dvbt2_reestimation_init(dvbt2_reestimation *a, uint32_t length, uint32_t carriers);
void dvbt2_reestimation_free(dvbt2_reestimation *a);

/* Writes the corrected channel on all carriers to h. Returns the mean squared error of the corrected
 * channel. */
float dvbt2_reestimation_correct(dvbt2_reestimation *a, const dvbt2_reestimated_symbol *symbol,
                                 float complex *h);

#endif
