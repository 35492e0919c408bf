/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches in flight, and the completion thread.
 *
 *     batches   [ finished | in flight | issued: free streams ]     batch i is on stream i % n_streams
 *
 * The completion thread waits for each batch in the driver, in order and without a timeout. It copies the
 * results to the caller and reports the job. Between two batches it loads programs (change_kernel.c).
 *
 * ldpc_cuda_abandon() detaches the thread. Then no call waits for the thread, and the thread no longer
 * accesses the caller's memory. */

#include "base/deadline.h"
#include "base/status_internal.h"
#include "base/thread.h"
#include "cuda/backend/cuda_state.h"
#include "cuda/host/program.h"

void ldpc_cuda_abandon(void *state)
{
    ldpc_cuda_state *cuda = state;
    pthread_mutex_lock(&cuda->mutex);
    cuda->abandoned = true;
    pthread_cond_broadcast(&cuda->changed);
    pthread_mutex_unlock(&cuda->mutex);
}

/* ---- the completion thread */

static void report(ldpc_cuda_state *cuda, const ldpc_cuda_stream *stream, ldpc_job *job, ldpc_status status,
                   const ldpc_error *err)
{
    cuda->reporting = true;
    pthread_mutex_unlock(&cuda->mutex);
    ldpc_cuda_stream_hand_over(stream, status);
    if (status)
        job->error = *err;
    pthread_mutex_lock(&cuda->mutex);
    cuda->finished++;
    pthread_mutex_unlock(&cuda->mutex);
    job->report(job, status);
    pthread_mutex_lock(&cuda->mutex);
    cuda->reporting = false;
    pthread_cond_broadcast(&cuda->changed);
}

/* Finishes the oldest batch; the mutex must be held. */
static void finish_oldest(ldpc_cuda_state *cuda)
{
    size_t i = cuda->finished % cuda->n_streams;
    ldpc_error err = {""};
    pthread_mutex_unlock(&cuda->mutex);
    ldpc_status status = ldpc_cuda_stream_wait(&cuda->streams[i], &err);
    pthread_mutex_lock(&cuda->mutex);
    if (!cuda->abandoned)
        report(cuda, &cuda->streams[i], cuda->jobs[i], status, &err);
}

/* Loads or unloads the chosen program of one GPU. The mutex must be held. */
static ldpc_status use_driver(ldpc_cuda_state *cuda, size_t i, bool loads, ldpc_error *err)
{
    const ldpc_cuda_engine *engine = &cuda->engines[i];
    ldpc_status status = LDPC_OK;
    pthread_mutex_unlock(&cuda->mutex);
    if (loads)
        status = ldpc_cuda_load_chosen(engine, &cuda->loaded[i], err);
    else
        ldpc_cuda_unload(engine, &cuda->loaded[i]);
    pthread_mutex_lock(&cuda->mutex);
    return status;
}

/* Loads the chosen programs of all GPUs, or none. The mutex must be held. */
static void load(ldpc_cuda_state *cuda)
{
    ldpc_error err = {""};
    ldpc_status status = LDPC_OK;
    cuda->loading = LDPC_CUDA_LOAD_BEGUN;
    for (size_t i = 0; i < cuda->n_engines && !status; i++)
        if (cuda->engines[i].compilation)
            status = use_driver(cuda, i, true, &err);
    for (size_t i = 0; i < cuda->n_engines && status; i++)
        use_driver(cuda, i, false, NULL);
    cuda->loading = LDPC_CUDA_LOAD_DONE;
    cuda->chosen_status = status;
    cuda->chosen_error = err;
    pthread_cond_broadcast(&cuda->changed);
}

static void *complete(void *context)
{
    ldpc_cuda_state *cuda = context;
    pthread_mutex_lock(&cuda->mutex);
    while (!cuda->abandoned) {
        const bool wanted = cuda->loading == LDPC_CUDA_LOAD_WANTED && !cuda->closing;
        if (wanted)
            load(cuda);
        else if (cuda->finished < cuda->issued)
            finish_oldest(cuda);
        else if (cuda->closing)
            break;
        else
            pthread_cond_wait(&cuda->changed, &cuda->mutex);
    }
    pthread_mutex_unlock(&cuda->mutex);
    return NULL;
}

