/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of a GPU decoder.
 *
 * The completion thread waits inside of the driver for one batch after the other, hands results over and reports. The
 * driver's waiting has no time limit, so where the decoder has one, the watchdog gives up batches that take longer:
 *
 *     batches   [ finished | given up | in flight | issued: free streams ]     batch i is on stream i % n_streams
 *
 * Of both threads, the one that takes a batch's job out of jobs[] reports it. The completion thread takes it before it writes
 * results, so nothing is written to the caller's memory once the batch was given up, but for what the GPU itself writes to pinned
 * memory. The stream of a batch that was given up stays in use until the batch has ended after all.
 *
 * The watchdog counts ticks of its own, not time: a process that was stopped for an hour is late by one tick.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <time.h>

#include "base/status_internal.h"
#include "base/thread.h"
#include "cuda/backend/cuda_state.h"
#include "cuda/host/unanswered.h"

enum {
    TICKS = 8,             /* of the time limit */
    TICKS_WHEN_HANGING = 1 /* of a batch on a GPU that is known to hang */
};

/* ---- what others ask */

bool ldpc_cuda_any_hangs(const ldpc_cuda_state *cuda)
{
    for (size_t i = 0; i < cuda->n_engines; i++)
        if (ldpc_cuda_hangs(&cuda->engines[i]))
            return true;
    return false;
}

ldpc_status ldpc_cuda_check_answers(ldpc_cuda_state *cuda, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    pthread_mutex_lock(&cuda->mutex);
    for (size_t i = cuda->finished; i < cuda->issued && cuda->given_up && !status; i++)
        status = ldpc_cuda_check_hang(cuda->streams[i % cuda->n_streams].engine, err);
    pthread_mutex_unlock(&cuda->mutex);
    return status;
}

/* ---- the completion thread */

/* With the mutex held. The batch is finished before it is reported: the next submission may need its stream. */
static void finish_oldest(ldpc_cuda_state *cuda)
{
    size_t i = cuda->finished % cuda->n_streams;
    ldpc_cuda_stream *stream = &cuda->streams[i];
    ldpc_error err = {""};
    pthread_mutex_unlock(&cuda->mutex);
    ldpc_status status = ldpc_cuda_stream_wait(stream, &err);
    pthread_mutex_lock(&cuda->mutex);
    ldpc_job *job = cuda->jobs[i];
    cuda->jobs[i] = NULL;
    if (!job) {
        ldpc_cuda_count_answered(stream->engine);
        cuda->given_up--;
        cuda->finished++;
        return;
    }
    pthread_mutex_unlock(&cuda->mutex);
    ldpc_cuda_stream_hand_over(stream, status);
    if (status)
        job->error = err;
    pthread_mutex_lock(&cuda->mutex);
    cuda->finished++;
    pthread_mutex_unlock(&cuda->mutex);
    ldpc_job_done(job, status);
    pthread_mutex_lock(&cuda->mutex);
}

static void destroy_sync(ldpc_cuda_state *cuda)
{
    if (!cuda->synchronised)
        return;
    pthread_cond_destroy(&cuda->unwatched);
    pthread_cond_destroy(&cuda->changed);
    pthread_mutex_destroy(&cuda->mutex);
}

static void *complete(void *context)
{
    ldpc_cuda_state *cuda = context;
    pthread_mutex_lock(&cuda->mutex);
    for (;;) {
        while (cuda->finished == cuda->issued && !cuda->closing)
            pthread_cond_wait(&cuda->changed, &cuda->mutex);
        if (cuda->finished == cuda->issued)
            break;
        finish_oldest(cuda);
    }
    bool left = cuda->left;
    pthread_mutex_unlock(&cuda->mutex);
    if (left) {
        destroy_sync(cuda);
        ldpc_cuda_abandon(cuda);
    }
    return NULL;
}

/* ---- the watchdog */

static struct timespec after_a_tick(const ldpc_cuda_state *cuda)
{
    const uint64_t second = 1000000000, ns = (uint64_t)cuda->plan->gpu_timeout_ms * 1000000 / TICKS;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    uint64_t sum = (uint64_t)t.tv_nsec + ns % second;
    t.tv_sec += (time_t)(ns / second + sum / second);
    t.tv_nsec = (long)(sum % second);
    return t;
}

/* With the mutex held: has the oldest batch in flight had its time? Without one the engines are not looked at: a setter may be
 * about to change them. */
static bool overdue(const ldpc_cuda_state *cuda)
{
    for (size_t i = cuda->finished; i < cuda->issued; i++) {
        const ldpc_job *job = cuda->jobs[i % cuda->n_streams];
        if (job)
            return cuda->ticks - job->begun > (ldpc_cuda_any_hangs(cuda) ? TICKS_WHEN_HANGING : TICKS);
    }
    return false;
}

