/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates carrier frequency and roll-off from the spectrum, by fitting a raised cosine and a noise
 * floor. If the spectrum contains other signals, such as adjacent carriers, only the band of the carrier is
 * compared with the raised cosine, and carriers near the expected frequency 0 are preferred. */
#ifndef DVBS2_CENTRING_H
#define DVBS2_CENTRING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dvbs2_centre {
    double frequency; /* carrier frequency in cycles per sample */
    double roll_off;
} dvbs2_centre;

/* Returns false if out of memory, or if there are too few samples. roll_offs: roll-offs to compare. */
bool dvbs2_find_centre(const float *re, const float *im, size_t count, double symbols_per_sample,
                       const double *roll_offs, size_t n, dvbs2_centre *centre);

#endif
