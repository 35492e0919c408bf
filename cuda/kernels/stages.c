/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/kernels/stages.h"

#include <stdlib.h>

#include "base/memory.h"

enum { MANY_EDGES = 32 };

/* Of each layer its level, which is behind those of all earlier layers that share a column with it. */
typedef struct levels {
    uint32_t *level; /* [layers] */
    uint32_t *most;  /* [layers]: most occurrences of a column - 1 */
    uint32_t *next;  /* [groups]: first level that may use it */
    uint32_t count;
} levels;

static uint32_t occurrence(const ldpc_code *code, uint32_t layer, uint32_t block)
{
    uint32_t earlier = 0; /* with z = 1 there is none, and rows may be very long */
    for (uint32_t b = code->layer_start[layer]; b < block && code->z > 1; b++)
        earlier += code->blocks[b].group == code->blocks[block].group;
    return earlier;
}

static void find_levels(const ldpc_code *code, levels *s)
{
    for (uint32_t l = 0; l < code->layers; l++) {
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
            uint32_t next = s->next[code->blocks[b].group], again = occurrence(code, l, b);
            s->level[l] = next > s->level[l] ? next : s->level[l];
            s->most[l] = again > s->most[l] ? again : s->most[l];
        }
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++)
            s->next[code->blocks[b].group] = s->level[l] + 1;
        s->count = s->level[l] + 1 > s->count ? s->level[l] + 1 : s->count;
    }
}

static uint32_t degree_of(const ldpc_code *code, uint32_t layer)
{
    return code->layer_start[layer + 1] - code->layer_start[layer];
}

/* Layers `from` (NULL: as they are) in the order of their keys below `keys`, equal ones as they were. */
static bool sort_layers(uint32_t layers, const uint32_t *key, uint32_t keys, const uint32_t *from,
                        uint32_t *to)
{
    uint32_t *place = ldpc_allocate((size_t)keys + 1, sizeof *place);
    if (!place)
        return false;
    for (uint32_t l = 0; l < layers; l++)
        place[key[l] + 1]++;
    for (uint32_t i = 0; i < keys; i++)
        place[i + 1] += place[i];
    for (uint32_t i = 0; i < layers; i++) {
        uint32_t l = from ? from[i] : i;
        to[place[key[l]]++] = l;
    }
    free(place);
    return true;
}

/* By level; in a level those without repeated columns first, then by degree. */
static bool order_layers(const ldpc_code *code, const levels *s, uint32_t *order)
{
    uint32_t most = 0, *key = ldpc_allocate(code->layers, sizeof *key);
    uint32_t *by_degree = ldpc_allocate(code->layers, sizeof *by_degree);
    bool ok = key && by_degree;
    for (uint32_t l = 0; ok && l < code->layers; l++) {
        key[l] = degree_of(code, l);
        most = key[l] > most ? key[l] : most;
    }
    ok = ok && sort_layers(code->layers, key, most + 1, NULL, by_degree);
    for (uint32_t l = 0; ok && l < code->layers; l++)
        key[l] = 2 * s->level[l] + (s->most[l] > 0);
    ok = ok && sort_layers(code->layers, key, 2 * s->count, by_degree, order);
    free(key);
    free(by_degree);
    return ok;
}

/* Kernels may take as many edges for all checks of a stage: those with very many stay among themselves. */
static void cut_stages(const ldpc_code *code, const levels *s, ldpc_cuda_stages *stages)
{
    uint32_t least = 0;
    for (uint32_t i = 0; i < code->layers; i++) {
        uint32_t l = stages->order[i], before = i ? stages->order[i - 1] : l;
        if (i == 0 || s->most[l] || s->most[before] || s->level[l] != s->level[before] ||
            degree_of(code, l) > (2 * least > MANY_EDGES ? 2 * least : MANY_EDGES)) {
            stages->stage[stages->count++] = (ldpc_cuda_stage){.first = i, .most = s->most[l]};
            least = degree_of(code, l);
        }
        stages->stage[stages->count - 1].end = i + 1;
    }
}

bool ldpc_cuda_stages_make(const ldpc_code *code, ldpc_cuda_stages *stages)
{
    levels s = {
        .level = ldpc_allocate(code->layers, sizeof *s.level),
        .most = ldpc_allocate(code->layers, sizeof *s.most),
        .next = ldpc_allocate(code->groups, sizeof *s.next),
    };
    *stages = (ldpc_cuda_stages){
        .stage = ldpc_allocate(code->layers, sizeof *stages->stage),
        .order = ldpc_allocate(code->layers, sizeof *stages->order),
    };
    bool ok = s.level && s.most && s.next && stages->stage && stages->order;
    if (ok) {
        find_levels(code, &s);
        ok = order_layers(code, &s, stages->order);
    }
    if (ok)
        cut_stages(code, &s, stages);
    free(s.level);
    free(s.most);
    free(s.next);
    return ok;
}

void ldpc_cuda_stages_free(ldpc_cuda_stages *stages)
{
    free(stages->stage);
    free(stages->order);
}

bool ldpc_cuda_stages_fit(const ldpc_code *code)
{
    uint32_t most = 0;
    for (uint32_t l = 0; l < code->layers; l++)
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
            uint32_t again = occurrence(code, l, b);
            most = again > most ? again : most;
        }
    return most <= LDPC_CUDA_MAX_OCCURRENCES && code->columns <= LDPC_CUDA_MAX_POSITIONS;
}

uint32_t ldpc_cuda_entry(const ldpc_code *code, uint32_t layer, uint32_t block, uint32_t lane)
{
    const ldpc_block *b = &code->blocks[block];
    return (b->group * code->z + (lane + b->shift) % code->z) | occurrence(code, layer, block) << 24;
}
