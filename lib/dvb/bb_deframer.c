/* SPDX-License-Identifier: BSD-3-Clause */
/* Transport stream packets from baseband frames: EN 302 755 clause 5.1, EN 302 307-1 clause 5.1 and annex D.
 *
 *     frame:  [header 80 bits][... end of a packet][packet][packet][start of a packet ...][padding]
 *              DFL: bits of   |<---- SYNCD ------>|                                      |
 *                   data      |<-------------------------------- DFL ------------------->|
 *
 *     packet, normal mode:           [CRC-8 of the previous packet][187 bytes][ISSY 0, 2 or 3][DNP 0 or 1]
 *     packet, high efficiency mode:                              [187 bytes][DNP 0 or 1]
 *
 * DNP is the number of null packets deleted before the packet. A packet is wrong if its CRC-8 does not match,
 * or if part of it is in a frame with bit errors. Positions are in bits, because fields of medium S2X frames
 * may end inside a byte. */
#include <stdlib.h>
#include <string.h>

#include "base/crc8.h"
#include "base/memory.h"
#include "base/status_internal.h"
#include "dvb/bch.h"
#include "base/bits.h"

enum {
    HEADER = 80, /* length of the header in bits */
    TS_BITS = 8 * LDPC_TS_PACKET,
    /* size of the largest packet with all fields, bytes */
    MAX_UNIT = LDPC_TS_PACKET + 4,
    SYNC_BYTE = 0x47,
    ERROR_INDICATOR = 0x80, /* transport_error_indicator, in byte 1 of a packet */
};

struct ldpc_bb_deframer {
    uint32_t k;           /* frame size, bits */
    bool high_efficiency; /* whether the standard has high efficiency mode */
    int32_t stream;
    uint8_t scrambler[LDPC_BCH_MAX_BYTES];
    ldpc_bb_header header;
    ldpc_bb_counters counters;
    uint8_t frame[LDPC_BCH_MAX_BYTES]; /* the latest frame, descrambled */
    bool broken;
    uint32_t at, end;       /* the unread bits are `at` to `end` - 1 */
    uint8_t unit[MAX_UNIT]; /* the current packet with all fields */
    /* bits of the packet; bits received */
    uint32_t unit_bits, have;
    bool unit_broken;
    uint32_t nulls;
    ldpc_bb_packet about; /* properties of the current packet */
    /* whether no packet has begun in this frame */
    bool first;
    /* packet is complete; packet has bit errors */
    bool ready, unit_wrong;
};

/* Scrambling sequence of 1 + x^14 + x^15, starting with 100101010000000. */
static void fill_scrambler(uint8_t *bytes, uint32_t bits)
{
    uint32_t state = 0x4A80;
    for (uint32_t i = 0; i < bits; i++) {
        uint32_t bit = (state ^ state >> 1) & 1;
        state = state >> 1 | bit << 14;
        bytes[i / 8] |= (uint8_t)(bit << (7 - i % 8));
    }
}

/* ---- creation */

static bool has_high_efficiency(const char *name)
{
    return !strncmp(name, "dvbt2:", 6) || !strncmp(name, "dvbc2:", 6);
}

ldpc_status ldpc_bb_deframer_create(const char *name, int32_t stream, ldpc_bb_deframer **deframer,
                                    ldpc_error *err)
{
    if (!deframer)
        return ldpc_fail(err, LDPC_ERR_NULL, "deframer must not be NULL");
    *deframer = NULL;
    if (!name)
        return ldpc_fail(err, LDPC_ERR_NULL, "name must not be NULL");
    if (stream < LDPC_BB_ANY_STREAM || stream > 255)
        return ldpc_fail(err, LDPC_ERR_RANGE, "stream %d: expected 0 .. 255, or %d for all", (int)stream,
                         LDPC_BB_ANY_STREAM);
    const ldpc_bch_row *row = ldpc_bch_find(name);
    if (!row)
        return ldpc_bch_unknown(name, err);
    ldpc_bb_deframer *made = ldpc_allocate(1, sizeof *made);
    if (!made)
        return ldpc_fail_memory(err);
    made->k = ldpc_bch_row_k(row);
    made->high_efficiency = has_high_efficiency(name);
    made->stream = stream;
    fill_scrambler(made->scrambler, 8 * LDPC_BCH_MAX_BYTES);
    *deframer = made;
    return LDPC_OK;
}

