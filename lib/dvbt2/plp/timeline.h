/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the modulator took each packet of a PLP, for the PLPs of a group to be put together again.
 *
 *     packet   0    1    2    3    4    5    6 ...       null packets that were deleted count too
 *     ISCR          a              b                     counter of the modulator, in T, modulo 2^22 or 2^15
 *     time   a-p    a   a+p  a+2p  b                     p = (b - a) / 3: packets come at a constant rate
 *
 * Which multiple of 2^22 T an ISCR lacks (0.46 s in a channel of 8 MHz) shows when it is compared with the time of the
 * packet's output, which is TTO after the start of a T2 frame: the PLPs of a group have the same difference between
 * the two. Packets without an ISCR before or after them within the same run of frames get no time. Where an ISCR has 15 bits,
 * its turns are 3.6 ms: only a TTO can tell them apart, if it is exact enough, and packets get no time before one has.
 */
#ifndef DVBT2_TIMELINE_H
#define DVBT2_TIMELINE_H

#include <stdbool.h>

#include "dvbt2/plp/issy.h"
#include "dvbt2/plp/queue.h"

/* Time of a packet's ISCR minus that of its output, the same for all PLPs of a group. */
typedef struct dvbt2_group_clock {
    bool known;
    int64_t difference;
    int64_t error; /* by which it may be wrong at most, as far as a TTO has told it */
} dvbt2_group_clock;

typedef struct dvbt2_packet_time {
    bool known;
    int64_t time; /* in T */
} dvbt2_packet_time;

typedef struct dvbt2_timeline {
    dvbt2_queue times; /* dvbt2_packet_time of the packets that wait */
    uint64_t taken;    /* packets that have left: packet number n waits at n - taken */
    uint64_t settled;  /* packets before this one have their final time */
    bool anchored;     /* the last packet with an ISCR is `anchor`, at `anchor_time` */
    uint64_t anchor;
    int64_t anchor_time;
    double period;  /* T from packet to packet; 0: not known yet */
    uint32_t slips; /* anchors one after the other that did not come after as many packets as they should */
    bool aligned;   /* times agree with the group's clock */
    bool has_start; /* packet `start` leaves the receiver at `start_time`, as far as is known */
    uint64_t start;
    int64_t start_time, frame_time;
    bool has_tto;        /* a TTO has told start_time, */
    int64_t start_error; /* which may be wrong by so much */
    dvbt2_group_clock own, *clock;
} dvbt2_timeline;

void dvbt2_timeline_init(dvbt2_timeline *timeline);

/* The next packets come from an interleaving frame whose first T2 frame began at `time`. */
void dvbt2_timeline_frame(dvbt2_timeline *timeline, uint64_t time);

/* A packet with this ISSY, which is none for reinserted ones. LDPC_ERR_MEMORY. */
ldpc_status dvbt2_timeline_append(dvbt2_timeline *timeline, const dvbt2_issy *issy);

/* Packets are missing behind the last one. */
void dvbt2_timeline_break(dvbt2_timeline *timeline);

/* Has the first packet that waits its final time? */
static inline bool dvbt2_timeline_settled(const dvbt2_timeline *timeline)
{
    return timeline->settled > timeline->taken;
}

/* The first packet leaves. */
dvbt2_packet_time dvbt2_timeline_take(dvbt2_timeline *timeline);

#endif
