/* SPDX-License-Identifier: BSD-3-Clause */
/* Pinned host memory: GPUs copy from and to it directly.
 *
 * It is process memory that is registered with the driver. Another library in the process may destroy the
 * GPU's context at any moment. That would unmap memory of cuMemHostAlloc() while a thread copies LLRs into
 * it; registered memory stays mapped. Where the driver cannot register memory, and in OpenCL, pinned memory
 * is allocated by the driver.
 *
 * The GPU's context must be current, except that memory may be freed after the context was destroyed. */
#ifndef LDPC_CUDA_PINNED_H
#define LDPC_CUDA_PINNED_H

#include "cuda/host/engine.h"

/* Returns whether the driver can register process memory and the GPU accesses it at the process's address.
 * Some virtual machines and integrated GPUs cannot. */
bool ldpc_cuda_can_register(const ldpc_cuda_driver *driver);

/* Allocates at least one byte that all GPUs can access. Returns the driver's result; sets *memory only if the
 * result is 0. */
int ldpc_cuda_pinned_alloc(const ldpc_cuda_engine *engine, void **memory, size_t bytes);
void ldpc_cuda_pinned_free(const ldpc_cuda_engine *engine, void *memory);

/* Registers the caller's memory for all GPUs. LDPC_ERR_UNSUPPORTED if the driver cannot register memory. */
ldpc_status ldpc_cuda_pinned_register(const ldpc_cuda_engine *engine, void *memory, size_t bytes,
                                      ldpc_error *err);
ldpc_status ldpc_cuda_pinned_unregister(const ldpc_cuda_engine *engine, void *memory, ldpc_error *err);

#endif
