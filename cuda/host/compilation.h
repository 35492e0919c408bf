/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that are compiled while a decoder works with another one: each by a process of its own, cuda/compiler/compile_kernel.c.
 *
 * Not by a thread, because NVRTC takes seconds, cannot be stopped in its last stage, and crashes or waits for ever when exit
 * handlers run meanwhile. A process can be ended at any moment, and ends by itself when this one has ended, however that happened.
 */
#ifndef LDPC_CUDA_COMPILATION_H
#define LDPC_CUDA_COMPILATION_H

#include <time.h>

#include "cuda/host/driver.h"
#include "ldpc/status.h"

/* Files of that process: its source is standard input. Standard output and error are /dev/null, because tools that are loaded into
 * every process write there. */
enum { LDPC_CUDA_IMAGE_FILE = 3, LDPC_CUDA_MESSAGE_FILE };

typedef struct ldpc_cuda_compilation ldpc_cuda_compilation;

/* Begin to compile for GPUs of this capability, 10 * major + minor; cache_dir may be NULL. NULL when the compiler cannot be
 * started: it is not beside the library, or the system refuses a process. */
ldpc_cuda_compilation *ldpc_cuda_compilation_begin(const ldpc_nvrtc *nvrtc, const char *source,
                                                   int capability, const char *cache_dir);

/* LDPC_OK: *image is machine code, which lives until the compilation is dropped. LDPC_AGAIN: it is not there at `until`, a
 * monotonic time; NULL waits as long as it takes. Or the compiler's failure. Not for two threads at the same time. */
ldpc_status ldpc_cuda_compilation_wait(ldpc_cuda_compilation *compilation, const struct timespec *until,
                                       const void **image, ldpc_error *err);

/* Ends the compiler if it is still at work; never waits for it. NULL is allowed. */
void ldpc_cuda_compilation_drop(ldpc_cuda_compilation *compilation);

/* For a forked child: frees its copy, and leaves the compiler to the parent. NULL is allowed. */
void ldpc_cuda_compilation_abandon(ldpc_cuda_compilation *compilation);

#endif
