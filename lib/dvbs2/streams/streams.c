/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/streams/streams.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    SINGLE = DVBS2_MOST_STREAMS,
    FIRST_ROOM = 64, /* number of packets; a normal frame has at most 39 */
    HEADER_BYTES = 10,
    SYNC = 6, /* byte of the header that holds the sync byte of the packets */
    LEAST_UPL = 16,
    GENERIC_PACKETISED = 0, /* values of TS/GS */
    GENERIC_CONTINUOUS = 1, /* in practice a GSE stream */
    GSE_HEM = 2,            /* GSE in the high efficiency mode */
};

static const char *const any_code = "dvbs2:64800:1/2";

bool dvbs2_streams_init(dvbs2_streams *streams, int32_t stream)
{
    *streams = (dvbs2_streams){.stream = stream};
    return ldpc_bb_deframer_create(any_code, LDPC_BB_ANY_STREAM, &streams->reader, NULL) == LDPC_OK;
}

void dvbs2_streams_free(dvbs2_streams *streams)
{
    ldpc_bb_deframer_destroy(streams->reader);
    for (size_t i = 0; i <= SINGLE; i++) {
        ldpc_bb_deframer_destroy(streams->deframers[i]);
        dvbs2_gse_destroy(streams->gse[i]);
        dvbs2_generic_destroy(streams->generic[i]);
    }
    free(streams->packets);
}

static void break_generic(dvbs2_streams *streams, dvbs2_generic *generic)
{
    const uint64_t lost = generic->lost;
    dvbs2_generic_break(generic);
    streams->lost_pdus += generic->lost - lost;
}

void dvbs2_streams_break(dvbs2_streams *streams)
{
    for (size_t i = 0; i <= SINGLE; i++) {
        if (streams->deframers[i])
            ldpc_bb_deframer_break(streams->deframers[i]);
        if (streams->generic[i])
            break_generic(streams, streams->generic[i]);
    }
}

/* Reads the header of a frame. */
static ldpc_bb_header read_header(dvbs2_streams *streams, const char *code, const uint8_t *frame, bool broken)
{
    ldpc_bb_deframer_reset(streams->reader);
    ldpc_bb_deframer_set_code(streams->reader, code, NULL);
    ldpc_bb_deframer_push(streams->reader, frame, true, broken);
    return ldpc_bb_deframer_header(streams->reader);
}

static bool grow(dvbs2_streams *streams)
{
    const size_t room = streams->room ? 2 * streams->room : FIRST_ROOM;
    uint8_t *packets = ldpc_allocate(room, LDPC_TS_PACKET);
    if (!packets)
        return false;
    if (streams->n_packets > 0)
        memcpy(packets, streams->packets, streams->n_packets * LDPC_TS_PACKET);
    free(streams->packets);
    streams->packets = packets;
    streams->room = room;
    return true;
}

/* Pulls all packets of a frame. */
static ldpc_status pull_packets(dvbs2_streams *streams, ldpc_bb_deframer *deframer)
{
    for (;;) {
        if (streams->n_packets == streams->room && !grow(streams))
            return LDPC_ERR_MEMORY;
        const size_t room = streams->room - streams->n_packets;
        const size_t got =
            ldpc_bb_deframer_pull(deframer, streams->packets + streams->n_packets * LDPC_TS_PACKET, room);
        streams->n_packets += got;
        if (got < room)
            break;
    }
    return LDPC_OK;
}

/* Counts the PDUs of a frame and the losses since the previous frame. */
static void take_pdus(dvbs2_streams *streams, const dvbs2_bytes *pdus, size_t count, uint64_t lost)
{
    streams->pdus = pdus->bytes;
    streams->pdu_bytes = pdus->count;
    streams->pdu_count += count;
    streams->lost_pdus += lost;
}

/* Reads the GSE packets of a frame. */
static ldpc_status read_gse(dvbs2_streams *streams, dvbs2_gse **gse, const ldpc_bb_header *header)
{
    if (!*gse)
        *gse = dvbs2_gse_create();
    if (!*gse)
        return LDPC_ERR_MEMORY;
    const uint64_t lost = (*gse)->lost;
    const uint8_t *field = ldpc_bb_deframer_frame(streams->reader) + HEADER_BYTES;
    if (!dvbs2_gse_push(*gse, field, header->dfl / 8))
        return LDPC_ERR_MEMORY;
    take_pdus(streams, &(*gse)->pdus, (*gse)->n_pdus, (*gse)->lost - lost);
    return LDPC_OK;
}

