/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Corrects carrier and clock: samples at any rate to samples at 1/T (T: elementary period).
 *
 *     samples ──> float ──> DC, image ──> oscillator ──> filter of 512 phases ──> samples at 1/T
 *                                         (carrier loop)  (clock loop)
 *
 * The filter is a low-pass filter, or a matched filter for root raised cosine pulses. The fractional sample
 * position selects its phase. */
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
    double occupied;    /* occupied bandwidth, from the first to the last carrier, Hz */
    double most_ppm;    /* maximum clock offset, ppm */
    /* maximum number of outputs for rx_resampler_back(), at least RX_BACK */
    uint32_t most_back;
    /* roll-off of the matched filter for two samples per symbol; 0: low-pass filter */
    double roll_off;
} rx_resampler_params;

typedef struct rx_resampler {
    const rx_kernels *kernels;
    rx_resampler_params params;
    /* offset of the receiver's clock, ppm; positive: fast */
    double clock_ppm;
    rx_limiter limiter;
    rx_imbalance imbalance;
    bool mirrored;   /* true: the spectrum is mirrored, so the input is conjugated */
    double carrier;  /* Hz */
    double drift;    /* change of `carrier`, Hz/s */
    double phase;    /* phase of the oscillator, turns */
    double step;     /* number of input samples per output sample */
    double position; /* samples */
    uint32_t taps;   /* number of taps per phase, a multiple of 16 */
    float *filter;   /* coefficients [RX_PHASES + 1][taps] */
    float *re, *im;  /* input after carrier correction */
    /* number of samples kept before `position` */
    size_t history;
    /* number of samples; capacity */
    size_t held, room;
    float *scratch; /* a chunk of input as floats; I and Q alternate */
} rx_resampler;

enum {
    RX_PHASES = 512,
    RX_CHUNK = 4096,
    RX_BACK = 64, /* outputs affected by a sample */
};

/* Returns false if out of memory. `occupied` is ignored with a roll-off. */
bool rx_resampler_init(rx_resampler *r, const rx_resampler_params *params);
void rx_resampler_free(rx_resampler *r);

/* Changes the matched filter of later outputs. */
void rx_resampler_set_roll_off(rx_resampler *r, double roll_off);

/* Drops all samples, but keeps the corrections. */
void rx_resampler_reset(rx_resampler *r);

void rx_resampler_set_clock(rx_resampler *r, double ppm);
void rx_resampler_set_carrier(rx_resampler *r, double hertz);

/* Adds `hertz` to the carrier frequency of later outputs, `drift` (Hz/s) to its drift, and `turns` (cycles)
 * to the phase of the next output. */
void rx_resampler_shift(rx_resampler *r, double hertz, double drift, double turns);

/* Mirrors the spectrum of all later outputs. */
void rx_resampler_mirror(rx_resampler *r);

/* Keeps the input for rx_resampler_back(): `outputs` outputs, at most params.most_back. */
void rx_resampler_keep(rx_resampler *r, uint32_t outputs);

/* Steps back by `outputs` outputs. Returns false if the input is no longer stored. */
bool rx_resampler_back(rx_resampler *r, double outputs);

/* Returns the number of written samples. */
size_t rx_resampler_write(rx_resampler *r, const void *samples, size_t count);

/* Reads at most `count` samples at rate 1/T. Returns the number of read samples. */
size_t rx_resampler_read(rx_resampler *r, float complex *out, size_t count);

#endif
