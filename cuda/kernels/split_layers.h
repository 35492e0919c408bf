/* SPDX-License-Identifier: BSD-3-Clause */
/* Code with layers and column groups of z / parts lanes. */
#ifndef LDPC_CUDA_SPLIT_LAYERS_H
#define LDPC_CUDA_SPLIT_LAYERS_H

#include "code/code_internal.h"

bool ldpc_can_split_layers(const ldpc_code *code, uint32_t parts);

/* Returns the code with split layers, or NULL. `code` must outlive it. */
ldpc_code *ldpc_split_layers(const ldpc_code *code, uint32_t parts);
void ldpc_split_layers_free(ldpc_code *split);

#endif
