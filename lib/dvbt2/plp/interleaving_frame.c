/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/plp/interleaving_frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    MAX_BLOCKS = 1023,       /* PLP_NUM_BLOCKS has 10 bits */
    MAX_BLOCK_CELLS = 32400, /* 64800 bits with QPSK */
};

void dvbt2_interleaving_frame_free(dvbt2_interleaving_frame *gathered)
{
    free(gathered->iq);
    free(gathered->noise);
    *gathered = (dvbt2_interleaving_frame){0};
}

/* Returns the first cell of this T2 frame in the interleaving frame. */
static size_t start_of(const dvbt2_plp_frame *frame)
{
    return (size_t)frame->part * frame->cells;
}

bool dvbt2_interleaving_frame_is(const dvbt2_interleaving_frame *gathered, const dvbt2_plp_frame *frame)
{
    const dvbt2_plp_frame *last = &gathered->frame;
    return gathered->cells && dvbt2_interleaving_frame_first(last) == dvbt2_interleaving_frame_first(frame) &&
           last->n_blocks == frame->n_blocks && last->cells_per_block == frame->cells_per_block &&
           last->frames == frame->frames;
}

static ldpc_status make_room(dvbt2_interleaving_frame *gathered, size_t cells)
{
    if (cells <= gathered->room)
        return LDPC_OK;
    float *iq = ldpc_reallocate(gathered->iq, cells, 2 * sizeof *iq);
    gathered->iq = iq ? iq : gathered->iq;
    float *noise = ldpc_reallocate(gathered->noise, cells, sizeof *noise);
    gathered->noise = noise ? noise : gathered->noise;
    if (!iq || !noise)
        return LDPC_ERR_MEMORY;
    gathered->room = cells;
    return LDPC_OK;
}

ldpc_status dvbt2_interleaving_frame_begin(dvbt2_interleaving_frame *gathered, const dvbt2_plp_frame *frame)
{
    gathered->cells = gathered->end = 0;
    size_t cells = (size_t)frame->n_blocks * frame->cells_per_block;
    if (frame->n_blocks > MAX_BLOCKS || frame->cells_per_block > MAX_BLOCK_CELLS ||
        frame->part >= frame->frames || cells != (size_t)frame->frames * frame->cells)
        return LDPC_ERR_RANGE;
    ldpc_status status = make_room(gathered, cells);
    if (status)
        return status;
    gathered->frame = *frame;
    gathered->start = frame->start;
    gathered->cells = cells;
    gathered->decoded = (dvbt2_ti_progress){0};
    return LDPC_OK;
}

static void erase(dvbt2_interleaving_frame *gathered, size_t to)
{
    if (to <= gathered->end)
        return;
    const size_t count = to - gathered->end;
    memset(gathered->iq + 2 * gathered->end, 0, 2 * count * sizeof *gathered->iq);
    memset(gathered->noise + gathered->end, 0, count * sizeof *gathered->noise);
    gathered->end = to;
}

ldpc_status dvbt2_interleaving_frame_add(dvbt2_interleaving_frame *gathered, const dvbt2_plp_frame *frame,
                                         uint32_t first, size_t count, const float *iq, const float *noise)
{
    size_t at = start_of(frame) + first;
    if (first > frame->cells || count > frame->cells - first || at + count > gathered->cells)
        return LDPC_ERR_RANGE;
    if (count == 0)
        return LDPC_OK;
    erase(gathered, at);
    memcpy(gathered->iq + 2 * at, iq, 2 * count * sizeof *iq);
    memcpy(gathered->noise + at, noise, count * sizeof *noise);
    gathered->end = at + count > gathered->end ? at + count : gathered->end;
    gathered->frame = *frame;
    return LDPC_OK;
}

void dvbt2_interleaving_frame_close(dvbt2_interleaving_frame *gathered)
{
    erase(gathered, gathered->cells);
}