ldpc_status ldpc_bb_deframer_set_code(ldpc_bb_deframer *deframer, const char *name, ldpc_error *err)
{
    if (!deframer || !name)
        return ldpc_fail(err, LDPC_ERR_NULL, "deframer and name must not be NULL");
    if (deframer->ready || deframer->at < deframer->end)
        return ldpc_fail(err, LDPC_AGAIN, "the last frame has more packets: pull them before you set a code");
    const ldpc_bch_row *row = ldpc_bch_find(name);
    if (!row)
        return ldpc_bch_unknown(name, err);
    deframer->k = ldpc_bch_row_k(row);
    deframer->high_efficiency = has_high_efficiency(name);
    return LDPC_OK;
}

void ldpc_bb_deframer_destroy(ldpc_bb_deframer *deframer)
{
    free(deframer);
}

static void drop_partial_packet(ldpc_bb_deframer *d)
{
    d->counters.lost_packets += d->have > 0;
    d->have = 0;
}

void ldpc_bb_deframer_break(ldpc_bb_deframer *deframer)
{
    if (!deframer)
        return;
    drop_partial_packet(deframer);
    deframer->at = deframer->end = deframer->nulls = 0;
    deframer->ready = false;
}

void ldpc_bb_deframer_reset(ldpc_bb_deframer *deframer)
{
    if (!deframer)
        return;
    ldpc_bb_deframer_break(deframer);
    memset(&deframer->header, 0, sizeof deframer->header);
    memset(&deframer->counters, 0, sizeof deframer->counters);
}

uint32_t ldpc_bb_deframer_k(const ldpc_bb_deframer *deframer)
{
    return deframer ? deframer->k : 0;
}

ldpc_bb_header ldpc_bb_deframer_header(const ldpc_bb_deframer *deframer)
{
    const ldpc_bb_header none = {0};
    return deframer ? deframer->header : none;
}

ldpc_bb_counters ldpc_bb_deframer_counters(const ldpc_bb_deframer *deframer)
{
    const ldpc_bb_counters none = {0};
    return deframer ? deframer->counters : none;
}

/* ---- header */

/* The CRC-8 is XORed with the mode: 0 normal, 1 high efficiency. */
static ldpc_bb_header read_header(const ldpc_bb_deframer *d)
{
    const uint8_t *f = d->frame;
    ldpc_bb_header h = {0};
    uint8_t mode = ldpc_crc8(f, 9) ^ f[9];
    if (mode > (d->high_efficiency ? 1 : 0))
        return h;
    h.high_efficiency = mode == 1;
    h.transport_stream = f[0] >> 6 == 3;
    h.single_stream = f[0] >> 5 & 1;
    h.constant_coding = f[0] >> 4 & 1;
    h.issy = f[0] >> 3 & 1;
    h.null_deletion = f[0] >> 2 & 1;
    h.roll_off = f[0] & 3;
    h.stream = f[1];
    h.upl = mode ? 0 : (uint16_t)(f[2] << 8 | f[3]);
    h.dfl = (uint16_t)(f[4] << 8 | f[5]);
    h.syncd = (uint16_t)(f[7] << 8 | f[8]);
    h.valid = h.dfl <= d->k - HEADER && (h.syncd <= h.dfl || h.syncd == LDPC_BB_NO_START);
    return h;
}

/* Returns the bits of a packet with all fields, or 0 for an unsupported UPL. Some modulators signal 188 bytes
 * and still append DNP. */
