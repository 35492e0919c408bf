/* SPDX-License-Identifier: BSD-3-Clause */
/* A memory map (simd_map.h) that is being built. simd_map.c allocates it, simd_slots.c chooses
 * slots, simd_offsets.c turns them into offsets and flooding_groups.c adds what only flooding has. The time
 * is proportional to the blocks and their registers, and to z: a file of 100 bytes may have a million of each. */
#ifndef LDPC_SIMD_BUILDER_H
#define LDPC_SIMD_BUILDER_H

#include "cpu/binary/simd_map.h"

#define LDPC_NO_LAYER UINT32_MAX
#define LDPC_NO_BLOCK UINT32_MAX
#define LDPC_NO_SLOT  UINT32_MAX

/* A block and its slots. */
typedef struct ldpc_placed_block {
    const ldpc_block *block;
    uint32_t source, target; /* slots; flooding: `target` is the number of a row of messages */
    uint32_t reader;         /* layer that reads the group next; + number of layers: in the next iteration */
    uint32_t first_read;     /* that layer's first block of the group */
    bool mirrored;           /* what it writes needs a mirror */
} ldpc_placed_block;

typedef struct ldpc_map_builder {
    const ldpc_code *code;
    ldpc_simd_map *map;
    ldpc_block *blocks;        /* the code's, with their layers rotated (layer_rotation.h) */
    ldpc_placed_block *placed; /* like blocks, but owners first within each layer */
    uint32_t *again;           /* [blocks] the next block of the layer in the same group, or LDPC_NO_BLOCK */
    uint32_t *owners;          /* [layers] blocks that are the first of their group in the layer */
    uint32_t *last_layer;      /* [groups] LDPC_NO_LAYER: none has the group */
    uint32_t *current;         /* [groups] slot that holds the group after the layers placed so far */
    uint32_t *shift;           /* [groups] rotation that the group is in there */
    uint32_t *older, *newer;   /* [slots] neighbours in the list of free slots, or LDPC_NO_SLOT */
    uint32_t newest_free;      /* most likely in L1 */
    uint32_t slots;
} ldpc_map_builder;

static inline uint32_t ldpc_layer_degree(const ldpc_code *code, uint32_t l)
{
    return code->layer_start[l + 1] - code->layer_start[l];
}

/* ---- simd_slots.c */

/* Orders the blocks of all layers, and finds the owners, the readers and each group's last layer. */
void ldpc_builder_order_blocks(ldpc_map_builder *m);
/* Puts all groups into their home slots, in the rotation of their last owner. */
void ldpc_builder_start_at_home(ldpc_map_builder *m);
/* Chooses the slots of a layer; layers come in order. */
void ldpc_builder_place_layer(ldpc_map_builder *m, uint32_t l);
/* Flooding: posteriors stay in their home slots, messages have their rows in the code's order. */
void ldpc_builder_place_messages(ldpc_map_builder *m);

/* ---- simd_offsets.c */

/* Offset in its slot at which register j of a row that is read rotated by `rotation` lanes begins. */
uint32_t ldpc_builder_read_offset(const ldpc_map_builder *m, uint32_t rotation, uint32_t j);
/* Does any load of such a row go beyond the row's last register? Not for dyadic codes. */
bool ldpc_builder_reads_mirror(const ldpc_map_builder *m, uint32_t rotation);
/* Number of loads of such a row that are not aligned to a register. Not for dyadic codes. */
uint32_t ldpc_builder_unaligned_loads(const ldpc_map_builder *m, uint32_t rotation);
/* Index of the check that reads lane 0 of a slot whose lane 0 holds column `shift` of the block's group. */
uint32_t ldpc_builder_rotation_back(const ldpc_map_builder *m, const ldpc_block *block, uint32_t shift);
/* Decides which rows of a layer need mirrors, and orders its owners accordingly. */
void ldpc_builder_sort_mirrored(ldpc_map_builder *m, uint32_t l);
/* Fills the map's layers and home slots; all slots are known. */
void ldpc_builder_write_layers(ldpc_map_builder *m);

/* ---- flooding_groups.c */

/* Fills the map's column groups of flooding; its layers are filled. */
void ldpc_builder_write_groups(ldpc_map_builder *m);

#endif
