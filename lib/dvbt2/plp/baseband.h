/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything after the BCH decoder: the baseband frames of one PLP, in order, independent of their code.
 *
 *     frame ──> deframer ──> packets of the transport stream
 *           ──> in-band signalling and ISSY
 *           ──> whole frames of generic streams (GSE, GCS, GFPS) */
#ifndef DVBT2_BASEBAND_H
#define DVBT2_BASEBAND_H

#include "dvbt2/plp/queue.h"
#include "dvbt2/plp/timeline.h"
#include "ldpc/dvbt2_plp.h"

/* Estimates lost packets. A PLP has a constant packet rate. The rate is measured over interleaving frames
 * whose baseband frames were all received: their number of packets divided by the time to the next
 * interleaving frame. For the other interleaving frames, the expected packets are this rate times their
 * duration; the lost packets are the expected minus the received packets. */
typedef struct dvbt2_packet_count {
    bool begun;         /* an interleaving frame has begun */
    bool whole;         /* all baseband frames of the interleaving frame have been received so far */
    uint64_t start;     /* its start, in T */
    uint64_t before;    /* packets received before the interleaving frame */
    double time, count; /* duration (T) and number of packets of the last complete interleaving frames */
    double lost_time;   /* duration (T) of incomplete interleaving frames while the rate is unknown */
    double lost_count;  /* packets received during lost_time */
    double lost;        /* lost packets */
} dvbt2_packet_count;

typedef struct dvbt2_baseband {
    ldpc_bb_deframer *deframer;
    int32_t stream;          /* ISI of the input stream, or LDPC_BB_ANY_STREAM */
    bool keep_frames;        /* keep whole frames of generic streams */
    dvbt2_queue packets;     /* uint8_t[LDPC_TS_PACKET] */
    size_t not_null;         /* number of packets that are not null packets */
    dvbt2_timeline timeline; /* time of each packet at the modulator */
    dvbt2_queue lengths;     /* uint32_t: length of each kept frame, bytes */
    dvbt2_queue frames;      /* uint8_t: the kept frames */
    bool without_issy;       /* the last frame of a transport stream had no ISSY: packets have no times */
    uint64_t generic[3];     /* number of generic stream frames by TS/GS: GFPS, GCS, GSE */
    dvbt2_plp_signalling signalling;
    dvbt2_packet_count count;
} dvbt2_baseband;

ldpc_status dvbt2_baseband_init(dvbt2_baseband *baseband, const dvbt2_plp_decoder_params *params);
void dvbt2_baseband_free(dvbt2_baseband *baseband);

/* Metadata of an interleaving frame. */
typedef struct dvbt2_interleaving_info {
    dvbt2_l1_plp plp; /* parameters of the PLP in L1-post */
    uint64_t start;   /* start of the frame's first T2 frame, in T since the receiver was created */
} dvbt2_interleaving_info;

/* Process a packed, scrambled baseband frame of this code. broken: the frame has bit errors. info: metadata
 * if the frame is the first of an interleaving frame and may have in-band signalling, else NULL. Returns
 * LDPC_OK; after LDPC_ERR_NAME or LDPC_ERR_MEMORY the frame is lost. */
ldpc_status dvbt2_baseband_push(dvbt2_baseband *baseband, const char *code, const uint8_t *frame, bool broken,
                                const dvbt2_interleaving_info *info);

static inline bool dvbt2_is_null_packet(const uint8_t *packet)
{
    return (packet[1] & 0x1F) == 0x1F && packet[2] == 0xFF;
}

/* Copy up to `most` packets to `ts`, remove them and return their number. */
size_t dvbt2_baseband_take(dvbt2_baseband *baseband, uint8_t *ts, size_t most);

/* Mark a gap: the next baseband frame does not follow the last one. */
void dvbt2_baseband_break(dvbt2_baseband *baseband);

/* Returns the counters of the deframer, with the estimated number of lost packets in lost_packets. */
ldpc_bb_counters dvbt2_baseband_counters(const dvbt2_baseband *baseband);

size_t dvbt2_baseband_take_frame(dvbt2_baseband *baseband, uint8_t *frame, size_t room);

#endif