static uint32_t unit_bits_of(const ldpc_bb_header *h)
{
    uint32_t least = (h->issy ? 16 : 0) + (h->null_deletion ? 8 : 0);
    if (h->high_efficiency)
        return TS_BITS - 8 + (h->null_deletion ? 8 : 0);
    if (h->upl == TS_BITS && !h->issy)
        return TS_BITS + least;
    return h->upl % 8 || h->upl < TS_BITS + least || h->upl > 8 * MAX_UNIT ? 0 : h->upl;
}

const uint8_t *ldpc_bb_deframer_frame(const ldpc_bb_deframer *deframer)
{
    return deframer ? deframer->frame : NULL;
}

/* ---- frames */

/* Completes the partial packet if SYNCD matches its missing bits. Otherwise drops it. */
static void enter_data_field(ldpc_bb_deframer *d, uint32_t unit_bits)
{
    const ldpc_bb_header *h = &d->header;
    uint32_t rest = unit_bits - d->have;
    bool continues = d->have > 0 && unit_bits == d->unit_bits &&
                     (h->syncd == LDPC_BB_NO_START ? rest >= h->dfl : rest == h->syncd);
    d->at = HEADER;
    d->end = HEADER + h->dfl;
    d->unit_bits = unit_bits;
    d->first = h->syncd != LDPC_BB_NO_START;
    if (continues) {
        d->unit_broken |= d->broken;
        return;
    }
    drop_partial_packet(d);
    d->at = h->syncd == LDPC_BB_NO_START ? d->end : d->at + h->syncd;
    d->unit_broken = d->broken;
}

ldpc_status ldpc_bb_deframer_push(ldpc_bb_deframer *deframer, const uint8_t *frame, bool packed, bool broken)
{
    ldpc_bb_deframer *d = deframer;
    if (!d || !frame)
        return LDPC_ERR_NULL;
    if (d->ready || d->at < d->end)
        return LDPC_AGAIN;
    if (packed)
        memcpy(d->frame, frame, ldpc_packed_bytes(d->k));
    else
        ldpc_pack(frame, d->k, d->frame);
    for (size_t i = 0; i < ldpc_packed_bytes(d->k); i++)
        d->frame[i] ^= d->scrambler[i];
    d->broken = broken;
    d->counters.frames++;
    d->counters.broken_frames += broken;
    d->header = read_header(d);
    if (!d->header.valid) {
        d->counters.header_errors++;
        drop_partial_packet(d);
        return LDPC_OK;
    }
    bool other = !d->header.single_stream && d->stream != LDPC_BB_ANY_STREAM && d->header.stream != d->stream;
    uint32_t unit_bits = unit_bits_of(&d->header);
    if (other || !d->header.transport_stream || unit_bits == 0)
        d->counters.other_frames++;
    else if (d->header.dfl > 0)
        enter_data_field(d, unit_bits);
    return LDPC_OK;
}

/* ---- packets */

static void copy_bits(uint8_t *to, uint32_t to_bit, const uint8_t *from, uint32_t from_bit, uint32_t count)
{
    if (to_bit % 8 == 0 && from_bit % 8 == 0 && count % 8 == 0) {
        memcpy(to + to_bit / 8, from + from_bit / 8, count / 8);
        return;
    }
    for (; count > 0; count--, to_bit++, from_bit++) {
        uint8_t mask = (uint8_t)(0x80 >> to_bit % 8);
        bool one = ldpc_packed_bit(from, from_bit);
        to[to_bit / 8] = (uint8_t)((to[to_bit / 8] & ~mask) | (one ? mask : 0));
    }
}

typedef enum unit_crc {
    CRC_UNKNOWN, /* the packet has no CRC-8, or its CRC-8 is in the next frame */
    CRC_RIGHT,
    CRC_WRONG,
} unit_crc;

static unit_crc check_unit(const ldpc_bb_deframer *d)
{
    if (d->header.high_efficiency || d->end - d->at < 8)
        return CRC_UNKNOWN;
    uint8_t expected = 0;
    copy_bits(&expected, 0, d->frame, d->at, 8);
    return ldpc_crc8(d->unit + 1, d->unit_bits / 8 - 1) == expected ? CRC_RIGHT : CRC_WRONG;
}

