/* SPDX-License-Identifier: BSD-3-Clause */
#include "code/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "code/sparse_matrix.h"

#define NONE UINT32_MAX

static uint32_t number_of_blocks(const ldpc_code *code)
{
    return code->layer_start[code->layers];
}

/* Allocates one NONE per group. */
static uint32_t *none_per_group(const ldpc_code *code)
{
    uint32_t *values = ldpc_allocate(code->groups, sizeof *values);
    for (uint32_t g = 0; values && g < code->groups; g++)
        values[g] = NONE;
    return values;
}

/* ---- occurrences */

bool ldpc_code_number_occurrences(ldpc_code *code)
{
    uint32_t *last_layer = none_per_group(code); /* [groups] */
    uint32_t *count = ldpc_allocate(code->groups, sizeof *count);
    bool ok = last_layer && count;
    code->max_occurrence = 0;
    for (uint32_t l = 0; ok && l < code->layers; l++)
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
            const uint32_t g = code->blocks[b].group;
            count[g] = last_layer[g] == l ? count[g] + 1 : 0;
            last_layer[g] = l;
            code->blocks[b].occurrence = count[g];
            if (count[g] > code->max_occurrence)
                code->max_occurrence = count[g];
        }
    free(last_layer);
    free(count);
    return ok;
}

/* ---- stages */

static bool assign_stages(const ldpc_code *code, ldpc_stages *stages)
{
    uint32_t *first_free = ldpc_allocate(code->groups, sizeof *first_free);
    for (uint32_t l = 0; first_free && l < code->layers; l++) {
        const ldpc_block *begin = code->blocks + code->layer_start[l],
                         *end = code->blocks + code->layer_start[l + 1];
        uint32_t stage = 0;
        for (const ldpc_block *b = begin; b < end; b++)
            stage = first_free[b->group] > stage ? first_free[b->group] : stage;
        for (const ldpc_block *b = begin; b < end; b++)
            first_free[b->group] = stage + 1;
        stages->of[l] = stage;
        stages->count = stage + 1 > stages->count ? stage + 1 : stages->count;
    }
    free(first_free);
    return first_free;
}

static uint32_t largest(const uint32_t *values, uint32_t count)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = values[i] > most ? values[i] : most;
    return most;
}

/* Stable counting sort. `start` [largest key + 2] must be zero; start[k + 1] becomes the end of key k. */
static void sort_by(const uint32_t *key, uint32_t layers, const uint32_t *from, uint32_t *start, uint32_t *to)
{
    for (uint32_t l = 0; l < layers; l++)
        start[key[l] + 1]++;
    ldpc_sparse_sum(start, largest(key, layers) + 1);
    for (uint32_t i = 0; i < layers; i++) {
        const uint32_t l = from ? from[i] : i;
        to[start[key[l]]++] = l;
    }
}

/* Returns NULL if out of memory. */
static uint32_t *sorted_by(const uint32_t *key, uint32_t layers)
{
    uint32_t *order = ldpc_allocate(layers, sizeof *order);
    uint32_t *start = ldpc_allocate((size_t)largest(key, layers) + 2, sizeof *start);
    if (order && start) {
        sort_by(key, layers, NULL, start, order);
    } else {
        free(order);
        order = NULL;
    }
    free(start);
    return order;
}

static bool order_stages(const ldpc_code *code, const uint32_t *key, ldpc_stages *stages)
{
    uint32_t *by_key = key ? sorted_by(key, code->layers) : NULL;
    stages->start = ldpc_allocate((size_t)stages->count + 1, sizeof *stages->start);
    const bool ok = stages->start && (by_key || !key);
    if (ok) {
        sort_by(stages->of, code->layers, by_key, stages->start, stages->order);
        memmove(stages->start + 1, stages->start, stages->count * sizeof *stages->start);
        stages->start[0] = 0;
    }
    free(by_key);
    return ok;
}

bool ldpc_stages_make(const ldpc_code *code, const uint32_t *key, ldpc_stages *stages)
{
    *stages = (ldpc_stages){
        .order = ldpc_allocate(code->layers, sizeof *stages->order),
        .of = ldpc_allocate(code->layers, sizeof *stages->of),
    };
    if (stages->order && stages->of && assign_stages(code, stages) && order_stages(code, key, stages))
        return true;
    ldpc_stages_free(stages);
    return false;
}

void ldpc_stages_free(ldpc_stages *stages)
{
    free(stages->start);
    free(stages->order);
    free(stages->of);
    *stages = (ldpc_stages){0};
}

/* ---- barriers */

static bool reads_written(const ldpc_code *code, uint32_t l, const uint32_t *written, uint32_t since)
{
    for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
        const uint32_t in = written[code->blocks[b].group];
        if (in != NONE && in >= since)
            return true;
    }
    return false;
}

static void mark_written(const ldpc_code *code, uint32_t layer, uint32_t l, const uint8_t *write,
                         uint32_t *written)
{
    const uint8_t wanted = layer == l ? LDPC_BLOCK_WRITES : LDPC_BLOCK_WRITES_LATER;
    for (uint32_t b = code->layer_start[layer]; b < code->layer_start[layer + 1]; b++)
        if ((write ? write[b] : LDPC_BLOCK_WRITES) == wanted)
            written[code->blocks[b].group] = l;
}

bool ldpc_code_find_barriers(const ldpc_code *code, const uint8_t *write, bool *barrier)
{
    uint32_t *written = none_per_group(code);
    if (!written)
        return false;
    uint32_t since = 0;
    for (uint32_t l = 0; l < code->layers; l++) {
        const bool needed = reads_written(code, l, written, since);
        if (l > 0) {
            barrier[l - 1] = needed;
            since = needed ? l : since;
            mark_written(code, l - 1, l, write, written);
        }
        mark_written(code, l, l, write, written);
    }
    barrier[code->layers - 1] = true;
    free(written);
    return true;
}

/* ---- links */

bool ldpc_code_link_blocks(const ldpc_code *code, uint32_t *previous, uint32_t *next)
{
    uint32_t *first = none_per_group(code), *last = none_per_group(code);
    const bool ok = first && last;
    for (uint32_t b = 0; ok && b < number_of_blocks(code); b++) {
        const uint32_t g = code->blocks[b].group;
        previous[b] = last[g];
        if (last[g] == NONE)
            first[g] = b;
        else
            next[last[g]] = b;
        last[g] = b;
    }
    for (uint32_t g = 0; ok && g < code->groups; g++)
        if (first[g] != NONE) {
            previous[first[g]] = last[g];
            next[last[g]] = first[g];
        }
    free(first);
    free(last);
    return ok;
}

/* ---- exactness */

uint64_t ldpc_code_posterior_bound(const ldpc_code *code, uint32_t max_channel, uint32_t max_message)
{
    return max_channel + (uint64_t)code->max_variable_degree * max_message;
}
