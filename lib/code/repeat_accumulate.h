/* SPDX-License-Identifier: BSD-3-Clause */
/* Irregular repeat-accumulate codes in groups of 360 bits: DVB-S2, -S2X, -T2, -C2 and ATSC 3.0.
 *
 * The standards give, for each group of 360 information bits, the addresses x of the parity accumulators that
 * its first bit is added to; bit b of the group is added to accumulators (x + b q) mod m, q = m / 360, m =
 * n - k. Then parity bit i is added to accumulator i + 1. Accumulator i is check i of H:
 *
 *     check i:  its information bits, parity bit i - 1 (not for i = 0), parity bit i
 *
 * With check j + q r as lane r of layer j, and parity bit j + q r as lane r of parity group j, every address
 * becomes one circulant: the check in lane r of layer x mod q has bit r - floor(x / q) of the group. Parity
 * bit i - 1 is in the same lane of the previous group; in layer 0 it is one lane earlier in the last group,
 * and lane 0 has no such edge.
 */
#ifndef LDPC_REPEAT_ACCUMULATE_H
#define LDPC_REPEAT_ACCUMULATE_H

#include "code/builder.h"

enum { LDPC_RA_GROUP = 360 }; /* bits of a group: the lifting size */

typedef struct ldpc_ra_code {
    const char *name, *standard;
    uint32_t n, k;             /* of the code before puncturing and shortening */
    const uint16_t *addresses; /* for each group of 360 information bits: their number, then the addresses */
    uint32_t shortened;        /* the first information bits: zero and not transmitted */
    uint32_t punctured, step;  /* parity bits 0, step, 2 step ..., `punctured` of them, are not transmitted */
} ldpc_ra_code;

/* Adds the circulant of address x of a group; it is in layer first_layer + x mod q. */
void ldpc_ra_add_address(ldpc_code_builder *builder, uint32_t first_layer, uint32_t q, uint32_t group,
                         uint32_t x);

/* Adds the accumulator of the first q layers; its parity bits are the q groups from first_group on. */
void ldpc_ra_add_accumulator(ldpc_code_builder *builder, uint32_t first_group, uint32_t q);

/* Lane order of q layers or groups: lane r of the j-th is number first + j + q r. */
void ldpc_ra_interleave(uint32_t *order, uint32_t first, uint32_t q);

/* Makes one code. */
ldpc_status ldpc_ra_make(const ldpc_ra_code *ra, ldpc_code **code, ldpc_error *err);

/* Makes the code of that name; LDPC_ERR_NAME when the table has none. */
ldpc_status ldpc_ra_create(const ldpc_ra_code *table, size_t count, const char *name, ldpc_code **code,
                           ldpc_error *err);

#endif
