/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Removes a zero-IF tuner's DC offset and image (IQ imbalance).
 *
 * The tuner outputs y = x + image conj(x) + dc. For OFDM, E[x] = 0 and E[x^2] = 0, so E[y] = dc and E[(y -
 * dc)^2] = 2 image E[|x|^2]. */
#ifndef RX_IMBALANCE_H
#define RX_IMBALANCE_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

#include "receiver/kernels.h"

typedef struct rx_imbalance {
    uint32_t calls; /* number of calls so far; every MEASURED_CALLS-th call measures */
    double count;
    double memory;         /* samples; 0: no correction */
    double complex mean;   /* mean of y */
    double complex square; /* mean of y^2 */
    double power;          /* mean of |y|^2 */
} rx_imbalance;

/* rate: samples per second. */
void rx_imbalance_init(rx_imbalance *imbalance, double rate);

/* Corrects `count` samples in place, I and Q alternating. */
void rx_imbalance_correct(rx_imbalance *imbalance, const rx_kernels *kernels, float *iq, size_t count);

#endif
