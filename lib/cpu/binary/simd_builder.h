/* SPDX-License-Identifier: BSD-3-Clause */
/* A memory map (simd_map.h) under construction. simd_map.c allocates it, simd_slots.c chooses the slots,
 * simd_offsets.c computes the offsets from the slots, and flooding_groups.c adds the column groups for
 * flooding. The time of all these functions must be linear in the number of blocks, in the number of
 * registers and in z, because a file of 100 bytes can describe a million of each. */
#ifndef LDPC_SIMD_BUILDER_H
#define LDPC_SIMD_BUILDER_H

#include "cpu/binary/simd_map.h"

#define LDPC_NO_LAYER UINT32_MAX
#define LDPC_NO_BLOCK UINT32_MAX
#define LDPC_NO_SLOT  UINT32_MAX

/* A block and the slots that it reads and writes. */
typedef struct ldpc_placed_block {
    const ldpc_block *block;
    uint32_t source, target; /* index of the slot that is read, and of the slot that is written; flooding:
                              * `target` is the index of a row of messages */
    /* next layer that reads the group; plus the number of layers if this is in the next iteration */
    uint32_t reader;
    uint32_t first_read; /* first block of the group in layer `reader` */
    bool mirrored;       /* whether the row that the block writes needs a mirror */
} ldpc_placed_block;

typedef struct ldpc_map_builder {
    const ldpc_code *code;
    ldpc_simd_map *map;
    ldpc_block *blocks;        /* blocks of the code after the rotation of layers (layer_rotation.h) */
    ldpc_placed_block *placed; /* [blocks] blocks in the order of the layers; within a layer, the owners come
                                * first */
    uint32_t *again;           /* [blocks] next block of the same layer and the same group, or
                                * LDPC_NO_BLOCK */
    /* [layers] number of owners; an owner is the first block of its group in the layer */
    uint32_t *owners;
    uint32_t *last_layer;    /* [groups] last layer that contains the group, or LDPC_NO_LAYER if no layer
                              * contains it */
    uint32_t *current;       /* [groups] slot that contains the group after the layers placed so far */
    uint32_t *shift;         /* [groups] rotation of the group in that slot */
    uint32_t *older, *newer; /* [slots] neighbours in the list of free slots, LDPC_NO_SLOT if there is none */
    uint32_t newest_free;    /* head of the list of free slots, the slot that is most likely in L1 */
    uint32_t slots;
} ldpc_map_builder;

static inline uint32_t ldpc_layer_degree(const ldpc_code *code, uint32_t l)
{
    return code->layer_start[l + 1] - code->layer_start[l];
}

/* ---- simd_slots.c */

/* Orders the blocks of all layers, and finds the owners, the readers and each group's last layer. */
void ldpc_builder_order_blocks(ldpc_map_builder *m);
/* Places all groups in their home slots, rotated as their last owner writes them. */
void ldpc_builder_start_at_home(ldpc_map_builder *m);
/* Chooses the slots of a layer. Call this for all layers in order. */
void ldpc_builder_place_layer(ldpc_map_builder *m, uint32_t l);
/* For flooding: leaves posteriors in their home slots, and places the rows of messages in the order of the
 * blocks. */
void ldpc_builder_place_messages(ldpc_map_builder *m);

/* ---- simd_offsets.c */

/* Returns the offset in a slot at which register j of a row starts if the row is read rotated by `rotation`
 * lanes. */
uint32_t ldpc_builder_read_offset(const ldpc_map_builder *m, uint32_t rotation, uint32_t j);
/* Returns whether any load extends beyond the last register of the row, if the row is read rotated by
 * `rotation` lanes. Must not be called for dyadic codes. */
bool ldpc_builder_reads_mirror(const ldpc_map_builder *m, uint32_t rotation);
/* Returns how many loads are not aligned to a register, if a row is read rotated by `rotation` lanes. Must
 * not be called for dyadic codes. */
uint32_t ldpc_builder_unaligned_loads(const ldpc_map_builder *m, uint32_t rotation);
/* Returns the index of the parity check that reads lane 0 of a slot. Lane 0 must contain column `shift` of
 * the block's group. */
uint32_t ldpc_builder_rotation_back(const ldpc_map_builder *m, const ldpc_block *block, uint32_t shift);
/* Determines which rows of a layer need mirrors, and sorts the owners of the layer such that these rows come
 * first. */
void ldpc_builder_sort_mirrored(ldpc_map_builder *m, uint32_t l);
/* Fills in the layers and the home slots of the map. All slots must have been chosen before. */
void ldpc_builder_write_layers(ldpc_map_builder *m);

/* ---- flooding_groups.c */

/* Fills in the column groups of a map for flooding. Its layers must have been filled in. */
void ldpc_builder_write_groups(ldpc_map_builder *m);

#endif
