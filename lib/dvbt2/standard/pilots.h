/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes the use of each carrier in each symbol (EN 302 755, clauses 9.2 to 9.4 and 9.6.2).
 *
 *     dvbt2_pilots *pilots;
 *     dvbt2_pilots_create(&parameters, &pilots, &err);
 *     const dvbt2_symbol_layout *s = dvbt2_pilots_symbol(pilots, l);
 *     float sign = dvbt2_pn_sign(l);
 *     for (i < s->n_pilots)
 *         h[i] = y[s->pilot[i]] / (sign * s->amplitude[0][i]);
 *
 * Carriers are numbered 0 .. parameters.carriers - 1. Carrier 0 is the lowest active carrier. Extended mode
 * has the numbers of the standard. */
#ifndef DVBT2_PILOTS_H
#define DVBT2_PILOTS_H

#include "dvbt2/standard/parameters.h"

typedef enum dvbt2_carrier_kind {
    DVBT2_CARRIER_DATA = 0, /* data cell or thinning cell */
    DVBT2_CARRIER_SCATTERED,
    DVBT2_CARRIER_CONTINUAL,
    DVBT2_CARRIER_P2,
    DVBT2_CARRIER_EDGE,
    DVBT2_CARRIER_CLOSING,
    DVBT2_CARRIER_RESERVED, /* reserved tone, any value */
} dvbt2_carrier_kind;

/* Layout of one kind of symbol; all lists are sorted by carrier. */
typedef struct dvbt2_symbol_layout {
    dvbt2_symbol_kind kind;
    const uint8_t *carrier; /* dvbt2_carrier_kind of each active carrier */
    uint32_t n_pilots;
    const uint16_t *pilot; /* carrier of each pilot */
    /* amplitudes without the PN sign; both pointers are equal in SISO */
    const float *amplitude[2];
    uint32_t n_data;
    const uint16_t *data; /* carriers of the data cells in transmitted order */
} dvbt2_symbol_layout;

/* Layouts of a mode. They are constant, so threads may share them. */
typedef struct dvbt2_pilots dvbt2_pilots;

/* Copies the parameters. Returns LDPC_OK, LDPC_ERR_NULL or LDPC_ERR_MEMORY. */
ldpc_status dvbt2_pilots_create(const dvbt2_parameters *parameters, dvbt2_pilots **pilots, ldpc_error *err);
void dvbt2_pilots_destroy(dvbt2_pilots *pilots); /* NULL is allowed */

/* Returns the layout of symbol l, or NULL past the end of the frame. */
const dvbt2_symbol_layout *dvbt2_pilots_symbol(const dvbt2_pilots *pilots, uint32_t l);

/* Returns the layout of normal symbols with l mod Dy == phase. */
const dvbt2_symbol_layout *dvbt2_pilots_normal(const dvbt2_pilots *pilots, uint32_t phase);

/* Returns the continual pilots in ascending order. */
const uint16_t *dvbt2_pilots_continual(const dvbt2_pilots *pilots, uint32_t *count);

#endif
