/* SPDX-License-Identifier: BSD-3-Clause */
/* The stages of schedule.h, modified for kernels that read tables. The parity checks of a stage share no
 * column, so that they can be processed at the same time. A layer that repeats a column group is a stage of
 * its own. If the layers of a stage have very different degrees, the stage is split: some kernels process as
 * many edges for each parity check as the largest one of the stage has. */
#ifndef LDPC_CUDA_STAGES_H
#define LDPC_CUDA_STAGES_H

#include <stdbool.h>

#include "code/code_internal.h"

/* A stage, which consists of the layers order[first] .. order[end - 1]. */
typedef struct ldpc_cuda_stage {
    uint32_t first, end;
    uint32_t repeats; /* largest value of ldpc_block.occurrence in the stage */
} ldpc_cuda_stage;

typedef struct ldpc_cuda_stages {
    uint32_t count;
    ldpc_cuda_stage *stage; /* [count] */
    uint32_t *order;        /* [layers] */
} ldpc_cuda_stages;

/* Computes the stages. Returns false if there is not enough memory. ldpc_cuda_stages_free() must be called in
 * every case. */
bool ldpc_cuda_stages_make(const ldpc_code *code, ldpc_cuda_stages *stages);
void ldpc_cuda_stages_free(ldpc_cuda_stages *stages);

/* An edge in 32 bits, as device code reads it: position of its column | occurrence << 24. */
enum { LDPC_CUDA_OCCURRENCE_SHIFT = 24, LDPC_CUDA_POSITION_MASK = (1 << LDPC_CUDA_OCCURRENCE_SHIFT) - 1 };

/* Returns whether all positions and occurrences of the code fit in ldpc_cuda_edge(). */
bool ldpc_cuda_edges_fit(const ldpc_code *code);
uint32_t ldpc_cuda_edge(const ldpc_code *code, const ldpc_block *block, uint32_t lane);

#endif
