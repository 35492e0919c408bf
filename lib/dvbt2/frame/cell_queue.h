/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of one PLP between receiver and caller. */
#ifndef DVBT2_CELL_QUEUE_H
#define DVBT2_CELL_QUEUE_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ldpc/dvbt2.h"

enum {
    DVBT2_CELL_QUEUE_FRAMES = 8,
    DVBT2_CELL_QUEUE_CELLS = 1 << 16, /* two symbols and more */
};

/* A frame that is not pulled to its end yet. */
typedef struct dvbt2_queued_frame {
    dvbt2_plp_frame info;
    uint32_t written, pulled; /* cells */
    bool complete;            /* nothing more is written: cells that are missing were lost */
} dvbt2_queued_frame;

typedef struct dvbt2_cell_queue {
    size_t room, first, held; /* cells of the ring, the oldest one, and how many there are */
    float complex *cells;
    float *noise;
    dvbt2_queued_frame frames[DVBT2_CELL_QUEUE_FRAMES];
    uint32_t oldest, count; /* frames */
} dvbt2_cell_queue;

bool dvbt2_cell_queue_init(dvbt2_cell_queue *queue, size_t room);
void dvbt2_cell_queue_free(dvbt2_cell_queue *queue);

/* May another frame begin, or a symbol of `cells` cells be written? */
bool dvbt2_cell_queue_has_room(const dvbt2_cell_queue *queue, size_t cells);

void dvbt2_cell_queue_begin(dvbt2_cell_queue *queue, const dvbt2_plp_frame *info);
void dvbt2_cell_queue_write(dvbt2_cell_queue *queue, const float complex *cells, const float *noise,
                            uint32_t count);

/* The frame that was begun last has no more cells. */
void dvbt2_cell_queue_complete(dvbt2_cell_queue *queue);

size_t dvbt2_cell_queue_pull(dvbt2_cell_queue *queue, size_t max, float *iq, float *noise,
                             dvbt2_plp_frame *frame, uint32_t *first);

#endif
