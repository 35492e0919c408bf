/* SPDX-License-Identifier: BSD-3-Clause */
/* A memory map (simd_map.h) under construction. All functions take linear time: a short file can describe a
 * million blocks. */
#ifndef LDPC_SIMD_BUILDER_H
#define LDPC_SIMD_BUILDER_H

#include "cpu/binary/simd_map.h"

#define LDPC_NO_LAYER UINT32_MAX
#define LDPC_NO_BLOCK UINT32_MAX
#define LDPC_NO_SLOT  UINT32_MAX

typedef struct ldpc_placed_block {
    const ldpc_block *block;
    uint32_t source, target; /* slot that is read; slot that is written (flooding: row of messages) */
    /* next layer that contains the group; in the next iteration, plus the number of layers */
    uint32_t reader;
    uint32_t first_read; /* first block of the group in layer `reader` */
    bool mirrored;       /* whether the row that the block writes needs a mirror */
} ldpc_placed_block;

typedef struct ldpc_map_builder {
    const ldpc_code *code;
    ldpc_simd_map *map;
    ldpc_block *blocks;        /* blocks after layer rotation (layer_rotation.h) */
    ldpc_placed_block *placed; /* [blocks] blocks in layer order; in each layer, owners come first */
    uint32_t *again;           /* [blocks] next block in the same layer and group, or LDPC_NO_BLOCK */
    /* [layers] number of owners, the first blocks of their groups in the layer */
    uint32_t *owners;
    uint32_t *last_layer;    /* [groups] last layer that contains the group, or LDPC_NO_LAYER */
    uint32_t *current;       /* [groups] present slot of the group, after the layers that have been placed */
    uint32_t *shift;         /* [groups] rotation of the group in this slot */
    uint32_t *older, *newer; /* [slots] neighbours in the list of free slots, or LDPC_NO_SLOT */
    uint32_t newest_free;    /* slot that became free last, head of the list; most likely in L1 */
    uint32_t slots;
} ldpc_map_builder;

static inline uint32_t ldpc_layer_degree(const ldpc_code *code, uint32_t l)
{
    return code->layer_start[l + 1] - code->layer_start[l];
}

/* ---- simd_slots.c */

/* Sorts the blocks of each layer. Finds owners, readers and last layers. */
void ldpc_builder_order_blocks(ldpc_map_builder *m);
/* Places each group in its home slot, in the rotation of its last owner. */
void ldpc_builder_start_at_home(ldpc_map_builder *m);
/* Call this in layer order. */
void ldpc_builder_place_layer(ldpc_map_builder *m, uint32_t l);
/* Flooding: posteriors stay in home slots, and messages are in block order. */
void ldpc_builder_place_messages(ldpc_map_builder *m);

/* ---- simd_offsets.c */

/* Returns the byte offset in the slot at which register j of a row with this rotation is read. */
uint32_t ldpc_builder_read_offset(const ldpc_map_builder *m, uint32_t rotation, uint32_t j);
/* Returns whether a row read with this rotation needs a mirror. Not for dyadic codes. */
bool ldpc_builder_reads_mirror(const ldpc_map_builder *m, uint32_t rotation);
/* Not for dyadic codes. */
uint32_t ldpc_builder_unaligned_loads(const ldpc_map_builder *m, uint32_t rotation);
/* Returns the check in lane 0. Lane 0 of the slot contains column `shift` of the group. */
uint32_t ldpc_builder_rotation_back(const ldpc_map_builder *m, const ldpc_block *block, uint32_t shift);
/* Sorts the owners whose rows need mirrors first. */
void ldpc_builder_sort_mirrored(ldpc_map_builder *m, uint32_t l);
/* Writes layers and home slots to the map. All slots must have been chosen. */
void ldpc_builder_write_layers(ldpc_map_builder *m);

/* ---- flooding_groups.c */

/* Writes the column groups for flooding to the map, after the layers. */
void ldpc_builder_write_groups(ldpc_map_builder *m);

#endif
