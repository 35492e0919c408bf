/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory map of one codeword of a code without structure (layered_map.h, "Stages"). A stage holds checks
 * of one degree that share no column, and no check is processed before an earlier one of H that shares a
 * column with it: the results are those of one check after the other. */
#include <stdlib.h>

#include "base/memory.h"
#include "cpu/binary/layered_map.h"

/* With fewer checks in a stage on average, gathering and scattering cost more than stages gain. */
#define LEAST_CHECKS 4

/* A check, and how many checks before it must be processed one after the other. */
typedef struct scheduled_check {
    uint32_t level, degree, layer;
} scheduled_check;

static int earlier(const void *a, const void *b)
{
    const scheduled_check *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    if (x->degree != y->degree)
        return x->degree < y->degree ? -1 : 1;
    return (x->layer > y->layer) - (x->layer < y->layer);
}

/* last[g]: the level of the last check so far that has column g, plus one. */
static void find_levels(const ldpc_code *code, uint32_t *last, scheduled_check *checks)
{
    for (uint32_t l = 0; l < code->layers; l++) {
        const ldpc_block *first = code->blocks + code->layer_start[l],
                         *end = code->blocks + code->layer_start[l + 1];
        checks[l] = (scheduled_check){0, (uint32_t)(end - first), l};
        for (const ldpc_block *b = first; b < end; b++)
            if (checks[l].level < last[b->group])
                checks[l].level = last[b->group];
        checks[l].level++;
        for (const ldpc_block *b = first; b < end; b++)
            last[b->group] = checks[l].level;
    }
    qsort(checks, code->layers, sizeof *checks, earlier);
}

/* Checks of the stage that begins with checks[0]: of one level and one degree, as many as a register holds.
 */
static uint32_t stage_size(const scheduled_check *checks, uint32_t rest, uint32_t lanes)
{
    uint32_t size = 1;
    while (size < rest && size < lanes && checks[size].level == checks->level &&
           checks[size].degree == checks->degree)
        size++;
    return size;
}

static uint32_t count_stages(const scheduled_check *checks, uint32_t n_checks, uint32_t lanes)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < n_checks; c += stage_size(checks + c, n_checks - c, lanes))
        count++;
    return count;
}

static void write_stages(ldpc_layered_map *map, const scheduled_check *checks)
{
    const ldpc_code *code = map->code;
    uint32_t *columns = map->column_memory;
    ldpc_layered_layer *stage = map->layers;
    for (uint32_t c = 0, size; c < code->layers; c += size, stage++) {
        size = stage_size(checks + c, code->layers - c, map->lanes);
        *stage = (ldpc_layered_layer){
            .degree = checks[c].degree,
            .messages = map->message_bytes,
            .accesses = map->access_memory,
            .columns = columns,
            .checks = size,
            .careful = map->saturates,
        };
        for (uint32_t e = 0; e < stage->degree; e++)
            for (uint32_t i = 0; i < size; i++)
                *columns++ = code->blocks[code->layer_start[checks[c + i].layer] + e].group;
        map->message_bytes += (size_t)stage->degree * map->register_bytes;
    }
}

/* Memory: the posteriors in column order, then the registers of the stage that is being processed. */
static bool build(ldpc_layered_map *map, const scheduled_check *checks)
{
    const ldpc_code *code = map->code;
    const uint32_t degrees = code->max_check_degree;
    map->n_layers = count_stages(checks, code->layers, map->lanes);
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
    write_stages(map, checks);
    ldpc_layered_map_add_edge_scratch(map);
    return true;
}

ldpc_status ldpc_layered_stages_create(const ldpc_code *code, uint32_t lane_bytes, uint32_t register_bytes,
                                       ldpc_layered_map **made)
{
    const uint32_t lanes = register_bytes / lane_bytes;
    scheduled_check *checks = ldpc_allocate(code->layers, sizeof *checks);
    uint32_t *last = ldpc_allocate(code->groups, sizeof *last);
    ldpc_layered_map *map = NULL;
    bool enough = checks && last, worth = false;
    if (enough) {
        find_levels(code, last, checks);
        worth = code->layers / LEAST_CHECKS >= count_stages(checks, code->layers, lanes);
    }
    if (enough && worth) {
        map = ldpc_layered_map_open(code, 1, lane_bytes, register_bytes);
        enough = map && build(map, checks);
    }
    free(checks);
    free(last);
    if (!enough) {
        ldpc_layered_map_destroy(map);
        return LDPC_ERR_MEMORY;
    }
    *made = map;
    return LDPC_OK;
}
