/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "base/memory.h"
#include "cpu/binary/interleaver.h"

/* minimum groups per transposition */
#define LEAST_TRANSPOSED 4

/* Column groups with more runs are copied lane by lane. */
#define MOST_RUNS 4

typedef struct copy_builder {
    const ldpc_simd_map *map;
    const uint32_t *index;
    ldpc_lane_copies *copies;
    size_t placed; /* entries with a lane */
} copy_builder;

static uint32_t run_length(const uint32_t *index, uint32_t lanes)
{
    uint32_t step = index[0] < LDPC_POSITION_PUNCTURED, i = 1;
    while (i < lanes && index[i] == index[0] + i * step)
        i++;
    return i;
}

static uint32_t count_runs(const uint32_t *index, uint32_t lanes)
{
    uint32_t count = 0;
    for (uint32_t at = 0; at < lanes; count++)
        at += run_length(index + at, lanes - at);
    return count;
}

uint32_t ldpc_home_lane(const ldpc_simd_map *map, uint32_t group, uint32_t lane)
{
    uint32_t z = map->code->z, rotation = map->rotation[group];
    uint32_t at = map->code->is_dyadic ? lane ^ rotation : (lane + z - rotation) % z;
    return map->home[group] / map->lane_bytes + at * map->n_codewords;
}

static void add_segment(copy_builder *d, ldpc_segment segment)
{
    ldpc_lane_copies *copies = d->copies;
    if (!segment.transposed) {
        const size_t end = (size_t)segment.first + segment.count;
        copies->first_entry = segment.first < copies->first_entry ? segment.first : copies->first_entry;
        copies->end_entry = end > copies->end_entry ? end : copies->end_entry;
    }
    if (copies->n_segments) {
        ldpc_segment *last = &copies->segments[copies->n_segments - 1];
        if (last->at + last->count * d->map->n_codewords == segment.at &&
            last->first + last->count == segment.first && last->transposed == segment.transposed) {
            last->count += segment.count;
            return;
        }
    }
    copies->segments[copies->n_segments++] = segment;
}

static void add_constant(copy_builder *d, uint32_t at, uint32_t count, uint32_t what)
{
    d->copies->constants[d->copies->n_constants++] =
        (ldpc_constant_lanes){at, count, (int8_t)(what == LDPC_POSITION_KNOWN ? LDPC_KNOWN_LLR : 0)};
}

static void add_run(copy_builder *d, uint32_t group, uint32_t lane, uint32_t count, uint32_t first,
                    bool transposed)
{
    uint32_t z = d->map->code->z, rotation = d->map->rotation[group];
    uint32_t rest = lane < rotation ? rotation - lane : z - lane, at = ldpc_home_lane(d->map, group, lane);
    uint32_t now = count < rest ? count : rest;
    if (first >= LDPC_POSITION_PUNCTURED) {
        add_constant(d, at, now, first);
    } else {
        add_segment(d, (ldpc_segment){at, first, now, transposed});
        d->placed += now;
    }
    if (now < count)
        add_run(d, group, lane + now, count - now, first < LDPC_POSITION_PUNCTURED ? first + now : first,
                transposed);
}

static void add_runs(copy_builder *d, uint32_t group)
{
    uint32_t z = d->map->code->z, length;
    const uint32_t *index = d->index + (size_t)group * z;
    for (uint32_t lane = 0; lane < z; lane += length) {
        length = run_length(index + lane, z - lane);
        add_run(d, group, lane, length, index[lane], false);
    }
}

static uint32_t transposed_groups(const copy_builder *d, uint32_t group)
{
    uint32_t z = d->map->code->z, groups = d->map->code->groups, count = 0;
    const uint32_t *index = d->index + (size_t)group * z;
    if (z < 2 || index[0] >= LDPC_POSITION_PUNCTURED || index[1] >= LDPC_POSITION_PUNCTURED ||
        index[1] <= index[0])
        return 0;
    uint32_t stride = index[1] - index[0];
    for (; group + count < groups && count < stride; count++)
        for (uint32_t j = 0; j < z; j++)
            if (index[(size_t)count * z + j] != index[0] + count + j * stride)
                return count;
    return count;
}

static uint32_t add_transposed(copy_builder *d, uint32_t group, uint32_t count)
{
    uint32_t z = d->map->code->z;
    const uint32_t *index = d->index + (size_t)group * z;
    ldpc_lane_copies *copies = d->copies;
    copies->transpositions[copies->n_transpositions++] =
        (ldpc_transposition){index[0], index[1] - index[0], count, (uint32_t)copies->transposed_entries};
    for (uint32_t i = 0; i < count; i++, copies->transposed_entries += z)
        add_run(d, group + i, 0, z, (uint32_t)copies->transposed_entries, true);
    return count;
}

