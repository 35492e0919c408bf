/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What follows the BCH decoder: baseband frames of one PLP, one after the other, whatever code they have.
 *
 *     frame ──> deframer ──> packets of the transport stream
 *           ──> in-band signalling and ISSY: what the PLP says about itself
 *           ──> whole frames of generic streams (GSE, GCS, GFPS)
 */
#ifndef DVBT2_BASEBAND_H
#define DVBT2_BASEBAND_H

#include "dvbt2/plp/queue.h"
#include "dvbt2/plp/timeline.h"
#include "ldpc/dvbt2_plp.h"

/* Missing packets. A PLP has a constant packet rate: interleaving frames with all their baseband frames give it, as packets over the time to the
 * start of the next one. The time of all others, times this rate, is the number of packets that they should have given. */
typedef struct dvbt2_packet_count {
    bool begun;         /* an interleaving frame has begun */
    bool whole;         /* all its baseband frames were read so far */
    uint64_t start;     /* of this interleaving frame, in T */
    uint64_t before;    /* packets before it */
    double time, count; /* T and packets of the last whole interleaving frames */
    double lost_time;   /* T of others, until the rate is known */
    double lost_count;  /* packets that came in this time */
    double lost;        /* missing packets */
} dvbt2_packet_count;

typedef struct dvbt2_baseband {
    ldpc_bb_deframer *deframer;
    int32_t stream;          /* input stream to take, or LDPC_BB_ANY_STREAM */
    bool keep_frames;        /* of generic streams */
    dvbt2_queue packets;     /* uint8_t[LDPC_TS_PACKET] */
    size_t not_null;         /* packets among them that are no null packets */
    dvbt2_timeline timeline; /* when each of them was sent */
    dvbt2_queue lengths;     /* uint32_t: bytes of each kept frame */
    dvbt2_queue frames;      /* uint8_t: the kept frames */
    bool without_issy;       /* the last frame of a transport stream had none: packets have no times */
    uint64_t generic[3];     /* frames of generic streams, by TS/GS: GFPS, GCS, GSE */
    dvbt2_plp_signalling signalling;
    dvbt2_packet_count count;
} dvbt2_baseband;

ldpc_status dvbt2_baseband_init(dvbt2_baseband *baseband, const dvbt2_plp_decoder_params *params);
void dvbt2_baseband_free(dvbt2_baseband *baseband);

/* What is known of an interleaving frame besides its cells. */
typedef struct dvbt2_interleaving_info {
    dvbt2_l1_plp plp; /* what L1 says */
    uint64_t start;   /* of its first T2 frame, in T since the receiver began */
} dvbt2_interleaving_info;

/* A frame of this code, packed and scrambled. `broken`: it has wrong bits. `info`: it is the first frame of an
 * interleaving frame, which may have in-band signalling; else NULL.
 * LDPC_ERR_NAME, LDPC_ERR_MEMORY: the frame is lost. */
ldpc_status dvbt2_baseband_push(dvbt2_baseband *baseband, const char *code, const uint8_t *frame, bool broken,
                                const dvbt2_interleaving_info *info);

static inline bool dvbt2_is_null_packet(const uint8_t *packet)
{
    return (packet[1] & 0x1F) == 0x1F && packet[2] == 0xFF;
}

/* Takes up to `most` packets; returns how many. */
size_t dvbt2_baseband_take(dvbt2_baseband *baseband, uint8_t *ts, size_t most);

/* The frames that follow are not the next ones. */
void dvbt2_baseband_break(dvbt2_baseband *baseband);

/* Those of the deframer, with all packets that are missing in lost_packets. */
ldpc_bb_counters dvbt2_baseband_counters(const dvbt2_baseband *baseband);

size_t dvbt2_baseband_take_frame(dvbt2_baseband *baseband, uint8_t *frame, size_t room);

#endif
