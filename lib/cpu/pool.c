/* SPDX-License-Identifier: BSD-3-Clause */
/* Worker threads of the CPU backend. Results do not depend on the worker.
 *
 * The last worker of ldpc_pool_run() is the calling thread. ldpc_pool_submit() starts a thread as last worker. */
#define _POSIX_C_SOURCE 200809L
#include "cpu/pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/thread.h"

typedef struct worker {
    ldpc_pool *pool;
    size_t number;
    pthread_t thread;
} worker;

struct ldpc_pool {
    size_t threads, slice;
    ldpc_pool_work *work;
    void *context;

    pthread_mutex_t mutex; /* guards all members below */
    pthread_cond_t queued;
    pthread_cond_t finished;
    ldpc_job *head, *tail;
    bool quit, running; /* running: inside ldpc_pool_run() */
    size_t started;     /* read without the mutex by the thread that starts workers */
    worker *workers;    /* [threads] */
};

static size_t slice_of(const ldpc_pool *pool, const ldpc_job *job)
{
    size_t share = (job->batch.n_codewords + pool->threads - 1) / pool->threads;
    if (job->slice)
        return job->slice;
    return share < pool->slice ? share : pool->slice;
}

/* The caller must hold the mutex, which is released during the decoding. */
static void take_slice(ldpc_pool *pool, size_t number)
{
    ldpc_job *job = pool->head;
    size_t n_codewords = job->batch.n_codewords;
    size_t first = job->started;
    size_t count = slice_of(pool, job);
    if (count > n_codewords - first)
        count = n_codewords - first;
    job->started += count;
    if (job->started == n_codewords)
        pool->head = job->next;
    pthread_mutex_unlock(&pool->mutex);

    pool->work(pool->context, number, &job->batch, first, count);

    pthread_mutex_lock(&pool->mutex);
    job->finished += count;
    if (job->finished < n_codewords)
        return;
    if (!job->report) {
        pthread_cond_signal(&pool->finished);
        return;
    }
    pthread_mutex_unlock(&pool->mutex);
    job->report(job, LDPC_OK);
    pthread_mutex_lock(&pool->mutex);
}

/* The caller must hold the mutex. */
static bool has_work(const ldpc_pool *pool, size_t number)
{
    return pool->head && (pool->head->report || number < pool->threads - 1);
}

static void *worker_main(void *argument)
{
    worker *w = argument;
    ldpc_pool *pool = w->pool;
    pthread_mutex_lock(&pool->mutex);
    while (!pool->quit)
        if (has_work(pool, w->number))
            take_slice(pool, w->number);
        else
            pthread_cond_wait(&pool->queued, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static ldpc_status start_workers(ldpc_pool *pool, size_t count)
{
    for (; pool->started < count; pool->started++) {
        worker *w = &pool->workers[pool->started];
        *w = (worker){.pool = pool, .number = pool->started};
        if (!ldpc_thread_start(&w->thread, worker_main, w))
            return LDPC_ERR_THREAD;
    }
    return LDPC_OK;
}

static bool init_sync(ldpc_pool *pool)
{
    if (pthread_mutex_init(&pool->mutex, NULL))
        return false;
    if (pthread_cond_init(&pool->queued, NULL)) {
        pthread_mutex_destroy(&pool->mutex);
        return false;
    }
    if (pthread_cond_init(&pool->finished, NULL)) {
        pthread_cond_destroy(&pool->queued);
        pthread_mutex_destroy(&pool->mutex);
        return false;
    }
    return true;
}

ldpc_status ldpc_pool_create(size_t threads, size_t slice, ldpc_pool_work *work, void *context,
                             ldpc_pool **pool)
{
    *pool = NULL;
    ldpc_pool *made = ldpc_allocate(1, sizeof *made);
    worker *workers = ldpc_allocate(threads, sizeof *workers);
    if (!made || !workers || !init_sync(made)) {
        ldpc_status status = made && workers ? LDPC_ERR_THREAD : LDPC_ERR_MEMORY;
        free(workers);
        free(made);
        return status;
    }
    made->threads = threads;
    made->slice = slice;
    made->work = work;
    made->context = context;
    made->workers = workers;
    ldpc_status status = start_workers(made, threads - 1);
    if (status)
        ldpc_pool_destroy(made);
    else
        *pool = made;
    return status;
}

static void free_memory(ldpc_pool *pool)
{
    free(pool->workers);
    free(pool);
}

void ldpc_pool_destroy(ldpc_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->quit = true;
    pthread_cond_broadcast(&pool->queued);
    pthread_mutex_unlock(&pool->mutex);
    for (size_t i = 0; i < pool->started; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->finished);
    pthread_cond_destroy(&pool->queued);
    pthread_mutex_destroy(&pool->mutex);
    free_memory(pool);
}

bool ldpc_pool_adopt(ldpc_pool *pool)
{
    return !pool->started && !pool->running && init_sync(pool);
}

void ldpc_pool_free_in_child(ldpc_pool *pool)
{
    free_memory(pool);
}

/* The caller must hold the mutex. */
static void push(ldpc_pool *pool, ldpc_job *job)
{
    if (pool->head)
        pool->tail->next = job;
    else
        pool->head = job;
    pool->tail = job;
    if (job->batch.n_codewords > slice_of(pool, job))
        pthread_cond_broadcast(&pool->queued);
    else
        pthread_cond_signal(&pool->queued);
}

/* No lock is needed, because no other thread uses the batch. */
static void run_alone(ldpc_pool *pool, const ldpc_job *job)
{
    const size_t total = job->batch.n_codewords, slice = slice_of(pool, job);
    for (size_t first = 0; first < total; first += slice)
        pool->work(pool->context, pool->threads - 1, &job->batch, first,
                   slice < total - first ? slice : total - first);
}

void ldpc_pool_run(ldpc_pool *pool, const ldpc_batch *batch, size_t slice)
{
    ldpc_job job = {.batch = *batch, .slice = slice};
    if (pool->started == 0) {
        run_alone(pool, &job);
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pool->running = true;
    push(pool, &job);
    while (pool->head)
        take_slice(pool, pool->threads - 1);
    while (job.finished < batch->n_codewords)
        pthread_cond_wait(&pool->finished, &pool->mutex);
    pool->running = false;
    pthread_mutex_unlock(&pool->mutex);
}

ldpc_status ldpc_pool_submit(ldpc_pool *pool, ldpc_job *job)
{
    ldpc_status status = start_workers(pool, pool->threads);
    if (status)
        return status;
    pthread_mutex_lock(&pool->mutex);
    push(pool, job);
    pthread_mutex_unlock(&pool->mutex);
    return LDPC_OK;
}
