/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds interferers to samples of a given rate. Rate and frequencies are in Hz; the power of each interferer
 * is its squared amplitude. */
#ifndef DVBT2_TEST_INTERFERERS_H
#define DVBT2_TEST_INTERFERERS_H

#include <complex.h>
#include <stdint.h>

/* A tone of random phase. */
void interferer_tone(float complex *samples, uint32_t count, double rate, double frequency, double amplitude);

/* A carrier frequency-modulated by noise; deviation: rms, Hz. */
void interferer_fm(float complex *samples, uint32_t count, double rate, double frequency, double deviation,
                   double amplitude);

/* Noise about 12.5 kHz wide. */
void interferer_narrow(float complex *samples, uint32_t count, double rate, double frequency,
                       double amplitude);

/* PAL with sound in the middle of the channel; amplitude: rms of picture carrier and sidebands. */
void interferer_pal(float complex *samples, uint32_t count, double rate, double amplitude);

#endif
