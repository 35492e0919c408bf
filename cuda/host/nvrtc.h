/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles source to machine code for one GPU with NVRTC, or reads it from the cache folder. */
#ifndef LDPC_CUDA_NVRTC_H
#define LDPC_CUDA_NVRTC_H

#include <stdbool.h>

#include "cuda/host/driver.h"
#include "ldpc/status.h"

/* capability: 10 * major + minor. cache_dir may be NULL; cache errors are ignored. The caller frees
 * *image. */
ldpc_status ldpc_cuda_compile(const ldpc_nvrtc *nvrtc, const char *source, int capability,
                              const char *cache_dir, void **image, size_t *bytes, ldpc_error *err);

/* Returns whether ldpc_cuda_compile() would find the program in the folder. */
bool ldpc_cuda_is_compiled(const ldpc_nvrtc *nvrtc, const char *source, int capability,
                           const char *cache_dir);

/* Blocks other processes that call this with the same program and folder until this process ends. They then
 * find the program in the folder. */
void ldpc_cuda_lock_program(const ldpc_nvrtc *nvrtc, const char *source, int capability,
                            const char *cache_dir);

#endif
