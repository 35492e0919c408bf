/* SPDX-License-Identifier: BSD-3-Clause */
/* An engine: one GPU, its kernel and its tables. */
#ifndef LDPC_CUDA_ENGINE_H
#define LDPC_CUDA_ENGINE_H

#include <stdatomic.h>

#include "cuda/host/compilation.h"
#include "cuda/host/driver.h"
#include "cuda/kernels/kernel.h"
#include "plan/batch.h"

/* A program on the GPU. */
typedef struct ldpc_cuda_loaded {
    const ldpc_cuda_kernel *kernel;
    cu_module module;
    cu_function function;
    cu_pointer table;
    unsigned threads; /* threads per thread block */
    unsigned codewords;
    bool over_link;
    size_t shared_bytes, scratch_bytes;
    size_t wave;
} ldpc_cuda_loaded;

typedef struct ldpc_cuda_engine {
    const ldpc_cuda_driver *driver;
    const ldpc_plan *plan;
    const ldpc_cuda_kernel *chosen; /* kernel chosen for the plan */
    const ldpc_cuda_kernel *unbuildable;
    ldpc_error skipped;
    ldpc_cuda_device device;
    int number; /* number of the GPU */
    cu_context context;
    unsigned long long context_id;
    cu_pointer source, codeword_at, message_at;
    bool can_register;
    const atomic_bool *abandoned;       /* set by ldpc_cuda_abandon(): calls no longer wait for the GPU */
    ldpc_cuda_loaded now;               /* for new launches */
    ldpc_cuda_loaded before;            /* program that earlier launches may still use */
    ldpc_cuda_program next;             /* chosen program during its compilation */
    ldpc_cuda_compilation *compilation; /* compilation of `next`, or NULL */
} ldpc_cuda_engine;

typedef struct ldpc_cuda_batch {
    size_t n_codewords;
    cu_pointer buffer[LDPC_BUFFERS]; /* device pointers, or 0 */
    cu_pointer scratch;
    cu_pointer counter;
    size_t scratch_bytes;
} ldpc_cuda_batch;

/* Opens GPU number `number` for the plan. After a failure, nothing stays allocated. */
ldpc_status ldpc_cuda_engine_open(ldpc_cuda_engine *engine, const ldpc_cuda_driver *driver, int number,
                                  const ldpc_plan *plan, ldpc_error *err);
void ldpc_cuda_engine_close(ldpc_cuda_engine *engine);

/* Launches the decoding of a batch. The GPU's context must be current. */
ldpc_status ldpc_cuda_engine_launch(const ldpc_cuda_engine *engine, cu_stream stream,
                                    const ldpc_cuda_batch *batch, ldpc_error *err);

size_t ldpc_cuda_engine_scratch_blocks(const ldpc_cuda_engine *engine, const ldpc_cuda_batch *batch);

ldpc_cuda_args ldpc_cuda_engine_args(const ldpc_cuda_engine *engine, const ldpc_cuda_batch *batch);
ldpc_status ldpc_cuda_engine_start(const ldpc_cuda_engine *engine, cu_stream stream, void *args,
                                   size_t thread_blocks, ldpc_error *err);

/* Returns whether the context exists. Another library may destroy it by resetting the GPU. */
bool ldpc_cuda_engine_has_context(const ldpc_cuda_engine *engine);

/* Make the GPU's context current on this thread, and restore the previous context. ldpc_cuda_engine_enter()
 * fails if the context was destroyed. */
ldpc_status ldpc_cuda_engine_enter(const ldpc_cuda_engine *engine, ldpc_error *err);
void ldpc_cuda_engine_leave(const ldpc_cuda_engine *engine);

ldpc_status ldpc_cuda_check(const ldpc_cuda_driver *driver, int result, const char *what, ldpc_error *err);

#endif
