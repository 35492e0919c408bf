/* SPDX-License-Identifier: BSD-3-Clause */
/* A MODCOD: LDPC code, constellation, sizes and bit order. */
#ifndef LDPC_MODCOD_H
#define LDPC_MODCOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dvb/satellite.h"
#include "ldpc/status.h"

typedef struct ldpc_constellation {
    const char *name;
    uint32_t bits;
    bool qam; /* true: QAM with two Gray-coded axes; false: PSK or APSK */
} ldpc_constellation;

typedef struct ldpc_modcod {
    bool t2, c2;
    char rate[8];
    uint32_t n, k; /* LDPC code: length and dimension, bits */
    uint32_t data_cells;
    uint32_t cells;
    const ldpc_constellation *constellation;
    /* S2 and S2X, otherwise NULL */
    const ldpc_satellite_modcod *satellite;
} ldpc_modcod;

enum { LDPC_MAX_CELL_BITS = 12, LDPC_MAX_POINTS = 1 << LDPC_MAX_CELL_BITS };

/* Finds the MODCOD of an LDPC code and a modulation. Returns LDPC_ERR_PARAM if no standard combines them. */
ldpc_status ldpc_modcod_make(const char *code, const char *modulation, ldpc_modcod *modcod, ldpc_error *err);

/* Returns a MODCOD for a constellation of the caller. */
ldpc_modcod ldpc_modcod_with_points(uint32_t n, uint32_t bits);

/* Fills `points` with 2^bits points of mean power 1, I and Q alternating, ordered by label. */
void ldpc_modcod_points(const ldpc_modcod *modcod, double *points);

void ldpc_scale_points(const float *given, size_t count, double *points);

/* Returns the step of a QAM axis, whose levels are odd multiples of the step. */
double ldpc_qam_step(uint32_t bits);

/* Returns the rotation angle of a DVB-T2 constellation, radians. */
double ldpc_t2_angle(uint32_t bits);

/* Fills `order` [n] with the position of each codeword bit. Bit b of cell c is at c * bits + b. */
void ldpc_modcod_bit_order(const ldpc_modcod *modcod, uint16_t *order);

#endif
