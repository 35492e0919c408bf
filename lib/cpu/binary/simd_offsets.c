/* SPDX-License-Identifier: BSD-3-Clause */
/* Byte offsets of blocks (simd_map.h). */
#include <stdlib.h>

#include "cpu/binary/simd_builder.h"

/* ---- rotations and mirrors */

static uint32_t lane_offset(const ldpc_map_builder *m, uint32_t lane)
{
    return lane * m->map->n_codewords * m->map->lane_bytes;
}

static uint32_t rotation_of(const ldpc_map_builder *m, const ldpc_block *block, uint32_t shift)
{
    return m->code->is_dyadic ? block->shift ^ shift : (block->shift + m->code->z - shift) % m->code->z;
}

uint32_t ldpc_builder_read_offset(const ldpc_map_builder *m, uint32_t rotation, uint32_t j)
{
    const uint32_t first = lane_offset(m, rotation), more = j * m->map->register_bytes;
    return m->code->is_dyadic ? first ^ more : (first + more) % m->map->row_bytes;
}

static uint32_t loads_to_end(const ldpc_map_builder *m, uint32_t rotation)
{
    return (m->map->row_bytes - lane_offset(m, rotation) - 1) / m->map->register_bytes + 1;
}

bool ldpc_builder_reads_mirror(const ldpc_map_builder *m, uint32_t rotation)
{
    const uint32_t last_load = ldpc_builder_read_offset(m, rotation, loads_to_end(m, rotation) - 1);
    return last_load > (m->map->registers - 1) * m->map->register_bytes;
}

uint32_t ldpc_builder_unaligned_loads(const ldpc_map_builder *m, uint32_t rotation)
{
    const ldpc_simd_map *map = m->map;
    const uint32_t first = lane_offset(m, rotation), to_end = loads_to_end(m, rotation);
    const uint32_t past_end = first + map->registers * map->register_bytes - map->row_bytes;
    return (first % map->register_bytes ? to_end : 0) +
           (past_end % map->register_bytes ? map->registers - to_end : 0);
}

static bool next_layer_reads_mirror(const ldpc_map_builder *m, const ldpc_placed_block *owner)
{
    for (uint32_t b = owner->first_read; b != LDPC_NO_BLOCK; b = m->again[b])
        if (ldpc_builder_reads_mirror(m, rotation_of(m, &m->blocks[b], owner->block->shift)))
            return true;
    return false;
}

uint32_t ldpc_builder_rotation_back(const ldpc_map_builder *m, const ldpc_block *block, uint32_t shift)
{
    uint32_t rotation = rotation_of(m, block, shift);
    return m->code->is_dyadic || rotation == 0 ? rotation : m->code->z - rotation;
}

static bool has_missing_edges(const ldpc_map_builder *m, uint32_t l)
{
    for (uint32_t b = m->code->layer_start[l]; b < m->code->layer_start[l + 1]; b++)
        if (m->blocks[b].missing_lane != LDPC_NO_LANE)
            return true;
    return false;
}

static bool needs_mirror(const ldpc_map_builder *m, bool missing_edges, const ldpc_placed_block *owner)
{
    const ldpc_block *block = owner->block;
    if (!m->map->has_mirrors || missing_edges)
        return m->map->has_mirrors;
    if (m->map->flooding)
        return ldpc_builder_reads_mirror(m, ldpc_builder_rotation_back(m, block, m->shift[block->group]));
    return next_layer_reads_mirror(m, owner);
}

