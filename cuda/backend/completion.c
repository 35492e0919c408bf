/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches in flight, and the thread that waits for their ends.
 *
 *     batches   [ finished | in flight, reported or given up | issued: free streams ]     batch i is on stream i % n_streams
 *
 * The completion thread waits inside of the driver for one batch after the other, hands results over and reports. The driver's
 * waiting has no time limit, so where the decoder has one, the watchdog (watchdog.c) reports batches that take too long. Of both
 * threads, the one that finds a batch IN_FLIGHT reports it: nothing is written to the caller's memory once the batch was given up,
 * but for what the GPU itself writes to pinned memory. The stream of a batch that the watchdog has reported stays in use until
 * the completion thread has come past it, and until then the decoder refuses batches.
 *
 * Between batches the completion thread also loads programs (change_kernel.c): that too may wait for the GPU.
 */

#include "base/deadline.h"
#include "base/status_internal.h"
#include "base/thread.h"
#include "cuda/backend/cuda_state.h"
#include "cuda/host/program.h"
#include "cuda/host/unanswered.h"

/* ---- what others ask */

bool ldpc_cuda_any_hangs(const ldpc_cuda_state *cuda)
{
    return ldpc_cuda_check_hangs(cuda, NULL) != LDPC_OK;
}

ldpc_status ldpc_cuda_check_hangs(const ldpc_cuda_state *cuda, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    for (size_t i = 0; i < cuda->n_engines && !status; i++)
        status = ldpc_cuda_check_hang(&cuda->engines[i], err);
    return status;
}

ldpc_status ldpc_cuda_check_answers(void *state, ldpc_error *err)
{
    ldpc_cuda_state *cuda = state;
    ldpc_status status = LDPC_OK;
    pthread_mutex_lock(&cuda->mutex);
    for (size_t i = cuda->finished; i < cuda->issued && !status; i++) {
        const ldpc_cuda_progress progress = cuda->flights[i % cuda->n_streams].progress;
        if (progress == LDPC_CUDA_REPORTED || progress == LDPC_CUDA_GIVEN_UP)
            status = ldpc_cuda_fail_hang(cuda->hung, err);
    }
    pthread_mutex_unlock(&cuda->mutex);
    return status;
}

/* ---- the completion thread */

/* With the mutex held: a job that has ended. The batch is finished before it is reported, because the next submission may need its
 * stream. */
static void finish_job(ldpc_cuda_state *cuda, const ldpc_cuda_stream *stream, ldpc_job *job,
                       ldpc_status status, const ldpc_error *err)
{
    pthread_mutex_unlock(&cuda->mutex);
    ldpc_cuda_stream_hand_over(stream, status);
    if (status)
        job->error = *err;
    pthread_mutex_lock(&cuda->mutex);
    cuda->finished++;
    pthread_mutex_unlock(&cuda->mutex);
    ldpc_job_done(job, status);
    pthread_mutex_lock(&cuda->mutex);
}

/* With the mutex held. */
static void finish_oldest(ldpc_cuda_state *cuda)
{
    size_t i = cuda->finished % cuda->n_streams;
    ldpc_cuda_flight *flight = &cuda->flights[i];
    const ldpc_cuda_stream *stream = &cuda->streams[i];
    ldpc_error err = {""};
    pthread_mutex_unlock(&cuda->mutex);
    ldpc_status status = ldpc_cuda_stream_wait(stream, &err);
    pthread_mutex_lock(&cuda->mutex);
    const ldpc_cuda_progress progress = flight->progress;
    ldpc_job *job = flight->job;
    flight->progress = LDPC_CUDA_IDLE;
    flight->job = NULL;
    if (job) {
        finish_job(cuda, stream, job, status, &err);
        return;
    }
    if (progress == LDPC_CUDA_GIVEN_UP)
        ldpc_cuda_count_answered(stream->engine);
    cuda->finished++;
}

static void destroy_sync(ldpc_cuda_state *cuda)
{
    if (!cuda->synchronised)
        return;
    pthread_cond_destroy(&cuda->unwatched);
    pthread_cond_destroy(&cuda->changed);
    pthread_mutex_destroy(&cuda->mutex);
}

/* With the mutex held: load or unload the chosen program of one GPU, both of which may wait for it. */
static ldpc_status use_driver(ldpc_cuda_state *cuda, size_t i, bool loads, ldpc_error *err)
{
    const ldpc_cuda_engine *engine = &cuda->engines[i];
    ldpc_status status = LDPC_OK;
    cuda->loading.engine = engine;
    cuda->loading.begun = cuda->ticks;
    ldpc_cuda_wake_watchdog(cuda);
    pthread_mutex_unlock(&cuda->mutex);
    if (loads)
        status = ldpc_cuda_load_chosen(engine, &cuda->loaded[i], err);
    else
        ldpc_cuda_unload(engine, &cuda->loaded[i]);
    pthread_mutex_lock(&cuda->mutex);
    if (cuda->loading.given_up)
        ldpc_cuda_count_answered(engine);
    cuda->loading.given_up = false;
    return status;
}

/* With the mutex held: for all GPUs, or for none. */
static void load(ldpc_cuda_state *cuda)
{
    ldpc_error err = {""};
    ldpc_status status = LDPC_OK;
    cuda->loading.progress = LDPC_CUDA_LOAD_BEGUN;
    for (size_t i = 0; i < cuda->n_engines && !status; i++)
        if (cuda->engines[i].compilation)
            status = use_driver(cuda, i, true, &err);
    for (size_t i = 0; i < cuda->n_engines && status; i++)
        use_driver(cuda, i, false, NULL);
    cuda->loading.progress = LDPC_CUDA_LOAD_DONE;
    cuda->chosen_status = status;
    cuda->chosen_error = err;
    pthread_cond_broadcast(&cuda->changed);
}

