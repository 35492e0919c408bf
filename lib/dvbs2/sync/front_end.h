/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples at any rate to symbols: spectral centring, matched filter and interpolator, timing recovery.
 *
 *     samples ──> oscillator ──> matched filter, two samples per symbol ──> every second one: symbols
 *                     │                    │                └── timing line ──┐
 *                centre of the spectrum    └──────────── clock, timing <──────┘
 *
 * The first symbols are measured before any is output, and filtered again with the measured frequency, clock
 * and timing. The symbol rate is known up to `MOST_PPM`. */
#ifndef DVBS2_FRONT_END_H
#define DVBS2_FRONT_END_H

#include "receiver/resampler.h"

typedef struct dvbs2_front_end_params {
    ldpc_sample_format format;
    double sample_rate, symbol_rate, offset; /* Hz; offset: expected frequency of the carrier */
    double roll_off;                         /* 0: unknown */
} dvbs2_front_end_params;

/* Two samples per symbol at times 0, 1/2, 1 ... have a power of 1 + a cos(2 pi (t - timing)), and so have
 * the products of adjacent samples: the sum of their alternating values is a line a exp(2 pi i timing), relative to
 * the power. */
typedef struct dvbs2_front_end {
    dvbs2_front_end_params params;
    rx_resampler resampler;
    bool running;         /* frequency and timing have been measured */
    double complex line;  /* mean timing line */
    double roll_off;      /* of the matched filter */
    float complex *pairs; /* samples of a block, two per symbol */
    double first_carrier; /* carrier offset measured first, Hz */
    double corrected;     /* later changes of the oscillator, radians per symbol. Symbols are turned back by
                             them: their carrier offset is continuous */
    double turned,
        phase;        /* frequency by which symbols are turned back, radians per symbol; phase of the next */
    double change;    /* change of the oscillator that has not reached the symbols yet */
    double change_in; /* symbols until it does */
} dvbs2_front_end;

/* Returns false if out of memory. */
bool dvbs2_front_end_init(dvbs2_front_end *front, const dvbs2_front_end_params *params);
void dvbs2_front_end_free(dvbs2_front_end *front);

/* Measures frequency and timing again, in the next samples. */
void dvbs2_front_end_restart(dvbs2_front_end *front);

/* Writes samples. Returns the number taken: less than `count` if symbols have to be read first. */
size_t dvbs2_front_end_write(dvbs2_front_end *front, const void *samples, size_t count);

enum { DVBS2_TIMING_BLOCK = 256 }; /* symbols per read */

/* Reads DVBS2_TIMING_BLOCK symbols. Returns false if more samples are needed. */
bool dvbs2_front_end_read(dvbs2_front_end *front, float complex *symbols);

/* Returns the number of symbols whose samples have been written but not read. */
double dvbs2_front_end_pending(const dvbs2_front_end *front);

/* Changes the oscillator for the next samples, radians per symbol; the symbols keep their carrier offset. No
 * effect while another change is on its way. */
void dvbs2_front_end_retune(dvbs2_front_end *front, double change);

#endif
