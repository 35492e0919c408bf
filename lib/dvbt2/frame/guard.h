/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects the guard interval and measures the clock offset in the samples after a P1.
 *
 *     | guard |         useful part, N samples        |
 *     |aaaaaaa|                               |aaaaaaa|
 *      x[n]  <------------- N + lag ----------> x[n + N + lag]
 *
 * The guard interval repeats the end of its symbol: x[n] and x[n + N] differ only by the rotation of the
 * carrier offset. With a clock offset, the distance is N (1 + offset), which differs from N by up to 4
 * samples in 32K. The lag with the highest correlation gives the clock offset. */
#ifndef DVBT2_GUARD_H
#define DVBT2_GUARD_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/standard/parameters.h"

/* Maximum clock offset in ppm. Nominal sample rates may be wrong by up to 0.2 %. With a larger clock offset,
 * P1 is not found. */
enum { DVBT2_MOST_PPM = 2500 };

typedef struct dvbt2_guard_result {
    dvbt2_guard_interval guard;
    float correlation; /* correlation coefficient, 0 .. 1 */
    double clock_ppm;  /* difference between the real and the nominal symbol length in ppm */
    int lag;           /* distance in samples between the correlated samples, about fft_length */
    double fraction;   /* carrier offset in cycles per `lag` samples, -0.5 .. 0.5 */
} dvbt2_guard_result;

/* Returns the number of symbols that are searched; returns the number of samples that are needed after P1. */
uint32_t dvbt2_guard_symbols(dvbt2_fft_size fft);
uint32_t dvbt2_guard_samples(dvbt2_fft_size fft);

/* Finds the guard interval. guards: bit i allows dvbt2_guard_interval i. Returns false if all correlations
 * are too low. */
bool dvbt2_guard_find(const float complex *samples, dvbt2_fft_size fft, uint8_t guards,
                      dvbt2_guard_result *result);

/* Returns the carrier offset in carrier spacings, -0.5 .. 0.5. It is measured on the first guard_length
 * samples of a symbol's guard interval, which starts at samples[0]. *deviation: standard deviation of the
 * offset due to noise and echoes. */
double dvbt2_guard_carrier(const float complex *samples, uint32_t fft_length, uint32_t guard_length,
                           double *deviation);

#endif
