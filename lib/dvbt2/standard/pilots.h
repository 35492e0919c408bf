/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes the use of each carrier in each symbol (EN 302 755, clauses 9.2 to 9.4 and 9.6.2).
 *
 * A frame has at most 1 + Dy + 1 kinds of symbols: P2, normal symbols by l mod Dy, and frame-closing. Their
 * layouts are made once per mode:
 *
 *     dvbt2_pilots *pilots;
 *     dvbt2_pilots_create(&parameters, &pilots, &err);
 *     const dvbt2_symbol_layout *s = dvbt2_pilots_symbol(pilots, l);
 *     float sign = dvbt2_pn_sign(l);
 *     for (i < s->n_pilots)
 *         h[i] = y[s->pilot[i]] / (sign * s->amplitude[0][i]);
 *
 * Carriers are numbered 0 .. parameters.carriers - 1; carrier 0 is the lowest active carrier. In extended
 * mode this is the standard's numbering for extended mode. */
#ifndef DVBT2_PILOTS_H
#define DVBT2_PILOTS_H

#include "dvbt2/standard/parameters.h"

typedef enum dvbt2_carrier_kind {
    DVBT2_CARRIER_DATA = 0,  /* data cell, or thinning cell of the frame-closing symbol */
    DVBT2_CARRIER_SCATTERED, /* scattered pilot, even if it coincides with a continual pilot */
    DVBT2_CARRIER_CONTINUAL,
    DVBT2_CARRIER_P2,
    DVBT2_CARRIER_EDGE,
    DVBT2_CARRIER_CLOSING,
    DVBT2_CARRIER_RESERVED, /* reserved tone; its value is arbitrary and may be 0 */
} dvbt2_carrier_kind;

/* Layout of one kind of symbol. Arrays are sorted by carrier. */
typedef struct dvbt2_symbol_layout {
    dvbt2_symbol_kind kind;
    const uint8_t *carrier; /* dvbt2_carrier_kind of each active carrier */
    uint32_t n_pilots;
    const uint16_t *pilot; /* carrier of each pilot */
    /* pilot amplitudes of transmitter groups 1 and 2, without the PN sign; with SISO, both elements point to
     * the same array */
    const float *amplitude[2];
    uint32_t n_data;
    const uint16_t *data; /* carriers of the data cells; data[q] is the carrier of cell q after the frequency
                * interleaver */
} dvbt2_symbol_layout;

/* The layouts of a mode. Threads may share them, because they do not change after their creation. */
typedef struct dvbt2_pilots dvbt2_pilots;

/* Creates the layouts from a copy of the parameters. Returns LDPC_OK, LDPC_ERR_NULL or LDPC_ERR_MEMORY. */
ldpc_status dvbt2_pilots_create(const dvbt2_parameters *parameters, dvbt2_pilots **pilots, ldpc_error *err);
void dvbt2_pilots_destroy(dvbt2_pilots *pilots); /* NULL is allowed */

/* Returns the layout of symbol l of a frame, or NULL past the end of the frame. */
const dvbt2_symbol_layout *dvbt2_pilots_symbol(const dvbt2_pilots *pilots, uint32_t l);

/* Returns the layout of normal symbols with l mod Dy == phase. */
const dvbt2_symbol_layout *dvbt2_pilots_normal(const dvbt2_pilots *pilots, uint32_t phase);

/* Returns the continual pilots of the mode in ascending order. *count receives the number of pilots. */
const uint16_t *dvbt2_pilots_continual(const dvbt2_pilots *pilots, uint32_t *count);

#endif
