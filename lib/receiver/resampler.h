/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carrier and clock correction of the receiver: samples at any rate in, samples at 1/T out, where T is the
 * elementary period of the standard.
 *
 *     samples ──> float ──> DC, image ──> oscillator ──> filter of 512 phases ──> samples at 1/T
 *                                         (carrier loop)  (clock loop)
 *
 * The filter is a low-pass that selects the channel, or the matched filter of root raised cosine pulses; its
 * phase is the fractional sample position. Both loops act on samples
 * that have not been read yet, so a correction takes effect at a defined sample. */
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
    double input_rate;  /* nominal, samples per second */
    double output_rate; /* 1/T, samples per second */
    double occupied;    /* bandwidth from the first to the last carrier, Hz */
    double most_ppm;    /* maximum offset of the sampling clock, ppm */
    uint32_t most_back; /* maximum number of outputs for rx_resampler_back(), at least RX_BACK */
    double roll_off;    /* of pulses with a symbol rate of output_rate / 2: matched filter; 0: low-pass */
} rx_resampler_params;

typedef struct rx_resampler {
    const rx_kernels *kernels;
    rx_resampler_params params;
    double clock_ppm; /* offset of the receiver's clock from its nominal rate, ppm; positive: too fast */
    rx_limiter limiter;
    rx_imbalance imbalance;
    bool mirrored;     /* the spectrum is mirrored: input samples are conjugated */
    double carrier;    /* carrier offset removed from the signal, Hz */
    double phase;      /* phase of the oscillator, turns */
    double step;       /* input samples per output sample */
    double position;   /* first tap of the next output, in samples from the start of the buffer */
    uint32_t taps;     /* taps per phase, a multiple of 16 */
    float *filter;     /* [RX_PHASES + 1][taps] */
    float *re, *im;    /* [room] the buffer: input samples after removal of the carrier offset */
    size_t history;    /* number of samples before `position` that are kept */
    size_t held, room; /* samples in the buffer; size of the buffer, which fits the longest history */
    float *scratch;    /* one chunk of samples as floats, I and Q alternating */
} rx_resampler;

enum {
    RX_PHASES = 512,
    RX_CHUNK = 4096,
    RX_BACK = 64, /* number of outputs before a sample whose filter includes that sample */
};

/* Initialises a resampler. Returns false if out of memory. With a roll-off, `occupied` is not used, and
 * rx_resampler_set_roll_off() may increase it. */
bool rx_resampler_init(rx_resampler *r, const rx_resampler_params *params);
void rx_resampler_free(rx_resampler *r);

/* Changes the matched filter for all further outputs. */
void rx_resampler_set_roll_off(rx_resampler *r, double roll_off);

/* Drops all samples; keeps carrier and clock. The next output is at the time of the next input sample; the
 * samples before it count as 0. */
void rx_resampler_reset(rx_resampler *r);

void rx_resampler_set_clock(rx_resampler *r, double ppm);
void rx_resampler_set_carrier(rx_resampler *r, double hertz);

/* Corrects the carrier also in the buffered samples; the phase of the next output changes by `turns`. */
void rx_resampler_shift(rx_resampler *r, double hertz, double turns);

/* Mirrors the spectrum, also of the buffered samples: all further outputs are conjugated. */
void rx_resampler_mirror(rx_resampler *r);

/* Sets the history length: the resampler keeps the input of the last `outputs` outputs. The maximum and
 * initial length is params.most_back. A longer history is complete only after that many further outputs; a
 * shorter history needs less time. */
void rx_resampler_keep(rx_resampler *r, uint32_t outputs);

/* Moves the next output back by `outputs` outputs. Returns false if the input samples are no longer in the
 * buffer. */
bool rx_resampler_back(rx_resampler *r, double outputs);

/* Writes samples into the buffer until it is full. Returns the number of samples written. */
size_t rx_resampler_write(rx_resampler *r, const void *samples, size_t count);

/* Reads at most `count` samples at 1/T. Returns the number of samples read. */
size_t rx_resampler_read(rx_resampler *r, float complex *out, size_t count);

#endif
