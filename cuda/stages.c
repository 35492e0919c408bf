/* SPDX-License-Identifier: BSD-3-Clause */
#include "stages.h"

#include <stdlib.h>

#include "code/memory.h"

/* Of each layer its level, which is behind those of all earlier layers that share a column with it. */
typedef struct levels {
    uint32_t *level; /* [layers] */
    uint32_t *most;  /* [layers]: most occurrences of a column - 1 */
    uint32_t *next;  /* [groups]: first level that may use it */
    uint32_t count;
} levels;

static uint32_t occurrence(const ldpc_code *code, uint32_t layer, uint32_t block)
{
    uint32_t earlier = 0;
    for (uint32_t b = code->layer_start[layer]; b < block; b++)
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

/* By level; in a level those without repeated columns first. */
static bool sort_layers(const ldpc_code *code, const levels *s, uint32_t *order)
{
    uint32_t *place = ldpc_allocate(2 * (size_t)s->count + 1, sizeof *place);
    if (!place)
        return false;
    for (uint32_t l = 0; l < code->layers; l++)
        place[2 * s->level[l] + (s->most[l] > 0) + 1]++;
    for (uint32_t i = 0; i < 2 * s->count; i++)
        place[i + 1] += place[i];
    for (uint32_t l = 0; l < code->layers; l++)
        order[place[2 * s->level[l] + (s->most[l] > 0)]++] = l;
    free(place);
    return true;
}

static void cut_stages(const ldpc_code *code, const levels *s, ldpc_cuda_stages *stages)
{
    for (uint32_t i = 0; i < code->layers; i++) {
        uint32_t l = stages->order[i], before = i ? stages->order[i - 1] : l;
        if (i == 0 || s->most[l] || s->most[before] || s->level[l] != s->level[before])
            stages->stage[stages->count++] = (ldpc_cuda_stage){.first = i, .most = s->most[l]};
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
        ok = sort_layers(code, &s, stages->order);
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
