/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates a map with stages (simd_map.h). The checks of a part have equal degrees and no common column. */
#include <stdlib.h>

#include "base/memory.h"
#include "code/schedule.h"
#include "cpu/binary/simd_map.h"

/* With fewer checks per part, gather and scatter take too long. */
#define LEAST_CHECKS 4

static uint32_t degree_of(const ldpc_code *code, uint32_t check)
{
    return code->layer_start[check + 1] - code->layer_start[check];
}

static uint32_t part_size(const ldpc_code *code, const ldpc_stages *stages, uint32_t i, uint32_t lanes)
{
    const uint32_t *order = stages->order, first = order[i];
    uint32_t size = 1;
    while (i + size < code->layers && size < lanes && stages->of[order[i + size]] == stages->of[first] &&
           degree_of(code, order[i + size]) == degree_of(code, first))
        size++;
    return size;
}

static uint32_t count_parts(const ldpc_code *code, const ldpc_stages *stages, uint32_t lanes)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < code->layers; i += part_size(code, stages, i, lanes))
        count++;
    return count;
}

static void write_parts(ldpc_simd_map *map, const ldpc_stages *stages)
{
    const ldpc_code *code = map->code;
    uint32_t *columns = map->column_memory;
    ldpc_simd_layer *part = map->layers;
    for (uint32_t i = 0, size; i < code->layers; i += size, part++) {
        size = part_size(code, stages, i, map->lanes);
        *part = (ldpc_simd_layer){
            .degree = degree_of(code, stages->order[i]),
            .messages = map->message_bytes,
            .accesses = map->access_memory,
            .columns = columns,
            .checks = size,
            .careful = map->saturates,
        };
        for (uint32_t e = 0; e < part->degree; e++)
            for (uint32_t c = 0; c < size; c++)
                *columns++ = code->blocks[code->layer_start[stages->order[i + c]] + e].group;
        map->message_bytes += (size_t)part->degree * map->register_bytes;
    }
}

static bool build(ldpc_simd_map *map, const ldpc_stages *stages)
{
    const ldpc_code *code = map->code;
    const uint32_t degrees = code->max_check_degree;
    map->n_layers = count_parts(code, stages, map->lanes);
    map->layers = ldpc_allocate(map->n_layers, sizeof *map->layers);
    map->home = ldpc_allocate(code->groups, sizeof *map->home);
    map->rotation = ldpc_allocate(code->groups, sizeof *map->rotation);
    map->access_memory = ldpc_allocate(degrees + LDPC_PREFETCHED_ACCESSES, sizeof *map->access_memory);
    map->column_memory = ldpc_allocate(code->layer_start[code->layers], sizeof *map->column_memory);
    if (!map->layers || !map->home || !map->rotation || !map->access_memory || !map->column_memory)
        return false;
    map->slot_bytes = map->lane_bytes;
    map->row_lanes = map->lanes;
    map->row_bytes = map->register_bytes;
    map->differences = ((size_t)code->groups * map->lane_bytes + map->register_bytes - 1) /
                       map->register_bytes * map->register_bytes;
    map->posterior_bytes = map->differences + (size_t)degrees * map->register_bytes;
    for (uint32_t g = 0; g < code->groups; g++)
        map->home[g] = g * map->lane_bytes;
    for (uint32_t e = 0; e < degrees; e++)
        map->access_memory[e].from = map->access_memory[e].to = e * map->register_bytes;
    write_parts(map, stages);
    ldpc_simd_map_add_edge_scratch(map);
    return true;
}

static bool make_stages(const ldpc_code *code, ldpc_stages *stages)
{
    uint32_t *degree = ldpc_allocate(code->layers, sizeof *degree);
    for (uint32_t l = 0; degree && l < code->layers; l++)
        degree[l] = degree_of(code, l);
    const bool enough = degree && ldpc_stages_make(code, degree, stages);
    free(degree);
    return enough;
}

ldpc_status ldpc_simd_stages_create(const ldpc_code *code, uint32_t lane_bytes, uint32_t register_bytes,
                                    ldpc_simd_map **made)
{
    ldpc_stages stages;
    ldpc_simd_map *map = NULL;
    if (!make_stages(code, &stages))
        return LDPC_ERR_MEMORY;
    bool enough = true;
    if (code->layers / LEAST_CHECKS >= count_parts(code, &stages, register_bytes / lane_bytes)) {
        map = ldpc_simd_map_open(code, 1, lane_bytes, register_bytes);
        enough = map && build(map, &stages);
    }
    ldpc_stages_free(&stages);
    if (!enough) {
        ldpc_simd_map_destroy(map);
        return LDPC_ERR_MEMORY;
    }
    *made = map;
    return LDPC_OK;
}
