/* SPDX-License-Identifier: BSD-3-Clause */
/* From source text to machine code for one GPU, through NVRTC or a folder of what it made before. */
#ifndef LDPC_CUDA_COMPILE_H
#define LDPC_CUDA_COMPILE_H

#include "cuda/host/driver.h"
#include "ldpc/status.h"

/* capability: 10 * major + minor. cache_dir may be NULL; trouble with it never makes the call fail. *image is
 * the caller's to free. */
ldpc_status ldpc_cuda_compile(const ldpc_nvrtc *nvrtc, const char *source, int capability,
                              const char *cache_dir, void **image, size_t *bytes, ldpc_error *err);

#endif
