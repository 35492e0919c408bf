/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects and subtracts tones that are far stronger than the carriers around them, for example spurs of the
 * tuner and carriers of analogue transmitters.
 *
 * In a transform without window, a tone between two bins leaks into all bins as 1 / d^2. The tone is fitted
 * to the bins around its peak, with the data as noise, and subtracted from all bins. Its residue in the two
 * nearest bins is about the power of one cell. */
#ifndef DVBT2_TONES_H
#define DVBT2_TONES_H

#include <complex.h>
#include <stdint.h>

enum { DVBT2_MOST_TONES = 32 };

typedef struct dvbt2_tone {
    double bin;        /* frequency of the tone in bins */
    float power;       /* mean power of the surrounding bins */
    float slow, steep; /* The residue at distance d, relative to `power`, is slow / d^2 + steep / d^4. */
} dvbt2_tone;

/* Subtracts tones from the transform of `length` samples. The samples were rotated to the left by `rotation`
 * before the transform. length: a power of two, at least 1024. Returns the number of tones. Tones are sorted
 * by descending power. */
uint32_t dvbt2_remove_tones(float complex *bins, uint32_t length, uint32_t rotation,
                            dvbt2_tone tone[DVBT2_MOST_TONES]);

/* Returns the mean power of a tone's residue on a bin at this distance from the tone. */
float dvbt2_tone_left(const dvbt2_tone *tone, double distance);

#endif