/* ---- batches */

void ldpc_cuda_await(ldpc_cuda_state *cuda, ldpc_job *job)
{
    pthread_mutex_lock(&cuda->mutex);
    cuda->jobs[cuda->issued++ % cuda->n_streams] = job;
    pthread_cond_broadcast(&cuda->changed);
    pthread_mutex_unlock(&cuda->mutex);
}

/* ---- chosen programs */

static ldpc_status check_abandoned(const ldpc_cuda_state *cuda, ldpc_error *err)
{
    return cuda->abandoned ? ldpc_fail_abandoned(err) : LDPC_OK;
}

ldpc_status ldpc_cuda_await_load(ldpc_cuda_state *cuda, const struct timespec *until, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    int late = 0;
    pthread_mutex_lock(&cuda->mutex);
    if (cuda->loading == LDPC_CUDA_LOAD_NONE) {
        cuda->loading = LDPC_CUDA_LOAD_WANTED;
        pthread_cond_broadcast(&cuda->changed);
    }
    while (cuda->loading != LDPC_CUDA_LOAD_DONE && !late && !(status = check_abandoned(cuda, err)))
        late = until ? pthread_cond_timedwait(&cuda->changed, &cuda->mutex, until)
                     : pthread_cond_wait(&cuda->changed, &cuda->mutex);
    const bool done = cuda->loading == LDPC_CUDA_LOAD_DONE;
    if (done)
        cuda->loading = LDPC_CUDA_LOAD_NONE;
    pthread_mutex_unlock(&cuda->mutex);
    return done ? LDPC_OK : status ? status : LDPC_AGAIN;
}

ldpc_status ldpc_cuda_end_load(ldpc_cuda_state *cuda, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    pthread_mutex_lock(&cuda->mutex);
    while (!(status = check_abandoned(cuda, err)) && cuda->loading == LDPC_CUDA_LOAD_BEGUN)
        pthread_cond_wait(&cuda->changed, &cuda->mutex);
    if (!status)
        cuda->loading = LDPC_CUDA_LOAD_NONE;
    pthread_mutex_unlock(&cuda->mutex);
    for (size_t i = 0; i < cuda->n_engines && !status; i++)
        ldpc_cuda_unload(&cuda->engines[i], &cuda->loaded[i]);
    return status;
}

/* ---- start, stop */

ldpc_status ldpc_cuda_start_threads(ldpc_cuda_state *cuda, ldpc_error *err)
{
    cuda->synchronised = !pthread_mutex_init(&cuda->mutex, NULL);
    if (cuda->synchronised && !ldpc_condition_init(&cuda->changed)) {
        pthread_mutex_destroy(&cuda->mutex);
        cuda->synchronised = false;
    }
    cuda->completing = cuda->synchronised && ldpc_thread_start(&cuda->completion, complete, cuda);
    return cuda->completing ? LDPC_OK : ldpc_fail(err, LDPC_ERR_THREAD, "a thread cannot be started");
}

void ldpc_cuda_stop_threads(ldpc_cuda_state *cuda)
{
    if (cuda->completing) {
        pthread_mutex_lock(&cuda->mutex);
        cuda->closing = true;
        pthread_cond_broadcast(&cuda->changed);
        pthread_mutex_unlock(&cuda->mutex);
        pthread_join(cuda->completion, NULL);
    }
}

void ldpc_cuda_leave_threads(ldpc_cuda_state *cuda)
{
    pthread_mutex_lock(&cuda->mutex);
    while (cuda->reporting)
        pthread_cond_wait(&cuda->changed, &cuda->mutex);
    pthread_mutex_unlock(&cuda->mutex);
    pthread_detach(cuda->completion);
}
