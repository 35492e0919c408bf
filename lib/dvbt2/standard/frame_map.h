/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions of L1 and the PLPs in a T2 frame (EN 302 755, clauses 8.2 and 8.3).
 *
 * L1 takes the first l1_per_p2 cells of each P2 symbol, in zig-zag order. All later cells have addresses, in
 * order after frequency deinterleaving.
 *
 *     symbol 0    [L1: 0, N, 2N ...][address 0 1 2 ...
 *     symbol 1    [L1: 1, N+1 ...  ][... addresses continue
 *     symbol N..  [addresses continue                       N = n_p2
 *
 * Common PLPs and PLPs of type 1 have one slice. PLPs of type 2 have sub_slices_per_frame equal slices. */
#ifndef DVBT2_FRAME_MAP_H
#define DVBT2_FRAME_MAP_H

#include "dvbt2/standard/parameters.h"

enum { DVBT2_L1_PRE_CELLS = 1840 };

/* ---- L1 */

/* Returns the symbol and cell of L1 cell i. L1-pre: i < 1840; L1-post: i >= 1840. */
static inline uint32_t dvbt2_l1_symbol(const dvbt2_parameters *parameters, uint32_t i)
{
    return i % parameters->n_p2;
}

static inline uint32_t dvbt2_l1_cell(const dvbt2_parameters *parameters, uint32_t i)
{
    return i / parameters->n_p2;
}

/* Returns the maximum number of L1-post cells. */
uint32_t dvbt2_l1_post_room(const dvbt2_parameters *parameters);

/* ---- addresses of a frame */

typedef struct dvbt2_frame_map {
    uint32_t n_p2, n_symbols;
    uint32_t l1_per_p2; /* L1 cells in each P2 symbol */
    uint32_t p2_room;   /* addressed cells of a P2 symbol */
    uint32_t c_data;    /* addressed cells of a normal symbol */
    /* addressed cells of the frame-closing symbol */
    uint32_t c_fc;
    uint32_t n_cells; /* number of addresses of a frame */
} dvbt2_frame_map;

/* Returns LDPC_OK, LDPC_ERR_NULL, or LDPC_ERR_PARAM if L1-post is too long or the pilot pattern unknown. */
ldpc_status dvbt2_frame_map_init(const dvbt2_parameters *parameters, uint32_t l1_post_size,
                                 dvbt2_frame_map *map, ldpc_error *err);

/* Addresses first .. first + count - 1 of a symbol. cell: position of the first address in the symbol. */
typedef struct dvbt2_symbol_span {
    uint32_t first, count, cell;
} dvbt2_symbol_span;

dvbt2_symbol_span dvbt2_frame_map_symbol(const dvbt2_frame_map *map, uint32_t l);

/* ---- PLPs in a frame */

/* Cells of a PLP in a frame: n_slices slices of slice_length addresses, slice_interval apart. */
typedef struct dvbt2_plp_slices {
    uint32_t start;
    uint32_t n_slices;       /* 0 if the PLP has no cells in this frame */
    uint32_t slice_length;   /* above 0 if n_slices > 0 */
    uint32_t slice_interval; /* at least slice_length if n_slices > 1 */
} dvbt2_plp_slices;

/* Parameters of a PLP that are equal in all frames. */
typedef struct dvbt2_plp_map {
    uint32_t index;           /* index in the PLP loops of L1-post */
    uint32_t cells_per_block; /* cells of an FEC block */
    uint32_t frame_interval;  /* I_JUMP: distance of two frames with the PLP, in T2 frames */
    uint32_t first_frame;
    uint32_t frames;     /* P_I: T2 frames per interleaving frame */
    uint32_t ti_blocks;  /* N_TI: TI blocks per interleaving frame; 0: no time interleaving */
    uint32_t sub_slices; /* slices per frame; 1 for common PLPs and type 1 */
} dvbt2_plp_map;

/* Returns LDPC_OK or:
 *
 *     LDPC_ERR_NULL         a pointer is NULL
 *     LDPC_ERR_RANGE        no such PLP
 *     LDPC_ERR_PARAM        reserved values, zero intervals ...
 *     LDPC_ERR_UNSUPPORTED  several RF channels */
ldpc_status dvbt2_plp_map_init(const dvbt2_l1_configurable *config, uint32_t index, dvbt2_plp_map *plp,
                               ldpc_error *err);

/* Returns the index of this PLP_ID in the loops of L1-post, or -1. */
int dvbt2_plp_find(const dvbt2_l1_configurable *config, uint8_t plp_id);

/* Returns true if the T2 frame carries the PLP. *part: index of the T2 frame in the interleaving frame. */
bool dvbt2_plp_in_frame(const dvbt2_plp_map *plp, uint8_t frame_idx, uint32_t *part);

/* Locates the PLP in a frame. Returns LDPC_ERR_PARAM and an error message if a slice is outside the frame or
 * the cells cannot be divided. */
ldpc_status dvbt2_plp_slices_of(const dvbt2_frame_map *map, const dvbt2_plp_map *plp,
                                const dvbt2_l1_dynamic *dynamic, dvbt2_plp_slices *slices, ldpc_error *err);

static inline uint32_t dvbt2_plp_cells(const dvbt2_plp_slices *slices)
{
    return slices->n_slices * slices->slice_length;
}

/* Consecutive cells of a PLP in a symbol. */
typedef struct dvbt2_run {
    uint32_t cell;  /* index of the first cell in the symbol */
    uint32_t count; /* number of cells */
    uint32_t place; /* index of the first cell in the PLP */
} dvbt2_run;

/* Iterates over the runs of a PLP in symbol l, in ascending order:
 *
 *     for (dvbt2_run run = {0}; dvbt2_plp_next_run(&map, &slices, l, &run);)
 *         memcpy(plp_cells + run.place, symbol_cells + run.cell, run.count * sizeof(*plp_cells)); */
bool dvbt2_plp_next_run(const dvbt2_frame_map *map, const dvbt2_plp_slices *slices, uint32_t l,
                        dvbt2_run *run);

/* ---- FEF parts */

/* Returns FEF_LENGTH in samples if a FEF part follows this frame, otherwise 0. */
uint32_t dvbt2_fef_after(const dvbt2_l1_configurable *config, uint8_t frame_idx);

#endif
