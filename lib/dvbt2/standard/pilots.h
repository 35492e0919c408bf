/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands on each carrier of each symbol (EN 302 755, clauses 9.2 to 9.4 and 9.6.2).
 *
 * There are at most 1 + Dy + 1 different symbols in a frame: P2, normal symbols by l mod Dy, frame-closing.
 * Each has one layout, made when the mode is known:
 *
 *     dvbt2_pilots *pilots;
 *     dvbt2_pilots_create(&parameters, &pilots, &err);
 *     const dvbt2_symbol_layout *s = dvbt2_pilots_symbol(pilots, l);
 *     float sign = dvbt2_pn_sign(l);
 *     for (i < s->n_pilots)
 *         h[i] = y[s->pilot[i]] / (sign * s->amplitude[0][i]);
 *
 * Carriers are numbered 0 .. parameters.carriers - 1 as in extended mode of the standard when the mode is
 * extended: carrier 0 is the lowest active one.
 */
#ifndef DVBT2_PILOTS_H
#define DVBT2_PILOTS_H

#include "dvbt2/standard/parameters.h"

typedef enum dvbt2_carrier_kind {
    DVBT2_CARRIER_DATA = 0,  /* thinning cells of the frame-closing symbol included */
    DVBT2_CARRIER_SCATTERED, /* where it falls on a continual pilot too */
    DVBT2_CARRIER_CONTINUAL,
    DVBT2_CARRIER_P2,
    DVBT2_CARRIER_EDGE,
    DVBT2_CARRIER_CLOSING,
    DVBT2_CARRIER_RESERVED, /* reserved tone: anything may stand here, also nothing */
} dvbt2_carrier_kind;

/* One kind of symbol. Arrays are sorted by carrier. */
typedef struct dvbt2_symbol_layout {
    dvbt2_symbol_kind kind;
    const uint8_t *carrier; /* dvbt2_carrier_kind of each active carrier */
    uint32_t n_pilots;
    const uint16_t *pilot;     /* their carriers */
    const float *amplitude[2]; /* what transmit group 1 and 2 send there, without the sign of PN; the two are
                                  the same array for SISO */
    uint32_t n_data;
    const uint16_t
        *data; /* carriers of the data cells: cell q after the frequency interleaver is on data[q] */
} dvbt2_symbol_layout;

/* The layouts of a mode. Never changes after creation: any number of threads may share it. */
typedef struct dvbt2_pilots dvbt2_pilots;

/* LDPC_ERR_NULL, LDPC_ERR_MEMORY. The parameters are copied. */
ldpc_status dvbt2_pilots_create(const dvbt2_parameters *parameters, dvbt2_pilots **pilots, ldpc_error *err);
void dvbt2_pilots_destroy(dvbt2_pilots *pilots); /* NULL is allowed */

/* The layout of symbol l of a frame; NULL past the end. */
const dvbt2_symbol_layout *dvbt2_pilots_symbol(const dvbt2_pilots *pilots, uint32_t l);

/* The layout of normal symbols with l mod Dy == phase. */
const dvbt2_symbol_layout *dvbt2_pilots_normal(const dvbt2_pilots *pilots, uint32_t phase);

/* Continual pilots of the mode, ascending; *count receives their number. */
const uint16_t *dvbt2_pilots_continual(const dvbt2_pilots *pilots, uint32_t *count);

#endif
