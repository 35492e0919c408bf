/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts samples at any rate to symbols: spectral centring, matched filter and interpolator, timing
 * recovery.
 *
 *     samples ──> oscillator ──> matched filter, two samples per symbol ──> every second one: symbols
 *                     │                    │                └── timing line ──┐
 *                centre of the spectrum    └──────────── clock, timing <──────┘
 *
 * Before the first symbol is output, frequency, clock and timing are measured. Then the same samples are
 * filtered again with the measured values. The symbol rate is known within 250 ppm. */
#ifndef DVBS2_FRONT_END_H
#define DVBS2_FRONT_END_H

#include "receiver/resampler.h"

typedef struct dvbs2_front_end_params {
    ldpc_sample_format format;
    double sample_rate, symbol_rate; /* in Hz */
    double roll_off;                 /* 0: unknown */
} dvbs2_front_end_params;

/* With two samples per symbol, at times 0, 1/2, 1 ..., the power of a sample is 1 + a cos(2 pi (t - timing)),
 * and the products of adjacent samples vary in the same way. Summing these values with alternating signs
 * gives a spectral line, a exp(2 pi i timing), relative to the power. */
typedef struct dvbs2_front_end {
    dvbs2_front_end_params params;
    rx_resampler resampler;
    bool running;         /* whether frequency and timing have been measured */
    double complex line;  /* average timing line */
    double roll_off;      /* roll-off of the matched filter */
    float complex *pairs; /* samples of a block, two samples per symbol */
    double first_carrier; /* carrier offset of the first measurement, in Hz */
    double turned, phase; /* sum of later changes of the oscillator, in radians per symbol, by which symbols
                           * are rotated back, so that their carrier offset is continuous; phase for the next
                           * symbol */
    double change;        /* change of the oscillator that does not affect the symbols yet */
    double change_in;     /* number of symbols until it affects them */
} dvbs2_front_end;

/* Returns false if there is not enough memory. */
bool dvbs2_front_end_init(dvbs2_front_end *front, const dvbs2_front_end_params *params);
void dvbs2_front_end_free(dvbs2_front_end *front);

/* Measures frequency and timing again, using the next samples. */
void dvbs2_front_end_restart(dvbs2_front_end *front);

/* Writes samples. Returns how many samples were accepted. If this is less than `count`, symbols must be read
 * first. */
size_t dvbs2_front_end_write(dvbs2_front_end *front, const void *samples, size_t count);

enum { DVBS2_TIMING_BLOCK = 256 }; /* symbols per read */

/* Reads DVBS2_TIMING_BLOCK symbols. Returns false if more samples are needed. */
bool dvbs2_front_end_read(dvbs2_front_end *front, float complex *symbols);

/* Returns the number of symbols whose samples were written, but which were not read yet. */
double dvbs2_front_end_pending(const dvbs2_front_end *front);

/* Changes the oscillator frequency for the next samples, in radians per symbol. The carrier offset of the
 * symbols does not change. Returns false, without effect, until the previous change has reached the symbols. */
bool dvbs2_front_end_retune(dvbs2_front_end *front, double change);

#endif