static void add_singles(copy_builder *d, uint32_t group)
{
    uint32_t z = d->map->code->z;
    for (uint32_t i = 0; i < z; i++) {
        uint32_t position = d->index[(size_t)group * z + i];
        d->copies->singles[d->copies->n_singles++] =
            (ldpc_single_lane){ldpc_home_lane(d->map, group, i), position};
        d->placed += position < LDPC_POSITION_PUNCTURED;
    }
}

/* Returns the number of groups. */
static uint32_t add_next(copy_builder *d, uint32_t group)
{
    uint32_t z = d->map->code->z, runs = count_runs(d->index + (size_t)group * z, z);
    if (d->map->code->is_dyadic) {
        add_singles(d, group);
        return 1;
    }
    uint32_t transposed = runs > 1 ? transposed_groups(d, group) : 0;
    if (transposed >= LEAST_TRANSPOSED)
        return add_transposed(d, group, transposed);
    if (runs <= MOST_RUNS)
        add_runs(d, group);
    else
        add_singles(d, group);
    return 1;
}

static uint32_t groups_with_entries(const ldpc_code *code, const uint32_t *index)
{
    size_t lanes = (size_t)code->groups * code->z;
    while (lanes && index[lanes - 1] >= LDPC_POSITION_PUNCTURED)
        lanes--;
    return (uint32_t)((lanes + code->z - 1) / code->z);
}

static bool make_copies(const ldpc_simd_map *map, const uint32_t *index, size_t entries,
                        ldpc_lane_copies *copies)
{
    const ldpc_code *code = map->code;
    copy_builder d = {map, index, copies, 0};
    copies->segments = ldpc_allocate((MOST_RUNS + 1) * (size_t)code->groups, sizeof *copies->segments);
    copies->transpositions = ldpc_allocate(code->groups, sizeof *copies->transpositions);
    copies->singles = ldpc_allocate((size_t)code->groups * code->z, sizeof *copies->singles);
    copies->constants = ldpc_allocate((MOST_RUNS + 1) * (size_t)code->groups, sizeof *copies->constants);
    if (!copies->segments || !copies->transpositions || !copies->singles || !copies->constants)
        return false;
    copies->first_entry = entries;
    for (uint32_t g = 0; g < code->groups;)
        g += add_next(&d, g);
    if (copies->first_entry > copies->end_entry) /* all segments are transposed */
        copies->first_entry = copies->end_entry;
    copies->gaps = d.placed < entries;
    copies->groups = groups_with_entries(code, index);
    return true;
}

static void index_lanes(const ldpc_code *code, const uint32_t *position, uint32_t *index)
{
    for (size_t i = 0; i < (size_t)code->groups * code->z; i++)
        index[i] = position[code->column_at[i]];
}

static void index_symbols(const ldpc_code *code, uint32_t *position, uint32_t *index)
{
    for (uint32_t c = 0; c < code->columns; c++)
        position[c] = LDPC_POSITION_PUNCTURED;
    for (uint32_t i = 0; i < code->n; i++)
        if (code->transmitted[i] != LDPC_NO_COLUMN)
            position[code->transmitted[i]] = i;
    for (uint32_t i = 0; i < code->shortened; i++)
        position[code->known_zero[i]] = LDPC_POSITION_KNOWN;
    index_lanes(code, position, index);
}

static void index_message(const ldpc_code *code, uint32_t *position, uint32_t *index)
{
    for (uint32_t c = 0; c < code->columns; c++)
        position[c] = LDPC_POSITION_PUNCTURED;
    for (uint32_t i = 0; i < code->k; i++)
        position[code->message[i]] = i;
    index_lanes(code, position, index);
}

bool ldpc_lane_copies_make(const ldpc_simd_map *map, ldpc_lane_copies *symbols, ldpc_lane_copies *message)
{
    const ldpc_code *code = map->code;
    uint32_t *position = ldpc_allocate(code->columns, sizeof *position);
    uint32_t *index = ldpc_allocate((size_t)code->groups * code->z, sizeof *index);
    bool enough = position && index;
    if (enough) {
        index_symbols(code, position, index);
        enough = make_copies(map, index, code->n, symbols);
    }
    if (enough) {
        index_message(code, position, index);
        enough = make_copies(map, index, code->k, message);
    }
    free(position);
    free(index);
    return enough;
}

void ldpc_lane_copies_free(ldpc_lane_copies *copies)
{
    free(copies->segments);
    free(copies->transpositions);
    free(copies->singles);
    free(copies->constants);
}
