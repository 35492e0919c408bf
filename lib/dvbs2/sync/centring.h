/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates carrier frequency and roll-off by fitting a raised cosine and a noise floor to the spectrum. If
 * there are adjacent carriers, the correlation of the band edges finds the carrier next to frequency 0. If no
 * correlation is significant, only the band around the expected frequency 0 is fitted. */
#ifndef DVBS2_CENTRING_H
#define DVBS2_CENTRING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dvbs2_centre {
    double frequency; /* carrier frequency in cycles per sample */
    double roll_off;
    bool
        empty; /* whether the spectrum is flat, although its carrier would not fill the band of the samples */
} dvbs2_centre;

/* Returns false if out of memory, or if there are too few samples. roll_offs: roll-offs to compare. */
bool dvbs2_find_centre(const float *re, const float *im, size_t count, double symbols_per_sample,
                       const double *roll_offs, size_t n, dvbs2_centre *centre);

enum { DVBS2_ROLL_OFFS = 6 };
/* Roll-offs of DVB-S2 and S2X. */
extern const double dvbs2_roll_offs[DVBS2_ROLL_OFFS];

#endif
