/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the kernel of an engine: the fastest kernel that supports the plan on the GPU and can be built. */
#ifndef LDPC_CUDA_CHOOSE_H
#define LDPC_CUDA_CHOOSE_H

#include "cuda/host/engine.h"

/* Sets engine->chosen to the fastest kernel that supports the plan on engine->device. */
ldpc_status ldpc_cuda_choose_kernel(ldpc_cuda_engine *engine, ldpc_error *err);

/* Builds the chosen kernel. If that fails, chooses and builds slower kernels. The GPU's context must be
 * current. */
ldpc_status ldpc_cuda_build_fastest(ldpc_cuda_engine *engine, ldpc_error *err);

/* Chooses the next slower kernel that supports the plan, because the chosen kernel cannot be built, and sets
 * engine->skipped. Returns false if there is no such kernel, if the caller has requested the kernel by name,
 * or if there is not enough memory. */
bool ldpc_cuda_skip_chosen(ldpc_cuda_engine *engine, ldpc_status status, const ldpc_error *why);

#endif
