/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that add interferers to samples. Rate and frequencies are in Hz; the power of an interferer is
 * the square of its amplitude. */
#ifndef DVBT2_TEST_INTERFERERS_H
#define DVBT2_TEST_INTERFERERS_H

#include <complex.h>
#include <stdint.h>

/* Adds a tone of random phase. */
void interferer_tone(float complex *samples, uint32_t count, double rate, double frequency, double amplitude);

/* Adds a carrier that is frequency-modulated by noise. `deviation` is its rms value in Hz. */
void interferer_fm(float complex *samples, uint32_t count, double rate, double frequency, double deviation,
                   double amplitude);

/* Adds noise with a bandwidth of about 12.5 kHz. */
void interferer_narrow(float complex *samples, uint32_t count, double rate, double frequency,
                       double amplitude);

/* Adds a PAL signal with sound in the middle of the channel. `amplitude` is the rms value of the picture
 * carrier with its sidebands. */
void interferer_pal(float complex *samples, uint32_t count, double rate, double amplitude);

#endif
