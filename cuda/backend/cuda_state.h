/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of the GPU backends, CUDA and OpenCL, and what they share; the two halves of a blocking call, which
 * cuda/comparison has with another order of issue between them. */
#ifndef LDPC_CUDA_STATE_H
#define LDPC_CUDA_STATE_H

#include <pthread.h>

#include "backend/backend.h"
#include "cuda/host/stream.h"

struct ldpc_cuda_simulator;

typedef struct ldpc_cuda_state {
    const struct ldpc_cuda_platform *platform;
    const ldpc_plan *plan;
    ldpc_cuda_engine *engines;
    size_t n_engines;
    ldpc_cuda_stream *streams; /* stream i is on engine i % n_engines */
    ldpc_job **jobs;           /* [n_streams]: of the stream's batch; NULL: reported */
    size_t n_streams;
    size_t max_codewords;                  /* of a batch */
    struct ldpc_cuda_simulator *simulator; /* NULL until the first simulation */
    /* the parameters for which the programs were compiled */
    bool early_stop;
    float offset, factor;

    /* completion.c's */
    pthread_t completion, watchdog;
    bool completing, watching, synchronised; /* have been started, made */
    pthread_mutex_t mutex;                   /* guards what follows, and jobs[] */
    pthread_cond_t changed, unwatched;       /* wake the completion thread, and the watchdog */
    size_t issued, finished;                 /* batches, counted; batch i is on stream i % n_streams */
    size_t given_up;                         /* of those that are not finished */
    unsigned ticks;
    bool closing, watchdog_closing;
    bool left; /* the completion thread frees the state when it ends */
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
ldpc_status ldpc_cuda_decode(void *state, const ldpc_batch *batch, ldpc_error *err);
/* Buffers of the batch are handles of the driver's table, as is the stream. */
ldpc_status ldpc_cuda_decode_device(void *state, void *user_stream, const ldpc_batch *batch, ldpc_error *err);
ldpc_status ldpc_cuda_submit(void *state, ldpc_job *job, ldpc_error *err);
void *ldpc_cuda_alloc(void *state, size_t bytes);
void ldpc_cuda_free(void *state, void *memory);
ldpc_status ldpc_cuda_update(void *state, ldpc_error *err);

/* Cut a batch into parts, part i for streams[i]; returns how many. */
size_t ldpc_cuda_deal_parts(ldpc_cuda_state *cuda, const ldpc_batch *batch);

/* Wait for the first `parts` streams, within the time limit if there is one, and hand their results over. Returns `status`, or
 * else the first failure. */
ldpc_status ldpc_cuda_finish_parts(ldpc_cuda_state *cuda, size_t parts, ldpc_status status, ldpc_error *err);

/* ---- completion.c: the decoder's threads, and batches that do not end */

ldpc_status ldpc_cuda_start_threads(ldpc_cuda_state *cuda, ldpc_error *err);
/* Also after a start that failed. Waits for the batches in flight. */
void ldpc_cuda_stop_threads(ldpc_cuda_state *cuda);
/* In place of that where a GPU hangs: nothing is waited for. The state belongs to the completion thread from now on. */
void ldpc_cuda_leave_threads(ldpc_cuda_state *cuda);

/* A batch has been issued on the next stream: the completion thread waits for it. */
void ldpc_cuda_await(ldpc_cuda_state *cuda, ldpc_job *job);

/* Of a blocking call the first `parts` streams have not ended in time: the completion thread waits on. Returns
 * LDPC_ERR_DEVICE. */
ldpc_status ldpc_cuda_give_up_parts(ldpc_cuda_state *cuda, size_t parts, ldpc_error *err);

/* LDPC_ERR_DEVICE while batches of this decoder that were given up have not ended: its streams are in use. */
ldpc_status ldpc_cuda_check_answers(ldpc_cuda_state *cuda, ldpc_error *err);

/* Does one of the decoder's GPUs hang, because of any decoder? */
bool ldpc_cuda_any_hangs(const ldpc_cuda_state *cuda);

#endif
