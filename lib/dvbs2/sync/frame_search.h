/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches for PL headers in symbols with unknown carrier offset and phase. There are two steps: finding the
 * positions of the highest differential metrics of a block, and soft decoding of a header at each of these
 * positions. A header is confirmed by a second header at the distance that the first one signals. Noise and
 * data do not produce such pairs. */
#ifndef DVBS2_FRAME_SEARCH_H
#define DVBS2_FRAME_SEARCH_H

#include <stddef.h>

#include "dvbs2/standard/pl_header.h"

typedef struct dvbs2_found_header {
    size_t at; /* index of the header's first symbol */
    dvbs2_header header;
    dvbs2_frame_format format;
    double frequency; /* carrier offset in radians per symbol */
    bool mirrored;    /* whether the spectrum is mirrored; the header then consists of the conjugate
                       * symbols */
} dvbs2_found_header;

/* Thresholds for dvbs2_header.match, which is SNR / (1 + SNR) on average, and 0.39 at an SNR of -2 dB. In
 * noise, `found` is exceeded at one in 10^4 positions, for the codes and carrier offsets that the search
 * compares. */
static const float dvbs2_match_found = 0.2f, dvbs2_match_confirmed = 0.15f;

/* Finds the first header at or after symbols[from] that is followed by another header. Returns false if more
 * symbols are needed. The search then continues at *position, and needs at least *wanted symbols. */
bool dvbs2_find_header(const float complex *symbols, size_t count, size_t *from, size_t *wanted,
                       dvbs2_found_header *found);

/* Decodes the header at `symbols` and returns its carrier offset. The carrier offset must differ from
 * `frequency` by less than a cycle per DVBS2_HEADER symbols. */
double dvbs2_header_frequency(const float complex *symbols, uint8_t pls_code, double frequency);

#endif
