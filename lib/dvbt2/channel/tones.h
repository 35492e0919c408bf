/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Subtracts strong tones, e.g. spurs of the tuner and analogue carriers.
 *
 * A tone between two bins leaks into all bins as 1 / d^2. It is fitted to the bins around its peak. */
#ifndef DVBT2_TONES_H
#define DVBT2_TONES_H

#include <complex.h>
#include <stdint.h>

enum { DVBT2_MOST_TONES = 32 };

typedef struct dvbt2_tone {
    double bin;        /* frequency, bins */
    float power;       /* mean power of the surrounding bins */
    float slow, steep; /* residue at distance d: power * (slow / d^2 + steep / d^4) */
} dvbt2_tone;

/* Subtracts tones from an FFT. The samples were rotated left by `rotation` before the FFT. length: a power of
 * two, at least 1024. Returns the number of tones. The strongest tone comes first. */
uint32_t dvbt2_remove_tones(float complex *bins, uint32_t length, uint32_t rotation,
                            dvbt2_tone tone[DVBT2_MOST_TONES]);

float dvbt2_tone_left(const dvbt2_tone *tone, double distance);

#endif
