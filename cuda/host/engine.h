/* SPDX-License-Identifier: BSD-3-Clause */
/* An engine is one GPU, together with the loaded kernel and its tables. */
#ifndef LDPC_CUDA_ENGINE_H
#define LDPC_CUDA_ENGINE_H

#include <stdatomic.h>

#include "cuda/host/compilation.h"
#include "cuda/host/driver.h"
#include "cuda/kernels/kernel.h"
#include "plan/batch.h"

/* A program that is loaded on the GPU. */
typedef struct ldpc_cuda_loaded {
    const ldpc_cuda_kernel *kernel;
    cu_module module;
    cu_function function;
    cu_pointer table;
    unsigned threads;   /* number of threads of a thread block */
    unsigned codewords; /* number of codewords that a thread block decodes together */
    bool over_link;
    size_t shared_bytes, scratch_bytes;
    size_t wave; /* number of thread blocks that the GPU runs at the same time */
} ldpc_cuda_loaded;

typedef struct ldpc_cuda_engine {
    const ldpc_cuda_driver *driver;
    const ldpc_plan *plan;
    const ldpc_cuda_kernel *chosen; /* the kernel that was chosen for the plan */
    const ldpc_cuda_kernel
        *unbuildable;   /* the kernel that was skipped last, because it cannot be built; only slower kernels
                         * can still be chosen */
    ldpc_error skipped; /* reason why that kernel was skipped; "" after the reason was reported */
    ldpc_cuda_device device;
    int number; /* number of the GPU */
    cu_context context;
    unsigned long long context_id; /* number of the context; 0 if the driver does not number contexts */
    cu_pointer source, codeword_at, message_at;
    bool can_register;            /* whether the driver can register memory of the process (pinned.h) */
    const atomic_bool *abandoned; /* flag of the decoder: once it is set, calls no longer wait for the GPU */
    /* defined in program.h; only the submitting thread accesses the fields below */
    ldpc_cuda_loaded now;               /* program that new launches use */
    ldpc_cuda_loaded before;            /* the previous program, which earlier launches may still use */
    ldpc_cuda_program next;             /* the chosen program while it is being compiled */
    ldpc_cuda_compilation *compilation; /* compilation of `next`, or NULL if nothing is being compiled */
} ldpc_cuda_engine;

/* A batch in device memory; bits are packed. */
typedef struct ldpc_cuda_batch {
    size_t n_codewords;
    cu_pointer buffer[LDPC_BUFFERS]; /* device pointers; 0 if the batch does not have this buffer */
    cu_pointer scratch;              /* scratch memory; scratch_bytes is its size */
    cu_pointer counter;              /* work counter if the kernel is persistent, otherwise 0 */
    size_t scratch_bytes;
} ldpc_cuda_batch;

/* Opens the GPU with this number for the plan. If this fails, nothing stays allocated. */
ldpc_status ldpc_cuda_engine_open(ldpc_cuda_engine *engine, const ldpc_cuda_driver *driver, int number,
                                  const ldpc_plan *plan, ldpc_error *err);
void ldpc_cuda_engine_close(ldpc_cuda_engine *engine);

/* Starts the launches that decode a batch on a stream. The GPU's context must be current. */
ldpc_status ldpc_cuda_engine_launch(const ldpc_cuda_engine *engine, cu_stream stream,
                                    const ldpc_cuda_batch *batch, ldpc_error *err);

/* Returns the number of thread blocks for which the scratch memory of the batch is sufficient. */
size_t ldpc_cuda_engine_scratch_blocks(const ldpc_cuda_engine *engine, const ldpc_cuda_batch *batch);

/* For the kernels of tests/bench/comparison, which start their own launches. The first function returns the
 * arguments of a launch for the batch. The second function starts one launch. Its `args` start with an
 * ldpc_cuda_args, which may be followed by further arguments of the kernel. */
ldpc_cuda_args ldpc_cuda_engine_args(const ldpc_cuda_engine *engine, const ldpc_cuda_batch *batch);
ldpc_status ldpc_cuda_engine_start(const ldpc_cuda_engine *engine, cu_stream stream, void *args,
                                   size_t thread_blocks, ldpc_error *err);

/* Returns whether the context still exists. If another library in the process resets the GPU, the context and
 * everything in it are destroyed. Using or freeing any of these objects would then crash. */
bool ldpc_cuda_engine_has_context(const ldpc_cuda_engine *engine);

/* ldpc_cuda_engine_enter() makes the GPU's context current on this thread. It fails if the context was
 * destroyed. ldpc_cuda_engine_leave() restores the previous context. */
ldpc_status ldpc_cuda_engine_enter(const ldpc_cuda_engine *engine, ldpc_error *err);
void ldpc_cuda_engine_leave(const ldpc_cuda_engine *engine);

/* Returns LDPC_OK if `result` is 0. Otherwise returns an error with a message of the form "<driver>: <what>:
 * <reason of the driver>". */
ldpc_status ldpc_cuda_check(const ldpc_cuda_driver *driver, int result, const char *what, ldpc_error *err);

#endif
