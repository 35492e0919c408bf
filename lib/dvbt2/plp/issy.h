/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ISSY field of a packet or of a baseband frame (EN 302 755, annex C).
 *
 *     0 [15 bits]                              ISCR, short; the field has two bytes
 *     10 [22 bits]                             ISCR, long
 *     1100 [unit: 2] [BUFS: 10] (8 reserved)   size of the buffer that the receiver needs
 *     1101 [exponent: 5] [mantissa: 7 + 8]     TTO; the lower 8 bits are not there in a field of two bytes
 */
#ifndef DVBT2_ISSY_H
#define DVBT2_ISSY_H

#include <stdint.h>

#include "ldpc/dvb_fec.h"

typedef enum dvbt2_issy_kind {
    DVBT2_ISSY_NONE, /* no ISSY, or reserved */
    DVBT2_ISSY_ISCR, /* counter of the modulator, in T, when the packet came in; modulo 2^15 or 2^22 */
    DVBT2_ISSY_BUFS, /* bits */
    DVBT2_ISSY_TTO,  /* T from the start of the interleaving frame's first T2 frame to the packet's output */
} dvbt2_issy_kind;

typedef struct dvbt2_issy {
    dvbt2_issy_kind kind;
    uint64_t value;
    uint32_t bits; /* of an ISCR: 15 or 22 */
    uint64_t step; /* of a TTO: the next larger value is so much larger */
} dvbt2_issy;

dvbt2_issy dvbt2_issy_of(const ldpc_bb_packet *packet);

/* Bits of a BUFS field in this unit: bits, Kbit, Mbit, 8 Kbit. */
uint64_t dvbt2_bufs_bits(uint32_t unit, uint32_t bufs);

#endif
