/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes the baseband frames of one PLP in order. Their codes may differ.
 *
 *     frame ──> deframer ──> packets of the transport stream
 *           ──> in-band signalling and ISSY
 *           ──> whole frames of generic streams (GSE, GCS, GFPS) */
#ifndef DVBT2_BASEBAND_H
#define DVBT2_BASEBAND_H

#include "dvbt2/plp/queue.h"
#include "dvbt2/plp/timeline.h"
#include "ldpc/dvbt2_plp.h"

/* Estimates the number of lost packets. A PLP has a constant packet rate, measured in complete interleaving
 * frames. */
typedef struct dvbt2_packet_count {
    bool begun;
    bool whole;
    uint64_t start; /* start of the interleaving frame, T */
    uint64_t before;
    double time, count;
    double lost_time;  /* T */
    double lost_count; /* packets */
    double lost;       /* number of lost packets */
} dvbt2_packet_count;

typedef struct dvbt2_baseband {
    ldpc_bb_deframer *deframer;
    int32_t stream;          /* ISI of the input stream, or LDPC_BB_ANY_STREAM */
    bool keep_frames;        /* true: keep frames of generic streams */
    dvbt2_queue packets;     /* received packets, LDPC_TS_PACKET bytes each */
    size_t not_null;         /* packets other than null packets */
    dvbt2_timeline timeline; /* input times of the packets at the modulator */
    dvbt2_queue lengths;     /* length of each kept frame in bytes (uint32_t) */
    dvbt2_queue frames;      /* bytes of the kept frames (uint8_t) */
    /* true: the last transport stream frame had no ISSY, so its packets have no times */
    bool without_issy;
    uint64_t generic[3]; /* frames of generic streams, indexed by TS/GS: GFPS, GCS, GSE */
    dvbt2_plp_signalling signalling;
    dvbt2_packet_count count;
} dvbt2_baseband;

ldpc_status dvbt2_baseband_init(dvbt2_baseband *baseband, const dvbt2_plp_decoder_params *params);
void dvbt2_baseband_free(dvbt2_baseband *baseband);

/* Metadata of an interleaving frame. */
typedef struct dvbt2_interleaving_info {
    dvbt2_l1_plp plp;
    uint64_t start; /* T since the receiver was created */
} dvbt2_interleaving_info;

/* Processes a packed, scrambled baseband frame.
 * broken: true if the frame has bit errors
 * info:   metadata if the frame is the first of an interleaving frame, otherwise NULL
 * Returns LDPC_OK. After LDPC_ERR_NAME or LDPC_ERR_MEMORY the frame is lost. */
ldpc_status dvbt2_baseband_push(dvbt2_baseband *baseband, const char *code, const uint8_t *frame, bool broken,
                                const dvbt2_interleaving_info *info);

static inline bool dvbt2_is_null_packet(const uint8_t *packet)
{
    return (packet[1] & 0x1F) == 0x1F && packet[2] == 0xFF;
}

/* Moves up to `most` packets to `ts`. Returns the number of packets. */
size_t dvbt2_baseband_take(dvbt2_baseband *baseband, uint8_t *ts, size_t most);

/* Call this if baseband frames are missing before the next frame. */
void dvbt2_baseband_break(dvbt2_baseband *baseband);

/* Returns the counters of the deframer. The counter lost_packets is an estimate. */
ldpc_bb_counters dvbt2_baseband_counters(const dvbt2_baseband *baseband);

size_t dvbt2_baseband_take_frame(dvbt2_baseband *baseband, uint8_t *frame, size_t room);

#endif