/* Returns the number of packets that start in a frame, or 1 if their size is invalid. */
static uint64_t count_starts(const ldpc_bb_header *header)
{
    if (header->upl < LEAST_UPL)
        return 1;
    return header->syncd < header->dfl ? (header->dfl - header->syncd - 1u) / header->upl + 1 : 0;
}

/* Reads the packets of a frame of a generic packetised stream. Packets with ISSY are not supported, because the
 * header does not signal whether ISSY has 2 or 3 bytes. */
static ldpc_status read_generic(dvbs2_streams *streams, dvbs2_generic **generic, const ldpc_bb_header *header,
                                bool broken)
{
    if (!*generic)
        *generic = dvbs2_generic_create();
    if (!*generic)
        return LDPC_ERR_MEMORY;
    if (broken || header->issy || header->upl % 8 || header->upl < LEAST_UPL) {
        break_generic(streams, *generic);
        streams->lost_pdus += broken ? 0 : count_starts(header);
        return LDPC_OK;
    }
    const uint64_t lost = (*generic)->lost;
    const uint8_t *frame = ldpc_bb_deframer_frame(streams->reader);
    const size_t count = header->dfl / 8;
    const size_t first = header->syncd == LDPC_BB_NO_START ? count : header->syncd / 8;
    if (!dvbs2_generic_push(*generic, frame + HEADER_BYTES, count, first, header->upl / 8, frame[SYNC]))
        return LDPC_ERR_MEMORY;
    take_pdus(streams, &(*generic)->pdus, (*generic)->n_pdus, (*generic)->lost - lost);
    return LDPC_OK;
}

ldpc_status dvbs2_streams_push(dvbs2_streams *streams, const char *code, const uint8_t *frame, bool broken,
                               bool *selected)
{
    const ldpc_bb_header header = read_header(streams, code, frame, broken);
    streams->n_packets = streams->pdu_bytes = 0;
    *selected = true;
    if (!header.valid) {
        streams->header_errors++;
        dvbs2_streams_break(streams);
        return LDPC_OK;
    }
    if (!header.single_stream && streams->stream != LDPC_BB_ANY_STREAM && header.stream != streams->stream) {
        streams->other_frames++;
        *selected = false;
        return LDPC_OK;
    }
    const size_t at = header.single_stream ? SINGLE : header.stream;
    const uint8_t kind = ldpc_bb_deframer_frame(streams->reader)[0] >> 6; /* TS/GS */
    /* PDUs with errors cannot be marked, and are not output */
    if (kind == GENERIC_CONTINUOUS || kind == GSE_HEM)
        return broken ? LDPC_OK : read_gse(streams, &streams->gse[at], &header);
    if (kind == GENERIC_PACKETISED)
        return read_generic(streams, &streams->generic[at], &header, broken);
    ldpc_bb_deframer **deframer = &streams->deframers[at];
    if (!*deframer && ldpc_bb_deframer_create(any_code, LDPC_BB_ANY_STREAM, deframer, NULL) != LDPC_OK)
        return LDPC_ERR_MEMORY;
    ldpc_bb_deframer_set_code(*deframer, code, NULL);
    ldpc_bb_deframer_push(*deframer, frame, true, broken);
    return pull_packets(streams, *deframer);
}

ldpc_bb_counters dvbs2_streams_counters(const dvbs2_streams *streams)
{
    ldpc_bb_counters sum = {0};
    for (size_t i = 0; i <= SINGLE; i++) {
        const ldpc_bb_counters c = ldpc_bb_deframer_counters(streams->deframers[i]); /* NULL: zeros */
        sum.packets += c.packets;
        sum.null_packets += c.null_packets;
        sum.ts_errors += c.ts_errors;
        sum.lost_packets += c.lost_packets;
    }
    return sum;
}
