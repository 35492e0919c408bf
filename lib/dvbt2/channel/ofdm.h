/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demodulates OFDM: converts the samples of one symbol to its active carriers.
 *
 * The FFT window starts half a guard interval before the useful part of a path in the middle of the guard
 * interval's tolerance. Paths up to half a guard interval earlier or later cause no inter-symbol
 * interference:
 *
 *     path in the middle    | guard     | useful part                 |
 *     window                      |<--------- fft_length -------->|
 *                                 |<--->| time_zero, unless the impulse response lies elsewhere
 *
 * Delays count from time 0, which can be anywhere: the samples of the window are rotated so that the
 * transform starts there. Interpolation over frequency works best with the impulse response centred on time
 * 0. */
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
    int32_t time_zero; /* samples from the start of the window to time 0 */
    uint32_t carriers, first_bin;
    float outside; /* mean power of the last symbol in the bins outside the band, which contain only noise */
    /* noise on a carrier that blanking has added to the last symbol, relative to the mean power of the
     * carriers */
    float lost;
    /* number of tones subtracted from the last symbol; tone[i].bin = 0 is carrier 0 */
    uint32_t n_tones;
    dvbt2_tone tone[DVBT2_MOST_TONES];
    float complex *in, *out;
    float *power; /* power of each block of samples in the window */
    fftwf_plan plan;
} dvbt2_ofdm;

/* Returns false if out of memory. */
bool dvbt2_ofdm_init(dvbt2_ofdm *ofdm, const dvbt2_parameters *parameters);
void dvbt2_ofdm_free(dvbt2_ofdm *ofdm);

/* Returns the number of samples between the start of the guard interval and the start of the window, for the
 * middle path. */
static inline uint32_t dvbt2_ofdm_window(const dvbt2_parameters *parameters)
{
    return parameters->guard_length - parameters->guard_length / 2;
}

/* Transforms one symbol. shift: frequency offset of the carriers in bins. Bursts far above the signal and
 * runs of zeros are blanked; the mean amplitude of the carriers does not change. */
void dvbt2_ofdm_transform(dvbt2_ofdm *ofdm, const float complex *window, int shift, float complex *carriers);

#endif
