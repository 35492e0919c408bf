/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/plp/queue.h"

#include <string.h>

#include "base/memory.h"

void *dvbt2_queue_at(const dvbt2_queue *queue, size_t i)
{
    return queue->bytes + (queue->first + i) * queue->item;
}

void *dvbt2_queue_room(dvbt2_queue *queue, size_t items)
{
    if (queue->first + queue->count + items > queue->capacity && queue->first) {
        memmove(queue->bytes, dvbt2_queue_at(queue, 0), queue->count * queue->item);
        queue->first = 0;
    }
    if (queue->count + items > queue->capacity) {
        size_t capacity = 2 * (queue->count + items);
        uint8_t *bytes = ldpc_reallocate(queue->bytes, capacity, queue->item);
        if (!bytes)
            return NULL;
        queue->bytes = bytes;
        queue->capacity = capacity;
    }
    return dvbt2_queue_at(queue, queue->count);
}

void dvbt2_queue_add(dvbt2_queue *queue, size_t items)
{
    queue->count += items;
}

size_t dvbt2_queue_take(dvbt2_queue *queue, void *items, size_t most)
{
    size_t taken = queue->count < most ? queue->count : most;
    if (taken)
        memcpy(items, dvbt2_queue_at(queue, 0), taken * queue->item);
    queue->first += taken;
    queue->count -= taken;
    if (!queue->count)
        queue->first = 0;
    return taken;
}
