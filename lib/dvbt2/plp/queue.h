/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing queue of items of equal size. */
#ifndef DVBT2_QUEUE_H
#define DVBT2_QUEUE_H

#include <stddef.h>
#include <stdint.h>

typedef struct dvbt2_queue {
    size_t item;
    uint8_t *bytes;
    /* in items */
    size_t first, count, capacity;
} dvbt2_queue;

/* Returns NULL if out of memory. */
void *dvbt2_queue_room(dvbt2_queue *queue, size_t items);

/* Appends `items` written items. */
void dvbt2_queue_add(dvbt2_queue *queue, size_t items);

/* Returns the i-th waiting item. */
void *dvbt2_queue_at(const dvbt2_queue *queue, size_t i);

/* Moves up to `most` items out of the queue. Returns the number of items. */
size_t dvbt2_queue_take(dvbt2_queue *queue, void *items, size_t most);

#endif