/* In high efficiency mode, the header has the ISSY field of the first packet. */
static void begin_packet(ldpc_bb_deframer *d)
{
    d->about = (ldpc_bb_packet){0};
    if (d->header.high_efficiency && d->header.issy && d->first) {
        d->about.issy_bytes = 3;
        d->about.issy = (uint32_t)d->frame[2] << 16 | (uint32_t)d->frame[3] << 8 | d->frame[6];
    }
    d->first = false;
}

/* Reads the ISSY field after the packet (normal mode). */
static void read_issy(ldpc_bb_deframer *d)
{
    if (d->header.high_efficiency || !d->header.issy)
        return;
    const uint32_t bytes = d->unit_bits / 8 - LDPC_TS_PACKET - d->header.null_deletion;
    const uint8_t *field = d->unit + LDPC_TS_PACKET;
    if (bytes != 2 && bytes != 3)
        return;
    d->about.issy_bytes = (uint8_t)bytes;
    d->about.issy = (uint32_t)field[0] << 8 | field[1];
    if (bytes == 3)
        d->about.issy = d->about.issy << 8 | field[2];
}

/* Returns false at the end of the frame. In a broken frame, DNP is used only if the CRC-8 of the packet is
 * correct. */
static bool assemble_packet(ldpc_bb_deframer *d)
{
    uint32_t count = d->unit_bits - d->have;
    if (d->have == 0)
        begin_packet(d);
    if (count > d->end - d->at)
        count = d->end - d->at;
    copy_bits(d->unit, d->have, d->frame, d->at, count);
    d->have += count;
    d->at += count;
    if (d->have < d->unit_bits)
        return false;
    const unit_crc crc = check_unit(d);
    d->counters.crc_errors += crc == CRC_WRONG;
    d->unit_wrong = d->unit_broken || crc == CRC_WRONG;
    read_issy(d);
    const bool counter_right = crc == CRC_RIGHT || !d->unit_wrong;
    d->nulls = d->header.null_deletion && counter_right ? d->unit[d->unit_bits / 8 - 1] : 0;
    d->ready = true;
    return true;
}

static void write_unit(ldpc_bb_deframer *d, uint8_t *ts)
{
    ts[0] = SYNC_BYTE;
    memcpy(ts + 1, d->unit + (d->header.high_efficiency ? 0 : 1), LDPC_TS_PACKET - 1);
    if (d->unit_wrong)
        ts[1] |= ERROR_INDICATOR;
    d->counters.ts_errors += ts[1] >> 7;
    d->unit_broken = d->broken;
    d->have = 0;
    d->ready = false;
}

static void write_null(ldpc_bb_deframer *d, uint8_t *ts)
{
    static const uint8_t start[4] = {SYNC_BYTE, 0x1F, 0xFF, 0x10};
    memcpy(ts, start, sizeof start);
    memset(ts + sizeof start, 0xFF, LDPC_TS_PACKET - sizeof start);
    d->nulls--;
    d->counters.null_packets++;
}

size_t ldpc_bb_deframer_pull_packets(ldpc_bb_deframer *deframer, uint8_t *ts, ldpc_bb_packet *packets,
                                     size_t max_packets)
{
    ldpc_bb_deframer *d = deframer;
    size_t count = 0;
    for (; d && ts && count < max_packets; count++, ts += LDPC_TS_PACKET) {
        if (!d->ready && (d->at == d->end || !assemble_packet(d)))
            break;
        if (packets)
            packets[count] = d->nulls > 0 ? (ldpc_bb_packet){.reinserted = true} : d->about;
        if (d->nulls > 0)
            write_null(d, ts);
        else
            write_unit(d, ts);
        d->counters.packets++;
    }
    return count;
}

size_t ldpc_bb_deframer_pull(ldpc_bb_deframer *deframer, uint8_t *ts, size_t max_packets)
{
    return ldpc_bb_deframer_pull_packets(deframer, ts, NULL, max_packets);
}
