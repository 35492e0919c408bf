/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Removes tones from samples before they are correlated with later ones: a tone correlates with itself at any lag.
 *
 * Blocks of 2048 samples are cleaned one by one. */
#ifndef DVBT2_TONE_FILTER_H
#define DVBT2_TONE_FILTER_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <fftw3.h>

enum { DVBT2_TONE_BLOCK = 2048 };

typedef struct dvbt2_tone_filter {
    float complex *time, *bins; /* of a block */
    fftwf_plan forward, backward;
    float complex *clean;
} dvbt2_tone_filter;

/* For up to `most` samples at a time. false: out of memory. */
bool dvbt2_tone_filter_init(dvbt2_tone_filter *filter, size_t most);
void dvbt2_tone_filter_free(dvbt2_tone_filter *filter);

/* The samples without tones, until the next call; `samples` itself where there are none, or less than a block. */
const float complex *dvbt2_tone_filter_run(dvbt2_tone_filter *filter, const float complex *samples,
                                           size_t count);

#endif
