/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that are compiled while a decoder works with another one: on one thread of the process, one after the other.
 *
 * The thread calls NVRTC and writes to the cache, and never the driver. It belongs to no decoder: a compilation that nobody wants
 * any more is stopped, and nobody waits for its end, except the process. NVRTC must not be at work when its own exit handlers
 * have run: it would abort the process ("LLVM ERROR: out of memory"). So our exit handler stops the thread first; it is registered
 * after those of NVRTC, behind a first small compilation on the caller's thread.
 */
#ifndef LDPC_CUDA_COMPILATION_H
#define LDPC_CUDA_COMPILATION_H

#include <time.h>

#include "cuda/host/driver.h"
#include "ldpc/status.h"

typedef struct ldpc_cuda_compilation ldpc_cuda_compilation;

/* Begin to compile; the source is the compilation's from now on. One that is under way with the same source, GPU and
 * folder is shared. Where the system refuses a thread, the program is compiled before this returns. NULL when memory is
 * short, when NVRTC fails, and in a forked child, which has no such thread: then the source stays the caller's. */
ldpc_cuda_compilation *ldpc_cuda_compilation_begin(const ldpc_nvrtc *nvrtc, char *source, int capability,
                                                   const char *cache_dir);

/* LDPC_OK: *image is machine code, which lives until the compilation is dropped. LDPC_AGAIN: it is not there at
 * `until`; NULL waits as long as it takes. Or the compiler's failure. */
ldpc_status ldpc_cuda_compilation_wait(ldpc_cuda_compilation *compilation, const struct timespec *until,
                                       const void **image, ldpc_error *err);

/* Never waits: one that nobody wants any more is stopped if it has begun, or does not begin. NULL is allowed. */
void ldpc_cuda_compilation_drop(ldpc_cuda_compilation *compilation);

/* Stop all, and wait until the thread has ended. */
void ldpc_cuda_compilations_end(void);

#endif
