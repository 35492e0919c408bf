/* SPDX-License-Identifier: BSD-3-Clause */
/* Pinned host memory, which GPUs copy directly.
 *
 * It is memory of the process that is registered with the driver, or allocated by the driver if it cannot register
 * memory, and in OpenCL. Another library may destroy the GPU's context at any moment. This would unmap memory from
 * cuMemHostAlloc() while a thread writes LLRs; registered memory stays mapped.
 *
 * The GPU's context must be current. Memory may also be freed after the context was destroyed. */
#ifndef LDPC_CUDA_PINNED_H
#define LDPC_CUDA_PINNED_H

#include "cuda/host/engine.h"

/* Returns whether registered memory has equal addresses on the GPU. */
bool ldpc_cuda_can_register(const ldpc_cuda_driver *driver);

/* Allocates at least one byte for all GPUs. Returns the driver's result. */
int ldpc_cuda_pinned_alloc(const ldpc_cuda_engine *engine, void **memory, size_t bytes);
void ldpc_cuda_pinned_free(const ldpc_cuda_engine *engine, void *memory);

/* Registers the caller's memory for all GPUs. LDPC_ERR_UNSUPPORTED: the driver cannot register memory. */
ldpc_status ldpc_cuda_pinned_register(const ldpc_cuda_engine *engine, void *memory, size_t bytes,
                                      ldpc_error *err);
ldpc_status ldpc_cuda_pinned_unregister(const ldpc_cuda_engine *engine, void *memory, ldpc_error *err);

#endif
