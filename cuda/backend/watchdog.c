/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread that gives batches up: the time limit of a GPU decoder (gpu_timeout_ms).
 *
 * It looks at the batches in flight once in a tick, which is a part of the limit, and counts ticks, not time: a process that was
 * stopped for an hour is late by one tick. A batch that has had its time and has not ended either is given up, and so are all
 * others on that GPU. The completion thread waits for it from then on, so the watchdog reports the batches on other GPUs as they
 * end. A batch that has ended while the completion thread was late is left to that thread.
 *
 * What that thread loads or unloads is watched like a batch.
 */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "base/thread.h"
#include "cuda/backend/cuda_state.h"
#include "cuda/backend/tick.h"
#include "cuda/host/unanswered.h"

enum {
    TICKS = 8,             /* of the time limit */
    TICKS_WHEN_HANGING = 1 /* of a batch on a GPU that is known to hang */
};

/* Jobs to report, oldest first, each with its status: without the mutex. */
typedef struct reports {
    ldpc_job *first, **end;
} reports;

/* With the mutex held, as all that follows: batch i, if it is in flight, else NULL. */
static ldpc_cuda_flight *in_flight(const ldpc_cuda_state *cuda, size_t i)
{
    ldpc_cuda_flight *flight = &cuda->flights[i % cuda->n_streams];
    return flight->progress == LDPC_CUDA_IN_FLIGHT ? flight : NULL;
}

/* The outcome of a batch that the completion thread will find reported. */
static void settle(ldpc_cuda_state *cuda, size_t i, ldpc_status status, const ldpc_error *err, reports *out)
{
    ldpc_job *job = cuda->flights[i % cuda->n_streams].job;
    cuda->flights[i % cuda->n_streams].job = NULL;
    ldpc_cuda_stream_hand_over(&cuda->streams[i % cuda->n_streams], status);
    job->status = status;
    job->error = *err;
    job->next = NULL;
    *out->end = job;
    out->end = &job->next;
}

/* Whoever waits for a load asks again whether a GPU hangs. */
static void note_hang(ldpc_cuda_state *cuda, const ldpc_cuda_engine *engine)
{
    cuda->hung = engine;
    ldpc_cuda_count_unanswered(engine, cuda->plan->gpu_timeout_ms);
    pthread_cond_broadcast(&cuda->changed);
}

static ldpc_status give_up(ldpc_cuda_state *cuda, size_t i, ldpc_error *err)
{
    cuda->flights[i].progress = LDPC_CUDA_GIVEN_UP;
    note_hang(cuda, cuda->streams[i].engine);
    return ldpc_cuda_fail_hang(cuda->hung, err);
}

static bool has_ended(const ldpc_cuda_state *cuda, size_t i, ldpc_status *status, ldpc_error *err)
{
    *status = ldpc_cuda_stream_poll(&cuda->streams[i % cuda->n_streams], 1, err);
    return *status != LDPC_AGAIN;
}

static bool is_late(const ldpc_cuda_state *cuda, const ldpc_cuda_engine *engine, unsigned begun)
{
    return cuda->ticks - begun > (ldpc_cuda_hangs(engine) ? TICKS_WHEN_HANGING : TICKS);
}

/* Batches in flight only: without one a setter may be about to change the engines. (It waits for the end of a load.) */
static bool is_overdue(const ldpc_cuda_state *cuda, size_t i)
{
    const ldpc_cuda_flight *flight = in_flight(cuda, i);
    return flight && is_late(cuda, cuda->streams[i % cuda->n_streams].engine, flight->begun);
}

/* All batches on this GPU that have not ended. */
static void give_up_all(ldpc_cuda_state *cuda, const ldpc_cuda_engine *engine, reports *out)
{
    ldpc_status status;
    for (size_t i = cuda->finished; i < cuda->issued; i++) {
        ldpc_error err = {""};
        if (cuda->streams[i % cuda->n_streams].engine != engine || !in_flight(cuda, i) ||
            has_ended(cuda, i, &status, NULL))
            continue;
        status = give_up(cuda, i % cuda->n_streams, &err);
        settle(cuda, i, status, &err, out);
    }
}

static bool any_given_up(const ldpc_cuda_state *cuda)
{
    for (size_t i = cuda->finished; i < cuda->issued; i++)
        if (cuda->flights[i % cuda->n_streams].progress == LDPC_CUDA_GIVEN_UP)
            return true;
    return false;
}

static void report_ended(ldpc_cuda_state *cuda, reports *out)
{
    for (size_t i = cuda->finished; i < cuda->issued; i++) {
        ldpc_cuda_flight *flight = in_flight(cuda, i);
        ldpc_status status;
        ldpc_error err = {""};
        if (flight && has_ended(cuda, i, &status, &err)) {
            flight->progress = LDPC_CUDA_REPORTED;
            settle(cuda, i, status, &err, out);
        }
    }
}

static bool is_loading(const ldpc_cuda_state *cuda)
{
    return cuda->loading.progress == LDPC_CUDA_LOAD_BEGUN;
}

static void look_at_load(ldpc_cuda_state *cuda)
{
    ldpc_cuda_loading *loading = &cuda->loading;
    if (!is_loading(cuda) || loading->given_up || !is_late(cuda, loading->engine, loading->begun))
        return;
    loading->given_up = true;
    note_hang(cuda, loading->engine);
}

