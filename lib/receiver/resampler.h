/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Corrects carrier and clock of the received signal. Reads samples at any rate and outputs samples at 1/T,
 * where T is the elementary period of the standard.
 *
 *     samples ──> float ──> DC, image ──> oscillator ──> filter of 512 phases ──> samples at 1/T
 *                                         (carrier loop)  (clock loop)
 *
 * The filter is either a low-pass filter that selects the channel, or the matched filter of root raised
 * cosine pulses. The phase of the filter is the fractional sample position. Both loops act on samples that
 * have not been read yet, so a correction takes effect at a defined sample. */
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
    double input_rate;  /* nominal input rate in samples per second */
    double output_rate; /* output rate 1/T in samples per second */
    double occupied;    /* distance from the first to the last carrier in Hz */
    double most_ppm;    /* maximum offset of the sampling clock in ppm */
    /* maximum number of outputs for rx_resampler_back(), at least RX_BACK */
    uint32_t most_back;
    /* 0: low-pass filter; otherwise matched filter for pulses with this roll-off, whose symbol rate is
     * output_rate / 2 */
    double roll_off;
} rx_resampler_params;

typedef struct rx_resampler {
    const rx_kernels *kernels;
    rx_resampler_params params;
    /* offset of the receiver's clock from the nominal rate in ppm; positive: the clock is too fast */
    double clock_ppm;
    rx_limiter limiter;
    rx_imbalance imbalance;
    bool mirrored;   /* true: the spectrum is mirrored, so input samples are conjugated */
    double carrier;  /* carrier offset in Hz that is removed from the signal */
    double phase;    /* phase of the oscillator in turns */
    double step;     /* number of input samples per output sample */
    double position; /* position of the next output's first tap in the buffer, in samples */
    uint32_t taps;   /* number of taps per phase, a multiple of 16 */
    float *filter;   /* coefficients [RX_PHASES + 1][taps] */
    float *re, *im;  /* buffer for `room` input samples; the carrier offset has been removed from them */
    size_t history;  /* number of samples before `position` that are kept */
    /* number of samples in the buffer; size of the buffer, sufficient for the longest history */
    size_t held, room;
    float *scratch; /* one chunk of samples as floats, I and Q alternating */
} rx_resampler;

enum {
    RX_PHASES = 512,
    RX_CHUNK = 4096,
    RX_BACK = 64, /* number of outputs before a sample whose filters include this sample */
};

/* Initialises a resampler. Returns false if out of memory. With a roll-off, `occupied` is not used, and
 * rx_resampler_set_roll_off() may later select a roll-off that is not smaller. */
bool rx_resampler_init(rx_resampler *r, const rx_resampler_params *params);
void rx_resampler_free(rx_resampler *r);

/* Changes the matched filter for all further outputs. The filter gets shorter if the roll-off is larger. */
void rx_resampler_set_roll_off(rx_resampler *r, double roll_off);

/* Drops all samples, but keeps the corrections of carrier and clock. The next output is at the time of the
 * next input sample; all earlier samples count as 0. */
void rx_resampler_reset(rx_resampler *r);

void rx_resampler_set_clock(rx_resampler *r, double ppm);
void rx_resampler_set_carrier(rx_resampler *r, double hertz);

/* Corrects the carrier, also in the samples that are already in the buffer. The phase of the next output
 * changes by `turns`. */
void rx_resampler_shift(rx_resampler *r, double hertz, double turns);

/* Mirrors the spectrum, also for the samples that are already in the buffer. All further outputs are
 * conjugated. */
void rx_resampler_mirror(rx_resampler *r);

/* Sets the length of the history: the resampler keeps the input of the last `outputs` outputs.
 * params.most_back is the initial and the maximum length. After an increase, the history becomes complete
 * only with later outputs. A shorter history saves processing time. */
void rx_resampler_keep(rx_resampler *r, uint32_t outputs);

/* Goes back by `outputs` outputs, so that they are output again. Returns false if their input samples are no
 * longer in the buffer. */
bool rx_resampler_back(rx_resampler *r, double outputs);

/* Writes samples into the buffer until it is full. Returns the number of samples written. */
size_t rx_resampler_write(rx_resampler *r, const void *samples, size_t count);

/* Reads at most `count` samples at 1/T. Returns the number of samples read. */
size_t rx_resampler_read(rx_resampler *r, float complex *out, size_t count);

#endif
