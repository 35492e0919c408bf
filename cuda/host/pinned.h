/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates pinned host memory. GPUs can copy directly from and to such memory.
 *
 * Pinned memory is memory of the process that is registered with the driver. The reason is that another library in the
 * process may destroy the GPU's context at any moment. This would unmap memory from cuMemHostAlloc() while a thread
 * copies LLRs into it, whereas registered memory stays mapped. If the driver cannot register memory, and in OpenCL,
 * the driver allocates the pinned memory.
 *
 * The GPU's context must be current, except that memory may be freed after the context was destroyed. */
#ifndef LDPC_CUDA_PINNED_H
#define LDPC_CUDA_PINNED_H

#include "cuda/host/engine.h"

/* Returns whether the driver can register memory of the process so that the GPU uses the same addresses as
 * the process. Some virtual machines and integrated GPUs do not support this. */
bool ldpc_cuda_can_register(const ldpc_cuda_driver *driver);

/* Allocates at least one byte of memory that all GPUs can access. Returns the driver's result. *memory is set
 * only if the result is 0. */
int ldpc_cuda_pinned_alloc(const ldpc_cuda_engine *engine, void **memory, size_t bytes);
void ldpc_cuda_pinned_free(const ldpc_cuda_engine *engine, void *memory);

/* Registers the caller's memory for all GPUs. Returns LDPC_ERR_UNSUPPORTED if the driver cannot register
 * memory. */
ldpc_status ldpc_cuda_pinned_register(const ldpc_cuda_engine *engine, void *memory, size_t bytes,
                                      ldpc_error *err);
ldpc_status ldpc_cuda_pinned_unregister(const ldpc_cuda_engine *engine, void *memory, ldpc_error *err);

#endif
