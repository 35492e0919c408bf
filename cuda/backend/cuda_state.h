/* SPDX-License-Identifier: BSD-3-Clause */
/* The shared state of the GPU backends, CUDA and OpenCL, and the two halves of a blocking call.
 * tests/bench/comparison uses the halves with another order of issue. */
#ifndef LDPC_CUDA_STATE_H
#define LDPC_CUDA_STATE_H

#include <pthread.h>

#include "backend/backend.h"
#include "cuda/host/stream.h"

struct ldpc_cuda_simulator;

/* Progress of the completion thread in loading the chosen programs. */
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
    ldpc_job **jobs;           /* [n_streams]: jobs in flight */
    size_t n_streams;
    /* scratch memory for batches on callers' streams, on engines[0]; opened by the first such batch */
    ldpc_cuda_stream device_calls;
    size_t max_codewords;                  /* largest batch */
    ldpc_cuda_loaded *loaded;              /* [n_engines]: chosen programs, loaded but not yet used */
    struct ldpc_cuda_simulator *simulator; /* NULL before the first simulation */
    /* parameters that the programs were compiled for */
    bool early_stop;
    float offset, factor;

    atomic_bool abandoned; /* set by ldpc_cuda_abandon() with the mutex held */

    /* completion thread (completion.c) */
    pthread_t completion;
    bool completing, synchronised; /* the thread was started; mutex and condition were created */
    pthread_mutex_t mutex;         /* guards the fields below, and jobs[] */
    pthread_cond_t changed;        /* wakes the completion thread, and the threads that wait for it */
    size_t issued, finished;       /* number of batches so far; batch i is on stream i % n_streams */
    bool reporting; /* the completion thread is writing results to the caller's memory or reporting a job */
    bool closing;
    ldpc_cuda_loading loading;
    ldpc_status chosen_status; /* why the chosen programs could not be compiled or loaded */
    ldpc_error chosen_error;
} ldpc_cuda_state;

/* The differences between CUDA and OpenCL. */
typedef struct ldpc_cuda_platform {
    const ldpc_cuda_driver *(*open)(const char **why);
    /* Parses a list of devices into numbers[], which holds `present` entries. Returns the count, 0 for an
     * invalid list. */
    size_t (*read_devices)(const char *list, int present, int *numbers);
    const char *devices; /* expected form of a list, for error messages; follows "expected numbers below N" */
} ldpc_cuda_platform;

/* Members of ldpc_backend. */
ldpc_status ldpc_cuda_create(const ldpc_cuda_platform *platform, const ldpc_plan *plan, void **state,
                             ldpc_backend_facts *facts, ldpc_error *err);
void ldpc_cuda_destroy(void *state);
void ldpc_cuda_abandon(void *state);
void ldpc_cuda_free_in_child(void *state);
ldpc_status ldpc_cuda_decode(void *state, const ldpc_batch *batch, ldpc_error *err);
/* The buffers of the batch and the stream are handles of the driver's function table. */
ldpc_status ldpc_cuda_decode_device(void *state, void *caller_stream, const ldpc_batch *batch,
                                    ldpc_error *err);
ldpc_status ldpc_cuda_submit(void *state, ldpc_job *job, ldpc_error *err);
void *ldpc_cuda_alloc(void *state, size_t bytes);
void ldpc_cuda_free(void *state, void *memory);
ldpc_status ldpc_cuda_pin(void *state, void *memory, size_t bytes, ldpc_error *err);
ldpc_status ldpc_cuda_unpin(void *state, void *memory, ldpc_error *err);
ldpc_status ldpc_cuda_update(void *state, ldpc_error *err);

/* Maximum scratch memory of one stream: all streams of a GPU together use at most half of its free memory. */
ldpc_status ldpc_cuda_scratch_limit(const ldpc_cuda_engine *engine, size_t streams, size_t *limit,
                                    ldpc_error *err);

/* Waits for the batches on callers' streams, which use programs, tables and scratch memory. */
ldpc_status ldpc_cuda_await_device_calls(const ldpc_cuda_state *cuda, ldpc_error *err);

/* ---- change_kernel.c: new programs, for all GPUs or for none */

/* Called after a change of the plan. */
ldpc_status ldpc_cuda_rebuild_engines(ldpc_cuda_state *cuda, ldpc_error *err);
/* Returns whether a chosen program is being compiled or loaded for later batches. */
bool ldpc_cuda_is_compiling(const ldpc_cuda_state *cuda);
/* Switches to the chosen programs if they are ready by `until`; results as settle() of ldpc_backend. */
ldpc_status ldpc_cuda_change_kernel(ldpc_cuda_state *cuda, const struct timespec *until, ldpc_error *err);
/* Cancels the compilations of the decoder's programs. */
void ldpc_cuda_drop_compilations(ldpc_cuda_state *cuda);

/* Cuts a batch into parts, part i for streams[i]. Returns the number of parts. */
size_t ldpc_cuda_deal_parts(ldpc_cuda_state *cuda, const ldpc_batch *batch);

/* Waits for the first `parts` streams and hands their results over. Returns `status` if it is an error, else
 * the first failure. */
ldpc_status ldpc_cuda_finish_parts(ldpc_cuda_state *cuda, size_t parts, ldpc_status status, ldpc_error *err);

/* ---- completion.c: batches in flight, and the thread that waits for them */

ldpc_status ldpc_cuda_start_threads(ldpc_cuda_state *cuda, ldpc_error *err);
/* Waits for the batches in flight. Also valid after a failed start. */
void ldpc_cuda_stop_threads(ldpc_cuda_state *cuda);
/* Replaces ldpc_cuda_stop_threads() after ldpc_cuda_abandon(): waits for no GPU. The completion thread ends
 * when its GPU answers. */
void ldpc_cuda_leave_threads(ldpc_cuda_state *cuda);

/* Passes a batch that was issued on the next stream to the completion thread. */
void ldpc_cuda_await(ldpc_cuda_state *cuda, ldpc_job *job);

/* Makes the completion thread load the chosen programs, because a load waits for the GPU. LDPC_OK: the load
 * has ended, with the result in chosen_status. LDPC_AGAIN: not ended by `until` (NULL: no time limit).
 * LDPC_ERR_DEVICE: the decoder was abandoned. After LDPC_AGAIN and LDPC_ERR_DEVICE the load continues. */
ldpc_status ldpc_cuda_await_load(ldpc_cuda_state *cuda, const struct timespec *until, ldpc_error *err);
/* Waits for a load that has begun, and undoes it. LDPC_ERR_DEVICE: the decoder was abandoned, and the load
 * continues. */
ldpc_status ldpc_cuda_end_load(ldpc_cuda_state *cuda, ldpc_error *err);

#endif
