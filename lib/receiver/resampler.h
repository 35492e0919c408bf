/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Corrects carrier and clock: samples at any rate to samples at 1/T (T: elementary period).
 *
 *     samples ──> float ──> DC, image ──> oscillator ──> filter of 512 phases ──> samples at 1/T
 *                                         (carrier loop)  (clock loop)
 *
 * Low-pass filter, or matched filter of root raised cosine pulses. The fractional sample position selects the
 * phase. Loops act on samples that have not been read, so corrections take effect at a defined sample. */
#ifndef RX_RESAMPLER_H
#define RX_RESAMPLER_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "receiver/imbalance.h"
#include "receiver/kernels.h"
#include "receiver/limiter.h"
#include "ldpc/sample_format.h"

typedef struct rx_resampler_params {
    ldpc_sample_format format;
    double input_rate;  /* nominal input rate, samples per second */
    double output_rate; /* output rate 1/T, samples per second */
    double occupied;    /* first to last carrier, Hz */
    double most_ppm;    /* maximum clock offset, ppm */
    /* maximum outputs of rx_resampler_back(), at least RX_BACK */
    uint32_t most_back;
    /* 0: low-pass; otherwise matched filter of this roll-off, symbol rate output_rate / 2 */
    double roll_off;
} rx_resampler_params;

typedef struct rx_resampler {
    const rx_kernels *kernels;
    rx_resampler_params params;
    /* offset of the receiver's clock from the nominal rate, ppm; positive: fast */
    double clock_ppm;
    rx_limiter limiter;
    rx_imbalance imbalance;
    bool mirrored;   /* true: mirrored spectrum, input is conjugated */
    double carrier;  /* removed carrier offset, Hz */
    double phase;    /* phase of the oscillator, turns */
    double step;     /* input samples per output sample */
    double position; /* first tap of the next output in the buffer, samples */
    uint32_t taps;   /* taps per phase, a multiple of 16 */
    float *filter;   /* coefficients [RX_PHASES + 1][taps] */
    float *re, *im;  /* `room` input samples without carrier offset */
    size_t history;  /* samples kept before `position` */
    /* samples in the buffer; size for the longest history */
    size_t held, room;
    float *scratch; /* a chunk as floats, I and Q alternating */
} rx_resampler;

enum {
    RX_PHASES = 512,
    RX_CHUNK = 4096,
    RX_BACK = 64, /* outputs before a sample whose filters include it */
};

/* Returns false if out of memory. A roll-off makes `occupied` unused; rx_resampler_set_roll_off() may
 * increase it. */
bool rx_resampler_init(rx_resampler *r, const rx_resampler_params *params);
void rx_resampler_free(rx_resampler *r);

/* Changes the matched filter of later outputs. */
void rx_resampler_set_roll_off(rx_resampler *r, double roll_off);

/* Drops all samples, but keeps the corrections. The next output is at the next input sample; earlier samples
 * are 0. */
void rx_resampler_reset(rx_resampler *r);

void rx_resampler_set_clock(rx_resampler *r, double ppm);
void rx_resampler_set_carrier(rx_resampler *r, double hertz);

/* Corrects the carrier, also in the buffer. The next output's phase changes by `turns`. */
void rx_resampler_shift(rx_resampler *r, double hertz, double turns);

/* Mirrors the spectrum, also in the buffer. */
void rx_resampler_mirror(rx_resampler *r);

/* Keeps the input of the last `outputs` outputs, at most and initially params.most_back. After an increase,
 * only later outputs complete the history. Short histories save time. */
void rx_resampler_keep(rx_resampler *r, uint32_t outputs);

/* Goes back by `outputs`. Returns false if their input is lost. */
bool rx_resampler_back(rx_resampler *r, double outputs);

/* Fills the buffer. Returns the number of written samples. */
size_t rx_resampler_write(rx_resampler *r, const void *samples, size_t count);

/* Reads at most `count` samples at 1/T. Returns their number. */
size_t rx_resampler_read(rx_resampler *r, float complex *out, size_t count);

#endif
