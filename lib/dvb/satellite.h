/* SPDX-License-Identifier: BSD-3-Clause */
/* MODCODs of DVB-S2 (EN 302 307-1, 5.3.3 and 5.4) and DVB-S2X (EN 302 307-2, 5.3.3 and 5.4). Each has a PSK
 * or APSK constellation, whose radii depend on the code rate, and an order of the bit interleaver's
 * columns. */
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

/* Maps labels to points. The first bit of a cell is the most significant bit of the label. A mirror bit that
 * is 1 negates I or Q. The table contains only the points whose mirror bits are 0, in ascending order of
 * their labels. */
typedef struct ldpc_point_map {
    /* mask of the label bits that negate I; mask of those that negate Q; 0 if there are none */
    uint32_t mirror_i, mirror_q;
    const ldpc_polar *polar; /* either this table of polar coordinates or ... */
    const ldpc_cartesian *cartesian;
} ldpc_point_map;

typedef struct ldpc_satellite_modcod {
    const char *modulation;
    const char *rate;    /* code rate, as written in the name of the LDPC code */
    uint32_t n;          /* length of the LDPC code; 0: both 64800 and 16200 */
    const char *columns; /* for each bit of a cell, its column in the bit interleaver; "" means no
                          * interleaving */
    const ldpc_point_map *map;
    double radii[LDPC_MAX_RINGS]; /* radius of each ring divided by the radius of the innermost ring */
} ldpc_satellite_modcod;

/* Returns the i-th MODCOD of an LDPC code, or NULL. */
const ldpc_satellite_modcod *ldpc_satellite_modcod_of(const char *rate, uint32_t n, uint32_t i);

/* Fills `points` with 2^bits points, I and Q alternating. The mean power of the points is 1. */
void ldpc_satellite_points(const ldpc_satellite_modcod *modcod, uint32_t bits, double *points);

extern const ldpc_point_map ldpc_psk8_map, ldpc_apsk8_map, ldpc_apsk16_map, ldpc_apsk16_linear_map,
    ldpc_apsk16_18_30_map, ldpc_apsk16_20_30_map, ldpc_apsk32_map, ldpc_apsk32_linear_map,
    ldpc_apsk32_4_rings_map, ldpc_apsk64_linear_map, ldpc_apsk64_map, ldpc_apsk64_132_180_map,
    ldpc_apsk128_map, ldpc_apsk256_map, ldpc_apsk256_20_30_map, ldpc_apsk256_22_30_map;

#endif
