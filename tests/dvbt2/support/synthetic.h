/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reproducible random numbers, noise and phasors. */
#ifndef DVBT2_TEST_SYNTHETIC_H
#define DVBT2_TEST_SYNTHETIC_H

#include <complex.h>
#include <stdint.h>

/* Uniform random number, 0 < x < 1. */
double uniform(void);

/* Starts another random sequence. */
void reseed(uint32_t number);

/* Returns complex Gaussian noise. power: mean power. */
float complex noise(double power);

/* exp(2 pi i turns). */
float complex phasor(double turns);

/* Computes the weights of 2 * half samples (sinc with a Hann window) for the position half - 1 + part, 0 <=
 * part < 1. */
void interpolation_weights(double part, int half, float *weights);

double decibel(double ratio);

#endif
