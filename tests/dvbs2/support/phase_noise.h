/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phase noise of a low-cost LNB: -25, -50, -73, -93, -103 and -114 dBc/Hz at 100 Hz, 1, 10, 100 kHz, 1 and 10 MHz;
 * constant below 10 Hz. White noise passes a cascade of filters, each with one pole and one zero. */
#ifndef DVBS2_TEST_PHASE_NOISE_H
#define DVBS2_TEST_PHASE_NOISE_H

#include <complex.h>
#include <stddef.h>

enum { PHASE_NOISE_SECTIONS = 20 };

typedef struct phase_noise {
    size_t count; /* number of filters */
    double scale; /* standard deviation of the white noise */
    double pole[PHASE_NOISE_SECTIONS], zero[PHASE_NOISE_SECTIONS], last[PHASE_NOISE_SECTIONS];
} phase_noise;

void phase_noise_start(phase_noise *p, double symbol_rate);

/* Returns the phase of the next symbol in radians. */
double phase_noise_next(phase_noise *p);

void phase_noise_apply(phase_noise *p, float complex *symbols, size_t count);

#endif
