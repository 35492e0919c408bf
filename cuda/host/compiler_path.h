/* SPDX-License-Identifier: BSD-3-Clause */
/* Path of the compiler program. Tests link another compiler_path.c. */
#ifndef LDPC_CUDA_COMPILER_PATH_H
#define LDPC_CUDA_COMPILER_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Returns false if the directory is unknown. */
bool ldpc_cuda_compiler_path(char *path, size_t size);

#endif
