/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extracts the packets of a generic packetised stream (EN 302 307-1, clause 5.1). All packets have the same
 * size. In each packet, the CRC-8 of the previous packet replaces the first byte, which is the sync byte. */
#ifndef DVBS2_GENERIC_H
#define DVBS2_GENERIC_H

#include "dvbs2/streams/bytes.h"

typedef struct dvbs2_generic {
    dvbs2_bytes packet; /* the packet that the next frame continues; empty if its start is missing */
    size_t size;        /* of a packet, in bytes */
    dvbs2_bytes pdus;   /* packets that end in the last frame; a length of 2 bytes precedes each packet */
    size_t n_pdus;
    uint64_t lost; /* packets with a wrong CRC-8 or a missing part */
} dvbs2_generic;

/* Returns NULL if there is not enough memory. */
dvbs2_generic *dvbs2_generic_create(void);
void dvbs2_generic_destroy(dvbs2_generic *generic); /* NULL is allowed */

/* Drops the packet that the next frame would continue. */
void dvbs2_generic_break(dvbs2_generic *generic);

/* Reads a data field of `count` bytes with packets of `size` bytes. The first packet starts at `first`; if no
 * packet starts in this field, `first` is `count`. Returns false if there is not enough memory. */
bool dvbs2_generic_push(dvbs2_generic *generic, const uint8_t *field, size_t count, size_t first, size_t size,
                        uint8_t sync);

#endif
