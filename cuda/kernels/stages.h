/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages of schedule.h for kernels that read tables.
 *
 * A layer that repeats a column group is a stage of its own. Stages are split by degree, because some kernels
 * process the largest degree for all checks of a stage. */
#ifndef LDPC_CUDA_STAGES_H
#define LDPC_CUDA_STAGES_H

#include <stdbool.h>

#include "code/code_internal.h"

/* Layers order[first] .. order[end - 1]. */
typedef struct ldpc_cuda_stage {
    uint32_t first, end;
    uint32_t repeats; /* largest ldpc_block.occurrence */
} ldpc_cuda_stage;

typedef struct ldpc_cuda_stages {
    uint32_t count;
    ldpc_cuda_stage *stage; /* [count] */
    uint32_t *order;        /* [layers] */
} ldpc_cuda_stages;

/* Returns false if memory is exhausted. Always call ldpc_cuda_stages_free() afterwards. */
bool ldpc_cuda_stages_make(const ldpc_code *code, ldpc_cuda_stages *stages);
void ldpc_cuda_stages_free(ldpc_cuda_stages *stages);

/* Edge of device code: position | occurrence << 24. */
enum { LDPC_CUDA_OCCURRENCE_SHIFT = 24, LDPC_CUDA_POSITION_MASK = (1 << LDPC_CUDA_OCCURRENCE_SHIFT) - 1 };

bool ldpc_cuda_edges_fit(const ldpc_code *code);
uint32_t ldpc_cuda_edge(const ldpc_code *code, const ldpc_block *block, uint32_t lane);

#endif
