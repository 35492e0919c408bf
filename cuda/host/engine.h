/* SPDX-License-Identifier: BSD-3-Clause */
/* One GPU with a kernel and its tables loaded, ready to be launched. */
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
    unsigned threads;   /* of a thread block */
    unsigned codewords; /* that a thread block decodes together */
    bool over_link;
    size_t shared_bytes, scratch_bytes;
    size_t wave; /* thread blocks that run at the same time */
} ldpc_cuda_loaded;

typedef struct ldpc_cuda_engine {
    const ldpc_cuda_driver *driver;
    const ldpc_plan *plan;
    const ldpc_cuda_kernel *chosen;      /* for the plan */
    const ldpc_cuda_kernel *unbuildable; /* the last one that was skipped: only those before it are chosen */
    ldpc_error skipped;                  /* the sentence about it, "" when it has been reported */
    ldpc_cuda_device device;
    int number; /* of the GPU */
    cu_context context;
    unsigned long long context_id; /* 0: the driver has none */
    cu_pointer source, codeword_at, message_at;
    bool can_register;            /* memory of the process, for pinned.h */
    const atomic_bool *abandoned; /* the decoder: nothing waits for the GPU any longer */
    /* program.h; only the thread that submits accesses what follows */
    ldpc_cuda_loaded now;               /* what launches run */
    ldpc_cuda_loaded before;            /* what earlier ones may still run */
    ldpc_cuda_program next;             /* the chosen one, while it is compiled */
    ldpc_cuda_compilation *compilation; /* of it; NULL: nothing is being compiled */
} ldpc_cuda_engine;

/* A batch in the GPU's memory; bits are packed. */
typedef struct ldpc_cuda_batch {
    size_t n_codewords;
    cu_pointer buffer[LDPC_BUFFERS]; /* 0 = the batch does not have it */
    cu_pointer scratch;              /* scratch_bytes */
    cu_pointer counter;              /* of a persistent kernel, else 0 */
    size_t scratch_bytes;
} ldpc_cuda_batch;

/* Open GPU `number` for the plan. After a failure nothing is left open. */
ldpc_status ldpc_cuda_engine_open(ldpc_cuda_engine *engine, const ldpc_cuda_driver *driver, int number,
                                  const ldpc_plan *plan, ldpc_error *err);
void ldpc_cuda_engine_close(ldpc_cuda_engine *engine);

/* The plan has changed: *next becomes a copy of the engine with a new program. The caller keeps one of the
 * two and drops the programs of the other. After a failure there is no new one. */
ldpc_status ldpc_cuda_engine_rebuild(const ldpc_cuda_engine *engine, ldpc_cuda_engine *next, ldpc_error *err);
void ldpc_cuda_engine_drop(ldpc_cuda_engine *engine);

/* A forked child leaves GPU and compilation to the parent, and frees the rest. */
void ldpc_cuda_engine_free_in_child(ldpc_cuda_engine *engine);

/* The chosen kernel cannot be built: the next one that supports the plan is chosen, and engine->skipped is set. False where there is
 * none, where the caller has named the kernel, and where an allocation failed. */
bool ldpc_cuda_skip_chosen(ldpc_cuda_engine *engine, ldpc_status status, const ldpc_error *why);

/* Start the launches of a batch on a stream. The GPU's context must be current. */
ldpc_status ldpc_cuda_engine_launch(const ldpc_cuda_engine *engine, cu_stream stream,
                                    const ldpc_cuda_batch *batch, ldpc_error *err);

/* Thread blocks that a batch has scratch memory for. */
size_t ldpc_cuda_engine_scratch_blocks(const ldpc_cuda_engine *engine, const ldpc_cuda_batch *batch);

/* For kernels with launches of their own: the arguments of a launch for the batch, and one launch. `args`
 * begins with an ldpc_cuda_args; the kernel's own arguments may follow. */
ldpc_cuda_args ldpc_cuda_engine_args(const ldpc_cuda_engine *engine, const ldpc_cuda_batch *batch);
ldpc_status ldpc_cuda_engine_start(const ldpc_cuda_engine *engine, cu_stream stream, void *args,
                                   size_t thread_blocks, ldpc_error *err);

/* Another library of the process may reset the GPU, which destroys the context with all that was made in it: to
 * use or to give back any of that would crash. */
bool ldpc_cuda_engine_has_context(const ldpc_cuda_engine *engine);

/* Make the GPU's context current on this thread, and undo it. Fails when the context was destroyed. */
ldpc_status ldpc_cuda_engine_enter(const ldpc_cuda_engine *engine, ldpc_error *err);
void ldpc_cuda_engine_leave(const ldpc_cuda_engine *engine);

/* Load other device code and data than the engine's own (cuda/sim); the GPU's context must be current. */
ldpc_status ldpc_cuda_load(const ldpc_cuda_engine *engine, const char *source, cu_module *module,
                           ldpc_error *err);
ldpc_status ldpc_cuda_upload(const ldpc_cuda_driver *driver, const void *data, size_t bytes, cu_pointer *to,
                             ldpc_error *err);

/* LDPC_OK for result 0, else the sentence "<driver>: <what>: <its reason>". */
ldpc_status ldpc_cuda_check(const ldpc_cuda_driver *driver, int result, const char *what, ldpc_error *err);

#endif
