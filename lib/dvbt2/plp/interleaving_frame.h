/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the cells of one interleaving frame, which may span several T2 frames (TIME_IL_TYPE 1).
 *
 *     T2 frame      n        n + I_JUMP   ...
 *     cells      [ part 0 ][ part 1 ][ ... ][ part frames - 1 ]      n_blocks * cells_per_block in all
 *
 * A TI block can be decoded after its last cell. Missing cells are erasures (noise 0). */
#ifndef DVBT2_INTERLEAVING_FRAME_H
#define DVBT2_INTERLEAVING_FRAME_H

#include "ldpc/dvbt2.h"

/* Decoding progress of an interleaving frame, in TI blocks and cells. */
typedef struct dvbt2_ti_progress {
    uint32_t blocks;
    size_t cells;
} dvbt2_ti_progress;

typedef struct dvbt2_interleaving_frame {
    dvbt2_plp_frame frame; /* frame.frame is the number of the latest T2 frame */
    /* start of the T2 frame with the oldest cells, in units of T */
    uint64_t start;
    size_t cells; /* 0 before the first cells */
    size_t end;
    dvbt2_ti_progress decoded;
    size_t room; /* capacity of the buffers in cells */
    float *iq, *noise;
} dvbt2_interleaving_frame;

void dvbt2_interleaving_frame_free(dvbt2_interleaving_frame *gathered);

static inline uint64_t dvbt2_interleaving_frame_first(const dvbt2_plp_frame *frame)
{
    return frame->frame - (uint64_t)frame->part * frame->plp.frame_interval;
}

/* Returns true if this T2 frame belongs to the collected interleaving frame. */
bool dvbt2_interleaving_frame_is(const dvbt2_interleaving_frame *gathered, const dvbt2_plp_frame *frame);

/* Returns LDPC_OK, LDPC_ERR_MEMORY, or LDPC_ERR_RANGE for sizes that L1 cannot signal. */
ldpc_status dvbt2_interleaving_frame_begin(dvbt2_interleaving_frame *gathered, const dvbt2_plp_frame *frame);

/* Appends cells. Fills a gap before them with erasures. Returns LDPC_ERR_RANGE for cells past the end. */
ldpc_status dvbt2_interleaving_frame_add(dvbt2_interleaving_frame *gathered, const dvbt2_plp_frame *frame,
                                         uint32_t first, size_t count, const float *iq, const float *noise);

void dvbt2_interleaving_frame_close(dvbt2_interleaving_frame *gathered);

static inline bool dvbt2_interleaving_frame_complete(const dvbt2_interleaving_frame *gathered)
{
    return gathered->cells && gathered->end == gathered->cells;
}

#endif
