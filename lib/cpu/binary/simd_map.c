/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates the memory map of the SIMD kernels (simd_map.h). */
#include "cpu/binary/simd_map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "code/schedule.h"
#include "cpu/binary/layer_rotation.h"
#include "cpu/binary/simd_builder.h"

static void free_builder(ldpc_map_builder *m)
{
    free(m->blocks);
    free(m->placed);
    free(m->again);
    free(m->owners);
    free(m->last_layer);
    free(m->current);
    free(m->shift);
    free(m->older);
    free(m->newer);
}

static bool allocate_builder(ldpc_map_builder *m)
{
    const ldpc_code *code = m->code;
    size_t blocks = code->layer_start[code->layers];
    m->blocks = ldpc_allocate(blocks, sizeof *m->blocks);
    m->placed = ldpc_allocate(blocks, sizeof *m->placed);
    m->again = ldpc_allocate(blocks, sizeof *m->again);
    m->owners = ldpc_allocate(code->layers, sizeof *m->owners);
    m->last_layer = ldpc_allocate(code->groups, sizeof *m->last_layer);
    m->current = ldpc_allocate(code->groups, sizeof *m->current);
    m->shift = ldpc_allocate(code->groups, sizeof *m->shift);
    m->older = ldpc_allocate(code->groups + blocks, sizeof *m->older);
    m->newer = ldpc_allocate(code->groups + blocks, sizeof *m->newer);
    m->newest_free = LDPC_NO_SLOT;
    return m->blocks && m->placed && m->again && m->owners && m->last_layer && m->current && m->shift &&
           m->older && m->newer;
}

static size_t missing_edges_of(const ldpc_code *code)
{
    size_t count = 0;
    for (uint32_t b = 0; b < code->layer_start[code->layers]; b++)
        count += code->blocks[b].missing_lane != LDPC_NO_LANE;
    return count;
}

/* Cost of a mirror (a load and a store) relative to an unaligned load. */
#define MIRROR_COST 2

static bool rotate_layers(ldpc_map_builder *m)
{
    const ldpc_code *code = m->code;
    const ldpc_simd_map *map = m->map;
    memcpy(m->blocks, code->blocks, code->layer_start[code->layers] * sizeof *m->blocks);
    if (!map->has_mirrors || map->flooding)
        return true;
    uint32_t *cost = ldpc_allocate(code->z, sizeof *cost);
    for (uint32_t r = 0; cost && r < code->z; r++)
        cost[r] = ldpc_builder_unaligned_loads(m, r) + (ldpc_builder_reads_mirror(m, r) ? MIRROR_COST : 0);
    const bool enough = cost && !ldpc_rotate_layers(code, cost, m->blocks);
    free(cost);
    return enough;
}

static bool allocate_map(ldpc_simd_map *map)
{
    const ldpc_code *code = map->code;
    size_t blocks = code->layer_start[code->layers];
    map->layers = ldpc_allocate(code->layers, sizeof *map->layers);
    map->home = ldpc_allocate(code->groups, sizeof *map->home);
    map->rotation = ldpc_allocate(code->groups, sizeof *map->rotation);
    map->home_of = ldpc_allocate(blocks, sizeof *map->home_of);
    map->home_at = ldpc_allocate(blocks * map->registers, sizeof *map->home_at);
    map->access_memory =
        ldpc_allocate(blocks * map->registers + LDPC_PREFETCHED_ACCESSES, sizeof *map->access_memory);
    map->repeat_memory = ldpc_allocate(blocks, sizeof *map->repeat_memory);
    map->missing_memory =
        ldpc_allocate(missing_edges_of(code) * map->n_codewords + 1, sizeof *map->missing_memory);
    if (map->flooding) {
        map->group_memory = ldpc_allocate(code->groups, sizeof *map->group_memory);
        map->from_memory = ldpc_allocate(blocks * map->registers, sizeof *map->from_memory);
    }
    return map->missing_memory && map->layers && map->home && map->rotation && map->home_of && map->home_at &&
           map->access_memory && map->repeat_memory &&
           (!map->flooding || (map->group_memory && map->from_memory));
}

static bool has_mirrors(const ldpc_code *code)
{
    return code->z > 1 && !code->is_dyadic;
}

static uint64_t slot_bytes(const ldpc_code *code, uint64_t row_bytes, uint32_t register_bytes)
{
    return ((row_bytes + register_bytes - 1) / register_bytes + has_mirrors(code)) * register_bytes;
}

static void size_rows(ldpc_simd_map *map)
{
    map->lanes = map->register_bytes / map->lane_bytes;
    map->row_lanes = map->n_codewords * map->code->z;
    map->row_bytes = map->row_lanes * map->lane_bytes;
    map->registers = (map->row_bytes + map->register_bytes - 1) / map->register_bytes;
    map->has_mirrors = has_mirrors(map->code);
    map->slot_bytes = (uint32_t)slot_bytes(map->code, map->row_bytes, map->register_bytes);
}

