/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops that the time of a receiver goes into. */
#ifndef DVBT2_KERNELS_H
#define DVBT2_KERNELS_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

/* Polyphase low-pass: `count` outputs, I and Q alternating, the first one with its first tap at `position` of
 * re and im, the others `step` apart. filter has DVBT2_PHASES + 1 rows of `taps`, a multiple of 16. Returns
 * the position of the next output. */
double dvbt2_resample(const float *re, const float *im, const float *filter, uint32_t taps, double position,
                      double step, float *out, size_t count);

/* out[k] = sum over t of taps[t * width + k] * in[t]: `width` carriers from n grid points. */
void dvbt2_interpolate(const float complex *in, const float *taps, uint32_t n, uint32_t width,
                       float complex *out);

#endif
