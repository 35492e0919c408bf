/* SPDX-License-Identifier: GPL-3.0-or-later */
/*     whole PDU       [S=1 E=1 label type, length][            protocol type][label][ PDU                  ]
 *     first fragment  [S=1 E=0                   ][ID][total length][protocol type][label][start of the PDU ]
 *     next fragments  [S=0 E=0                   ][ID][ more bytes ]
 *     last fragment   [S=0 E=1                   ][ID][ last bytes ][CRC-32]
 *
 * Zeros fill the rest of a data field. The total length and the CRC-32 cover everything from the protocol
 * type to the end of the PDU. The CRC-32 also covers the total length field. */
#include "dvbs2/streams/gse.h"

#include <stdlib.h>

#include "base/memory.h"

enum {
    HEADER = 2, /* size in bytes of S, E, label type and length */
    ID = 1,
    TOTAL = 2,
    TYPE = 2,
    CRC = 4,
    LIFE = 256,          /* frames after which an incomplete PDU is dropped (clause 4.4.3) */
    LEAST_TYPE = 0x0600, /* smaller protocol types are extension headers (RFC 4326, clause 5) */
};

/* Length of a label in bytes, indexed by label type. Type 3 repeats the previous label. */
static const uint8_t label_bytes[4] = {6, 3, 0, 0};

dvbs2_gse *dvbs2_gse_create(void)
{
    return ldpc_allocate(1, sizeof(dvbs2_gse));
}

void dvbs2_gse_destroy(dvbs2_gse *gse)
{
    if (!gse)
        return;
    for (size_t i = 0; i < DVBS2_GSE_FRAGMENT_IDS; i++)
        free(gse->fragments[i].data.bytes);
    free(gse->pdus.bytes);
    free(gse);
}

static uint32_t read_16(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 8 | bytes[1];
}

/* Computes the CRC-32 with polynomial 0x04C11DB7 and initial value 0xffffffff. */
static uint32_t crc_32(const uint8_t *bytes, size_t count)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        crc ^= (uint32_t)bytes[i] << 24;
        for (int bit = 0; bit < 8; bit++)
            crc = crc << 1 ^ (crc >> 31 ? 0x04C11DB7u : 0);
    }
    return crc;
}

/* Returns the number of bytes from the protocol type to the start of the PDU, including the label and
 * extension headers. Returns 0 if there is a mandatory extension header, whose length is only defined by its
 * own standard, or if `count` is too small. */
static size_t headers_of(const uint8_t *bytes, size_t count, uint32_t label_type)
{
    size_t at = TYPE + label_bytes[label_type];
    if (count < at)
        return 0;
    for (uint32_t type = read_16(bytes); type < LEAST_TYPE; type = read_16(bytes + at - TYPE)) {
        const size_t length = 2 * (size_t)(type >> 8); /* bytes of the extension header and the next protocol
                                                        * type */
        if (length == 0 || at + length > count)
            return 0;
        at += length;
    }
    return at;
}

/* Returns false if out of memory. */
static bool put_pdu(dvbs2_gse *gse, const uint8_t *bytes, size_t count, uint32_t label_type)
{
    const size_t headers = headers_of(bytes, count, label_type);
    if (headers == 0) {
        gse->lost++;
        return true;
    }
    const size_t length = count - headers;
    gse->n_pdus++;
    return dvbs2_bytes_append_length(&gse->pdus, length) &&
           dvbs2_bytes_append(&gse->pdus, bytes + headers, length);
}

static void drop(dvbs2_gse *gse, dvbs2_gse_fragments *f)
{
    gse->lost += f->open;
    f->open = false;
}

static bool start(dvbs2_gse *gse, const uint8_t *bytes, size_t count, uint32_t label_type)
{
    if (count < ID + TOTAL) {
        gse->lost++;
        return true;
    }
    dvbs2_gse_fragments *f = &gse->fragments[bytes[0]];
    drop(gse, f);
    f->open = true;
    f->label_type = (uint8_t)label_type;
    f->frame = gse->frames;
    f->data.count = 0;
    return dvbs2_bytes_append(&f->data, bytes + ID, count - ID);
}

static bool end(dvbs2_gse *gse, dvbs2_gse_fragments *f)
{
    if (f->data.count < TOTAL + CRC) {
        drop(gse, f);
        return true;
    }
    const size_t count = f->data.count - CRC; /* includes the total length */
    const uint8_t *bytes = f->data.bytes, *sent = bytes + count;
    const uint32_t crc = read_16(sent) << 16 | read_16(sent + 2);
    if (count != TOTAL + read_16(bytes) || crc != crc_32(bytes, count)) {
        drop(gse, f);
        return true;
    }
    f->open = false;
    return put_pdu(gse, bytes + TOTAL, count - TOTAL, f->label_type);
}

static bool proceed(dvbs2_gse *gse, const uint8_t *bytes, size_t count, bool last)
{
    if (count < ID || !gse->fragments[bytes[0]].open)
        return true; /* first fragment missing: not counted */
    dvbs2_gse_fragments *f = &gse->fragments[bytes[0]];
    if (!dvbs2_bytes_append(&f->data, bytes + ID, count - ID))
        return false;
    if (f->data.count > TOTAL + read_16(f->data.bytes) + CRC)
        drop(gse, f);
    return !last || !f->open || end(gse, f);
}

/* Drops PDUs whose missing fragments have not arrived in time. */
static void drop_old(dvbs2_gse *gse)
{
    for (size_t i = 0; i < DVBS2_GSE_FRAGMENT_IDS; i++)
        if (gse->fragments[i].open && gse->frames - gse->fragments[i].frame > LIFE)
            drop(gse, &gse->fragments[i]);
}

bool dvbs2_gse_push(dvbs2_gse *gse, const uint8_t *field, size_t count)
{
    gse->frames++;
    gse->pdus.count = gse->n_pdus = 0;
    drop_old(gse);
    for (size_t at = 0; at + HEADER <= count && field[at] >> 4;) {
        const bool first = field[at] >> 7, last = field[at] >> 6 & 1;
        const uint32_t label_type = field[at] >> 4 & 3;
        const size_t length = read_16(field + at) & 0xFFF;
        const uint8_t *bytes = field + at + HEADER;
        at += HEADER + length;
        if (at > count) {
            gse->lost++;
            return true;
        }
        const bool kept = first && last ? put_pdu(gse, bytes, length, label_type)
                          : first       ? start(gse, bytes, length, label_type)
                                        : proceed(gse, bytes, length, last);
        if (!kept)
            return false;
    }
    return true;
}
