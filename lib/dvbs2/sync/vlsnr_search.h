/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects the headers of VL-SNR frames with unknown carrier offset and phase, at Es/N0 down to -12 dB. */
#ifndef DVBS2_VLSNR_SEARCH_H
#define DVBS2_VLSNR_SEARCH_H

#include <stddef.h>

#include "dvbs2/standard/vlsnr.h"

typedef struct dvbs2_found_vlsnr {
    size_t at; /* index of the first symbol of the PL header */
    dvbs2_vlsnr header;
    bool mirrored; /* true: the header symbols are conjugated */
} dvbs2_found_vlsnr;

enum { DVBS2_VLSNR_BLOCK = 256 }; /* positions per call */

/* Searches at DVBS2_VLSNR_BLOCK positions. Reads DVBS2_VLSNR_BLOCK + DVBS2_LONG_HEADER symbols. Returns false if
 * there is no header. */
bool dvbs2_find_vlsnr(const float complex *symbols, dvbs2_found_vlsnr *found);

#endif
