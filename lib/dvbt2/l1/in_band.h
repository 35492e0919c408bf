/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In-band signalling: L1 of the next interleaving frame inside a PLP's own data (EN 302 755, clause 5.2.3).
 *
 * It stands behind the data field of the first baseband frame of an interleaving frame, type A before type B:
 *
 *     header (80 bits) | data field (DFL bits) | type A: 36 + 77 P_I + 48 N bits | type B: 102 bits | padding
 */
#ifndef DVBT2_IN_BAND_H
#define DVBT2_IN_BAND_H

#include "ldpc/dvbt2_l1.h"

enum { DVBT2_IN_BAND_B_BITS = 102 };

/* Type A: where this PLP, and others, will be. One entry for each T2 frame of the next interleaving frame. */
typedef struct dvbt2_in_band_a {
    uint8_t
        plp_l1_change_counter; /* super-frames until the configurable part changes; 0: no change in sight */
    uint32_t n_frames;         /* P_I */
    struct {
        uint32_t sub_slice_interval;
        uint8_t start_rf_idx;
        uint32_t plp_start;
        uint32_t type_2_start;
    } frame[255];
    uint16_t plp_num_blocks;
    uint8_t n_others;
    dvbt2_l1_plp_dynamic other[255];
} dvbt2_in_band_a;

/* Type B: timing of the stream. */
typedef struct dvbt2_in_band_b {
    uint32_t tto;        /* time to output of the first packet, in T */
    uint32_t first_iscr; /* input stream clock reference of that packet */
    uint8_t bufs_unit;
    uint16_t bufs;
    uint32_t ts_rate; /* bit/s */
} dvbt2_in_band_b;

/* What L1 says about the PLP decides what is there: IN_BAND_A_FLAG with P_I, IN_BAND_B_FLAG. A type that is
 * absent is left alone, as is its struct; NULL: not wanted. False when the bits, one per byte, are too few or
 * their PADDING_TYPE is another one. */
bool dvbt2_in_band_parse(const dvbt2_l1_plp *plp, const uint8_t *bits, size_t count, dvbt2_in_band_a *a,
                         dvbt2_in_band_b *b);

#endif
