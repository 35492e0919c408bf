/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Corrects the channel estimate of a symbol with decoded or soft-decided cells.
 *
 *     y = (h + e) x + noise      residual y - h x = e x + noise
 *
 * x is the mean of a soft decision; its variance times |h|^2 is noise. The impulse response of e is short. Its
 * taps are fitted by least squares (a Toeplitz system, solved with conjugate gradients and FFTs). Without
 * decisions, the estimate is unchanged. */
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

typedef struct dvbt2_reestimated_symbol {
    const float complex *received, *mean, *channel;
    const float *variance;
    const float *interference; /* in addition to `noise` */
    float noise;               /* noise power of a carrier */
    float error;               /* mean squared error of `channel` */
    float spread;              /* width of the impulse response around time 0, as a fraction of the symbol */
} dvbt2_reestimated_symbol;

/* Returns false if out of memory. */
bool dvbt2_reestimation_init(dvbt2_reestimation *a, uint32_t length, uint32_t carriers);
void dvbt2_reestimation_free(dvbt2_reestimation *a);

/* Returns the mean squared error. */
float dvbt2_reestimation_correct(dvbt2_reestimation *a, const dvbt2_reestimated_symbol *symbol,
                                 float complex *h);

#endif
