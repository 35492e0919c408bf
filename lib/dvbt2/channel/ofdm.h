/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One OFDM symbol from samples to active carriers.
 *
 * The window starts half a guard interval before the useful part of a path in the middle of the guard interval's
 * tolerance, so that paths half a guard interval earlier or later still have all of their symbol in it:
 *
 *     path in the middle    | guard     | useful part                 |
 *     window                      |<--------- fft_length -------->|
 *                                 |<--->| time_zero, unless the impulse response lies elsewhere
 *
 * Time 0, from which delays count, can be anywhere: the samples of the window are rotated so that the transform begins
 * with it. Interpolation over frequency is best when the impulse response lies evenly around time 0. */
#ifndef DVBT2_OFDM_H
#define DVBT2_OFDM_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <fftw3.h>

#include "dvbt2/standard/parameters.h"
#include "dvbt2/channel/tones.h"

typedef struct dvbt2_ofdm {
    uint32_t length;
    int32_t time_zero; /* samples from the window's start to time 0 */
    uint32_t carriers, first_bin;
    float outside; /* mean power of bins beside the active carriers in the last symbol: noise */
    float
        lost; /* noise that blanked samples leave on each carrier of the last symbol, over the carriers' mean power */
    uint32_t n_tones; /* that were subtracted from the last symbol; their bins count from carrier 0 */
    dvbt2_tone tone[DVBT2_MOST_TONES];
    float complex *in, *out;
    float *power; /* of blocks of samples of the window */
    fftwf_plan plan;
} dvbt2_ofdm;

/* false: out of memory. */
bool dvbt2_ofdm_init(dvbt2_ofdm *ofdm, const dvbt2_parameters *parameters);
void dvbt2_ofdm_free(dvbt2_ofdm *ofdm);

/* Samples from the start of a symbol's guard interval, on the path in the middle, to the start of the window.
 */
static inline uint32_t dvbt2_ofdm_window(const dvbt2_parameters *parameters)
{
    return parameters->guard_length - parameters->guard_length / 2;
}

/* shift: bins by which the carriers lie higher than they should. Samples of impulses and bursts far above the signal, and runs of
 * zeros, are blanked; the carriers keep their mean amplitude. */
void dvbt2_ofdm_transform(dvbt2_ofdm *ofdm, const float complex *window, int shift, float complex *carriers);

#endif