static int mirrored_first(const void *a, const void *b)
{
    const ldpc_placed_block *x = a, *y = b;
    if (x->mirrored != y->mirrored)
        return x->mirrored ? -1 : 1;
    if (x->reader != y->reader)
        return x->reader < y->reader ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

void ldpc_builder_sort_mirrored(ldpc_map_builder *m, uint32_t l)
{
    uint32_t first = m->code->layer_start[l], owners = m->owners[l], mirrors = 0;
    const bool missing_edges = has_missing_edges(m, l);
    for (uint32_t b = first; b < first + owners; b++) {
        m->placed[b].mirrored = needs_mirror(m, missing_edges, &m->placed[b]);
        mirrors += m->placed[b].mirrored;
    }
    qsort(m->placed + first, owners, sizeof *m->placed, mirrored_first);
    m->map->layers[l].mirrors = mirrors;
}

/* ---- layers */

static uint32_t difference_offset(const ldpc_simd_map *map, uint32_t repeat)
{
    return (uint32_t)map->differences + repeat * map->slot_bytes;
}

static void write_accesses(const ldpc_map_builder *m, uint32_t l, ldpc_simd_access *accesses)
{
    ldpc_simd_map *map = m->map;
    uint32_t first = m->code->layer_start[l], degree = ldpc_layer_degree(m->code, l);
    for (uint32_t i = 0; i < degree; i++) {
        const ldpc_placed_block *p = &m->placed[first + i];
        uint32_t rotation = rotation_of(m, p->block, m->shift[p->block->group]);
        uint32_t to =
            i < m->owners[l] ? p->target * map->slot_bytes : difference_offset(map, i - m->owners[l]);
        for (uint32_t j = 0; j < map->registers; j++)
            accesses[(size_t)j * degree + i] = (ldpc_simd_access){
                .from = p->source * map->slot_bytes + ldpc_builder_read_offset(m, rotation, j),
                .to = to + j * map->register_bytes,
            };
    }
}

static void write_repeats(const ldpc_map_builder *m, uint32_t l, ldpc_simd_repeat *repeats)
{
    ldpc_simd_map *map = m->map;
    const uint32_t owners = m->owners[l], degree = ldpc_layer_degree(m->code, l);
    const ldpc_placed_block *placed = m->placed + m->code->layer_start[l];
    uint32_t *owner_of = m->current; /* reused */
    for (uint32_t i = 0; i < owners; i++)
        owner_of[placed[i].block->group] = i;
    for (uint32_t i = owners; i < degree; i++) {
        const ldpc_block *block = placed[i].block;
        const ldpc_placed_block *owner = &placed[owner_of[block->group]];
        const bool last = m->again[block - m->blocks] == LDPC_NO_BLOCK;
        uint32_t slot = owner->target, home = m->last_layer[block->group] == l ? block->group : slot;
        repeats[i - owners] = (ldpc_simd_repeat){
            .block = i,
            .from = slot * map->slot_bytes,
            .to = (last ? home : slot) * map->slot_bytes,
            .rotation = lane_offset(m, rotation_of(m, owner->block, block->shift)),
        };
    }
}

/* ---- missing edges */

/* One lane per codeword. */
static void write_missing(const ldpc_map_builder *m, uint32_t l, uint32_t i, ldpc_missing_edge *missing)
{
    const ldpc_simd_map *map = m->map;
    const ldpc_block *block = m->placed[m->code->layer_start[l] + i].block;
    const uint32_t rotation = lane_offset(m, rotation_of(m, block, map->rotation[block->group]));
    for (uint32_t w = 0; w < map->n_codewords; w++) {
        uint32_t at = lane_offset(m, block->missing_lane) + w * map->lane_bytes, j = at / map->register_bytes,
                 in = at % map->register_bytes;
        size_t step = (size_t)j * ldpc_layer_degree(m->code, l) + i;
        missing[w] = (ldpc_missing_edge){
            .from = map->layers[l].accesses[step].from + in,
            .to = map->layers[l].accesses[step].to + in,
            .in_first = j == 0,
            .message = step * map->register_bytes + in,
            .home = map->home[block->group] + (rotation + at) % map->row_bytes,
            .check_register = j,
            .check_lane = in / map->lane_bytes,
        };
    }
}

static uint32_t write_all_missing(const ldpc_map_builder *m, uint32_t l, ldpc_missing_edge *missing)
{
    uint32_t first = m->code->layer_start[l], degree = ldpc_layer_degree(m->code, l), count = 0;
    for (uint32_t i = 0; i < degree; i++)
        if (m->placed[first + i].block->missing_lane != LDPC_NO_LANE) {
            write_missing(m, l, i, missing + count);
            count += m->map->n_codewords;
        }
    return count;
}

static bool can_saturate(const ldpc_code *code, uint32_t l, uint32_t b)
{
    const ldpc_block *block = &code->blocks[b];
    for (uint32_t i = code->layer_start[l]; i < code->layer_start[l + 1]; i++)
        if (i != b &&
            (code->blocks[i].group == block->group || code->blocks[i].missing_lane == block->missing_lane))
            return false;
    return true;
}

static bool can_saturate_missing(const ldpc_code *code, uint32_t l)
{
    for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++)
        if (code->blocks[b].missing_lane != LDPC_NO_LANE && !can_saturate(code, l, b))
            return false;
    return true;
}

/* ---- all layers */

static void write_homes(const ldpc_map_builder *m)
{
    const ldpc_code *code = m->code;
    ldpc_simd_map *map = m->map;
    for (uint32_t g = 0; g < code->groups; g++) {
        map->home[g] = g * map->slot_bytes;
        map->rotation[g] = m->shift[g];
    }
    uint32_t *at = map->home_at;
    for (uint32_t b = 0; b < code->layer_start[code->layers]; b++) {
        const uint32_t group = m->blocks[b].group, rotation = rotation_of(m, &m->blocks[b], m->shift[group]);
        map->home_of[b] = map->home[group];
        for (uint32_t j = 0; j < map->registers; j++)
            *at++ = map->home[group] + ldpc_builder_read_offset(m, rotation, j);
    }
}

static void rotate_groups(ldpc_map_builder *m, uint32_t l)
{
    const ldpc_placed_block *owner = m->placed + m->code->layer_start[l];
    for (uint32_t i = 0; i < m->owners[l]; i++)
        m->shift[owner[i].block->group] = owner[i].block->shift;
}

void ldpc_builder_write_layers(ldpc_map_builder *m)
{
    const ldpc_code *code = m->code;
    ldpc_simd_map *map = m->map;
    ldpc_simd_access *accesses = map->access_memory;
    ldpc_simd_repeat *repeats = map->repeat_memory;
    ldpc_missing_edge *missing = map->missing_memory;
    ldpc_builder_start_at_home(m);
    write_homes(m);
    for (uint32_t l = 0; l < code->layers; l++) {
        ldpc_simd_layer *layer = &map->layers[l];
        uint32_t degree = ldpc_layer_degree(code, l);
        layer->degree = degree;
        layer->repeats = degree - m->owners[l];
        layer->messages = map->message_bytes;
        layer->accesses = accesses;
        layer->repeat = repeats;
        write_accesses(m, l, accesses);
        write_repeats(m, l, repeats);
        layer->missing = missing;
        layer->n_missing = write_all_missing(m, l, missing);
        layer->careful =
            map->saturates || layer->n_missing > LDPC_MOST_MISSING_EDGES || !can_saturate_missing(code, l);
        if (!map->flooding)
            rotate_groups(m, l);
        accesses += (size_t)degree * map->registers;
        repeats += layer->repeats;
        missing += layer->n_missing;
        map->message_bytes += map->flooding ? 0 : (size_t)degree * map->registers * map->register_bytes;
    }
}
