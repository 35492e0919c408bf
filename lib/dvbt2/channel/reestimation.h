/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Corrects the channel estimate of a symbol with decoded or soft-decided cells.
 *
 * For carriers y = (h + e) x + noise, the residual y - h x shows the error e where x is known. A soft
 * decision has a mean x; its variance times |h|^2 is noise.
 *
 * The response of e is as short as the channel's, with taps of equal power. Its least-squares taps solve a
 * Toeplitz system by conjugate gradients and FFTs. Without decisions the estimate is unchanged. */
#ifndef DVBT2_REESTIMATION_H
#define DVBT2_REESTIMATION_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <fftw3.h>

enum { DVBT2_LOG_FFT = 15 }; /* 32K */

typedef struct dvbt2_reestimation {
    /* FFT length, and active carriers */
    uint32_t length, carriers;
    /* FFT plans for 2^i values, from `in` to `out` */
    fftwf_plan forward[DVBT2_LOG_FFT + 1], backward[DVBT2_LOG_FFT + 1];
    float complex *in, *out; /* scratch: [length] */
    /* eigenvalues of the circulant matrix: [length] */
    float *matrix;
    /* scratch: [length / 2] */
    float complex *taps, *rest, *direction, *product;
} dvbt2_reestimation;

/* For each carrier: received value, mean and variance of the cell (mean 0: unknown), channel. */
typedef struct dvbt2_reestimated_symbol {
    const float complex *received, *mean, *channel;
    const float *variance;
    const float *interference; /* interference power on each carrier, in addition to `noise` */
    float noise;               /* noise power of a carrier */
    float error;               /* mean squared error of `channel` */
    float spread;              /* width of the impulse response around time 0, as a fraction of the symbol */
} dvbt2_reestimated_symbol;

/* Returns false if out of memory. */
bool dvbt2_reestimation_init(dvbt2_reestimation *a, uint32_t length, uint32_t carriers);
void dvbt2_reestimation_free(dvbt2_reestimation *a);

/* Writes the corrected channel to h. Returns its mean squared error. */
float dvbt2_reestimation_correct(dvbt2_reestimation *a, const dvbt2_reestimated_symbol *symbol,
                                 float complex *h);

#endif
