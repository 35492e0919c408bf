/* SPDX-License-Identifier: BSD-3-Clause */
/* From source to machine code for one GPU: compiled by NVRTC, or read from a folder of earlier results. */
#ifndef LDPC_CUDA_NVRTC_H
#define LDPC_CUDA_NVRTC_H

#include <stdatomic.h>
#include <stdbool.h>

#include "cuda/host/driver.h"
#include "ldpc/status.h"

/* capability: 10 * major + minor. cache_dir may be NULL; errors of the cache are ignored. stop: NULL, or ends the
 * compilation early, as a failure, once it is true, if NVRTC can do that. The caller frees *image. */
ldpc_status ldpc_cuda_compile(const ldpc_nvrtc *nvrtc, const char *source, int capability,
                              const char *cache_dir, atomic_bool *stop, void **image, size_t *bytes,
                              ldpc_error *err);

/* Compile a small kernel, so that NVRTC has made and registered what it makes on first use. */
ldpc_status ldpc_cuda_prepare_compiler(const ldpc_nvrtc *nvrtc, int capability, ldpc_error *err);

/* Would ldpc_cuda_compile() take the program from the folder? */
bool ldpc_cuda_is_compiled(const ldpc_nvrtc *nvrtc, const char *source, int capability,
                           const char *cache_dir);

#endif
