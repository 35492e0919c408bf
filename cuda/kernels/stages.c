/* SPDX-License-Identifier: BSD-3-Clause */
#include "cuda/kernels/stages.h"

#include <stdlib.h>

#include "base/memory.h"
#include "code/schedule.h"

enum {
    MANY_EDGES = 32,
    MOST_OCCURRENCES = 254 /* eight bits for occurrence + 1 */
};

static uint32_t degree_of(const ldpc_code *code, uint32_t layer)
{
    return code->layer_start[layer + 1] - code->layer_start[layer];
}

static uint32_t repeats_of(const ldpc_code *code, uint32_t layer)
{
    uint32_t most = 0;
    for (uint32_t b = code->layer_start[layer]; b < code->layer_start[layer + 1]; b++)
        most = code->blocks[b].occurrence > most ? code->blocks[b].occurrence : most;
    return most;
}

static bool sort_stages(const ldpc_code *code, ldpc_stages *sorted)
{
    uint32_t most = 0, *key = ldpc_allocate(code->layers, sizeof *key);
    if (!key)
        return false;
    for (uint32_t l = 0; l < code->layers; l++)
        most = degree_of(code, l) > most ? degree_of(code, l) : most;
    for (uint32_t l = 0; l < code->layers; l++)
        key[l] = degree_of(code, l) + (repeats_of(code, l) ? most + 1 : 0);
    bool ok = ldpc_stages_make(code, key, sorted);
    free(key);
    return ok;
}

static void cut_stages(const ldpc_code *code, const ldpc_stages *sorted, ldpc_cuda_stages *stages)
{
    uint32_t least = 0;
    for (uint32_t i = 0; i < code->layers; i++) {
        uint32_t l = sorted->order[i], before = i ? sorted->order[i - 1] : l, repeats = repeats_of(code, l);
        bool too_long = degree_of(code, l) > (2 * least > MANY_EDGES ? 2 * least : MANY_EDGES);
        stages->order[i] = l;
        if (i == 0 || repeats || repeats_of(code, before) || sorted->of[l] != sorted->of[before] ||
            too_long) {
            stages->stage[stages->count++] = (ldpc_cuda_stage){.first = i, .repeats = repeats};
            least = degree_of(code, l);
        }
        stages->stage[stages->count - 1].end = i + 1;
    }
}

bool ldpc_cuda_stages_make(const ldpc_code *code, ldpc_cuda_stages *stages)
{
    ldpc_stages sorted;
    *stages = (ldpc_cuda_stages){
        .stage = ldpc_allocate(code->layers, sizeof *stages->stage),
        .order = ldpc_allocate(code->layers, sizeof *stages->order),
    };
    if (!stages->stage || !stages->order || !sort_stages(code, &sorted))
        return false;
    cut_stages(code, &sorted, stages);
    ldpc_stages_free(&sorted);
    return true;
}

void ldpc_cuda_stages_free(ldpc_cuda_stages *stages)
{
    free(stages->stage);
    free(stages->order);
}

bool ldpc_cuda_edges_fit(const ldpc_code *code)
{
    return code->max_occurrence <= MOST_OCCURRENCES && code->columns <= LDPC_CUDA_POSITION_MASK;
}

uint32_t ldpc_cuda_edge(const ldpc_code *code, const ldpc_block *block, uint32_t lane)
{
    return (block->group * code->z + (lane + block->shift) % code->z) | block->occurrence
                                                                            << LDPC_CUDA_OCCURRENCE_SHIFT;
}
