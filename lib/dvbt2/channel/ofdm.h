/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts the samples of a symbol to its active carriers.
 *
 * Paths up to half a guard interval before or after the middle cause no inter-symbol interference:
 *
 *     path in the middle    | guard     | useful part                 |
 *     window                      |<--------- fft_length -------->|
 *                                 |<--->| time_zero, unless the impulse response lies elsewhere
 *
 * The window is rotated so that the transform starts at time 0. */
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
    int32_t time_zero; /* number of samples from the start of the window to time 0 */
    uint32_t carriers, first_bin;
    /* mean noise power outside the band in the last symbol */
    float outside;
    /* noise caused by blanking, relative to the mean power of the carriers */
    float lost;
    /* subtracted tones; bin 0 is carrier 0 */
    uint32_t n_tones;
    dvbt2_tone tone[DVBT2_MOST_TONES];
    float complex *in, *out;
    float *power;
    fftwf_plan plan;
} dvbt2_ofdm;

/* Returns false if out of memory. */
bool dvbt2_ofdm_init(dvbt2_ofdm *ofdm, const dvbt2_parameters *parameters);
void dvbt2_ofdm_free(dvbt2_ofdm *ofdm);

/* Returns the number of samples from the start of the guard interval to the FFT window. */
static inline uint32_t dvbt2_ofdm_window(const dvbt2_parameters *parameters)
{
    return parameters->guard_length - parameters->guard_length / 2;
}

/* Transforms one symbol. shift: carrier offset, bins. Sets noise bursts and silent parts to zero, then
 * restores the mean amplitude. */
void dvbt2_ofdm_transform(dvbt2_ofdm *ofdm, const float complex *window, int shift, float complex *carriers);

#endif
