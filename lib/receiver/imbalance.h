/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures and removes the impairments of a zero-IF tuner: a DC offset, and an image of the signal mirrored
 * about 0 Hz (IQ imbalance).
 *
 * For a signal x, the tuner outputs y = x + image conj(x) + dc. An OFDM signal has E[x] = 0 and E[x^2] = 0,
 * hence E[y] = dc and E[(y - dc)^2] = 2 image E[|x|^2]. */
#ifndef RX_IMBALANCE_H
#define RX_IMBALANCE_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

#include "receiver/kernels.h"

typedef struct rx_imbalance {
    uint32_t calls;        /* number of calls so far; the samples are measured in one of MEASURED_CALLS
                            * calls */
    double count;          /* number of samples in the means, at most `memory` */
    double memory;         /* averaging length in samples; 0: neither measurement nor correction */
    double complex mean;   /* mean of y */
    double complex square; /* mean of y^2 */
    double power;          /* mean of |y|^2 */
} rx_imbalance;

/* Initialises the correction. rate: samples per second. */
void rx_imbalance_init(rx_imbalance *imbalance, double rate);

/* Corrects `count` samples in place, I and Q alternating. */
void rx_imbalance_correct(rx_imbalance *imbalance, const rx_kernels *kernels, float *iq, size_t count);

#endif
