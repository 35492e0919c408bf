/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/streams/streams.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    SINGLE = DVBS2_MOST_STREAMS,
    FIRST_ROOM = 64, /* number of packets; a normal frame has at most 39 */
    HEADER_BYTES = 10,
    GENERIC_CONTINUOUS = 1, /* value of TS/GS for a generic continuous stream, which in practice is a GSE
                             * stream */
    GSE_HEM = 2,            /* value of TS/GS for the GSE high efficiency mode */
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
    }
    free(streams->packets);
}

void dvbs2_streams_break(dvbs2_streams *streams)
{
    for (size_t i = 0; i <= SINGLE; i++)
        if (streams->deframers[i])
            ldpc_bb_deframer_break(streams->deframers[i]);
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

/* Reads the PDUs of a frame. */
static ldpc_status read_pdus(dvbs2_streams *streams, dvbs2_gse **gse, const ldpc_bb_header *header)
{
    if (!*gse)
        *gse = dvbs2_gse_create();
    if (!*gse)
        return LDPC_ERR_MEMORY;
    const uint64_t lost = (*gse)->lost;
    const uint8_t *field = ldpc_bb_deframer_frame(streams->reader) + HEADER_BYTES;
    if (!dvbs2_gse_push(*gse, field, header->dfl / 8))
        return LDPC_ERR_MEMORY;
    streams->pdus = (*gse)->pdus.bytes;
    streams->pdu_bytes = (*gse)->pdus.count;
    streams->pdu_count += (*gse)->n_pdus;
    streams->lost_pdus += (*gse)->lost - lost;
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
    if (kind == GENERIC_CONTINUOUS || kind == GSE_HEM) /* not output, because PDUs with errors cannot be
                                                        * marked */
        return broken ? LDPC_OK : read_pdus(streams, &streams->gse[at], &header);
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
