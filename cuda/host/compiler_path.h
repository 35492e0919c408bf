/* SPDX-License-Identifier: BSD-3-Clause */
/* Path of the program that compiles kernels. It has its own file, compiler_path.c, which a test can
 * replace. */
#ifndef LDPC_CUDA_COMPILER_PATH_H
#define LDPC_CUDA_COMPILER_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* libldpc-<major version>/compile_kernel in the folder of the library; false if that folder is unknown. The
 * file need not exist. */
bool ldpc_cuda_compiler_path(char *path, size_t size);

#endif
