/* SPDX-License-Identifier: BSD-3-Clause */
/* MODCODs. A MODCOD combines an LDPC code and a constellation, as a standard defines it, with all sizes and
 * the bit order. */
#ifndef LDPC_MODCOD_H
#define LDPC_MODCOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dvb/satellite.h"
#include "ldpc/status.h"

typedef struct ldpc_constellation {
    const char *name;
    uint32_t bits; /* number of bits per cell */
    bool qam;      /* true: QAM with two Gray-coded axes; false: PSK or APSK */
} ldpc_constellation;

typedef struct ldpc_modcod {
    /* true for DVB-T2; true for DVB-C2; both are false for DVB-S2, DVB-S2X and constellations of the caller */
    bool t2, c2;
    char rate[8];
    uint32_t n, k; /* length and dimension of the LDPC code in bits */
    /* number of cells with bits per codeword; bits with the index n or more are padding */
    uint32_t data_cells;
    uint32_t cells; /* number of cells per codeword, including padding cells at the end */
    const ldpc_constellation *constellation;
    /* MODCOD of DVB-S2 or S2X; NULL for DVB-T2, C2 and constellations of the caller */
    const ldpc_satellite_modcod *satellite;
} ldpc_modcod;

enum { LDPC_MAX_CELL_BITS = 12, LDPC_MAX_POINTS = 1 << LDPC_MAX_CELL_BITS };

/* Finds the MODCOD of an LDPC code (canonical name) and a modulation. Returns LDPC_ERR_PARAM if no standard
 * combines them. */
ldpc_status ldpc_modcod_make(const char *code, const char *modulation, ldpc_modcod *modcod, ldpc_error *err);

/* Returns the sizes for codewords of n bits and a constellation of the caller. bits: number of bits per cell. */
ldpc_modcod ldpc_modcod_with_points(uint32_t n, uint32_t bits);

/* Fills `points` with 2^bits points, I and Q alternating. The mean power of the points is 1. The index of a
 * point is its label; the first bit of a cell is the most significant bit of the label. */
void ldpc_modcod_points(const ldpc_modcod *modcod, double *points);

/* Copies `count` points of the caller, I and Q alternating, scaled to mean power 1. */
void ldpc_scale_points(const float *given, size_t count, double *points);

/* Returns the step of a QAM axis. The levels of the axis are odd multiples of this step. */
double ldpc_qam_step(uint32_t bits);

/* Returns the rotation angle of a DVB-T2 constellation, in radians. */
double ldpc_t2_angle(uint32_t bits);

/* Fills `order`: for each of the n codeword bits, its position in the sequence of cells. Bit b of cell c is
 * at position c * bits + b. Bit i is at position i with a constellation of the caller, and with DVB-C2, whose
 * bit interleaver is not supported. */
void ldpc_modcod_bit_order(const ldpc_modcod *modcod, uint16_t *order);

#endif
