/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues the cells of one PLP between the receiver and the caller. */
#ifndef DVBT2_CELL_QUEUE_H
#define DVBT2_CELL_QUEUE_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ldpc/dvbt2.h"

enum {
    DVBT2_CELL_QUEUE_FRAMES = 8,
    DVBT2_CELL_QUEUE_CELLS = 1 << 16,
};

typedef struct dvbt2_queued_frame {
    dvbt2_plp_frame info;
    uint32_t written, pulled; /* cells */
    bool complete;
} dvbt2_queued_frame;

typedef struct dvbt2_cell_queue {
    size_t room, first, held;
    float complex *cells;
    float *noise;
    dvbt2_queued_frame frames[DVBT2_CELL_QUEUE_FRAMES];
    uint32_t oldest, count;
} dvbt2_cell_queue;

bool dvbt2_cell_queue_init(dvbt2_cell_queue *queue, size_t room);
void dvbt2_cell_queue_free(dvbt2_cell_queue *queue);

bool dvbt2_cell_queue_has_room(const dvbt2_cell_queue *queue, size_t cells);

void dvbt2_cell_queue_begin(dvbt2_cell_queue *queue, const dvbt2_plp_frame *info);
void dvbt2_cell_queue_write(dvbt2_cell_queue *queue, const float complex *cells, const float *noise,
                            uint32_t count);

/* Ends the latest frame. No more cells will be written to it. */
void dvbt2_cell_queue_complete(dvbt2_cell_queue *queue);

size_t dvbt2_cell_queue_pull(dvbt2_cell_queue *queue, size_t max, float *iq, float *noise,
                             dvbt2_plp_frame *frame, uint32_t *first);

#endif
