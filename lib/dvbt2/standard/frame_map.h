/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions of L1 and the PLPs in a T2 frame (EN 302 755, clauses 8.2 and 8.3).
 *
 * The cells of a symbol are numbered 0, 1 ... after frequency deinterleaving. L1 takes the first l1_per_p2
 * cells of each P2 symbol, in zig-zag order across the symbols. All other cells have an address. Addresses
 * are counted through the remaining cells of the first P2 symbol, of the second P2 symbol and so on, then
 * through whole normal symbols and c_fc cells of the frame-closing symbol.
 *
 *     symbol 0    [L1: 0, N, 2N ...][address 0 1 2 ...
 *     symbol 1    [L1: 1, N+1 ...  ][... addresses continue
 *     symbol N..  [addresses continue                       N = n_p2
 *
 * A common PLP or a PLP of type 1 has one slice of addresses. A PLP of type 2 has sub_slices_per_frame slices
 * of equal length. */
#ifndef DVBT2_FRAME_MAP_H
#define DVBT2_FRAME_MAP_H

#include "dvbt2/standard/parameters.h"

enum { DVBT2_L1_PRE_CELLS = 1840 };

/* ---- L1 */

/* Returns symbol and cell of the i-th L1 cell. L1-pre consists of the cells i < 1840, L1-post of all later
 * cells. */
static inline uint32_t dvbt2_l1_symbol(const dvbt2_parameters *parameters, uint32_t i)
{
    return i % parameters->n_p2;
}

static inline uint32_t dvbt2_l1_cell(const dvbt2_parameters *parameters, uint32_t i)
{
    return i / parameters->n_p2;
}

/* Returns the maximum number of L1-post cells in the P2 symbols. */
uint32_t dvbt2_l1_post_room(const dvbt2_parameters *parameters);

/* ---- addresses of a frame */

typedef struct dvbt2_frame_map {
    uint32_t n_p2, n_symbols;
    uint32_t l1_per_p2; /* number of L1 cells in each P2 symbol */
    uint32_t p2_room;   /* number of addressed cells of a P2 symbol */
    uint32_t c_data;    /* number of addressed cells of a normal symbol */
    /* number of addressed cells of the frame-closing symbol; equals c_data in modes without a frame-closing
     * symbol */
    uint32_t c_fc;
    uint32_t n_cells; /* number of addresses in a frame; addresses are 0 .. n_cells - 1 */
} dvbt2_frame_map;

/* Returns LDPC_OK, LDPC_ERR_NULL, or LDPC_ERR_PARAM if L1-post does not fit into the P2 symbols or the pilot
 * pattern is unknown. */
ldpc_status dvbt2_frame_map_init(const dvbt2_parameters *parameters, uint32_t l1_post_size,
                                 dvbt2_frame_map *map, ldpc_error *err);

/* Range of addresses in symbol l: `first` .. `first` + `count` - 1. Address `first` is cell `cell` of the
 * symbol. */
typedef struct dvbt2_symbol_span {
    uint32_t first, count, cell;
} dvbt2_symbol_span;

dvbt2_symbol_span dvbt2_frame_map_symbol(const dvbt2_frame_map *map, uint32_t l);

/* ---- PLPs in a frame */

/* The cells of one PLP in one frame. There are n_slices slices of slice_length addresses each. The first
 * addresses of neighbouring slices are slice_interval apart. */
typedef struct dvbt2_plp_slices {
    uint32_t start;
    uint32_t n_slices;       /* number of slices; 0 if the PLP has no cells in this frame */
    uint32_t slice_length;   /* length of a slice; above 0 if n_slices > 0 */
    uint32_t slice_interval; /* distance between the first addresses of neighbouring slices; at least
                              * slice_length if n_slices > 1 */
} dvbt2_plp_slices;

/* Parameters of a PLP that are the same in all frames. */
typedef struct dvbt2_plp_map {
    uint32_t index;           /* index of the PLP in the PLP loops of L1-post */
    uint32_t cells_per_block; /* number of cells of an FEC block */
    uint32_t frame_interval;  /* I_JUMP: the PLP occurs in every I_JUMP-th frame */
    uint32_t first_frame;
    uint32_t frames;     /* P_I: number of T2 frames per interleaving frame */
    uint32_t ti_blocks;  /* N_TI: number of TI blocks per interleaving frame; 0: no time interleaving */
    uint32_t sub_slices; /* number of slices per frame; 1 for common PLPs and PLPs of type 1 */
} dvbt2_plp_map;

/* Returns LDPC_OK, LDPC_ERR_NULL, LDPC_ERR_RANGE (no such PLP), LDPC_ERR_PARAM (for example reserved values
 * or zero intervals) or LDPC_ERR_UNSUPPORTED (several RF channels). */
ldpc_status dvbt2_plp_map_init(const dvbt2_l1_configurable *config, uint32_t index, dvbt2_plp_map *plp,
                               ldpc_error *err);

/* Returns the index of the PLP with this PLP_ID in the loops of L1-post, or -1. */
int dvbt2_plp_find(const dvbt2_l1_configurable *config, uint8_t plp_id);

/* Returns whether the PLP is mapped to the T2 frame with this FRAME_IDX. *part: index of that frame within
 * the interleaving frame, 0 .. frames - 1. */
bool dvbt2_plp_in_frame(const dvbt2_plp_map *plp, uint8_t frame_idx, uint32_t *part);

/* Locates the PLP in a frame. Returns LDPC_ERR_PARAM, and an error message, if L1 places the PLP outside the
 * frame or if its cells cannot be divided among the frames and sub-slices. */
ldpc_status dvbt2_plp_slices_of(const dvbt2_frame_map *map, const dvbt2_plp_map *plp,
                                const dvbt2_l1_dynamic *dynamic, dvbt2_plp_slices *slices, ldpc_error *err);

/* Returns the number of cells in all slices. */
static inline uint32_t dvbt2_plp_cells(const dvbt2_plp_slices *slices)
{
    return slices->n_slices * slices->slice_length;
}

/* Consecutive cells of a symbol that belong to one PLP. */
typedef struct dvbt2_run {
    uint32_t cell;  /* index of the first cell within the symbol */
    uint32_t count; /* number of cells */
    uint32_t place; /* index of the first cell within the PLP's cells of this frame */
} dvbt2_run;

/* Iterates over the runs of a PLP in symbol l, in ascending order:
 *
 *     for (dvbt2_run run = {0}; dvbt2_plp_next_run(&map, &slices, l, &run);)
 *         memcpy(plp_cells + run.place, symbol_cells + run.cell, run.count * sizeof(*plp_cells)); */
bool dvbt2_plp_next_run(const dvbt2_frame_map *map, const dvbt2_plp_slices *slices, uint32_t l,
                        dvbt2_run *run);

/* ---- FEF parts */

/* Returns the number of samples between a T2 frame and the P1 of the next T2 frame: FEF_LENGTH if this
 * FRAME_IDX is followed by a FEF part, that is, after every FEF_INTERVAL-th frame of a super-frame; otherwise
 * 0. */
uint32_t dvbt2_fef_after(const dvbt2_l1_configurable *config, uint8_t frame_idx);

#endif
