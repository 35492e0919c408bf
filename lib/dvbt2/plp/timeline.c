/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/plp/timeline.h"

#include <math.h>

/* Maximum and minimum packet period in units of T. They belong to one packet per second and to 100 Mbit/s. */
static const double longest_period = 1e7, shortest_period = 100;

enum { MOST_SLIPS = 3, LONG_ISCR = 22 /* number of bits */ };

void dvbt2_timeline_init(dvbt2_timeline *timeline)
{
    *timeline = (dvbt2_timeline){.times = {.item = sizeof(dvbt2_packet_time)}};
    timeline->clock = &timeline->own;
}

void dvbt2_timeline_frame(dvbt2_timeline *timeline, uint64_t time)
{
    timeline->frame_time = (int64_t)time;
    if (timeline->has_tto)
        return;
    timeline->has_start = true;
    timeline->start = timeline->taken + timeline->times.count;
    timeline->start_time = timeline->frame_time;
    timeline->start_error = 0;
}

/* Returns the value of (a - b) modulo 2^bits that has the smallest magnitude. */
static int64_t difference(int64_t a, int64_t b, uint32_t bits)
{
    const int64_t turn = (int64_t)1 << bits, rest = (a - b) & (turn - 1);
    return rest < turn / 2 ? rest : rest - turn;
}

static void settle(dvbt2_timeline *t, uint64_t end)
{
    const uint64_t from = t->settled > t->taken ? t->settled : t->taken;
    for (uint64_t n = from; n < end; n++) {
        dvbt2_packet_time *packet = dvbt2_queue_at(&t->times, (size_t)(n - t->taken));
        packet->known = t->anchored && t->period > 0 && t->aligned;
        double packets = (double)n - (double)t->anchor;
        packet->time = t->anchor_time + (int64_t)llrint(packet->known ? packets * t->period : 0);
    }
    t->settled = end > t->settled ? end : t->settled;
}

static bool exact_enough(const dvbt2_timeline *t, uint32_t bits)
{
    const int64_t turn = (int64_t)1 << bits;
    const int64_t group = t->clock->known ? t->clock->error : t->start_error;
    return t->has_start && (bits == LONG_ISCR || t->has_tto) && t->start_error + group < turn / 2;
}

static void align(dvbt2_timeline *t, uint32_t bits)
{
    if (t->aligned || !exact_enough(t, bits))
        return;
    const double packets = (double)t->anchor - (double)t->start;
    const int64_t at_start = t->anchor_time - (int64_t)llrint(packets * t->period);
    const int64_t measured = at_start - t->start_time;
    if (!t->clock->known)
        *t->clock = (dvbt2_group_clock){true, measured, t->start_error};
    t->anchor_time += t->clock->difference + difference(measured, t->clock->difference, bits) - measured;
    t->aligned = true;
}

static void begin_run(dvbt2_timeline *t, uint64_t number, const dvbt2_issy *issy)
{
    t->anchored = true;
    t->anchor = number;
    t->anchor_time = (int64_t)issy->value;
}

/* After lost packets, the ISCR contradicts the period. A new period needs several confirmations. */
static bool keeps_pace(dvbt2_timeline *t, double period, double packets)
{
    if (!(t->period > 0) || fabs(period - t->period) * packets <= t->period / 2) {
        t->slips = 0;
        return true;
    }
    return ++t->slips >= MOST_SLIPS;
}

static void take_iscr(dvbt2_timeline *t, uint64_t number, const dvbt2_issy *issy)
{
    if (!t->anchored) {
        begin_run(t, number, issy);
        return;
    }
    const double packets = (double)(number - t->anchor);
    if (issy->bits < LONG_ISCR && !(t->period > 0) && packets > 1) { /* the counter may have wrapped */
        begin_run(t, number, issy);
        return;
    }
    const int64_t expected = llrint(packets * t->period);
    const int64_t step = expected + difference((int64_t)issy->value, t->anchor_time + expected, issy->bits);
    const double period = (double)step / packets;
    if (!(period > shortest_period && period < longest_period)) { /* another stream */
        dvbt2_timeline_break(t);
        begin_run(t, number, issy);
        return;
    }
    const bool slipped = !keeps_pace(t, period, packets);
    if (slipped)
        settle(t, number);
    else
        t->period = period;
    t->anchor = number;
    t->anchor_time += step;
    align(t, issy->bits);
    settle(t, number + 1);
}

ldpc_status dvbt2_timeline_append(dvbt2_timeline *timeline, const dvbt2_issy *issy)
{
    dvbt2_packet_time *room = dvbt2_queue_room(&timeline->times, 1);
    if (!room)
        return LDPC_ERR_MEMORY;
    *room = (dvbt2_packet_time){0};
    dvbt2_queue_add(&timeline->times, 1);
    const uint64_t number = timeline->taken + timeline->times.count - 1;
    if (issy->kind == DVBT2_ISSY_ISCR) {
        take_iscr(timeline, number, issy);
    } else if (issy->kind == DVBT2_ISSY_TTO && timeline->has_start) {
        timeline->start = number;
        timeline->start_time = timeline->frame_time + (int64_t)(issy->value + issy->step / 2);
        timeline->start_error = (int64_t)(issy->step / 2);
        timeline->has_tto = true;
    }
    return LDPC_OK;
}

void dvbt2_timeline_break(dvbt2_timeline *timeline)
{
    settle(timeline, timeline->taken + timeline->times.count);
    timeline->anchored = timeline->aligned = timeline->has_start = timeline->has_tto = false;
    timeline->slips = 0;
}

dvbt2_packet_time dvbt2_timeline_take(dvbt2_timeline *timeline)
{
    dvbt2_packet_time first = {0};
    timeline->taken += dvbt2_queue_take(&timeline->times, &first, 1);
    return first;
}