static void look(ldpc_cuda_state *cuda, reports *out)
{
    ldpc_status status;
    look_at_load(cuda);
    for (size_t i = cuda->finished; i < cuda->issued; i++)
        if (is_overdue(cuda, i) && !has_ended(cuda, i, &status, NULL))
            give_up_all(cuda, cuda->streams[i % cuda->n_streams].engine, out);
    if (any_given_up(cuda) || cuda->loading.given_up)
        report_ended(cuda, out);
}

/* All that is to be reported is settled before the first report: batches that are submitted meanwhile are new ones. */
static void tick(ldpc_cuda_state *cuda)
{
    reports out = {.end = &out.first};
    cuda->ticks++;
    look(cuda, &out);
    pthread_mutex_unlock(&cuda->mutex);
    while (out.first) {
        ldpc_job *job = out.first;
        out.first = job->next;
        ldpc_job_done(job, job->status);
    }
    pthread_mutex_lock(&cuda->mutex);
}

static void *watch(void *context)
{
    ldpc_cuda_state *cuda = context;
    const uint64_t us = (uint64_t)cuda->plan->gpu_timeout_ms * 1000 / TICKS;
    pthread_mutex_lock(&cuda->mutex);
    while (!cuda->watchdog_closing) {
        cuda->resting = cuda->finished == cuda->issued && !cuda->blocking && !is_loading(cuda);
        if (cuda->resting) {
            pthread_cond_wait(&cuda->unwatched, &cuda->mutex);
            continue;
        }
        ldpc_cuda_await_tick(&cuda->unwatched, &cuda->mutex, &cuda->watchdog_closing, us);
        tick(cuda);
    }
    pthread_mutex_unlock(&cuda->mutex);
    return NULL;
}

void ldpc_cuda_wake_watchdog(ldpc_cuda_state *cuda)
{
    if (cuda->resting)
        pthread_cond_signal(&cuda->unwatched);
}

bool ldpc_cuda_start_watchdog(ldpc_cuda_state *cuda)
{
    const bool limited = cuda->plan->gpu_timeout_ms > 0;
    cuda->watching = limited && ldpc_thread_start(&cuda->watchdog, watch, cuda);
    return cuda->watching == limited;
}

void ldpc_cuda_stop_watchdog(ldpc_cuda_state *cuda)
{
    if (!cuda->watching)
        return;
    pthread_mutex_lock(&cuda->mutex);
    cuda->watchdog_closing = true;
    pthread_cond_signal(&cuda->unwatched);
    pthread_mutex_unlock(&cuda->mutex);
    pthread_join(cuda->watchdog, NULL);
}

/* ---- blocking calls: they watch over themselves, by the same ticks */

static bool part_is_late(ldpc_cuda_state *cuda, size_t i)
{
    pthread_mutex_lock(&cuda->mutex);
    if (!cuda->blocking) {
        cuda->blocking = true;
        cuda->blocking_begun = cuda->ticks;
        ldpc_cuda_wake_watchdog(cuda);
    }
    const bool late = is_late(cuda, cuda->streams[i].engine, cuda->blocking_begun);
    pthread_mutex_unlock(&cuda->mutex);
    return late;
}

static ldpc_status give_up_part(ldpc_cuda_state *cuda, size_t i, ldpc_error *err)
{
    pthread_mutex_lock(&cuda->mutex);
    ldpc_status status = give_up(cuda, i, err);
    pthread_mutex_unlock(&cuda->mutex);
    return status;
}

/* Asks again and again, and sleeps between for a small part of the time that the batch has taken so far. Whether it has ended is
 * asked once more after its time has passed. */
ldpc_status ldpc_cuda_await_part(ldpc_cuda_state *cuda, size_t i, ldpc_error *err)
{
    const long longest_ns = 10000000;
    struct timespec pause = {.tv_nsec = 20000};
    for (;;) {
        const bool late = part_is_late(cuda, i);
        ldpc_status status = ldpc_cuda_stream_poll(&cuda->streams[i], 1, err);
        if (status != LDPC_AGAIN)
            return status;
        if (late)
            return give_up_part(cuda, i, err);
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < longest_ns)
            pause.tv_nsec += pause.tv_nsec / 64;
    }
}

/* The completion thread waits for parts that were given up, and comes past the others. */
void ldpc_cuda_end_parts(ldpc_cuda_state *cuda, size_t parts)
{
    bool left = false;
    pthread_mutex_lock(&cuda->mutex);
    cuda->blocking = false;
    for (size_t i = 0; i < parts; i++)
        left = left || cuda->flights[i].progress == LDPC_CUDA_GIVEN_UP;
    for (size_t i = 0; i < parts && left; i++)
        if (cuda->flights[i].progress == LDPC_CUDA_IDLE)
            cuda->flights[i].progress = LDPC_CUDA_REPORTED;
    if (left) {
        cuda->finished = 0; /* nothing else is in flight */
        cuda->issued = parts;
        pthread_cond_broadcast(&cuda->changed);
    }
    pthread_mutex_unlock(&cuda->mutex);
}
