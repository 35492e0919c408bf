/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shifts a part of a wide band to 0 Hz and halves its sample rate several times.
 *
 *     samples ──> float ──> oscillator ──> half-band filter, every second sample ──> ... ──> samples
 *
 * Frequencies up to 0.3 of the output rate pass; signals that are aliased to them are attenuated by 66 dB. */
#ifndef RX_DECIMATOR_H
#define RX_DECIMATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ldpc/sample_format.h"
#include "receiver/kernels.h"

enum {
    RX_DECIMATOR_STAGES = 16,
    RX_DECIMATOR_MOST = 4096, /* maximum number of samples per call */
    RX_HALF_BAND_TAPS = 12,
};

static const double rx_decimator_pass = 0.3; /* of the output rate */

/* Samples at even and odd positions; I and Q alternate. */
typedef struct rx_half_band {
    float *even, *odd;
    size_t evens, odds; /* number of samples */
} rx_half_band;

typedef struct rx_decimator {
    const rx_kernels *kernels;
    ldpc_sample_format format;
    uint32_t stages;    /* 0: the samples are only shifted */
    double step, phase; /* of the oscillator, in turns per sample and turns */
    double power;       /* mean power of the input; full scale is 1 */
    double weight;      /* number of samples in the mean */
    float taps[RX_HALF_BAND_TAPS];
    float *iq, *re, *im;
    rx_half_band stage[RX_DECIMATOR_STAGES];
} rx_decimator;

/* frequency: cycles per sample that become 0. Returns false if there is not enough memory. */
bool rx_decimator_init(rx_decimator *d, ldpc_sample_format format, double frequency, uint32_t stages);
void rx_decimator_free(rx_decimator *d);

/* Returns the number of outputs for `count` <= RX_DECIMATOR_MOST samples. *out is valid until the next call; I and Q
 * alternate. */
size_t rx_decimator_run(rx_decimator *d, const void *samples, size_t count, const float **out);

#endif
