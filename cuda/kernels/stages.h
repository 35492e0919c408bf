/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks are put into stages: those of one stage share no column, so they can run at once with the result of
 * running them one after another in the order of the layers. */
#ifndef LDPC_CUDA_STAGES_H
#define LDPC_CUDA_STAGES_H

#include <stdbool.h>

#include "code/code_internal.h"

enum { LDPC_CUDA_MAX_OCCURRENCES = 254, LDPC_CUDA_MAX_POSITIONS = (1 << 24) - 1 };

/* Layers order[first] .. order[end - 1]. `most`: occurrences of a column - 1; a layer in which a column
 * stands more than once is a stage of its own. */
typedef struct ldpc_cuda_stage {
    uint32_t first, end, most;
} ldpc_cuda_stage;

typedef struct ldpc_cuda_stages {
    uint32_t count;
    ldpc_cuda_stage *stage; /* [count] */
    uint32_t *order;        /* [layers] */
} ldpc_cuda_stages;

/* False when memory is short; then too there is something to free. */
bool ldpc_cuda_stages_make(const ldpc_code *code, ldpc_cuda_stages *stages);
void ldpc_cuda_stages_free(ldpc_cuda_stages *stages);

/* Do positions and occurrences fit into one number, as ldpc_cuda_entry puts them? */
bool ldpc_cuda_stages_fit(const ldpc_code *code);

/* What a lane of a block meets: position | occurrence in its layer << 24. */
uint32_t ldpc_cuda_entry(const ldpc_code *code, uint32_t layer, uint32_t block, uint32_t lane);

#endif
