/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles a program in a child process (cuda/compiler/compile_kernel.c).
 *
 * NVRTC takes seconds. In a thread, it cannot be stopped in its last stage, and crashes or hangs if exit
 * handlers run at the same time. A process can be killed at any moment. */
#ifndef LDPC_CUDA_COMPILATION_H
#define LDPC_CUDA_COMPILATION_H

#include <time.h>

#include "cuda/host/driver.h"
#include "ldpc/status.h"

/* File descriptors of the compiler process. Standard output is not used, because preloaded tools may write to
 * it. */
enum { LDPC_CUDA_IMAGE_FILE = 3, LDPC_CUDA_MESSAGE_FILE };

typedef struct ldpc_cuda_compilation ldpc_cuda_compilation;

/* Starts a compilation for a compute capability (10 * major + minor). cache_dir may be NULL. Returns NULL if
 * there is no compiler, or no process can be created. */
ldpc_cuda_compilation *ldpc_cuda_compilation_begin(const ldpc_nvrtc *nvrtc, const char *source,
                                                   int capability, const char *cache_dir);

/* Waits for the image until `until` (monotonic clock; NULL: no limit). *image is valid until the compilation
 * is dropped. Returns LDPC_AGAIN if the image is not ready. Not thread-safe. */
ldpc_status ldpc_cuda_compilation_wait(ldpc_cuda_compilation *compilation, const struct timespec *until,
                                       const void **image, ldpc_error *err);

/* Kills the compiler without waiting. Accepts NULL. */
void ldpc_cuda_compilation_drop(ldpc_cuda_compilation *compilation);

/* Frees the copy of a forked child. The parent's compiler continues. NULL is allowed. */
void ldpc_cuda_compilation_abandon(ldpc_cuda_compilation *compilation);

#endif