static void *complete(void *context)
{
    ldpc_cuda_state *cuda = context;
    pthread_mutex_lock(&cuda->mutex);
    for (;;) {
        const bool wanted = cuda->loading.progress == LDPC_CUDA_LOAD_WANTED && !cuda->closing;
        if (wanted)
            load(cuda);
        else if (cuda->finished < cuda->issued)
            finish_oldest(cuda);
        else if (cuda->closing)
            break;
        else
            pthread_cond_wait(&cuda->changed, &cuda->mutex);
    }
    bool left = cuda->left;
    pthread_mutex_unlock(&cuda->mutex);
    if (left) {
        destroy_sync(cuda);
        ldpc_cuda_drop_compilations(cuda);
        ldpc_cuda_abandon(cuda);
    }
    return NULL;
}

/* ---- batches */

void ldpc_cuda_await(ldpc_cuda_state *cuda, ldpc_job *job)
{
    pthread_mutex_lock(&cuda->mutex);
    ldpc_cuda_flight *flight = &cuda->flights[cuda->issued++ % cuda->n_streams];
    flight->progress = LDPC_CUDA_IN_FLIGHT;
    flight->begun = cuda->ticks;
    flight->job = job;
    pthread_cond_broadcast(&cuda->changed);
    ldpc_cuda_wake_watchdog(cuda);
    pthread_mutex_unlock(&cuda->mutex);
}

/* ---- chosen programs */

ldpc_status ldpc_cuda_await_load(ldpc_cuda_state *cuda, const struct timespec *until, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    int late = 0;
    pthread_mutex_lock(&cuda->mutex);
    if (cuda->loading.progress == LDPC_CUDA_LOAD_NONE) {
        cuda->loading.progress = LDPC_CUDA_LOAD_WANTED;
        pthread_cond_broadcast(&cuda->changed);
    }
    while (cuda->loading.progress != LDPC_CUDA_LOAD_DONE && !late &&
           !(status = ldpc_cuda_check_hangs(cuda, err)))
        late = until ? pthread_cond_timedwait(&cuda->changed, &cuda->mutex, until)
                     : pthread_cond_wait(&cuda->changed, &cuda->mutex);
    const bool done = cuda->loading.progress == LDPC_CUDA_LOAD_DONE;
    if (done)
        cuda->loading.progress = LDPC_CUDA_LOAD_NONE;
    pthread_mutex_unlock(&cuda->mutex);
    return done ? LDPC_OK : status ? status : LDPC_AGAIN;
}

ldpc_status ldpc_cuda_end_load(ldpc_cuda_state *cuda, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    pthread_mutex_lock(&cuda->mutex);
    while (!(status = ldpc_cuda_check_hangs(cuda, err)) && cuda->loading.progress == LDPC_CUDA_LOAD_BEGUN)
        pthread_cond_wait(&cuda->changed, &cuda->mutex);
    if (!status)
        cuda->loading.progress = LDPC_CUDA_LOAD_NONE;
    pthread_mutex_unlock(&cuda->mutex);
    for (size_t i = 0; i < cuda->n_engines && !status; i++)
        ldpc_cuda_unload(&cuda->engines[i], &cuda->loaded[i]);
    return status;
}

/* ---- start, stop */

static bool make_conditions(ldpc_cuda_state *cuda)
{
    bool ok = ldpc_condition_init(&cuda->unwatched);
    if (ok && !ldpc_condition_init(&cuda->changed)) {
        pthread_cond_destroy(&cuda->unwatched);
        ok = false;
    }
    return ok;
}

ldpc_status ldpc_cuda_start_threads(ldpc_cuda_state *cuda, ldpc_error *err)
{
    cuda->synchronised = !pthread_mutex_init(&cuda->mutex, NULL);
    if (cuda->synchronised && !make_conditions(cuda)) {
        pthread_mutex_destroy(&cuda->mutex);
        cuda->synchronised = false;
    }
    cuda->completing = cuda->synchronised && ldpc_thread_start(&cuda->completion, complete, cuda);
    return cuda->completing && ldpc_cuda_start_watchdog(cuda)
               ? LDPC_OK
               : ldpc_fail(err, LDPC_ERR_THREAD, "the system refused a thread");
}

/* Tells the completion thread to end when no batch is left. */
static void close_completion(ldpc_cuda_state *cuda, bool left)
{
    pthread_mutex_lock(&cuda->mutex);
    cuda->closing = true;
    cuda->left = left;
    pthread_cond_broadcast(&cuda->changed);
    pthread_mutex_unlock(&cuda->mutex);
}

void ldpc_cuda_stop_threads(ldpc_cuda_state *cuda)
{
    ldpc_cuda_stop_watchdog(cuda);
    if (cuda->completing) {
        close_completion(cuda, false);
        pthread_join(cuda->completion, NULL);
    }
    destroy_sync(cuda);
}

void ldpc_cuda_leave_threads(ldpc_cuda_state *cuda)
{
    ldpc_cuda_stop_watchdog(cuda);
    if (!cuda->completing)
        return;
    pthread_detach(cuda->completion);
    close_completion(cuda, true);
}
