/* SPDX-License-Identifier: BSD-3-Clause */
/* A memory map (simd_map.h) under construction. simd_map.c allocates it, simd_slots.c chooses slots,
 * simd_offsets.c computes offsets from them, and flooding_groups.c adds the column groups of flooding. The
 * time must remain linear in the number of blocks and registers and in z, because a file of 100 bytes can
 * describe a million of each. */
#ifndef LDPC_SIMD_BUILDER_H
#define LDPC_SIMD_BUILDER_H

#include "cpu/binary/simd_map.h"

#define LDPC_NO_LAYER UINT32_MAX
#define LDPC_NO_BLOCK UINT32_MAX
#define LDPC_NO_SLOT  UINT32_MAX

/* A block and its slots. */
typedef struct ldpc_placed_block {
    const ldpc_block *block;
    uint32_t source, target; /* slots; flooding: `target` is the index of a row of messages */
    /* the next layer that reads the group; plus the number of layers if it is in the next iteration */
    uint32_t reader;
    uint32_t first_read; /* the first block of layer `reader` in the group */
    bool mirrored;       /* the row that the block writes needs a mirror */
} ldpc_placed_block;

typedef struct ldpc_map_builder {
    const ldpc_code *code;
    ldpc_simd_map *map;
    ldpc_block *blocks;        /* blocks of the code, with rotated layers (layer_rotation.h) */
    ldpc_placed_block *placed; /* [blocks] in the order of the layers, owners first within each layer */
    uint32_t *again;           /* [blocks] next block of the layer in the same group, or LDPC_NO_BLOCK */
    /* [layers] number of owners: blocks that are the first of their group in the layer */
    uint32_t *owners;
    uint32_t *last_layer;    /* [groups] last layer that contains the group; LDPC_NO_LAYER if no layer
                              * contains the group */
    uint32_t *current;       /* [groups] slot of the group after the layers placed so far */
    uint32_t *shift;         /* [groups] rotation of the group in that slot */
    uint32_t *older, *newer; /* [slots] neighbours in the list of free slots, or LDPC_NO_SLOT */
    uint32_t newest_free;    /* head of the list of free slots: the slot that is most likely in L1 */
    uint32_t slots;
} ldpc_map_builder;

static inline uint32_t ldpc_layer_degree(const ldpc_code *code, uint32_t l)
{
    return code->layer_start[l + 1] - code->layer_start[l];
}

/* ---- simd_slots.c */

/* Orders the blocks of all layers, and finds the owners, the readers and each group's last layer. */
void ldpc_builder_order_blocks(ldpc_map_builder *m);
/* Places all groups in their home slots, in the rotation of their last owner. */
void ldpc_builder_start_at_home(ldpc_map_builder *m);
/* Chooses the slots of a layer. Must be called for all layers in order. */
void ldpc_builder_place_layer(ldpc_map_builder *m, uint32_t l);
/* Flooding: posteriors stay in their home slots; message rows are in the order of the blocks. */
void ldpc_builder_place_messages(ldpc_map_builder *m);

/* ---- simd_offsets.c */

/* Returns the offset in a slot at which register j of a row begins, if the row is read rotated by `rotation`
 * lanes. */
uint32_t ldpc_builder_read_offset(const ldpc_map_builder *m, uint32_t rotation, uint32_t j);
/* Returns whether a load of a row that is read rotated by `rotation` lanes extends beyond the last register
 * of the row. Not for dyadic codes. */
bool ldpc_builder_reads_mirror(const ldpc_map_builder *m, uint32_t rotation);
/* Returns how many loads of a row that is read rotated by `rotation` lanes are not aligned to a register. Not
 * for dyadic codes. */
uint32_t ldpc_builder_unaligned_loads(const ldpc_map_builder *m, uint32_t rotation);
/* Returns the index of the check that reads lane 0 of a slot, if lane 0 holds column `shift` of the block's
 * group. */
uint32_t ldpc_builder_rotation_back(const ldpc_map_builder *m, const ldpc_block *block, uint32_t shift);
/* Determines which rows of a layer need mirrors, and sorts its owners accordingly. */
void ldpc_builder_sort_mirrored(ldpc_map_builder *m, uint32_t l);
/* Fills the layers and home slots of the map. Requires that all slots are chosen. */
void ldpc_builder_write_layers(ldpc_map_builder *m);

/* ---- flooding_groups.c */

/* Fills the column groups of a flooding map. Requires that its layers are filled. */
void ldpc_builder_write_groups(ldpc_map_builder *m);

#endif
