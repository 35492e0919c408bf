/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/plp/common_plp.h"

/* MOST_WAITING is four times the buffer of the standard's receiver model. MOST_WITH_NULL includes null
 * packets: 2.7 s at 72 Mbit/s. */
enum { MOST_WAITING = 16384, MOST_WITH_NULL = 1 << 17 };

static bool too_many(const dvbt2_baseband *baseband)
{
    return baseband->not_null > MOST_WAITING || baseband->packets.count > MOST_WITH_NULL;
}

typedef enum comparison { EARLIER, TOGETHER, LATER } comparison;

static comparison compare(const dvbt2_packet_time *common, const dvbt2_packet_time *data, double period)
{
    const double later = (double)(common->time - data->time);
    if (!common->known)
        return EARLIER;
    return later < -period / 2 ? EARLIER : later <= period / 2 ? TOGETHER : LATER;
}

/* Replaces a null packet with the common PLP packet of the same time. Returns false if the common PLP packet
 * may still arrive. */
static bool replace_null(dvbt2_baseband *common, const dvbt2_packet_time *at, double period, bool flush,
                         uint8_t *packet, uint64_t *merged, uint64_t *unplaced)
{
    while (common->packets.count && (dvbt2_timeline_settled(&common->timeline) || flush)) {
        const dvbt2_packet_time *time = dvbt2_queue_at(&common->timeline.times, 0);
        const comparison is = compare(time, at, period);
        if (is == LATER)
            return true;
        uint8_t taken[LDPC_TS_PACKET];
        dvbt2_baseband_take(common, taken, 1);
        if (is == TOGETHER) {
            *merged += !dvbt2_is_null_packet(taken);
            for (int i = 0; i < LDPC_TS_PACKET; i++)
                packet[i] = taken[i];
            return true;
        }
        *unplaced += !dvbt2_is_null_packet(taken);
    }
    return flush;
}

void dvbt2_common_plp_limit(dvbt2_baseband *common, uint64_t *unplaced)
{
    uint8_t packet[LDPC_TS_PACKET];
    while (too_many(common)) {
        dvbt2_baseband_take(common, packet, 1);
        *unplaced += !dvbt2_is_null_packet(packet);
    }
}

size_t dvbt2_common_plp_take(dvbt2_baseband *data, dvbt2_baseband *common, bool flush, uint8_t *ts,
                             size_t most, uint64_t *merged, uint64_t *unplaced)
{
    size_t count = 0;
    for (; count < most && data->packets.count; count++, ts += LDPC_TS_PACKET) {
        const bool urgent = flush || too_many(data);
        const dvbt2_packet_time *time = dvbt2_queue_at(&data->timeline.times, 0);
        uint8_t *packet = dvbt2_queue_at(&data->packets, 0);
        if (!dvbt2_timeline_settled(&data->timeline) && !urgent)
            break;
        const bool null = dvbt2_is_null_packet(packet);
        if (null && time->known &&
            !replace_null(common, time, data->timeline.period, flush, packet, merged, unplaced) && !urgent)
            break;
        dvbt2_timeline_take(&data->timeline);
        dvbt2_queue_take(&data->packets, ts, 1);
        data->not_null -= !null;
    }
    return count;
}
