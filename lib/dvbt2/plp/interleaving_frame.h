/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers the cells of one interleaving frame, which may take several T2 frames (TIME_IL_TYPE 1).
 *
 *     T2 frame      n        n + I_JUMP   ...
 *     cells      [ part 0 ][ part 1 ][ ... ][ part frames - 1 ]      n_blocks * cells_per_block in all
 *
 * Its TI blocks lie one after the other: each can be decoded as soon as its last cell has come. Cells that never
 * come are erasures: noise 0.
 */
#ifndef DVBT2_INTERLEAVING_FRAME_H
#define DVBT2_INTERLEAVING_FRAME_H

#include "ldpc/dvbt2.h"

/* TI blocks of an interleaving frame that have been handed on, one after the other. */
typedef struct dvbt2_ti_progress {
    uint32_t blocks;
    size_t cells; /* in them */
} dvbt2_ti_progress;

typedef struct dvbt2_interleaving_frame {
    dvbt2_plp_frame frame; /* of the last cells that were added */
    uint64_t start;        /* of the T2 frame with the first cells that were added */
    size_t cells;          /* of the interleaving frame; 0: none has begun */
    size_t end;            /* behind the last cell that has been added; those before it are set */
    dvbt2_ti_progress decoded;
    size_t room; /* cells that the buffers have room for */
    float *iq, *noise;
} dvbt2_interleaving_frame;

void dvbt2_interleaving_frame_free(dvbt2_interleaving_frame *gathered);

/* Number of the T2 frame with the first part of the interleaving frame that this one has a part of. */
static inline uint64_t dvbt2_interleaving_frame_first(const dvbt2_plp_frame *frame)
{
    return frame->frame - (uint64_t)frame->part * frame->plp.frame_interval;
}

/* Is this T2 frame a part of the interleaving frame that is being gathered? */
bool dvbt2_interleaving_frame_is(const dvbt2_interleaving_frame *gathered, const dvbt2_plp_frame *frame);

/* Starts one. LDPC_ERR_MEMORY; LDPC_ERR_RANGE for sizes that no L1 can mean. */
ldpc_status dvbt2_interleaving_frame_begin(dvbt2_interleaving_frame *gathered, const dvbt2_plp_frame *frame);

/* Adds cells behind those that are there; cells left out between them become erasures. LDPC_ERR_RANGE: cells that
 * the frame does not have. */
ldpc_status dvbt2_interleaving_frame_add(dvbt2_interleaving_frame *gathered, const dvbt2_plp_frame *frame,
                                         uint32_t first, size_t count, const float *iq, const float *noise);

/* Cells that have not come become erasures. */
void dvbt2_interleaving_frame_close(dvbt2_interleaving_frame *gathered);

static inline bool dvbt2_interleaving_frame_complete(const dvbt2_interleaving_frame *gathered)
{
    return gathered->cells && gathered->end == gathered->cells;
}

#endif
