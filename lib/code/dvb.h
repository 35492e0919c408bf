/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes made of parity accumulator addresses in groups of 360 bits (DVB, ATSC 3.0 type B). */
#ifndef LDPC_DVB_H
#define LDPC_DVB_H

#include "code/builder.h"

enum { LDPC_DVB_GROUP = 360 };

typedef struct ldpc_dvb_code {
    const char *name, *standard;
    uint32_t n, k;             /* of the whole code */
    const uint16_t *addresses; /* per group of 360 information bits: how many, then the addresses */
    uint32_t shortened;        /* that many information bits in front are zero and not sent */
    uint32_t punctured, step;  /* parity bits 0, step, 2 step ... are not sent: `punctured` of them */
} ldpc_dvb_code;

/* Address x of a group's first bit, as a circulant: it meets layer first_layer + x mod q. */
void ldpc_dvb_add_address(ldpc_code_builder *builder, uint32_t first_layer, uint32_t q, uint32_t group,
                          uint32_t x);

/* The accumulator of the first q layers; its parity bits are the q groups from first_group on. */
void ldpc_dvb_add_accumulator(ldpc_code_builder *builder, uint32_t first_group, uint32_t q);

/* Lane order of q layers or groups: lane r of the j-th is number first + j + q r. */
void ldpc_dvb_interleave(uint32_t *order, uint32_t first, uint32_t q);

/* Make one code. */
ldpc_status ldpc_dvb_make(const ldpc_dvb_code *dvb, ldpc_code **code, ldpc_error *err);

/* Make the code of that name; LDPC_ERR_NAME when the table has none. */
ldpc_status ldpc_dvb_create(const ldpc_dvb_code *table, size_t count, const char *name, ldpc_code **code,
                            ldpc_error *err);

#endif
