/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of the GPU backends, CUDA and OpenCL, and what they share; the two halves of a blocking call, which
 * tests/bench/comparison has with another order of issue between them. */
#ifndef LDPC_CUDA_STATE_H
#define LDPC_CUDA_STATE_H

#include <pthread.h>

#include "backend/backend.h"
#include "cuda/host/stream.h"

struct ldpc_cuda_simulator;

/* How far the completion thread is with the loading of the chosen programs. */
typedef enum ldpc_cuda_loading {
    LDPC_CUDA_LOAD_NONE,
    LDPC_CUDA_LOAD_WANTED,
    LDPC_CUDA_LOAD_BEGUN,
    LDPC_CUDA_LOAD_DONE,
} ldpc_cuda_loading;

typedef struct ldpc_cuda_state {
    const struct ldpc_cuda_platform *platform;
    const ldpc_plan *plan;
    ldpc_cuda_engine *engines;
    size_t n_engines;
    ldpc_cuda_stream *streams; /* stream i is on engine i % n_engines */
    ldpc_job **jobs;           /* [n_streams]: in flight */
    size_t n_streams;
    ldpc_cuda_stream
        device_calls; /* scratch memory for batches on callers' streams, on engines[0]; opened by the first one */
    size_t max_codewords;                  /* of a batch */
    ldpc_cuda_loaded *loaded;              /* [n_engines]: chosen programs that wait for the next batch */
    struct ldpc_cuda_simulator *simulator; /* NULL until the first simulation */
    /* the parameters for which the programs were compiled */
    bool early_stop;
    float offset, factor;

    atomic_bool abandoned; /* ldpc_cuda_abandon(): written with the mutex held */

    /* completion.c's */
    pthread_t completion;
    bool completing, synchronised; /* have been started, made */
    pthread_mutex_t mutex;         /* guards what follows, and jobs[] */
    pthread_cond_t changed;        /* wakes the completion thread, and those that wait for it */
    size_t issued, finished;       /* batches, counted; batch i is on stream i % n_streams */
    bool reporting; /* the completion thread writes results to the caller's memory, or reports a job */
    bool closing;
    ldpc_cuda_loading loading;
    ldpc_status chosen_status; /* why the chosen programs could not be compiled or loaded */
    ldpc_error chosen_error;
} ldpc_cuda_state;

/* What tells the two apart. */
typedef struct ldpc_cuda_platform {
    const ldpc_cuda_driver *(*open)(const char **why);
    /* Reads a list of devices into numbers[], room for `present`; returns how many, 0 if it is none. */
    size_t (*read_devices)(const char *list, int present, int *numbers);
    const char *devices; /* what a list is expected to be; %d: the number of devices */
} ldpc_cuda_platform;

/* Members of ldpc_backend. */
ldpc_status ldpc_cuda_create(const ldpc_cuda_platform *platform, const ldpc_plan *plan, void **state,
                             ldpc_backend_facts *facts, ldpc_error *err);
void ldpc_cuda_destroy(void *state);
void ldpc_cuda_abandon(void *state);
void ldpc_cuda_free_in_child(void *state);
ldpc_status ldpc_cuda_decode(void *state, const ldpc_batch *batch, ldpc_error *err);
/* Buffers of the batch are handles of the driver's table, as is the stream. */
ldpc_status ldpc_cuda_decode_device(void *state, void *caller_stream, const ldpc_batch *batch,
                                    ldpc_error *err);
ldpc_status ldpc_cuda_submit(void *state, ldpc_job *job, ldpc_error *err);
void *ldpc_cuda_alloc(void *state, size_t bytes);
void ldpc_cuda_free(void *state, void *memory);
ldpc_status ldpc_cuda_pin(void *state, void *memory, size_t bytes, ldpc_error *err);
ldpc_status ldpc_cuda_unpin(void *state, void *memory, ldpc_error *err);
ldpc_status ldpc_cuda_update(void *state, ldpc_error *err);

/* Scratch memory of one stream: those of a GPU together take at most half of what is free. */
ldpc_status ldpc_cuda_scratch_limit(const ldpc_cuda_engine *engine, size_t streams, size_t *limit,
                                    ldpc_error *err);

/* Wait for the batches on callers' streams, which use programs, tables and scratch memory. */
ldpc_status ldpc_cuda_await_device_calls(const ldpc_cuda_state *cuda, ldpc_error *err);

/* ---- change_kernel.c: new programs, for all GPUs or for none */

/* The plan has changed. */
ldpc_status ldpc_cuda_rebuild_engines(ldpc_cuda_state *cuda, ldpc_error *err);
/* Is a chosen program being compiled or loaded, for later batches? */
bool ldpc_cuda_is_compiling(const ldpc_cuda_state *cuda);
/* Take the chosen programs, if they are there at `until`; as settle() of ldpc_backend. */
ldpc_status ldpc_cuda_change_kernel(ldpc_cuda_state *cuda, const struct timespec *until, ldpc_error *err);
/* The decoder no longer wants the programs that are being compiled for it. */
void ldpc_cuda_drop_compilations(ldpc_cuda_state *cuda);

/* Cut a batch into parts, part i for streams[i]; returns how many. */
size_t ldpc_cuda_deal_parts(ldpc_cuda_state *cuda, const ldpc_batch *batch);

/* Wait for the first `parts` streams and hand their results over. Returns `status`, or else the first failure. */
ldpc_status ldpc_cuda_finish_parts(ldpc_cuda_state *cuda, size_t parts, ldpc_status status, ldpc_error *err);

/* ---- completion.c: batches in flight, and the thread that waits for them */

ldpc_status ldpc_cuda_start_threads(ldpc_cuda_state *cuda, ldpc_error *err);
/* Also after a start that failed. Waits for the batches in flight. */
void ldpc_cuda_stop_threads(ldpc_cuda_state *cuda);
/* Instead of that after ldpc_cuda_abandon(): waits for no GPU. The completion thread ends when its GPU answers. */
void ldpc_cuda_leave_threads(ldpc_cuda_state *cuda);

/* A batch has been issued on the next stream: the completion thread waits for it. */
void ldpc_cuda_await(ldpc_cuda_state *cuda, ldpc_job *job);

/* The completion thread loads the chosen programs, because that waits for the GPU. LDPC_OK: chosen_status tells how it went;
 * LDPC_AGAIN: it has not ended at `until` (NULL: waits as long as it takes); LDPC_ERR_DEVICE: the decoder was abandoned. The load
 * of the last two continues. */
ldpc_status ldpc_cuda_await_load(ldpc_cuda_state *cuda, const struct timespec *until, ldpc_error *err);
/* Wait for a load that has begun, and undo it. LDPC_ERR_DEVICE: the decoder was abandoned, and the load is as it was. */
ldpc_status ldpc_cuda_end_load(ldpc_cuda_state *cuda, ldpc_error *err);

#endif
