/* SPDX-License-Identifier: BSD-3-Clause */
/* Irregular repeat-accumulate codes in groups of 360 bits: DVB-S2, -S2X, -T2, -C2 and ATSC 3.0.
 *
 * For each group of 360 information bits, the standards list the parity accumulators x of the first bit. Bit
 * b of the group is added to accumulators (x + b q) mod m, m = n - k, q = m / 360. Then parity bit i is added
 * to accumulator i + 1. Accumulator i is check i of H:
 *
 *     check i:  its information bits, parity bit i - 1 (except for i = 0), parity bit i
 *
 * H is quasi-cyclic with z = 360 if lane r of layer j is check j + q r, and lane r of parity group j is
 * parity bit j + q r. Each address is then a circulant: lane r of layer x mod q has an edge to bit (r -
 * floor(x / q)) mod 360 of the group. Parity bit i - 1 is in the same lane of the previous parity group; in
 * layer 0, in the previous lane of the last parity group, and lane 0 has no such edge.
 *
 * Example with 3 lanes instead of 360, m = 6, q = 2. Address x = 5 is in layer 5 mod 2 = 1; floor(x / q) = 2.
 *
 *     bit b  accumulator (5 + 2 b) mod 6   layer, lane of this check     bit = (lane - 2) mod 3
 *       0              5                   1, 2   (1 + 2 * 2)            0
 *       1              1                   1, 0   (1 + 2 * 0)            1
 *       2              3                   1, 1   (1 + 2 * 1)            2
 */
#ifndef LDPC_REPEAT_ACCUMULATE_H
#define LDPC_REPEAT_ACCUMULATE_H

#include "code/builder.h"

enum { LDPC_RA_GROUP = 360 }; /* lifting size z */

typedef struct ldpc_ra_code {
    const char *name, *standard;
    uint32_t n, k;
    const uint16_t *addresses;
    uint32_t shortened;
    uint32_t punctured, step;
} ldpc_ra_code;

void ldpc_ra_add_address(ldpc_code_builder *builder, uint32_t first_layer, uint32_t q, uint32_t group,
                         uint32_t x);

/* first_group: first parity group. */
void ldpc_ra_add_accumulator(ldpc_code_builder *builder, uint32_t first_group, uint32_t q);

/* Lane r of layer (or group) j gets number first + j + q * r. */
void ldpc_ra_interleave(uint32_t *order, uint32_t first, uint32_t q);

ldpc_status ldpc_ra_make(const ldpc_ra_code *ra, ldpc_code **code, ldpc_error *err);

ldpc_status ldpc_ra_create(const ldpc_ra_code *table, size_t count, const char *name, ldpc_code **code,
                           ldpc_error *err);

#endif
