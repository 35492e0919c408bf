/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthetic test signals: reproducible uniform and Gaussian random numbers, and phasors. */
#ifndef DVBT2_TEST_SYNTHETIC_H
#define DVBT2_TEST_SYNTHETIC_H

#include <complex.h>

/* Uniform random number, 0 < x < 1. */
double uniform(void);

/* Complex Gaussian noise of mean power `power`. */
float complex noise(double power);

/* exp(2 pi i turns). */
float complex phasor(double turns);

double decibel(double ratio);

#endif
