/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits layers that are wider than a thread block. Part p consists of lanes p, p + parts, p + 2 parts ... of its
 * layer. Column groups are split alike. A circulant of shift s connects part p of its layer to part (p + s) mod parts
 * of its group, with shift (p + s) / parts.
 *
 *   z = 6, parts = 2, shift 3:   lane of the layer   0 1 2 3 4 5
 *                                lane of the group   3 4 5 0 1 2
 *
 *   part 0 of the layer: lanes 0 2 4, reads lanes 3 5 1 of the group: its part 1 (1 3 5), shift 1
 *   part 1 of the layer: lanes 1 3 5, reads lanes 4 0 2 of the group: its part 0 (0 2 4), shift 2
 *
 * If no layer repeats a group, the lanes of a layer share no column. Results are then independent of the split. */
#include "cuda/kernels/split_layers.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool ldpc_can_split_layers(const ldpc_code *code, uint32_t parts)
{
    return code->z % parts == 0 && code->order == 2 && code->max_occurrence == 0;
}

static void split_blocks(const ldpc_code *code, uint32_t parts, ldpc_code *split)
{
    uint32_t at = 0;
    for (uint32_t l = 0; l < code->layers; l++)
        for (uint32_t p = 0; p < parts; p++) {
            split->layer_start[l * parts + p] = at;
            for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
                const ldpc_block *block = &code->blocks[b];
                bool missing = block->missing_lane != LDPC_NO_LANE && block->missing_lane % parts == p;
                split->blocks[at++] = (ldpc_block){
                    .group = block->group * parts + (p + block->shift) % parts,
                    .shift = (p + block->shift) / parts % split->z,
                    .missing_lane = missing ? block->missing_lane / parts : LDPC_NO_LANE,
                };
            }
        }
    split->layer_start[split->layers] = at;
}

ldpc_code *ldpc_split_layers(const ldpc_code *code, uint32_t parts)
{
    ldpc_code *split = ldpc_allocate(1, sizeof *split);
    if (!split)
        return NULL;
    memcpy(split, code, sizeof *split);
    split->z = code->z / parts;
    split->layers = code->layers * parts;
    split->groups = code->groups * parts;
    split->layer_start = ldpc_allocate((size_t)split->layers + 1, sizeof *split->layer_start);
    split->blocks = ldpc_allocate((size_t)code->layer_start[code->layers] * parts, sizeof *split->blocks);
    if (!split->layer_start || !split->blocks) {
        ldpc_split_layers_free(split);
        return NULL;
    }
    split_blocks(code, parts, split);
    return split;
}

void ldpc_split_layers_free(ldpc_code *split)
{
    if (!split)
        return;
    free(split->layer_start);
    free(split->blocks);
    free(split);
}
