/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reconstructs when the modulator received each packet of a PLP.
 *
 *     packet   0    1    2    3    4    5    6 ...       with deleted null packets
 *     ISCR          a              b                     counter of the modulator, in T, modulo 2^22 or 2^15
 *     time   a-p    a   a+p  a+2p  b                     p = (b - a) / 3: packets have a constant rate
 *
 * A 22-bit ISCR wraps every 0.46 s in an 8 MHz channel, a 15-bit ISCR every 3.6 ms. Packet time minus output
 * time (T2 frame start + TTO) is equal for all PLPs of a group, which resolves the wraps. Packets get no time
 * before the first ISCR. With a 15-bit ISCR, they also get no time before an accurate TTO. */
#ifndef DVBT2_TIMELINE_H
#define DVBT2_TIMELINE_H

#include <stdbool.h>

#include "dvbt2/plp/issy.h"
#include "dvbt2/plp/queue.h"

typedef struct dvbt2_group_clock {
    bool known;
    int64_t difference;
    int64_t error; /* maximum error of `difference` */
} dvbt2_group_clock;

typedef struct dvbt2_packet_time {
    bool known;
    int64_t time; /* the difference in T */
} dvbt2_packet_time;

typedef struct dvbt2_timeline {
    dvbt2_queue times; /* dvbt2_packet_time of each waiting packet */
    uint64_t taken;    /* number of packets removed from `times`; packet n is at index n - taken */
    uint64_t settled;  /* first packet with a preliminary time */
    bool anchored;     /* true: `anchor` is the number of the last packet with an ISCR */
    uint64_t anchor;
    int64_t anchor_time;
    double period; /* packet period in T; 0: unknown */
    /* number of consecutive anchors that contradict the period */
    uint32_t slips;
    bool aligned;
    bool has_start;
    uint64_t start;
    int64_t start_time, frame_time;
    bool has_tto;        /* start_time was received as TTO */
    int64_t start_error; /* maximum error of start_time */
    dvbt2_group_clock own, *clock;
} dvbt2_timeline;

void dvbt2_timeline_init(dvbt2_timeline *timeline);

/* Begins an interleaving frame. time: start of its first T2 frame. */
void dvbt2_timeline_frame(dvbt2_timeline *timeline, uint64_t time);

/* Appends a packet. Reinserted null packets have no ISSY field. Returns LDPC_OK or LDPC_ERR_MEMORY. */
ldpc_status dvbt2_timeline_append(dvbt2_timeline *timeline, const dvbt2_issy *issy);

/* Call this if packets are missing before the next packet. */
void dvbt2_timeline_break(dvbt2_timeline *timeline);

static inline bool dvbt2_timeline_settled(const dvbt2_timeline *timeline)
{
    return timeline->settled > timeline->taken;
}

dvbt2_packet_time dvbt2_timeline_take(dvbt2_timeline *timeline);

#endif
