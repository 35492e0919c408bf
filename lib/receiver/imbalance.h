/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the mixers of a zero-IF tuner do to samples, measured and taken out: a constant (DC), and an image of
 * the signal mirrored about 0 Hz (IQ imbalance).
 *
 * Of a signal x with an image the tuner gives y = x + image conj(x) + dc. An OFDM signal has mean x = 0 and
 * mean x^2 = 0, so the mean of y is dc, and that of (y - dc)^2 is 2 image mean |x|^2. */
#ifndef RX_IMBALANCE_H
#define RX_IMBALANCE_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

#include "receiver/kernels.h"

typedef struct rx_imbalance {
    uint32_t calls;        /* samples are measured in some of them only */
    double count;          /* of samples that the means are taken over, at most `memory` */
    double memory;         /* 0: nothing is measured and corrected */
    double complex mean;   /* of y */
    double complex square; /* of y^2 */
    double power;          /* of |y|^2 */
} rx_imbalance;

/* rate: samples per second. */
void rx_imbalance_init(rx_imbalance *imbalance, double rate);

/* Correct `count` samples in place, I and Q alternating. */
void rx_imbalance_correct(rx_imbalance *imbalance, const rx_kernels *kernels, float *iq, size_t count);

#endif
