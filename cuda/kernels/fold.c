/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes whose layers are wider than a block of threads. Lanes p, p + parts, p + 2 parts ... of a layer become
 * a layer of their own, and so do those of a column group: a circulant of shift s joins part p of its layer
 * to part (p + s) mod parts of its group, with shift (p + s) / parts. Where no layer has a group twice, its
 * lanes share no column, and one part after the other gives what all give at once. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cuda/kernels/kernel.h"

static bool has_repeats(const ldpc_code *code)
{
    for (uint32_t l = 0; l < code->layers; l++)
        for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++)
            for (uint32_t earlier = code->layer_start[l]; earlier < b; earlier++)
                if (code->blocks[earlier].group == code->blocks[b].group)
                    return true;
    return false;
}

bool ldpc_cuda_can_fold(const ldpc_code *code, uint32_t parts)
{
    return code->z % parts == 0 && code->order == 2 && !has_repeats(code);
}

static void fold_layers(const ldpc_code *code, uint32_t parts, ldpc_code *folded)
{
    uint32_t at = 0;
    for (uint32_t l = 0; l < code->layers; l++)
        for (uint32_t p = 0; p < parts; p++) {
            folded->layer_start[l * parts + p] = at;
            for (uint32_t b = code->layer_start[l]; b < code->layer_start[l + 1]; b++) {
                const ldpc_block *block = &code->blocks[b];
                bool absent = block->missing_lane != LDPC_NO_LANE && block->missing_lane % parts == p;
                folded->blocks[at++] = (ldpc_block){
                    .group = block->group * parts + (p + block->shift) % parts,
                    .shift = (p + block->shift) / parts % folded->z,
                    .missing_lane = absent ? block->missing_lane / parts : LDPC_NO_LANE,
                };
            }
        }
    folded->layer_start[folded->layers] = at;
}

ldpc_code *ldpc_cuda_fold(const ldpc_code *code, uint32_t parts)
{
    ldpc_code *folded = ldpc_allocate(1, sizeof *folded);
    if (!folded)
        return NULL;
    memcpy(folded, code, sizeof *folded);
    folded->z = code->z / parts;
    folded->layers = code->layers * parts;
    folded->groups = code->groups * parts;
    folded->layer_start = ldpc_allocate((size_t)folded->layers + 1, sizeof *folded->layer_start);
    folded->blocks = ldpc_allocate((size_t)code->layer_start[code->layers] * parts, sizeof *folded->blocks);
    if (!folded->layer_start || !folded->blocks) {
        ldpc_cuda_fold_free(folded);
        return NULL;
    }
    fold_layers(code, parts, folded);
    return folded;
}

void ldpc_cuda_fold_free(ldpc_code *folded)
{
    if (!folded)
        return;
    free(folded->layer_start);
    free(folded->blocks);
    free(folded);
}
