/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generators for test signals: uniform and Gaussian random numbers, which are the same in every run, and
 * phasors. */
#ifndef DVBT2_TEST_SYNTHETIC_H
#define DVBT2_TEST_SYNTHETIC_H

#include <complex.h>

/* Uniform random number, 0 < x < 1. */
double uniform(void);

/* Returns complex Gaussian noise with the mean power `power`. */
float complex noise(double power);

/* exp(2 pi i turns). */
float complex phasor(double turns);

/* Weights of the 2 * half samples around a point for its value: a sinc function with a Hann window. The point
 * is `part` of a sample, 0 <= part < 1, after sample half - 1. */
void interpolation_weights(double part, int half, float *weights);

double decibel(double ratio);

#endif