static void build_flooding(ldpc_map_builder *m)
{
    ldpc_simd_map *map = m->map;
    const ldpc_code *code = m->code;
    ldpc_builder_place_messages(m);
    for (uint32_t l = 0; l < code->layers; l++)
        ldpc_builder_sort_mirrored(m, l);
    map->slots = code->groups;
    map->differences = map->posterior_bytes = map->channel_bytes = (size_t)map->slots * map->slot_bytes;
    map->message_bytes = (size_t)code->layer_start[code->layers] * map->slot_bytes;
    ldpc_builder_write_layers(m);
    ldpc_builder_write_groups(m);
}

static void build_layered(ldpc_map_builder *m)
{
    ldpc_simd_map *map = m->map;
    m->slots = m->code->groups;
    for (uint32_t l = 0; l < m->code->layers; l++) {
        ldpc_builder_place_layer(m, l);
        ldpc_builder_sort_mirrored(m, l);
        uint32_t repeats = ldpc_layer_degree(m->code, l) - m->owners[l];
        if (repeats > map->max_repeats)
            map->max_repeats = repeats;
    }
    map->slots = m->slots;
    map->differences = (size_t)map->slots * map->slot_bytes;
    map->posterior_bytes = map->differences + (size_t)map->max_repeats * map->slot_bytes;
    ldpc_builder_write_layers(m);
}

static void build(ldpc_map_builder *m)
{
    ldpc_builder_order_blocks(m);
    ldpc_builder_start_at_home(m);
    if (m->map->flooding)
        build_flooding(m);
    else
        build_layered(m);
    ldpc_simd_map_add_edge_scratch(m->map);
}

void ldpc_simd_map_add_edge_scratch(ldpc_simd_map *map)
{
    size_t most = 0;
    for (uint32_t l = 0; l < map->n_layers; l++)
        if (map->layers[l].degree > most)
            most = map->layers[l].degree;
    map->edge_scratch = map->posterior_bytes;
    map->posterior_bytes +=
        map->lane_bytes == 4 ? LDPC_SUM_PRODUCT_REGISTERS * most * map->register_bytes : 0;
}

bool ldpc_simd_map_fits(const ldpc_code *code, uint32_t n_codewords, uint32_t lane_bytes,
                        uint32_t register_bytes)
{
    uint64_t row = (uint64_t)n_codewords * code->z * lane_bytes;
    uint64_t blocks = code->layer_start[code->layers];
    if (code->is_dyadic && (row % register_bytes || (n_codewords & (n_codewords - 1))))
        return false;
    return slot_bytes(code, row, register_bytes) * (code->groups + 2 * blocks) < UINT32_MAX;
}

ldpc_simd_map *ldpc_simd_map_open(const ldpc_code *code, uint32_t n_codewords, uint32_t lane_bytes,
                                  uint32_t register_bytes)
{
    ldpc_simd_map *map = ldpc_allocate(1, sizeof *map);
    if (!map)
        return NULL;
    map->code = code;
    map->n_layers = code->layers;
    map->n_codewords = n_codewords;
    map->lane_bytes = lane_bytes;
    map->register_bytes = register_bytes;
    map->saturates = lane_bytes == 2 &&
                     ldpc_code_posterior_bound(code, LDPC_KNOWN_LLR, LDPC_MESSAGE_LIMIT) > LDPC_I16_LIMIT;
    size_rows(map);
    return map;
}

#ifndef NDEBUG
static bool accesses_are_inside(const ldpc_simd_map *map)
{
    size_t written = map->flooding ? map->message_bytes : map->posterior_bytes;
    for (uint32_t l = 0; l < map->n_layers; l++)
        for (uint32_t i = 0; i < map->layers[l].degree * map->registers; i++) {
            const ldpc_simd_access *access = &map->layers[l].accesses[i];
            size_t permuted = map->code->is_dyadic ? access->from % map->register_bytes : 0;
            if (access->from - permuted + map->register_bytes > map->posterior_bytes ||
                access->to + map->register_bytes > written)
                return false;
        }
    return true;
}
#endif

ldpc_status ldpc_simd_map_create(const ldpc_code *code, bool flooding, uint32_t n_codewords,
                                 uint32_t lane_bytes, uint32_t register_bytes, ldpc_simd_map **made)
{
    assert(n_codewords >= 1 && n_codewords <= LDPC_MAX_INTERLEAVED);
    assert(ldpc_simd_map_fits(code, n_codewords, lane_bytes, register_bytes));
    ldpc_simd_map *map = ldpc_simd_map_open(code, n_codewords, lane_bytes, register_bytes);
    if (!map)
        return LDPC_ERR_MEMORY;
    map->flooding = flooding;
    ldpc_map_builder m = {.code = code, .map = map};
    bool enough = allocate_map(map) && allocate_builder(&m) && rotate_layers(&m);
    if (enough)
        build(&m);
    free_builder(&m);
    if (!enough) {
        ldpc_simd_map_destroy(map);
        return LDPC_ERR_MEMORY;
    }
    assert(accesses_are_inside(map));
    *made = map;
    return LDPC_OK;
}

void ldpc_simd_map_destroy(ldpc_simd_map *map)
{
    if (!map)
        return;
    free(map->layers);
    free(map->home);
    free(map->rotation);
    free(map->home_of);
    free(map->home_at);
    free(map->access_memory);
    free(map->repeat_memory);
    free(map->missing_memory);
    free(map->group_memory);
    free(map->from_memory);
    free(map->column_memory);
    free(map);
}
