/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_CUDA_SPLIT_LAYERS_H
#define LDPC_CUDA_SPLIT_LAYERS_H

#include "code/code_internal.h"

bool ldpc_can_split_layers(const ldpc_code *code, uint32_t parts);

/* `code` must outlive the result. */
ldpc_code *ldpc_split_layers(const ldpc_code *code, uint32_t parts);
void ldpc_split_layers_free(ldpc_code *split);

#endif
