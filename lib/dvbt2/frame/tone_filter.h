/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Subtracts tones from the samples, in blocks of 2048. */
#ifndef DVBT2_TONE_FILTER_H
#define DVBT2_TONE_FILTER_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <fftw3.h>

enum { DVBT2_TONE_BLOCK = 2048 };

typedef struct dvbt2_tone_filter {
    float complex *time, *bins; /* buffers of one block */
    fftwf_plan forward, backward;
    float complex *clean;
} dvbt2_tone_filter;

/* Allocates a filter for up to `most` samples per call. Returns false if out of memory. */
bool dvbt2_tone_filter_init(dvbt2_tone_filter *filter, size_t most);
void dvbt2_tone_filter_free(dvbt2_tone_filter *filter);

/* Returns the samples without tones, valid until the next call. Returns `samples` if there is no tone, or if
 * there are fewer samples than a block. */
const float complex *dvbt2_tone_filter_run(dvbt2_tone_filter *filter, const float complex *samples,
                                           size_t count);

#endif
