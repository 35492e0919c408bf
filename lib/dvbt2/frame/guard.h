/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects the guard interval and measures the clock offset in the samples after a P1.
 *
 *     | guard |         useful part, N samples        |
 *     |aaaaaaa|                               |aaaaaaa|
 *      x[n]  <------------- N + lag ----------> x[n + N + lag]
 *
 * The guard interval repeats the end of its symbol. A clock offset changes the distance N by up to 4 samples
 * in 32K. The lag with the highest correlation gives the clock offset. */
#ifndef DVBT2_GUARD_H
#define DVBT2_GUARD_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/standard/parameters.h"

/* Maximum clock offset, ppm. At larger offsets, P1 is not found. */
enum { DVBT2_MOST_PPM = 2500 };

typedef struct dvbt2_guard_result {
    dvbt2_guard_interval guard;
    float correlation; /* correlation coefficient, 0 .. 1 */
    double clock_ppm;  /* real minus nominal symbol length, ppm */
    int lag;           /* distance of the correlated samples, about fft_length */
    double fraction;   /* mean carrier offset, cycles per `lag` samples */
    double drift;      /* change of `fraction` per symbol; 0 if the change is not significant */
} dvbt2_guard_result;

uint32_t dvbt2_guard_symbols(dvbt2_fft_size fft);
uint32_t dvbt2_guard_samples(dvbt2_fft_size fft);

/* Returns false if there is no guard interval. guards: bit i allows dvbt2_guard_interval i. */
bool dvbt2_guard_find(const float complex *samples, dvbt2_fft_size fft, uint8_t guards,
                      dvbt2_guard_result *result);

/* Returns the carrier offset in carrier spacings, -0.5 .. 0.5. samples[0] is the start of a guard interval,
 * of which guard_length samples are used. *deviation: standard deviation caused by noise and echoes. */
double dvbt2_guard_carrier(const float complex *samples, uint32_t fft_length, uint32_t guard_length,
                           double *deviation);

#endif
