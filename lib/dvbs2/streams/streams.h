/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts baseband frames to transport stream packets and PDUs. Each input stream (ISI) has its own
 * deframer, because a packet or PDU may span several frames of its stream. */
#ifndef DVBS2_STREAMS_H
#define DVBS2_STREAMS_H

#include "dvbs2/streams/generic.h"
#include "dvbs2/streams/gse.h"
#include "ldpc/dvb_fec.h"

enum { DVBS2_MOST_STREAMS = 256 };

typedef struct dvbs2_streams {
    int32_t stream; /* ISI, or LDPC_BB_ANY_STREAM */
    ldpc_bb_deframer *reader;
    ldpc_bb_deframer *deframers[DVBS2_MOST_STREAMS + 1]; /* the index is the ISI; the last element is for a
                                                          * single stream */
    dvbs2_gse *gse[DVBS2_MOST_STREAMS + 1];              /* as the deframers */
    dvbs2_generic *generic[DVBS2_MOST_STREAMS + 1];
    uint8_t *packets; /* packets of the last frame */
    size_t n_packets, room;
    const uint8_t *pdus; /* as in dvbs2_frame */
    size_t pdu_bytes;
    uint64_t other_frames, header_errors, pdu_count, lost_pdus;
} dvbs2_streams;

bool dvbs2_streams_init(dvbs2_streams *streams, int32_t stream);
void dvbs2_streams_free(dvbs2_streams *streams);

/* Call this if frames are missing before the next frame. */
void dvbs2_streams_break(dvbs2_streams *streams);

/* Reads a packed, scrambled frame of this LDPC code. Writes its packets to streams->packets, and its PDUs to
 * streams->pdus. Sets *selected if the frame belongs to a selected stream or its header has errors. Returns
 * LDPC_OK or LDPC_ERR_MEMORY. */
ldpc_status dvbs2_streams_push(dvbs2_streams *streams, const char *code, const uint8_t *frame, bool broken,
                               bool *selected);

/* Returns the packet counters, summed over all streams. */
ldpc_bb_counters dvbs2_streams_counters(const dvbs2_streams *streams);

#endif
