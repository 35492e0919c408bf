/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/merge.h"

/* Packets of either PLP that may wait: half a second at 50 Mbit/s. */
enum { MOST_WAITING = 16384 };

static bool is_null(const uint8_t *packet)
{
    return (packet[1] & 0x1F) == 0x1F && packet[2] == 0xFF;
}

/* How packets of the common PLP lie to a packet of the data PLP. */
typedef enum comparison { EARLIER, TOGETHER, LATER } comparison;

static comparison compare(const dvbt2_packet_time *common, const dvbt2_packet_time *data, double period)
{
    const double later = (double)(common->time - data->time);
    if (!common->known)
        return EARLIER; /* it never finds its place */
    return later < -period / 2 ? EARLIER : later <= period / 2 ? TOGETHER : LATER;
}

/* The packet of the common PLP for a null packet of the data PLP, left in place of it. False: it may still come. */
static bool replace_null(dvbt2_baseband *common, const dvbt2_packet_time *at, double period, bool flush,
                         uint8_t *packet, uint64_t *merged, uint64_t *unplaced)
{
    while (common->packets.count && (dvbt2_timeline_settled(&common->timeline) || flush)) {
        const dvbt2_packet_time *time = dvbt2_queue_at(&common->timeline.times, 0);
        const comparison is = compare(time, at, period);
        if (is == LATER)
            return true;
        uint8_t taken[LDPC_TS_PACKET];
        dvbt2_timeline_take(&common->timeline);
        dvbt2_queue_take(&common->packets, taken, 1);
        if (is == TOGETHER) {
            *merged += !is_null(taken);
            for (int i = 0; i < LDPC_TS_PACKET; i++)
                packet[i] = taken[i];
            return true;
        }
        *unplaced += !is_null(taken);
    }
    return flush;
}

void dvbt2_merge_limit(dvbt2_baseband *common)
{
    uint8_t packet[LDPC_TS_PACKET];
    while (common->packets.count > MOST_WAITING)
        dvbt2_baseband_take(common, packet, 1);
}

size_t dvbt2_merge_take(dvbt2_baseband *data, dvbt2_baseband *common, bool flush, uint8_t *ts, size_t most,
                        uint64_t *merged, uint64_t *unplaced)
{
    size_t count = 0;
    for (; count < most && data->packets.count; count++, ts += LDPC_TS_PACKET) {
        const bool urgent = flush || data->packets.count > MOST_WAITING;
        const dvbt2_packet_time *time = dvbt2_queue_at(&data->timeline.times, 0);
        uint8_t *packet = dvbt2_queue_at(&data->packets, 0);
        if (!dvbt2_timeline_settled(&data->timeline) && !urgent)
            break;
        if (is_null(packet) && time->known &&
            !replace_null(common, time, data->timeline.period, urgent, packet, merged, unplaced))
            break;
        dvbt2_timeline_take(&data->timeline);
        dvbt2_queue_take(&data->packets, ts, 1);
    }
    return count;
}
