/* SPDX-License-Identifier: BSD-3-Clause */
/* One GPU with a loaded kernel and the kernel's tables. */
#ifndef LDPC_CUDA_ENGINE_H
#define LDPC_CUDA_ENGINE_H

#include <stdatomic.h>

#include "cuda/host/compilation.h"
#include "cuda/host/driver.h"
#include "cuda/kernels/kernel.h"
#include "plan/batch.h"

/* A program loaded on the GPU. */
typedef struct ldpc_cuda_loaded {
    const ldpc_cuda_kernel *kernel;
    cu_module module;
    cu_function function;
    cu_pointer table;
    unsigned threads;   /* threads of a thread block */
    unsigned codewords; /* codewords that a thread block decodes together */
    bool over_link;
    size_t shared_bytes, scratch_bytes;
    size_t wave; /* thread blocks that run at the same time */
} ldpc_cuda_loaded;

typedef struct ldpc_cuda_engine {
    const ldpc_cuda_driver *driver;
    const ldpc_plan *plan;
    const ldpc_cuda_kernel *chosen; /* kernel chosen for the plan */
    const ldpc_cuda_kernel
        *unbuildable;   /* the last kernel that was skipped: only slower ones can be chosen */
    ldpc_error skipped; /* error of the skipped kernel, "" after it was reported */
    ldpc_cuda_device device;
    int number; /* context of the GPU */
    cu_context context;
    unsigned long long context_id; /* 0 if the driver has no context numbers */
    cu_pointer source, codeword_at, message_at;
    bool can_register;            /* the driver registers process memory (pinned.h) */
    const atomic_bool *abandoned; /* flag of the decoder: no call waits for the GPU any longer */
    /* program.h; only the submitting thread accesses the fields below */
    ldpc_cuda_loaded now;               /* program of new launches */
    ldpc_cuda_loaded before;            /* program that earlier launches may still run */
    ldpc_cuda_program next;             /* the chosen program, during its compilation */
    ldpc_cuda_compilation *compilation; /* compilation of `next`; NULL if none is running */
} ldpc_cuda_engine;

/* A batch in device memory; bits are packed. */
typedef struct ldpc_cuda_batch {
    size_t n_codewords;
    cu_pointer buffer[LDPC_BUFFERS]; /* device pointers; 0 for a buffer that the batch does not have */
    cu_pointer scratch;              /* scratch memory of scratch_bytes */
    cu_pointer counter;              /* counter of a persistent kernel; 0 for other kernels */
    size_t scratch_bytes;
} ldpc_cuda_batch;

/* Opens GPU `number` for the plan. After a failure, all resources have been released. */
ldpc_status ldpc_cuda_engine_open(ldpc_cuda_engine *engine, const ldpc_cuda_driver *driver, int number,
                                  const ldpc_plan *plan, ldpc_error *err);
void ldpc_cuda_engine_close(ldpc_cuda_engine *engine);

/* Called after a change of the plan: *next becomes a copy of the engine with a new program. The caller keeps
 * one of the two engines and drops the programs of the other. After a failure there is no new program. */
ldpc_status ldpc_cuda_engine_rebuild(const ldpc_cuda_engine *engine, ldpc_cuda_engine *next, ldpc_error *err);
void ldpc_cuda_engine_drop(ldpc_cuda_engine *engine);

/* For a forked child: leaves GPU and compilation to the parent, and frees host memory. */
void ldpc_cuda_engine_free_in_child(ldpc_cuda_engine *engine);

/* Called when the chosen kernel cannot be built: chooses the next slower kernel that supports the plan, and
 * sets engine->skipped. Returns false if there is no such kernel, if the caller has requested the kernel by
 * name, or if an allocation fails. */
bool ldpc_cuda_skip_chosen(ldpc_cuda_engine *engine, ldpc_status status, const ldpc_error *why);

/* Starts the launches of a batch on a stream. The GPU's context must be current. */
ldpc_status ldpc_cuda_engine_launch(const ldpc_cuda_engine *engine, cu_stream stream,
                                    const ldpc_cuda_batch *batch, ldpc_error *err);

/* Number of thread blocks that the batch's scratch memory suffices for. */
size_t ldpc_cuda_engine_scratch_blocks(const ldpc_cuda_engine *engine, const ldpc_cuda_batch *batch);

/* For kernels that start their own launches. The first function returns the arguments of a launch for the
 * batch, and the second function starts one launch. `args` begins with an ldpc_cuda_args, which the kernel's
 * own arguments may follow. */
ldpc_cuda_args ldpc_cuda_engine_args(const ldpc_cuda_engine *engine, const ldpc_cuda_batch *batch);
ldpc_status ldpc_cuda_engine_start(const ldpc_cuda_engine *engine, cu_stream stream, void *args,
                                   size_t thread_blocks, ldpc_error *err);

/* Returns whether the context still exists. Another library in the process may have reset the GPU, which
 * destroys the context and everything created in it; using or freeing any of these objects would crash. */
bool ldpc_cuda_engine_has_context(const ldpc_cuda_engine *engine);

/* Makes the GPU's context current on this thread, and undoes that. Fails if the context was destroyed. */
ldpc_status ldpc_cuda_engine_enter(const ldpc_cuda_engine *engine, ldpc_error *err);
void ldpc_cuda_engine_leave(const ldpc_cuda_engine *engine);

/* Loads device code and data other than the engine's own (cuda/sim). The GPU's context must be current. */
ldpc_status ldpc_cuda_load(const ldpc_cuda_engine *engine, const char *source, cu_module *module,
                           ldpc_error *err);
ldpc_status ldpc_cuda_upload(const ldpc_cuda_driver *driver, const void *data, size_t bytes, cu_pointer *to,
                             ldpc_error *err);

/* Returns LDPC_OK for result 0, else an error with the message "<driver>: <what>: <its reason>". */
ldpc_status ldpc_cuda_check(const ldpc_cuda_driver *driver, int result, const char *what, ldpc_error *err);

#endif
