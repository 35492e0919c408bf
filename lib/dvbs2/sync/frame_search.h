/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches PL headers in symbols of unknown carrier offset and phase, in two steps: the highest differential
 * metrics of a block of positions, then soft decoding of the header at each of them. A header is confirmed by
 * a second one at the distance that the first one signals; noise and data do not produce such a pair. */
#ifndef DVBS2_FRAME_SEARCH_H
#define DVBS2_FRAME_SEARCH_H

#include <stddef.h>

#include "dvbs2/standard/pl_header.h"

typedef struct dvbs2_found_header {
    size_t at; /* index of its first symbol */
    dvbs2_header header;
    dvbs2_frame_format format;
    double frequency; /* carrier offset, radians per symbol */
    bool mirrored;    /* the spectrum is mirrored: the header is that of the conjugate symbols */
} dvbs2_found_header;

/* Limits of dvbs2_header.match, which is SNR / (1 + SNR) in the mean: 0.39 at -2 dB. Of the codes and carrier
 * offsets that the search compares, one in 10^4 positions exceeds `found` in noise. */
static const float dvbs2_match_found = 0.2f, dvbs2_match_confirmed = 0.15f;

/* Finds the first header at or after symbols[from] that is followed by another one. Returns false if more
 * symbols are needed: at least *wanted symbols to continue at position *from. */
bool dvbs2_find_header(const float complex *symbols, size_t count, size_t *from, size_t *wanted,
                       dvbs2_found_header *found);

/* Decodes the header at `symbols`, whose carrier offset is within a cycle per DVBS2_HEADER symbols of
 * `frequency`, and returns its carrier offset. */
double dvbs2_header_frequency(const float complex *symbols, uint8_t pls_code, double frequency);

#endif
