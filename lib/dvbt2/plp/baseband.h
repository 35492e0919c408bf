/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes the output of the BCH decoder: the baseband frames of one PLP in order. Their codes may differ.
 *
 *     frame ──> deframer ──> packets of the transport stream
 *           ──> in-band signalling and ISSY
 *           ──> whole frames of generic streams (GSE, GCS, GFPS) */
#ifndef DVBT2_BASEBAND_H
#define DVBT2_BASEBAND_H

#include "dvbt2/plp/queue.h"
#include "dvbt2/plp/timeline.h"
#include "ldpc/dvbt2_plp.h"

/* Estimates the number of lost packets. A PLP has a constant packet rate. The rate is measured in
 * interleaving frames without lost baseband frames, as the number of packets divided by the time to the next
 * interleaving frame. In any other interleaving frame, the number of lost packets is the rate times the
 * duration of the frame, minus the number of received packets. */
typedef struct dvbt2_packet_count {
    bool begun;         /* true: an interleaving frame has begun */
    bool whole;         /* true: all baseband frames of the interleaving frame have been received so far */
    uint64_t start;     /* start of the interleaving frame in units of T */
    uint64_t before;    /* number of packets received before the interleaving frame */
    double time, count; /* for the last complete interleaving frames: duration in T, and number of packets */
    double lost_time;   /* duration in T of the incomplete interleaving frames that came before the rate was
                         * known */
    double lost_count;  /* number of packets received during lost_time */
    double lost;        /* number of lost packets */
} dvbt2_packet_count;

typedef struct dvbt2_baseband {
    ldpc_bb_deframer *deframer;
    int32_t stream;          /* number (ISI) of the input stream, or LDPC_BB_ANY_STREAM */
    bool keep_frames;        /* true: whole frames of generic streams are kept */
    dvbt2_queue packets;     /* packets of LDPC_TS_PACKET bytes */
    size_t not_null;         /* number of packets that are not null packets */
    dvbt2_timeline timeline; /* times at which the packets entered the modulator */
    dvbt2_queue lengths;     /* length of each kept frame in bytes (uint32_t) */
    dvbt2_queue frames;      /* bytes of the kept frames (uint8_t) */
    /* true: the last transport stream frame had no ISSY, so its packets have no times */
    bool without_issy;
    uint64_t generic[3]; /* number of frames of generic streams, indexed by TS/GS: GFPS, GCS, GSE */
    dvbt2_plp_signalling signalling;
    dvbt2_packet_count count;
} dvbt2_baseband;

ldpc_status dvbt2_baseband_init(dvbt2_baseband *baseband, const dvbt2_plp_decoder_params *params);
void dvbt2_baseband_free(dvbt2_baseband *baseband);

/* Metadata of an interleaving frame. */
typedef struct dvbt2_interleaving_info {
    dvbt2_l1_plp plp; /* parameters of the PLP as signalled in L1-post */
    uint64_t start;   /* start of the interleaving frame's first T2 frame; counted in T since the receiver was
                       * created */
} dvbt2_interleaving_info;

/* Processes a packed, scrambled baseband frame. broken: true if the frame has bit errors. info: metadata if
 * this is the first baseband frame of an interleaving frame, which may contain in-band signalling; otherwise
 * NULL. Returns LDPC_OK. If LDPC_ERR_NAME or LDPC_ERR_MEMORY is returned, the frame is lost. */
ldpc_status dvbt2_baseband_push(dvbt2_baseband *baseband, const char *code, const uint8_t *frame, bool broken,
                                const dvbt2_interleaving_info *info);

static inline bool dvbt2_is_null_packet(const uint8_t *packet)
{
    return (packet[1] & 0x1F) == 0x1F && packet[2] == 0xFF;
}

/* Copies up to `most` packets to `ts` and removes them. Returns the number of packets. */
size_t dvbt2_baseband_take(dvbt2_baseband *baseband, uint8_t *ts, size_t most);

/* Marks a gap: baseband frames are missing before the next baseband frame. */
void dvbt2_baseband_break(dvbt2_baseband *baseband);

/* Returns the counters of the deframer. lost_packets is the estimated number of lost packets. */
ldpc_bb_counters dvbt2_baseband_counters(const dvbt2_baseband *baseband);

size_t dvbt2_baseband_take_frame(dvbt2_baseband *baseband, uint8_t *frame, size_t room);

#endif
