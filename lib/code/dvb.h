/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes made of parity accumulator addresses in groups of 360 bits (DVB, ATSC 3.0 type B). */
#ifndef LDPC_DVB_H
#define LDPC_DVB_H

#include "code/draft.h"

enum { LDPC_DVB_GROUP = 360 };

typedef struct ldpc_dvb_code {
    const char *name, *standard;
    uint32_t n, k;             /* of the whole code */
    const uint16_t *addresses; /* per group of 360 information bits: how many, then the addresses */
    uint32_t shortened;        /* that many information bits in front are zero and not sent */
    uint32_t punctured, step;  /* parity bits 0, step, 2 step ... are not sent: `punctured` of them */
} ldpc_dvb_code;

/* Make the code of that name; LDPC_ERR_NAME when the table has none. */
ldpc_status ldpc_dvb_create(const ldpc_dvb_code *table, size_t count, const char *name, ldpc_code **code,
                            ldpc_error *err);

#endif
