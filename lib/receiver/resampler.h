/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carrier and clock of the receiver: samples of any rate in, samples of the elementary period T out.
 *
 *     samples ──> float ──> DC, image ──> oscillator ──> low-pass of 512 phases ──> samples at 1/T
 *                                         (carrier loop)  (clock loop)
 *
 * The low-pass selects the channel, and its phase gives the fraction of a sample. Both loops act on samples
 * that have not been read yet, so that a correction holds from one sample on. */
#ifndef DVBT2_RESAMPLER_H
#define DVBT2_RESAMPLER_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "receiver/imbalance.h"
#include "receiver/kernels.h"
#include "receiver/limiter.h"
#include "ldpc/dvbt2.h"

typedef struct dvbt2_resampler {
    const dvbt2_kernels *kernels;
    dvbt2_format format;
    double input_rate;  /* nominal, samples per second */
    double output_rate; /* 1/T, samples per second */
    double clock_ppm;   /* the receiver's clock is so much faster than its nominal rate */
    dvbt2_limiter limiter;
    dvbt2_imbalance imbalance;
    bool mirrored;     /* the conjugate samples are taken */
    double carrier;    /* Hz, taken out of the signal */
    double phase;      /* of the oscillator, in turns */
    double step;       /* input samples per output sample */
    double position;   /* of the next output's first tap, in samples from the start of the buffer */
    uint32_t taps;     /* per phase, a multiple of 16 */
    float *filter;     /* DVBT2_PHASES + 1 rows of taps */
    float *re, *im;    /* the buffer: the samples that are still needed, carrier taken out */
    size_t history;    /* samples behind the position that are kept */
    size_t held, room; /* samples in the buffer, and its size, which is enough for the longest history */
    float *scratch;    /* one chunk as floats, I and Q alternating */
} dvbt2_resampler;

enum {
    DVBT2_PHASES = 512,
    DVBT2_CHUNK = 4096,
    DVBT2_MOST_PPM =
        2500, /* largest offset of the sampling clock. Stated rates are up to 0.2 % wrong: P1 is not found beyond */
    /* Outputs that can be had again: */
    DVBT2_MOST_BACK = 8192, /* a P1, what its search takes behind it, and some before */
    DVBT2_BACK = 64,        /* those whose filter needs samples that follow */
};

/* occupied: bandwidth of the outermost carriers, Hz. false: out of memory. */
bool dvbt2_resampler_init(dvbt2_resampler *r, dvbt2_format format, double input_rate, double output_rate,
                          double occupied);
void dvbt2_resampler_free(dvbt2_resampler *r);

/* Forget all samples; carrier and clock stay. The first output is at the time of the next sample, before which there
 * is silence. */
void dvbt2_resampler_reset(dvbt2_resampler *r);

void dvbt2_resampler_set_clock(dvbt2_resampler *r, double ppm);
void dvbt2_resampler_set_carrier(dvbt2_resampler *r, double hertz);

/* Correct the carrier also in the samples that are held: by `turns` in the next output. */
void dvbt2_resampler_shift(dvbt2_resampler *r, double hertz, double turns);

/* Mirror the spectrum, also of the samples that are held: the outputs are the conjugates of what they would be. */
void dvbt2_resampler_mirror(dvbt2_resampler *r);

/* From now on so many outputs, DVBT2_MOST_BACK at most and at first, can be had again: as far as their samples are there
 * still, and all of them once so many have been read. Few of them cost less time. */
void dvbt2_resampler_keep(dvbt2_resampler *r, uint32_t outputs);

/* The next output is so many outputs earlier. false: the samples for it are not there any more. */
bool dvbt2_resampler_back(dvbt2_resampler *r, double outputs);

/* Take samples while there is room for them; how many were taken. */
size_t dvbt2_resampler_write(dvbt2_resampler *r, const void *samples, size_t count);

/* At most count samples at 1/T; how many there were. */
size_t dvbt2_resampler_read(dvbt2_resampler *r, float complex *out, size_t count);

#endif
