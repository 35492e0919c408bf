/* SPDX-License-Identifier: BSD-3-Clause */
/* A code and a modulation that go together: sizes, constellation, bit order. */
#ifndef LDPC_MODCOD_H
#define LDPC_MODCOD_H

#include <stdbool.h>
#include <stdint.h>

#include "ldpc/status.h"

typedef struct ldpc_modulation {
    const char *name;
    uint32_t bits;        /* of a cell */
    bool qam;             /* two Gray-coded amplitudes; else rings of phases */
    bool t2, s2;          /* which standard has it */
    const char *s2_rates; /* of S2's rates, those it is used with: " 3/5 2/3 " */
} ldpc_modulation;

typedef struct ldpc_modcod {
    bool t2; /* DVB-T2, else DVB-S2 */
    char rate[8];
    uint32_t n, k;  /* of the LDPC code */
    uint32_t cells; /* of a word */
    const ldpc_modulation *modulation;
} ldpc_modcod;

enum { LDPC_MOST_CELL_BITS = 8, LDPC_MOST_POINTS = 1 << LDPC_MOST_CELL_BITS };

/* From a code's canonical name and a modulation's name; refuses pairs that no standard has. */
ldpc_status ldpc_modcod_make(const char *code, const char *modulation, ldpc_modcod *modcod, ldpc_error *err);

/* 2^bits points of mean power 1, I and Q alternating, at the index that is the cell's bits. */
void ldpc_modcod_points(const ldpc_modcod *modcod, double *points);

/* Levels of one axis of a QAM are odd integers times this. */
double ldpc_qam_step(uint32_t bits);

/* Angle of a rotated constellation of DVB-T2, in radians. */
double ldpc_t2_angle(uint32_t bits);

/* For each codeword bit its place in the order of the cells. */
void ldpc_modcod_order(const ldpc_modcod *modcod, uint16_t *order);

#endif
