/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A queue of transport stream packets that grows when it has to. */
#ifndef DVBT2_PACKET_QUEUE_H
#define DVBT2_PACKET_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dvbt2_packet_queue {
    uint8_t *bytes;
    size_t first, count, capacity; /* packets; those waiting are first .. first + count - 1 */
} dvbt2_packet_queue;

/* Room for `packets` more behind the last one: where to write them, NULL when memory is short. */
uint8_t *dvbt2_packet_queue_room(dvbt2_packet_queue *queue, size_t packets);

/* `packets` of them have been written. */
void dvbt2_packet_queue_add(dvbt2_packet_queue *queue, size_t packets);

/* Copies up to `most` packets out; returns how many. */
size_t dvbt2_packet_queue_take(dvbt2_packet_queue *queue, uint8_t *ts, size_t most);

#endif
