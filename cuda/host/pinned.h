/* SPDX-License-Identifier: BSD-3-Clause */
/* Pinned host memory: GPUs copy from and to it by themselves.
 *
 * It is memory of the process that is registered with the driver. Another library in the process may destroy
 * the GPU's context at any moment: memory of cuMemHostAlloc() is unmapped then, under whoever copies LLRs
 * into it; registered memory stays. Where the driver cannot register memory, and in OpenCL, it is the
 * driver's own.
 *
 * The GPU's context must be current, except that memory may be freed without one when that is gone.
 */
#ifndef LDPC_CUDA_PINNED_H
#define LDPC_CUDA_PINNED_H

#include "cuda/host/engine.h"

/* Can the driver register memory of the process, and does the GPU see it at the process's address? Some virtual
 * machines and GPUs without memory of their own say no. */
bool ldpc_cuda_can_register(const ldpc_cuda_driver *driver);

/* At least one byte, for all GPUs. Returns the driver's result; *memory is set only when that is 0. */
int ldpc_cuda_pinned_alloc(const ldpc_cuda_engine *engine, void **memory, size_t bytes);
void ldpc_cuda_pinned_free(const ldpc_cuda_engine *engine, void *memory);

/* The caller's memory, for all GPUs. LDPC_ERR_UNSUPPORTED where the driver cannot register any. */
ldpc_status ldpc_cuda_pinned_register(const ldpc_cuda_engine *engine, void *memory, size_t bytes,
                                      ldpc_error *err);
ldpc_status ldpc_cuda_pinned_unregister(const ldpc_cuda_engine *engine, void *memory, ldpc_error *err);

#endif
