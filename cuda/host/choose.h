/* SPDX-License-Identifier: BSD-3-Clause */
/* Choice of an engine's kernel. */
#ifndef LDPC_CUDA_CHOOSE_H
#define LDPC_CUDA_CHOOSE_H

#include "cuda/host/engine.h"

ldpc_status ldpc_cuda_choose_kernel(ldpc_cuda_engine *engine, ldpc_error *err);

/* Builds the chosen kernel, or the next slower one that can be built. The GPU's context must be current. */
ldpc_status ldpc_cuda_build_fastest(ldpc_cuda_engine *engine, ldpc_error *err);

/* Chooses the next slower kernel after a failed build. Returns false if there is none, or if the caller has
 * named the kernel. */
bool ldpc_cuda_skip_chosen(ldpc_cuda_engine *engine, ldpc_status status, const ldpc_error *why);

#endif
