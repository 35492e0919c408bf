/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carrier frequency and roll-off from the spectrum: the raised cosine and noise floor that fit best. */
#ifndef DVBS2_CENTRING_H
#define DVBS2_CENTRING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dvbs2_centre {
    double frequency; /* of the carrier, cycles per sample */
    double roll_off;
} dvbs2_centre;

/* Measures `count` samples with this number of symbols per sample. roll_offs[n]: the roll-offs to compare.
 * Returns false if out of memory, or if there are too few samples. */
bool dvbs2_find_centre(const float *re, const float *im, size_t count, double symbols_per_sample,
                       const double *roll_offs, size_t n, dvbs2_centre *centre);

#endif
