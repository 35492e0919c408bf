/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles programs while a decoder works with another one, each in its own process
 * (cuda/compiler/compile_kernel.c).
 *
 * A thread cannot do this: NVRTC takes seconds, cannot be stopped in its last stage, and crashes or hangs if
 * exit handlers run meanwhile. A process can be killed at any moment, and ends by itself when its parent has
 * ended for any reason. */
#ifndef LDPC_CUDA_COMPILATION_H
#define LDPC_CUDA_COMPILATION_H

#include <time.h>

#include "cuda/host/driver.h"
#include "ldpc/status.h"

/* File numbers of the compiler process; its source is standard input. Standard output and error are
 * /dev/null, because preloaded tools may write there. */
enum { LDPC_CUDA_IMAGE_FILE = 3, LDPC_CUDA_MESSAGE_FILE };

typedef struct ldpc_cuda_compilation ldpc_cuda_compilation;

/* Starts a compilation for GPUs of this capability (10 * major + minor); cache_dir may be NULL. Returns
 * NULL if the compiler cannot be started: it is not installed beside the library, or the system refuses a
 * process. */
ldpc_cuda_compilation *ldpc_cuda_compilation_begin(const ldpc_nvrtc *nvrtc, const char *source,
                                                   int capability, const char *cache_dir);

/* LDPC_OK: *image is machine code, valid until the compilation is dropped. LDPC_AGAIN: not ready by `until`,
 * a monotonic time (NULL: no time limit). Other results: the compiler's error. Not thread-safe. */
ldpc_status ldpc_cuda_compilation_wait(ldpc_cuda_compilation *compilation, const struct timespec *until,
                                       const void **image, ldpc_error *err);

/* Kills the compiler if it is still running, without waiting for it. The argument may be NULL. */
void ldpc_cuda_compilation_drop(ldpc_cuda_compilation *compilation);

/* For a forked child: frees its copy, and leaves the compiler to the parent. NULL is allowed. */
void ldpc_cuda_compilation_abandon(ldpc_cuda_compilation *compilation);

#endif
