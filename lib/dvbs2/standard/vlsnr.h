/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames for very low SNR (VL-SNR, EN 302 307-2, 5.5.2). They start with two headers:
 *
 *     | PL header, 90 | VL-SNR header, 900 | section 0 | pilots | section 1 | pilots | ... | section n |
 *
 * The PLS code signals the set of MODCODs and the length of the frame. The second header signals the MODCOD. */
#ifndef DVBS2_VLSNR_H
#define DVBS2_VLSNR_H

#include "dvbs2/standard/pl_header.h"

enum {
    DVBS2_VLSNR_HEADER = 900,                              /* symbols */
    DVBS2_LONG_HEADER = DVBS2_HEADER + DVBS2_VLSNR_HEADER, /* both headers */
    DVBS2_VLSNR_MODCODS = 9,
};

/* Returns the format of a frame with the i-th MODCOD, i < DVBS2_VLSNR_MODCODS. */
dvbs2_frame_format dvbs2_vlsnr_format(uint32_t i);

/* Returns the i-th MODCOD. pls_code: the code without pilots. modulation: "qpsk", "bpsk" (pi/2-BPSK), or "bpsk-s"
 * (pi/2-BPSK in which each bit is sent twice). NULL after the last. */
const ldpc_dvbs2_modcod *dvbs2_vlsnr_modcod(uint32_t i);

/* Writes the symbols of both headers. Each symbol has power 1. */
void dvbs2_vlsnr_symbols(uint32_t modcod, float complex symbols[DVBS2_LONG_HEADER]);

/* Both headers, decoded from received symbols. */
typedef struct dvbs2_vlsnr {
    uint32_t modcod;
    float match;      /* 0 .. 1 */
    double frequency; /* radians per symbol */
} dvbs2_vlsnr;

/* Minimum dvbs2_vlsnr.match. Noise exceeds it at one of 10^9 positions. */
static const float dvbs2_vlsnr_found = 0.03f;

/* Returns the most likely headers (soft, coherent decoding). The carrier offset is searched within `range` of
 * `frequency`, both in radians per symbol. */
dvbs2_vlsnr dvbs2_vlsnr_decode(const float complex symbols[DVBS2_LONG_HEADER], double frequency,
                               double range);

#endif
