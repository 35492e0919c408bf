/* SPDX-License-Identifier: BSD-3-Clause */
/* A memory map (simd_map.h) under construction. */
#ifndef LDPC_SIMD_BUILDER_H
#define LDPC_SIMD_BUILDER_H

#include "cpu/binary/simd_map.h"

#define LDPC_NO_LAYER UINT32_MAX
#define LDPC_NO_BLOCK UINT32_MAX
#define LDPC_NO_SLOT  UINT32_MAX

typedef struct ldpc_placed_block {
    const ldpc_block *block;
    uint32_t source, target;
    uint32_t reader;
    uint32_t first_read;
    bool mirrored; /* the row needs a mirror */
} ldpc_placed_block;

typedef struct ldpc_map_builder {
    const ldpc_code *code;
    ldpc_simd_map *map;
    ldpc_block *blocks;        /* after layer rotation (layer_rotation.h) */
    ldpc_placed_block *placed; /* [blocks] by layer, owners first */
    uint32_t *again;
    uint32_t *owners;
    uint32_t *last_layer;
    uint32_t *current;
    uint32_t *shift; /* [groups] rotation in this slot */
    uint32_t *older, *newer;
    uint32_t newest_free;
    uint32_t slots;
} ldpc_map_builder;

static inline uint32_t ldpc_layer_degree(const ldpc_code *code, uint32_t l)
{
    return code->layer_start[l + 1] - code->layer_start[l];
}

/* ---- simd_slots.c */

void ldpc_builder_order_blocks(ldpc_map_builder *m);
void ldpc_builder_start_at_home(ldpc_map_builder *m);
/* Call this in layer order. */
void ldpc_builder_place_layer(ldpc_map_builder *m, uint32_t l);
void ldpc_builder_place_messages(ldpc_map_builder *m);

/* ---- simd_offsets.c */

uint32_t ldpc_builder_read_offset(const ldpc_map_builder *m, uint32_t rotation, uint32_t j);
/* Not for dyadic codes. */
bool ldpc_builder_reads_mirror(const ldpc_map_builder *m, uint32_t rotation);
/* Not for dyadic codes. */
uint32_t ldpc_builder_unaligned_loads(const ldpc_map_builder *m, uint32_t rotation);
uint32_t ldpc_builder_rotation_back(const ldpc_map_builder *m, const ldpc_block *block, uint32_t shift);
/* Owners with mirrors come first. */
void ldpc_builder_sort_mirrored(ldpc_map_builder *m, uint32_t l);
/* Writes layers and home slots to the map. All slots must have been chosen. */
void ldpc_builder_write_layers(ldpc_map_builder *m);

/* ---- flooding_groups.c */

void ldpc_builder_write_groups(ldpc_map_builder *m);

#endif
