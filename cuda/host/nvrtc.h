/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles source with NVRTC, or reads machine code from the cache directory. */
#ifndef LDPC_CUDA_NVRTC_H
#define LDPC_CUDA_NVRTC_H

#include <stdbool.h>

#include "cuda/host/driver.h"
#include "ldpc/status.h"

/* `capability` is 10 * major + minor; cache_dir may be NULL. The caller frees *image. */
ldpc_status ldpc_cuda_compile(const ldpc_nvrtc *nvrtc, const char *source, int capability,
                              const char *cache_dir, void **image, size_t *bytes, ldpc_error *err);

bool ldpc_cuda_is_compiled(const ldpc_nvrtc *nvrtc, const char *source, int capability,
                           const char *cache_dir);

void ldpc_cuda_lock_program(const ldpc_nvrtc *nvrtc, const char *source, int capability,
                            const char *cache_dir);

#endif
