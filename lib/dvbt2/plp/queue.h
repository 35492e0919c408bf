/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing queue of items of equal size: transport stream packets or bytes. */
#ifndef DVBT2_QUEUE_H
#define DVBT2_QUEUE_H

#include <stddef.h>
#include <stdint.h>

typedef struct dvbt2_queue {
    size_t item; /* size of an item, bytes */
    uint8_t *bytes;
    size_t first, count, capacity; /* counts of items; items first .. first + count - 1 are waiting */
} dvbt2_queue;

/* Make room for `items` more items at the end. Returns where to write them, or NULL if out of memory. */
void *dvbt2_queue_room(dvbt2_queue *queue, size_t items);

/* Append the `items` items that have been written. */
void dvbt2_queue_add(dvbt2_queue *queue, size_t items);

/* Returns the i-th waiting item. */
void *dvbt2_queue_at(const dvbt2_queue *queue, size_t i);

/* Copy up to `most` items out of the queue and remove them; returns their number. */
size_t dvbt2_queue_take(dvbt2_queue *queue, void *items, size_t most);

#endif
