/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which guard interval a signal has, and how fast its clock is, from the samples behind a P1.
 *
 * The guard interval repeats the end of its symbol: x[n] and x[n + N] are equal but for the turn of the
 * carrier. With a wrong clock the distance is not N but N (1 + error), up to 4 samples more or less in 32K:
 * the lag with the largest correlation tells the clock offset. */
#ifndef DVBT2_GUARD_H
#define DVBT2_GUARD_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/standard/parameters.h"

/* Largest offset of the sampling clock, ppm. Stated rates are up to 0.2 % wrong; with more, P1 is not found. */
enum { DVBT2_MOST_PPM = 2500 };

typedef struct dvbt2_guard_result {
    dvbt2_guard_interval guard;
    float correlation; /* 0 .. 1 */
    double clock_ppm;  /* how much too long the symbols are, millionths */
    int lag;           /* samples between the halves that were compared: fft_length and a few more or less */
    double fraction;   /* carrier offset in turns per `lag` samples, -0.5 .. 0.5 */
} dvbt2_guard_result;

/* Symbols that are looked at, and the samples that takes, from the end of P1 on. */
uint32_t dvbt2_guard_symbols(dvbt2_fft_size fft);
uint32_t dvbt2_guard_samples(dvbt2_fft_size fft);

/* guards: candidates, bit i is dvbt2_guard_interval i. False: none of them stands out. */
bool dvbt2_guard_find(const float complex *samples, dvbt2_fft_size fft, uint8_t guards,
                      dvbt2_guard_result *result);

/* Carrier offset in carriers, -0.5 .. 0.5, from the first guard_length samples of a symbol's guard interval, which starts at samples[0]. *deviation: the
 * standard deviation that noise and echoes give it. */
double dvbt2_guard_carrier(const float complex *samples, uint32_t fft_length, uint32_t guard_length,
                           double *deviation);

#endif
