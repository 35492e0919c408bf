/* SPDX-License-Identifier: BSD-3-Clause */
/* MODCODs of DVB-S2 (EN 302 307-1, 5.3.3 and 5.4) and DVB-S2X (EN 302 307-2, 5.3.3 and 5.4): PSK or APSK,
 * radii by code rate, and column order of the bit interleaver. */
#ifndef LDPC_SATELLITE_H
#define LDPC_SATELLITE_H

#include <stdint.h>

enum { LDPC_MAX_RINGS = 8 };

/* phase: pi * num / den; ring 0 is the innermost */
typedef struct ldpc_polar {
    uint8_t ring;
    int16_t num;
    uint16_t den;
} ldpc_polar;

typedef struct ldpc_cartesian {
    double i, q;
} ldpc_cartesian;

/* Points by label, first bit most significant. A mirror bit negates I or Q. The table has only points with
 * mirror bits 0. */
typedef struct ldpc_point_map {
    uint32_t mirror_i, mirror_q;
    const ldpc_polar *polar; /* if `cartesian` is NULL */
    const ldpc_cartesian *cartesian;
} ldpc_point_map;

typedef struct ldpc_satellite_modcod {
    const char *modulation;
    const char *rate;    /* code rate, as in the name of the LDPC code */
    uint32_t n;          /* length of the LDPC code; 0: 64800 and 16200 */
    const char *columns; /* column of each bit in the bit interleaver; "": no interleaving */
    const ldpc_point_map *map;
    double radii[LDPC_MAX_RINGS]; /* radius of each ring relative to the innermost ring */
} ldpc_satellite_modcod;

/* Returns the i-th MODCOD of an LDPC code, or NULL. */
const ldpc_satellite_modcod *ldpc_satellite_modcod_of(const char *rate, uint32_t n, uint32_t i);

/* Fills `points` with 2^bits points of mean power 1, I and Q alternating. */
void ldpc_satellite_points(const ldpc_satellite_modcod *modcod, uint32_t bits, double *points);

extern const ldpc_point_map ldpc_psk8_map, ldpc_apsk8_map, ldpc_apsk16_map, ldpc_apsk16_linear_map,
    ldpc_apsk16_18_30_map, ldpc_apsk16_20_30_map, ldpc_apsk32_map, ldpc_apsk32_linear_map,
    ldpc_apsk32_4_rings_map, ldpc_apsk64_linear_map, ldpc_apsk64_map, ldpc_apsk64_132_180_map,
    ldpc_apsk128_map, ldpc_apsk256_map, ldpc_apsk256_20_30_map, ldpc_apsk256_22_30_map;

#endif
