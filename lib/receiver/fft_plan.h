/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FFTW's planner is not thread-safe. */
#ifndef RX_FFT_PLAN_H
#define RX_FFT_PLAN_H

#include <complex.h>
#include <fftw3.h>

/* Plans an FFT; both arrays are overwritten. sign: FFTW_FORWARD or FFTW_BACKWARD. Returns NULL if out of
 * memory. */
fftwf_plan rx_fft_plan(int length, float complex *in, float complex *out, int sign);
/* As rx_fft_plan(), but measures which plan is fastest. This takes 0.1 s or more for each length, and is twice as fast later
 * for lengths of 8192 or more. */
fftwf_plan rx_fft_plan_fast(int length, float complex *in, float complex *out, int sign);
void rx_fft_destroy(fftwf_plan plan); /* NULL is allowed */

#endif
