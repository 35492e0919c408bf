/* SPDX-License-Identifier: BSD-3-Clause */
/* State of the GPU backends. */
#ifndef LDPC_CUDA_STATE_H
#define LDPC_CUDA_STATE_H

#include <pthread.h>

#include "backend/backend.h"
#include "cuda/host/stream.h"

struct ldpc_cuda_simulator;

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
    ldpc_job **jobs;           /* [n_streams] job in flight */
    size_t n_streams;
    ldpc_cuda_stream device_calls;
    size_t max_codewords;
    ldpc_cuda_loaded *loaded;
    struct ldpc_cuda_simulator *simulator; /* NULL until the first simulation */
    /* parameters of the compiled programs */
    bool early_stop;
    float offset, factor;

    atomic_bool abandoned; /* set by ldpc_cuda_abandon() under the mutex */

    /* completion thread (completion.c) */
    pthread_t completion;
    bool completing, synchronised;
    /* guards jobs[] and the fields below */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* number of issued batches, number of finished batches; batch i is on stream i % n_streams */
    size_t issued, finished;
    bool reporting;
    bool closing;
    ldpc_cuda_loading loading;
    ldpc_status chosen_status;
    ldpc_error chosen_error;
} ldpc_cuda_state;

/* Differences between CUDA and OpenCL. */
typedef struct ldpc_cuda_platform {
    const ldpc_cuda_driver *(*open)(const char **why);
    /* Returns 0 if the list is invalid. */
    size_t (*read_devices)(const char *list, int present, int *numbers);
    const char *devices; /* for error messages */
} ldpc_cuda_platform;

/* Members of ldpc_backend. */
ldpc_status ldpc_cuda_create(const ldpc_cuda_platform *platform, const ldpc_plan *plan, void **state,
                             ldpc_backend_facts *facts, ldpc_error *err);
void ldpc_cuda_destroy(void *state);
void ldpc_cuda_abandon(void *state);
void ldpc_cuda_free_in_child(void *state);
ldpc_status ldpc_cuda_decode(void *state, const ldpc_batch *batch, ldpc_error *err);
ldpc_status ldpc_cuda_decode_device(void *state, void *caller_stream, const ldpc_batch *batch,
                                    ldpc_error *err);
ldpc_status ldpc_cuda_submit(void *state, ldpc_job *job, ldpc_error *err);
void *ldpc_cuda_alloc(void *state, size_t bytes);
void ldpc_cuda_free(void *state, void *memory);
ldpc_status ldpc_cuda_pin(void *state, void *memory, size_t bytes, ldpc_error *err);
ldpc_status ldpc_cuda_unpin(void *state, void *memory, ldpc_error *err);
ldpc_status ldpc_cuda_update(void *state, ldpc_error *err);

/* Writes the maximum scratch memory of one stream. The streams of a GPU share half of its free memory. */
ldpc_status ldpc_cuda_scratch_limit(const ldpc_cuda_engine *engine, size_t streams, size_t *limit,
                                    ldpc_error *err);

/* Waits for the batches on callers' streams, which use programs, tables and scratch memory. */
ldpc_status ldpc_cuda_await_device_calls(const ldpc_cuda_state *cuda, ldpc_error *err);

/* ---- change_kernel.c: new programs, for all GPUs or for none */

ldpc_status ldpc_cuda_rebuild_engines(ldpc_cuda_state *cuda, ldpc_error *err);
bool ldpc_cuda_is_compiling(const ldpc_cuda_state *cuda);
/* Switches to the chosen programs if they are ready. Returns the result of settle() (ldpc_backend). */
ldpc_status ldpc_cuda_change_kernel(ldpc_cuda_state *cuda, const struct timespec *until, ldpc_error *err);
void ldpc_cuda_drop_compilations(ldpc_cuda_state *cuda);

size_t ldpc_cuda_deal_parts(ldpc_cuda_state *cuda, const ldpc_batch *batch);

ldpc_status ldpc_cuda_finish_parts(ldpc_cuda_state *cuda, size_t parts, ldpc_status status, ldpc_error *err);

/* ---- completion.c: batches in flight, and the thread that waits for them */

ldpc_status ldpc_cuda_start_threads(ldpc_cuda_state *cuda, ldpc_error *err);
/* Waits for the batches in flight and ends the completion thread. Allowed after a failed start. */
void ldpc_cuda_stop_threads(ldpc_cuda_state *cuda);
/* After ldpc_cuda_abandon(), use this instead of ldpc_cuda_stop_threads(). It does not wait for a GPU. */
void ldpc_cuda_leave_threads(ldpc_cuda_state *cuda);

void ldpc_cuda_await(ldpc_cuda_state *cuda, ldpc_job *job);

/* Makes the completion thread load the chosen programs. Returns LDPC_OK and sets chosen_status to the result.
 * Returns LDPC_AGAIN after `until` (NULL: no limit), or LDPC_ERR_DEVICE if the decoder was abandoned. */
ldpc_status ldpc_cuda_await_load(ldpc_cuda_state *cuda, const struct timespec *until, ldpc_error *err);
/* Unloads programs that are loaded, but not in use. Returns LDPC_ERR_DEVICE if the decoder was abandoned. */
ldpc_status ldpc_cuda_end_load(ldpc_cuda_state *cuda, ldpc_error *err);

#endif
