/* SPDX-License-Identifier: BSD-3-Clause */
/* Determines the path of the compiler program. This function has its own file, compiler_path.c, so that a
 * test can replace it. */
#ifndef LDPC_CUDA_COMPILER_PATH_H
#define LDPC_CUDA_COMPILER_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the path of the compiler program: libldpc-<major version>/compile_kernel in the directory of the
 * library. The file need not exist. Returns false if the directory is unknown. */
bool ldpc_cuda_compiler_path(char *path, size_t size);

#endif
