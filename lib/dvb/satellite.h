/* SPDX-License-Identifier: BSD-3-Clause */
/* MODCODs of DVB-S2 (EN 302 307-1, 5.3.3 and 5.4) and DVB-S2X (EN 302 307-2, 5.3.3 and 5.4). They consist of
 * a PSK or APSK constellation, whose radii depend on the code rate, and the columns of the bit
 * interleaver. */
#ifndef LDPC_SATELLITE_H
#define LDPC_SATELLITE_H

#include <stdint.h>

enum { LDPC_MAX_RINGS = 8 };

/* A constellation point. Ring 0 is the innermost ring; the phase is pi * num / den. */
typedef struct ldpc_polar {
    uint8_t ring;
    int16_t num;
    uint16_t den;
} ldpc_polar;

typedef struct ldpc_cartesian {
    double i, q;
} ldpc_cartesian;

/* Maps labels to points. The first bit of a cell is the most significant bit of the label. The table lists
 * the points of the labels whose mirror bits are 0, in ascending order of the labels. A mirror bit of 1
 * negates I or Q. */
typedef struct ldpc_point_map {
    /* masks of the label bits that negate I, and that negate Q; 0 if no bit negates it */
    uint32_t mirror_i, mirror_q;
    const ldpc_polar *polar; /* either this table of polar coordinates or ... */
    const ldpc_cartesian *cartesian;
} ldpc_point_map;

typedef struct ldpc_satellite_modcod {
    const char *modulation;
    const char *rate;    /* code rate, as in the name of the LDPC code */
    uint32_t n;          /* length of the LDPC code; 0 if the row applies to both 64800 and 16200 */
    const char *columns; /* column of the bit interleaver for each bit of a cell; "" means no interleaving */
    const ldpc_point_map *map;
    double radii[LDPC_MAX_RINGS]; /* radii of the rings relative to the innermost ring */
} ldpc_satellite_modcod;

/* Returns the i-th MODCOD of a code, or NULL. */
const ldpc_satellite_modcod *ldpc_satellite_modcod_of(const char *rate, uint32_t n, uint32_t i);

/* Fills `points` with 2^bits points of mean power 1, I and Q alternating. */
void ldpc_satellite_points(const ldpc_satellite_modcod *modcod, uint32_t bits, double *points);

extern const ldpc_point_map ldpc_psk8_map, ldpc_apsk8_map, ldpc_apsk16_map, ldpc_apsk16_linear_map,
    ldpc_apsk16_18_30_map, ldpc_apsk16_20_30_map, ldpc_apsk32_map, ldpc_apsk32_linear_map,
    ldpc_apsk32_4_rings_map, ldpc_apsk64_linear_map, ldpc_apsk64_map, ldpc_apsk64_132_180_map,
    ldpc_apsk128_map, ldpc_apsk256_map, ldpc_apsk256_20_30_map, ldpc_apsk256_22_30_map;

#endif
