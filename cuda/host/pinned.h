/* SPDX-License-Identifier: BSD-3-Clause */
/* Pinned host memory, which GPUs copy without a staging buffer.
 *
 * The memory belongs to the process and is registered with the driver. Memory from cuMemHostAlloc() would be
 * unmapped if another library destroys the GPU's context while a thread writes LLRs. It is only used if the
 * driver cannot register memory.
 *
 * The GPU's context must be current, except to free memory after the context was destroyed. */
#ifndef LDPC_CUDA_PINNED_H
#define LDPC_CUDA_PINNED_H

#include "cuda/host/engine.h"

bool ldpc_cuda_can_register(const ldpc_cuda_driver *driver);

int ldpc_cuda_pinned_alloc(const ldpc_cuda_engine *engine, void **memory, size_t bytes);
void ldpc_cuda_pinned_free(const ldpc_cuda_engine *engine, void *memory);

/* Registers the caller's memory for all GPUs. Returns LDPC_ERR_UNSUPPORTED if the driver cannot register
 * memory. */
ldpc_status ldpc_cuda_pinned_register(const ldpc_cuda_engine *engine, void *memory, size_t bytes,
                                      ldpc_error *err);
ldpc_status ldpc_cuda_pinned_unregister(const ldpc_cuda_engine *engine, void *memory, ldpc_error *err);

#endif
