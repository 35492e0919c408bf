/* SPDX-License-Identifier: BSD-3-Clause */
/* From source to machine code for one GPU: compiled by NVRTC, or read from a folder of earlier results. */
#ifndef LDPC_CUDA_NVRTC_H
#define LDPC_CUDA_NVRTC_H

#include <stdbool.h>

#include "cuda/host/driver.h"
#include "ldpc/status.h"

/* capability: 10 * major + minor. cache_dir may be NULL; errors of the cache are ignored. The caller frees
 * *image. */
ldpc_status ldpc_cuda_compile(const ldpc_nvrtc *nvrtc, const char *source, int capability,
                              const char *cache_dir, void **image, size_t *bytes, ldpc_error *err);

/* Would ldpc_cuda_compile() take the program from the folder? */
bool ldpc_cuda_is_compiled(const ldpc_nvrtc *nvrtc, const char *source, int capability,
                           const char *cache_dir);

/* Until this process ends, no other process that calls this gets past it with the same program and folder: it waits, and
 * finds the program in the folder afterwards. */
void ldpc_cuda_lock_program(const ldpc_nvrtc *nvrtc, const char *source, int capability,
                            const char *cache_dir);

#endif
