/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds interferers. Rates and frequencies are in Hz. The power is the square of the amplitude. */
#ifndef DVBT2_TEST_INTERFERERS_H
#define DVBT2_TEST_INTERFERERS_H

#include <complex.h>
#include <stdint.h>

/* Adds a tone of random phase. */
void interferer_tone(float complex *samples, uint32_t count, double rate, double frequency, double amplitude);

/* Adds a carrier that is frequency-modulated with noise. deviation: rms, Hz. */
void interferer_fm(float complex *samples, uint32_t count, double rate, double frequency, double deviation,
                   double amplitude);

void interferer_narrow(float complex *samples, uint32_t count, double rate, double frequency,
                       double amplitude);

/* Adds a PAL signal whose sound carrier is in the middle of the channel. amplitude: rms of the picture
 * carrier and its sidebands. */
void interferer_pal(float complex *samples, uint32_t count, double rate, double amplitude);

#endif
