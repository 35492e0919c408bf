/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the program is that compiles kernels. It stands alone in compiler_path.c, so that a test can name another one. */
#ifndef LDPC_CUDA_COMPILER_PATH_H
#define LDPC_CUDA_COMPILER_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* libldpc-<major version>/compile_kernel in the folder of the library; false when that is not known. The file need not
 * be there. */
bool ldpc_cuda_compiler_path(char *path, size_t size);

#endif
