/* SPDX-License-Identifier: BSD-3-Clause */
#include "cpu/binary/layer_rotation.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define NONE        UINT32_MAX
#define MOST_ROUNDS 8 /* further rounds gain little */

typedef struct search {
    const ldpc_code *code;
    const uint32_t *cost;
    uint32_t *cost_back; /* [z] cost of rotation -r */
    uint32_t *layer_of, *writer;
    uint32_t *first_reader, *next_reader;
    uint32_t *rotation; /* [layers] */
    uint32_t *sum;      /* [z] */
} search;

static void find_writers(search *s, uint32_t *last)
{
    const ldpc_code *code = s->code;
    for (uint32_t g = 0; g < code->groups; g++)
        last[g] = NONE;
    for (int iteration = 0; iteration < 2; iteration++)
        for (uint32_t l = 0; l < code->layers; l++) {
            const uint32_t first = code->layer_start[l], end = code->layer_start[l + 1];
            for (uint32_t b = first; b < end; b++) {
                s->layer_of[b] = l;
                s->writer[b] = last[code->blocks[b].group];
            }
            for (uint32_t b = end; b-- > first;)
                last[code->blocks[b].group] = b;
        }
}

static void list_readers(search *s)
{
    const uint32_t blocks = s->code->layer_start[s->code->layers];
    for (uint32_t b = 0; b < blocks; b++)
        s->first_reader[b] = NONE;
    for (uint32_t b = 0; b < blocks; b++) {
        s->next_reader[b] = s->first_reader[s->writer[b]];
        s->first_reader[s->writer[b]] = b;
    }
}

static void add_costs(search *s, const uint32_t *cost, uint32_t rotation)
{
    const uint32_t z = s->code->z, rest = z - rotation;
    for (uint32_t t = 0; t < rest; t++)
        s->sum[t] += cost[rotation + t];
    for (uint32_t t = rest; t < z; t++)
        s->sum[t] += cost[t - rest];
}

static void list_costs_back(search *s)
{
    const uint32_t z = s->code->z;
    for (uint32_t r = 0; r < z; r++)
        s->cost_back[r] = s->cost[(z - r) % z];
}

static uint32_t rotated_shift(const search *s, uint32_t b, uint32_t rotation)
{
    return (s->code->blocks[b].shift + rotation) % s->code->z;
}

static uint32_t rotation_without(const search *s, uint32_t reader, uint32_t l)
{
    const uint32_t writer = s->writer[reader], from = s->layer_of[writer], to = s->layer_of[reader];
    const uint32_t written = rotated_shift(s, writer, from == l ? 0 : s->rotation[from]);
    return (rotated_shift(s, reader, to == l ? 0 : s->rotation[to]) + s->code->z - written) % s->code->z;
}

/* Prefers the present rotation. */
static uint32_t best_rotation(search *s, uint32_t l)
{
    const ldpc_code *code = s->code;
    memset(s->sum, 0, code->z * sizeof *s->sum);
    for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
        if (s->layer_of[s->writer[b]] != l)
            add_costs(s, s->cost, rotation_without(s, b, l));
        for (uint32_t r = s->first_reader[b]; r != NONE; r = s->next_reader[r])
            if (s->layer_of[r] != l)
                add_costs(s, s->cost_back, (code->z - rotation_without(s, r, l)) % code->z);
    }
    uint32_t best = s->rotation[l];
    for (uint32_t t = 0; t < code->z; t++)
        if (s->sum[t] < s->sum[best])
            best = t;
    return best;
}

static void find_rotations(search *s)
{
    bool changed = true;
    for (int round = 0; round < MOST_ROUNDS && changed; round++) {
        changed = false;
        for (uint32_t l = 0; l < s->code->layers; l++) {
            const uint32_t best = best_rotation(s, l);
            changed = changed || best != s->rotation[l];
            s->rotation[l] = best;
        }
    }
}

static void rotate_blocks(const search *s, ldpc_block *blocks)
{
    const uint32_t z = s->code->z;
    for (uint32_t b = 0; b < s->code->layer_start[s->code->layers]; b++) {
        const uint32_t rotation = s->rotation[s->layer_of[b]];
        blocks[b].shift = (blocks[b].shift + rotation) % z;
        if (blocks[b].missing_lane != LDPC_NO_LANE)
            blocks[b].missing_lane = (blocks[b].missing_lane + z - rotation) % z;
    }
}

ldpc_status ldpc_rotate_layers(const ldpc_code *code, const uint32_t *cost, ldpc_block *blocks)
{
    const size_t count = code->layer_start[code->layers];
    search s = {
        .code = code,
        .cost = cost,
        .cost_back = ldpc_allocate(code->z, sizeof *s.cost_back),
        .layer_of = ldpc_allocate(count, sizeof *s.layer_of),
        .writer = ldpc_allocate(count, sizeof *s.writer),
        .first_reader = ldpc_allocate(count, sizeof *s.first_reader),
        .next_reader = ldpc_allocate(count, sizeof *s.next_reader),
        .rotation = ldpc_allocate(code->layers, sizeof *s.rotation),
        .sum = ldpc_allocate(code->z, sizeof *s.sum),
    };
    uint32_t *last = ldpc_allocate(code->groups, sizeof *last);
    const bool enough = s.cost_back && s.layer_of && s.writer && s.first_reader && s.next_reader &&
                        s.rotation && s.sum && last;
    if (enough) {
        find_writers(&s, last);
        list_readers(&s);
        list_costs_back(&s);
        find_rotations(&s);
        rotate_blocks(&s, blocks);
    }
    free(last);
    free(s.cost_back);
    free(s.layer_of);
    free(s.writer);
    free(s.first_reader);
    free(s.next_reader);
    free(s.rotation);
    free(s.sum);
    return enough ? LDPC_OK : LDPC_ERR_MEMORY;
}
