/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FFTW plans. Its planner is the one part of it that two threads must not use at a time. */
#ifndef RX_FFT_PLAN_H
#define RX_FFT_PLAN_H

#include <complex.h>
#include <fftw3.h>

/* sign: FFTW_FORWARD or FFTW_BACKWARD. NULL: out of memory. The arrays keep no content. */
fftwf_plan rx_fft_plan(int length, float complex *in, float complex *out, int sign);
void rx_fft_destroy(fftwf_plan plan); /* NULL is allowed */

#endif
