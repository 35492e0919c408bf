/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tones far stronger than the carriers around them: spurs of a tuner, carriers of analogue transmitters.
 *
 * A tone between two bins of a transform without window leaks into all bins, 1 / d^2 at a distance of d. So it is fitted to
 * the bins around its peak, where data are noise beside it, and subtracted from all of them. The residue is about the power
 * of one cell, in the two bins beside the tone. */
#ifndef DVBT2_TONES_H
#define DVBT2_TONES_H

#include <complex.h>
#include <stdint.h>

enum { DVBT2_MOST_TONES = 32 };

typedef struct dvbt2_tone {
    double bin;        /* frequency; 0 is bin 0 */
    float power;       /* mean power of the bins around it */
    float slow, steep; /* left on a bin at distance d, over that power: slow / d^2 + steep / d^4 */
} dvbt2_tone;

/* Subtracts tones from the transform of `length` samples, a power of two from 1024 on, that were rotated to the left by
 * `rotation` before. Returns how many there were, the strongest first. */
uint32_t dvbt2_remove_tones(float complex *bins, uint32_t length, uint32_t rotation,
                            dvbt2_tone tone[DVBT2_MOST_TONES]);

/* Mean power that is left of a tone at a distance in bins. */
float dvbt2_tone_left(const dvbt2_tone *tone, double distance);

#endif
