/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carrier and clock of the receiver: samples of any rate in, samples of the standard's period T out.
 *
 *     samples ──> float ──> DC, image ──> oscillator ──> low-pass of 512 phases ──> samples at 1/T
 *                                         (carrier loop)  (clock loop)
 *
 * The low-pass selects the channel, and its phase gives the fraction of a sample. Both loops act on samples
 * that have not been read yet, so that a correction holds from one sample on. */
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
    double occupied;    /* bandwidth of the outermost carriers, Hz */
    double most_ppm;    /* largest offset of the sampling clock */
    uint32_t most_back; /* outputs that rx_resampler_back() can step back, RX_BACK at least */
} rx_resampler_params;

typedef struct rx_resampler {
    const rx_kernels *kernels;
    rx_resampler_params params;
    double clock_ppm; /* offset of the receiver's clock from its nominal rate, positive if it is faster */
    rx_limiter limiter;
    rx_imbalance imbalance;
    bool mirrored;     /* the conjugate samples are taken */
    double carrier;    /* Hz, taken out of the signal */
    double phase;      /* of the oscillator, in turns */
    double step;       /* input samples per output sample */
    double position;   /* of the next output's first tap, in samples from the start of the buffer */
    uint32_t taps;     /* per phase, a multiple of 16 */
    float *filter;     /* RX_PHASES + 1 rows of taps */
    float *re, *im;    /* the buffer: the samples that are still needed, carrier taken out */
    size_t history;    /* samples behind the position that are kept */
    size_t held, room; /* samples in the buffer, and its size, which is enough for the longest history */
    float *scratch;    /* one chunk as floats, I and Q alternating */
} rx_resampler;

enum {
    RX_PHASES = 512,
    RX_CHUNK = 4096,
    RX_BACK = 64, /* outputs whose filter needs samples that follow */
};

/* false: out of memory. */
bool rx_resampler_init(rx_resampler *r, const rx_resampler_params *params);
void rx_resampler_free(rx_resampler *r);

/* Forget all samples; carrier and clock stay. The first output is at the time of the next sample, before which there
 * is silence. */
void rx_resampler_reset(rx_resampler *r);

void rx_resampler_set_clock(rx_resampler *r, double ppm);
void rx_resampler_set_carrier(rx_resampler *r, double hertz);

/* Correct the carrier also in the samples that are held: by `turns` in the next output. */
void rx_resampler_shift(rx_resampler *r, double hertz, double turns);

/* Mirror the spectrum, also of the samples that are held: the outputs are the conjugates of what they would be. */
void rx_resampler_mirror(rx_resampler *r);

/* From now on keep the input for `outputs` outputs before the next one, params.most_back at most and at first. All of them are there
 * once as many have been read. Few of them cost less time. */
void rx_resampler_keep(rx_resampler *r, uint32_t outputs);

/* The next output is so many outputs earlier. false: the samples for it are not there any more. */
bool rx_resampler_back(rx_resampler *r, double outputs);

/* Take samples while there is room for them; how many were taken. */
size_t rx_resampler_write(rx_resampler *r, const void *samples, size_t count);

/* At most count samples at 1/T; how many there were. */
size_t rx_resampler_read(rx_resampler *r, float complex *out, size_t count);

#endif
