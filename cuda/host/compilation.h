/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles a program while a decoder uses another program. Each compilation has its own process
 * (cuda/compiler/compile_kernel.c).
 *
 * A thread would not be sufficient: NVRTC takes seconds, cannot be stopped in its last stage, and crashes or hangs if
 * exit handlers run at the same time. A process can be killed at any moment. It also ends by itself when its parent
 * has ended for any reason. */
#ifndef LDPC_CUDA_COMPILATION_H
#define LDPC_CUDA_COMPILATION_H

#include <time.h>

#include "cuda/host/driver.h"
#include "ldpc/status.h"

/* File descriptors of the compiler process. It reads its source from standard input. Standard output and
 * standard error are /dev/null, because preloaded tools may write to them. */
enum { LDPC_CUDA_IMAGE_FILE = 3, LDPC_CUDA_MESSAGE_FILE };

typedef struct ldpc_cuda_compilation ldpc_cuda_compilation;

/* Starts a compilation for GPUs of this compute capability (10 * major + minor). cache_dir may be NULL.
 * Returns NULL if the compiler cannot be started: it is not installed in the library's directory, or the
 * system refuses to create a process. */
ldpc_cuda_compilation *ldpc_cuda_compilation_begin(const ldpc_nvrtc *nvrtc, const char *source,
                                                   int capability, const char *cache_dir);

/* Waits for a compilation until `until`, a time of the monotonic clock (NULL: no time limit). Returns LDPC_OK
 * and sets *image to the machine code, which stays valid until the compilation is dropped. Returns LDPC_AGAIN
 * if the image is not ready in time, or the error of the compiler. This function is not thread-safe. */
ldpc_status ldpc_cuda_compilation_wait(ldpc_cuda_compilation *compilation, const struct timespec *until,
                                       const void **image, ldpc_error *err);

/* Kills the compiler if it is still running, and does not wait for its end. The argument may be NULL. */
void ldpc_cuda_compilation_drop(ldpc_cuda_compilation *compilation);

/* For a forked child: frees the child's copy. The compiler belongs to the parent and continues. The argument
 * may be NULL. */
void ldpc_cuda_compilation_abandon(ldpc_cuda_compilation *compilation);

#endif