/* With the mutex held: batch i, if it is still in flight. */
static void give_up(ldpc_cuda_state *cuda, size_t i)
{
    const ldpc_cuda_engine *engine = cuda->streams[i % cuda->n_streams].engine;
    ldpc_job *job = cuda->jobs[i % cuda->n_streams];
    if (!job)
        return;
    cuda->jobs[i % cuda->n_streams] = NULL;
    cuda->given_up++;
    ldpc_cuda_count_unanswered(engine, cuda->plan->gpu_timeout_ms);
    ldpc_status status = ldpc_cuda_check_hang(engine, &job->error);
    pthread_mutex_unlock(&cuda->mutex);
    ldpc_cuda_mark_lost(&job->batch);
    ldpc_job_done(job, status);
    pthread_mutex_lock(&cuda->mutex);
}

static void *watch(void *context)
{
    ldpc_cuda_state *cuda = context;
    pthread_mutex_lock(&cuda->mutex);
    while (!cuda->watchdog_closing) {
        const struct timespec next = after_a_tick(cuda);
        while (!cuda->watchdog_closing &&
               pthread_cond_timedwait(&cuda->unwatched, &cuda->mutex, &next) != ETIMEDOUT)
            continue;
        cuda->ticks++;
        if (overdue(cuda))
            for (size_t i = cuda->finished; i < cuda->issued; i++)
                give_up(cuda, i);
    }
    pthread_mutex_unlock(&cuda->mutex);
    return NULL;
}

/* ---- batches */

void ldpc_cuda_await(ldpc_cuda_state *cuda, ldpc_job *job)
{
    pthread_mutex_lock(&cuda->mutex);
    job->begun = cuda->ticks;
    cuda->jobs[cuda->issued++ % cuda->n_streams] = job;
    pthread_cond_broadcast(&cuda->changed);
    pthread_mutex_unlock(&cuda->mutex);
}

ldpc_status ldpc_cuda_give_up_parts(ldpc_cuda_state *cuda, size_t parts, ldpc_error *err)
{
    pthread_mutex_lock(&cuda->mutex);
    for (size_t i = 0; i < parts; i++) {
        cuda->jobs[i] = NULL;
        ldpc_cuda_count_unanswered(cuda->streams[i].engine, cuda->plan->gpu_timeout_ms);
    }
    cuda->finished = 0;
    cuda->issued = cuda->given_up = parts;
    pthread_cond_broadcast(&cuda->changed);
    pthread_mutex_unlock(&cuda->mutex);
    return ldpc_cuda_check_answers(cuda, err);
}

/* ---- start, stop */

/* Condition variables for the completion thread and, on the clock that nobody sets, for the watchdog. */
static bool make_conditions(ldpc_cuda_state *cuda)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes))
        return false;
    bool ok = !pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) &&
              !pthread_cond_init(&cuda->unwatched, &attributes);
    pthread_condattr_destroy(&attributes);
    if (ok && pthread_cond_init(&cuda->changed, NULL)) {
        pthread_cond_destroy(&cuda->unwatched);
        ok = false;
    }
    return ok;
}

ldpc_status ldpc_cuda_start_threads(ldpc_cuda_state *cuda, ldpc_error *err)
{
    const bool limited = cuda->plan->gpu_timeout_ms > 0;
    cuda->synchronised = !pthread_mutex_init(&cuda->mutex, NULL);
    if (cuda->synchronised && !make_conditions(cuda)) {
        pthread_mutex_destroy(&cuda->mutex);
        cuda->synchronised = false;
    }
    cuda->completing = cuda->synchronised && ldpc_thread_start(&cuda->completion, complete, cuda);
    cuda->watching = cuda->completing && limited && ldpc_thread_start(&cuda->watchdog, watch, cuda);
    return cuda->completing && cuda->watching == limited
               ? LDPC_OK
               : ldpc_fail(err, LDPC_ERR_THREAD, "the system refused a thread");
}

static void stop_watchdog(ldpc_cuda_state *cuda)
{
    if (!cuda->watching)
        return;
    pthread_mutex_lock(&cuda->mutex);
    cuda->watchdog_closing = true;
    pthread_cond_signal(&cuda->unwatched);
    pthread_mutex_unlock(&cuda->mutex);
    pthread_join(cuda->watchdog, NULL);
}

/* Tells the completion thread to end when no batch is left. */
static void close_completion(ldpc_cuda_state *cuda, bool left)
{
    pthread_mutex_lock(&cuda->mutex);
    cuda->closing = true;
    cuda->left = left;
    pthread_cond_signal(&cuda->changed);
    pthread_mutex_unlock(&cuda->mutex);
}

void ldpc_cuda_stop_threads(ldpc_cuda_state *cuda)
{
    stop_watchdog(cuda);
    if (cuda->completing) {
        close_completion(cuda, false);
        pthread_join(cuda->completion, NULL);
    }
    destroy_sync(cuda);
}

void ldpc_cuda_leave_threads(ldpc_cuda_state *cuda)
{
    stop_watchdog(cuda);
    if (!cuda->completing)
        return;
    pthread_detach(cuda->completion);
    close_completion(cuda, true);
}
