/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches for PL headers with unknown carrier offset and phase. The positions with the highest differential
 * metrics are decoded. A header is confirmed by the next header, or by the second header of a VL-SNR frame. */
#ifndef DVBS2_FRAME_SEARCH_H
#define DVBS2_FRAME_SEARCH_H

#include <stddef.h>

#include "dvbs2/standard/vlsnr.h"

typedef struct dvbs2_found_header {
    size_t at;           /* index of the header's first symbol */
    dvbs2_header header; /* not set if only the second header was found */
    dvbs2_frame_format format;
    double frequency; /* radians per symbol */
    bool mirrored;    /* true: the spectrum is mirrored, so the header symbols are conjugated */
} dvbs2_found_header;

/* Minimum dvbs2_header.match. Noise exceeds dvbs2_match_found at one of 10^4 positions. */
static const float dvbs2_match_found = 0.2f, dvbs2_match_confirmed = 0.15f;

/* A decoded start of a frame. */
typedef struct dvbs2_frame_start {
    dvbs2_frame_format format;
    float match;       /* as in dvbs2_header; at least dvbs2_match_confirmed if VL-SNR headers were found */
    float vlsnr_match; /* as in dvbs2_vlsnr, if they were found */
} dvbs2_frame_start;

/* Returns whether the `count` symbols contain all headers at `at`: both headers if it may be a VL-SNR frame. */
bool dvbs2_has_start(const float complex *symbols, size_t count, size_t at, double frequency);

/* Returns false if the match is NaN. */
bool dvbs2_is_confirmed(const dvbs2_frame_start *start);

/* Decodes a PL header, and if count >= DVBS2_LONG_HEADER, the second header of a VL-SNR frame. frequency: carrier
 * offset, radians per symbol; VL-SNR headers correct it. range: maximum error of the frequency. */
dvbs2_frame_start dvbs2_decode_start(const float complex *symbols, size_t count, double *frequency,
                                     double range);

/* Finds two consecutive headers, or the headers of a VL-SNR frame. If more symbols are needed, returns false and sets *wanted. The search
 * continues at *from. */
bool dvbs2_find_header(const float complex *symbols, size_t count, size_t *from, size_t *wanted,
                       dvbs2_found_header *found);

/* Returns the frequency near `frequency`, within 1 / DVBS2_HEADER cycles per symbol. */
double dvbs2_header_frequency(const float complex *symbols, uint8_t pls_code, double frequency);

#endif
