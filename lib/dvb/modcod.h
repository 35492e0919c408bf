/* SPDX-License-Identifier: BSD-3-Clause */
/* MODCOD: an LDPC code and a constellation that a standard combines, with their sizes and the order of bits.
 */
#ifndef LDPC_MODCOD_H
#define LDPC_MODCOD_H

#include <stdbool.h>
#include <stdint.h>

#include "dvb/satellite.h"
#include "ldpc/status.h"

typedef struct ldpc_constellation {
    const char *name;
    uint32_t bits; /* of a cell */
    bool qam;      /* two Gray-coded axes; else PSK or APSK, points on rings */
} ldpc_constellation;

typedef struct ldpc_modcod {
    bool t2, c2; /* DVB-T2, DVB-C2, else DVB-S2 or S2X */
    char rate[8];
    uint32_t n, k;       /* of the LDPC code */
    uint32_t data_cells; /* of a codeword; bits beyond n are padding */
    uint32_t cells;      /* of a codeword with the cells after the data cells that carry nothing */
    const ldpc_constellation *constellation;
    const ldpc_satellite_modcod *satellite; /* NULL for DVB-T2 and C2 */
} ldpc_modcod;

enum { LDPC_MAX_CELL_BITS = 12, LDPC_MAX_POINTS = 1 << LDPC_MAX_CELL_BITS };

/* From a code's canonical name and a modulation's name; LDPC_ERR_PARAM for pairs that no standard has. */
ldpc_status ldpc_modcod_make(const char *code, const char *modulation, ldpc_modcod *modcod, ldpc_error *err);

/* 2^bits points of mean power 1, I and Q alternating; the index is the cell's bits, first one most
 * significant. */
void ldpc_modcod_points(const ldpc_modcod *modcod, double *points);

/* Distance of the levels of a QAM axis from 0: odd multiples of this. */
double ldpc_qam_step(uint32_t bits);

/* Angle of a rotated constellation of DVB-T2, in radians. */
double ldpc_t2_angle(uint32_t bits);

/* Fills order [n]: the position of each codeword bit in the sequence of cells; bit b of cell c is at c * bits
 * + b. DVB-C2: no bit interleaver, position i for bit i. */
void ldpc_modcod_bit_order(const ldpc_modcod *modcod, uint16_t *order);

#endif
