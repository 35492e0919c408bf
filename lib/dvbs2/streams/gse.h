/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extracts PDUs from the GSE packets in the data fields of baseband frames (TS 102 606-1). */
#ifndef DVBS2_GSE_H
#define DVBS2_GSE_H

#include "dvbs2/streams/bytes.h"

enum { DVBS2_GSE_FRAGMENT_IDS = 256 };

typedef struct dvbs2_gse_fragments {
    dvbs2_bytes data; /* total length, protocol type, label, PDU */
    bool open;
    uint8_t label_type;
    uint64_t frame; /* frame of the first fragment */
} dvbs2_gse_fragments;

/* The GSE packets of one stream. */
typedef struct dvbs2_gse {
    dvbs2_gse_fragments fragments[DVBS2_GSE_FRAGMENT_IDS];
    uint64_t frames;
    dvbs2_bytes pdus; /* PDUs that end in the last frame, each after a length of 2 bytes */
    size_t n_pdus;
    uint64_t lost; /* PDUs with a missing fragment, wrong CRC-32 or invalid header */
} dvbs2_gse;

/* Returns NULL if there is not enough memory. */
dvbs2_gse *dvbs2_gse_create(void);
void dvbs2_gse_destroy(dvbs2_gse *gse); /* NULL is allowed */

/* Reads a data field of `count` bytes, which must not have bit errors. Returns false if there is not enough
 * memory. */
bool dvbs2_gse_push(dvbs2_gse *gse, const uint8_t *field, size_t count);

#endif
