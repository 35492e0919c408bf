/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A queue of items of equal size that grows when it has to: transport stream packets, or bytes. */
#ifndef DVBT2_QUEUE_H
#define DVBT2_QUEUE_H

#include <stddef.h>
#include <stdint.h>

typedef struct dvbt2_queue {
    size_t item; /* bytes of one */
    uint8_t *bytes;
    size_t first, count, capacity; /* items; those waiting are first .. first + count - 1 */
} dvbt2_queue;

/* Room for `items` more behind the last one: where to write them, NULL when memory is short. */
void *dvbt2_queue_room(dvbt2_queue *queue, size_t items);

/* `items` of them have been written. */
void dvbt2_queue_add(dvbt2_queue *queue, size_t items);

/* Item i of those that wait. */
void *dvbt2_queue_at(const dvbt2_queue *queue, size_t i);

/* Copies up to `most` items out; returns how many. */
size_t dvbt2_queue_take(dvbt2_queue *queue, void *items, size_t most);

#endif
