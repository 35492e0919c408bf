/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ISSY field of a packet or of a baseband frame (EN 302 755, annex C).
 *
 *     0 [15 bits]                              ISCR, short: the field has two bytes
 *     10 [22 bits]                             ISCR, long
 *     1100 [unit: 2] [BUFS: 10] (8 reserved)   size of the receiver buffer
 *     1101 [exponent: 5] [mantissa: 7 + 8]     TTO; a field of two bytes lacks the lower 8 bits */
#ifndef DVBT2_ISSY_H
#define DVBT2_ISSY_H

#include <stdint.h>

#include "ldpc/dvb_fec.h"

typedef enum dvbt2_issy_kind {
    DVBT2_ISSY_NONE, /* no ISSY field, or a reserved value */
    DVBT2_ISSY_ISCR, /* ISCR when the packet arrived, in units of T, modulo 2^15 or 2^22 */
    DVBT2_ISSY_BUFS, /* size of the receiver buffer, bits */
    DVBT2_ISSY_TTO,  /* output time from the start of the first T2 frame, T */
} dvbt2_issy_kind;

typedef struct dvbt2_issy {
    dvbt2_issy_kind kind;
    uint64_t value;
    uint32_t bits; /* bits of an ISCR: 15 or 22 */
    uint64_t step; /* resolution of a TTO in T */
} dvbt2_issy;

dvbt2_issy dvbt2_issy_of(const ldpc_bb_packet *packet);

/* Returns the buffer size in bits. unit: bits, Kbit, Mbit or 8 Kbit. */
uint64_t dvbt2_bufs_bits(uint32_t unit, uint32_t bufs);

#endif
