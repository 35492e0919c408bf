/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/packet_queue.h"

#include <string.h>

#include "base/memory.h"
#include "ldpc/dvb_fec.h"

uint8_t *dvbt2_packet_queue_room(dvbt2_packet_queue *queue, size_t packets)
{
    if (queue->first + queue->count + packets > queue->capacity && queue->first) {
        memmove(queue->bytes, queue->bytes + queue->first * LDPC_TS_PACKET, queue->count * LDPC_TS_PACKET);
        queue->first = 0;
    }
    if (queue->count + packets > queue->capacity) {
        size_t capacity = 2 * (queue->count + packets);
        uint8_t *bytes = ldpc_reallocate(queue->bytes, capacity, LDPC_TS_PACKET);
        if (!bytes)
            return NULL;
        queue->bytes = bytes;
        queue->capacity = capacity;
    }
    return queue->bytes + (queue->first + queue->count) * LDPC_TS_PACKET;
}

void dvbt2_packet_queue_add(dvbt2_packet_queue *queue, size_t packets)
{
    queue->count += packets;
}

size_t dvbt2_packet_queue_take(dvbt2_packet_queue *queue, uint8_t *ts, size_t most)
{
    size_t taken = queue->count < most ? queue->count : most;
    if (taken)
        memcpy(ts, queue->bytes + queue->first * LDPC_TS_PACKET, taken * LDPC_TS_PACKET);
    queue->first += taken;
    queue->count -= taken;
    if (!queue->count)
        queue->first = 0;
    return taken;
}
