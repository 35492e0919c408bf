/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory map of one word of a code without structure (layered.h): checks that share no column are done
 * together, and no check before those that stand before it in H and share a column with it, so that the
 * numbers are those of one check after the other. */
#include <stdlib.h>

#include "base/memory.h"
#include "cpu/binary/layered.h"

/* Fewer checks in a stage on average are not worth the way through it. */
#define LEAST_CHECKS 4

/* A check, and the earliest step at which it can be done. */
typedef struct turn {
    uint32_t step, degree, layer;
} turn;

static int earlier(const void *a, const void *b)
{
    const turn *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->degree != y->degree)
        return x->degree < y->degree ? -1 : 1;
    return (x->layer > y->layer) - (x->layer < y->layer);
}

/* after[g]: the last step so far that writes group g. */
static void find_turns(const ldpc_code *code, uint32_t *after, turn *turns)
{
    for (uint32_t l = 0; l < code->layers; l++) {
        const ldpc_block *first = code->blocks + code->layer_start[l],
                         *end = code->blocks + code->layer_start[l + 1];
        turns[l] = (turn){0, (uint32_t)(end - first), l};
        for (const ldpc_block *b = first; b < end; b++)
            if (turns[l].step < after[b->group])
                turns[l].step = after[b->group];
        turns[l].step++;
        for (const ldpc_block *b = first; b < end; b++)
            after[b->group] = turns[l].step;
    }
    qsort(turns, code->layers, sizeof *turns, earlier);
}

/* Checks of the stage that begins with turns[0]: of one step and one degree, as many as a register holds. */
static uint32_t stage_size(const turn *turns, uint32_t rest, uint32_t lanes)
{
    uint32_t size = 1;
    while (size < rest && size < lanes && turns[size].step == turns->step &&
           turns[size].degree == turns->degree)
        size++;
    return size;
}

static uint32_t count_stages(const turn *turns, uint32_t checks, uint32_t lanes)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < checks; c += stage_size(turns + c, checks - c, lanes))
        count++;
    return count;
}

static void write_stages(ldpc_layered_map *map, const turn *turns)
{
    const ldpc_code *code = map->code;
    uint32_t *places = map->place_memory;
    ldpc_layered_layer *stage = map->layers;
    for (uint32_t c = 0, size; c < code->layers; c += size, stage++) {
        size = stage_size(turns + c, code->layers - c, map->lanes);
        *stage = (ldpc_layered_layer){
            .degree = turns[c].degree,
            .messages = map->message_bytes,
            .steps = map->step_memory,
            .places = places,
            .checks = size,
            .careful = map->saturates,
        };
        for (uint32_t e = 0; e < stage->degree; e++)
            for (uint32_t i = 0; i < size; i++)
                *places++ = code->blocks[code->layer_start[turns[c + i].layer] + e].group;
        map->message_bytes += (size_t)stage->degree * map->register_bytes;
    }
}

/* Posteriors stand side by side, behind them the registers of the stage that is being done. */
static bool build(ldpc_layered_map *map, const turn *turns)
{
    const ldpc_code *code = map->code;
    const uint32_t degrees = code->max_check_degree;
    map->n_layers = count_stages(turns, code->layers, map->lanes);
    map->layers = ldpc_allocate(map->n_layers, sizeof *map->layers);
    map->home = ldpc_allocate(code->groups, sizeof *map->home);
    map->rotation = ldpc_allocate(code->groups, sizeof *map->rotation);
    map->step_memory = ldpc_allocate(degrees + LDPC_LAYERED_SPARE_STEPS, sizeof *map->step_memory);
    map->place_memory = ldpc_allocate(code->layer_start[code->layers], sizeof *map->place_memory);
    if (!map->layers || !map->home || !map->rotation || !map->step_memory || !map->place_memory)
        return false;
    map->slot_bytes = map->lane_bytes;
    map->row_lanes = map->lanes;
    map->row_bytes = map->register_bytes;
    map->changes = ((size_t)code->groups * map->lane_bytes + map->register_bytes - 1) / map->register_bytes *
                   map->register_bytes;
    map->posterior_bytes = map->changes + (size_t)degrees * map->register_bytes;
    for (uint32_t g = 0; g < code->groups; g++)
        map->home[g] = g * map->lane_bytes;
    for (uint32_t e = 0; e < degrees; e++)
        map->step_memory[e].from = map->step_memory[e].to = e * map->register_bytes;
    write_stages(map, turns);
    ldpc_layered_map_add_spare(map);
    return true;
}

ldpc_status ldpc_layered_stages_create(const ldpc_code *code, uint32_t lane_bytes, uint32_t register_bytes,
                                       ldpc_layered_map **made)
{
    const uint32_t lanes = register_bytes / lane_bytes;
    turn *turns = ldpc_allocate(code->layers, sizeof *turns);
    uint32_t *after = ldpc_allocate(code->groups, sizeof *after);
    ldpc_layered_map *map = NULL;
    bool enough = turns && after, worth = false;
    if (enough) {
        find_turns(code, after, turns);
        worth = code->layers / LEAST_CHECKS >= count_stages(turns, code->layers, lanes);
    }
    if (enough && worth) {
        map = ldpc_layered_map_open(code, 1, lane_bytes, register_bytes);
        enough = map && build(map, turns);
    }
    free(turns);
    free(after);
    if (!enough) {
        ldpc_layered_map_destroy(map);
        return LDPC_ERR_MEMORY;
    }
    *made = map;
    return LDPC_OK;
}
