/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/band/batch_decoder.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "base/memory.h"
#include "base/status_internal.h"
#include "base/thread.h"
#include "ldpc/code.h"

enum {
    BATCHES = 4, /* open, complete or in flight */
    MOST_DECODERS = 256,
    FLUSH_US = 10000, /* a batch that is not full is submitted after this time */
    POLL_US = 500,
};

typedef struct batch {
    int8_t *llr;
    uint8_t *messages;
    ldpc_codeword_info *info;
    dvbs2_batch_result **results;
    size_t reserved, ready; /* codewords */
    struct timespec flush;  /* time at which it is submitted if it is not full */
} batch;

struct dvbs2_batch_decoder {
    const char *name;
    uint32_t max_iterations, n;
    size_t size, message_bytes; /* codewords of a batch */
    ldpc_decoder *decoder;
    pthread_t thread;
    pthread_mutex_t mutex; /* guards all following members */
    pthread_cond_t changed, finished;
    bool running, quit;
    batch batches[BATCHES];
    size_t open, submitted,
        collected; /* numbers of batches since the start: collected <= submitted <= open */
    ldpc_error error;
};

struct dvbs2_batch_decoders {
    const char *backend;
    bool fallback;
    size_t size; /* codewords of a batch */
    pthread_mutex_t mutex;
    dvbs2_batch_decoder *decoders[MOST_DECODERS];
    size_t count;
};

/* ---- thread of a decoder */

static batch *at(dvbs2_batch_decoder *d, size_t number)
{
    return &d->batches[number % BATCHES];
}

static void keep_error(dvbs2_batch_decoder *d)
{
    if (!d->error.message[0])
        ldpc_fail(&d->error, LDPC_ERR_DEVICE, "%s", ldpc_decoder_message(d->decoder));
}

/* Passes the results of the oldest batch to their owners. After an error its messages are undefined, usually those of an earlier batch. */
static void scatter(dvbs2_batch_decoder *d, bool good)
{
    batch *b = at(d, d->collected);
    for (size_t i = 0; i < b->reserved; i++) {
        dvbs2_batch_result *result = b->results[i];
        if (good)
            memcpy(result->message, b->messages + i * d->message_bytes, d->message_bytes);
        else
            memset(result->message, 0, d->message_bytes);
        result->failed = !good;
        result->decoded = good && b->info[i].decoded;
        result->iterations = good ? b->info[i].iterations : 0;
        result->done = true;
    }
    b->reserved = b->ready = 0;
    d->collected++;
    pthread_cond_broadcast(&d->finished);
}

/* Closes the open batch if it is full or old. */
static void close_open(dvbs2_batch_decoder *d)
{
    const batch *b = at(d, d->open);
    const struct timespec now = ldpc_deadline(0);
    if (d->open - d->collected < BATCHES && b->reserved > 0 &&
        (b->reserved == d->size || !ldpc_is_before(&now, &b->flush)))
        d->open++;
}

/* Submits the next batch if it is complete. */
static bool submit(dvbs2_batch_decoder *d)
{
    close_open(d);
    batch *b = at(d, d->submitted);
    if (d->submitted == d->open || b->ready < b->reserved)
        return false;
    const ldpc_batch work = {.size = sizeof work,
                             .n_codewords = b->reserved,
                             .llr = b->llr,
                             .message = b->messages,
                             .info = b->info};
    const ldpc_status status = ldpc_submit(d->decoder, &work);
    if (status == LDPC_AGAIN)
        return false;
    d->submitted++;
    if (status == LDPC_OK)
        return true;
    keep_error(d);
    while (d->collected + 1 < d->submitted)
        scatter(d, ldpc_collect(d->decoder, -1, NULL) == LDPC_OK);
    scatter(d, false);
    return true;
}

static void collect(dvbs2_batch_decoder *d)
{
    pthread_mutex_unlock(&d->mutex);
    const ldpc_status status = ldpc_collect(d->decoder, POLL_US, NULL);
    pthread_mutex_lock(&d->mutex);
    if (status == LDPC_AGAIN)
        return;
    if (status != LDPC_OK)
        keep_error(d);
    scatter(d, status == LDPC_OK);
}

static void wait_for_work(dvbs2_batch_decoder *d)
{
    const struct timespec until = ldpc_deadline(POLL_US);
    if (at(d, d->open)->reserved > 0 || d->submitted < d->open)
        pthread_cond_timedwait(&d->changed, &d->mutex, &until);
    else
        pthread_cond_wait(&d->changed, &d->mutex);
}

static void *run(void *argument)
{
    dvbs2_batch_decoder *d = argument;
    pthread_mutex_lock(&d->mutex);
    while (!d->quit) {
        while (submit(d))
            ;
        if (d->collected < d->submitted)
            collect(d);
        else
            wait_for_work(d);
    }
    pthread_mutex_unlock(&d->mutex);
    return NULL;
}

/* ---- creation */

static ldpc_status create_ldpc(dvbs2_batch_decoder *d, const dvbs2_batch_decoders *all, ldpc_error *err)
{
    ldpc_code *code;
    ldpc_status status = ldpc_code_create(d->name, &code, err);
    if (status)
        return status;
    ldpc_decoder_params params;
    ldpc_decoder_params_init(&params);
    params.max_iterations = d->max_iterations;
    params.packed = true;
    params.backend = all->backend;
    params.fallback = all->fallback;
    params.max_batch = d->size;
    d->n = (uint32_t)ldpc_code_n(code);
    d->message_bytes = (ldpc_code_k(code) + 7) / 8;
    status = ldpc_decoder_create(code, &params, &d->decoder, err);
    ldpc_code_destroy(code);
    return status;
}

static bool allocate(dvbs2_batch_decoder *d)
{
    for (size_t i = 0; i < BATCHES; i++) {
        batch *b = &d->batches[i];
        b->llr = ldpc_decoder_alloc(d->decoder, d->size * d->n);
        b->messages = ldpc_decoder_alloc(d->decoder, d->size * d->message_bytes);
        b->info = ldpc_allocate(d->size, sizeof *b->info);
        b->results = ldpc_allocate(d->size, sizeof *b->results);
        if (!b->llr || !b->messages || !b->info || !b->results)
            return false;
    }
    return true;
}

static void destroy(dvbs2_batch_decoder *d)
{
    if (d->running) {
        pthread_mutex_lock(&d->mutex);
        d->quit = true;
        pthread_cond_broadcast(&d->changed);
        pthread_mutex_unlock(&d->mutex);
        pthread_join(d->thread, NULL);
    }
    for (size_t i = 0; i < BATCHES && d->decoder; i++) {
        ldpc_decoder_free(d->decoder, d->batches[i].llr);
        ldpc_decoder_free(d->decoder, d->batches[i].messages);
        free(d->batches[i].info);
        free(d->batches[i].results);
    }
    ldpc_decoder_destroy(d->decoder);
    pthread_cond_destroy(&d->changed);
    pthread_cond_destroy(&d->finished);
    pthread_mutex_destroy(&d->mutex);
    free(d);
}

static ldpc_status create(const dvbs2_batch_decoders *all, const char *code, uint32_t max_iterations,
                          dvbs2_batch_decoder **made, ldpc_error *err)
{
    dvbs2_batch_decoder *d = ldpc_allocate(1, sizeof *d);
    if (!d)
        return ldpc_fail_memory(err);
    d->name = code;
    d->max_iterations = max_iterations;
    d->size = all->size;
    pthread_mutex_init(&d->mutex, NULL);
    pthread_cond_init(&d->finished, NULL);
    ldpc_status status = ldpc_condition_init(&d->changed) ? create_ldpc(d, all, err) : ldpc_fail_memory(err);
    if (!status && !allocate(d))
        status = ldpc_fail_memory(err);
    if (!status)
        d->running = ldpc_thread_start(&d->thread, run, d);
    if (!status && !d->running)
        status = ldpc_fail(err, LDPC_ERR_THREAD, "the system cannot start a thread");
    if (status)
        destroy(d);
    else
        *made = d;
    return status;
}

dvbs2_batch_decoders *dvbs2_batch_decoders_create(const char *backend, bool fallback, size_t size)
{
    dvbs2_batch_decoders *all = ldpc_allocate(1, sizeof *all);
    if (!all)
        return NULL;
    all->backend = backend;
    all->fallback = fallback;
    all->size = size;
    pthread_mutex_init(&all->mutex, NULL);
    return all;
}

void dvbs2_batch_decoders_destroy(dvbs2_batch_decoders *all)
{
    if (!all)
        return;
    for (size_t i = 0; i < all->count; i++)
        destroy(all->decoders[i]);
    pthread_mutex_destroy(&all->mutex);
    free(all);
}

ldpc_status dvbs2_batch_decoders_get(dvbs2_batch_decoders *all, const char *code, uint32_t max_iterations,
                                     dvbs2_batch_decoder **decoder, ldpc_error *err)
{
    ldpc_status status = LDPC_OK;
    size_t i = 0;
    pthread_mutex_lock(&all->mutex);
    while (i < all->count &&
           (strcmp(all->decoders[i]->name, code) != 0 || all->decoders[i]->max_iterations != max_iterations))
        i++;
    if (i == MOST_DECODERS)
        status = ldpc_fail(err, LDPC_ERR_UNSUPPORTED, "more than %d codes on a GPU", MOST_DECODERS);
    else if (i == all->count)
        status = create(all, code, max_iterations, &all->decoders[i], err);
    all->count += !status && i == all->count;
    *decoder = status ? NULL : all->decoders[i];
    pthread_mutex_unlock(&all->mutex);
    return status;
}

/* ---- codewords */

dvbs2_batch_place dvbs2_batch_decoder_reserve(dvbs2_batch_decoder *d, dvbs2_batch_result *result)
{
    pthread_mutex_lock(&d->mutex);
    close_open(d);
    while (d->open - d->collected == BATCHES || at(d, d->open)->reserved == d->size) {
        pthread_cond_signal(&d->changed);
        pthread_cond_wait(&d->finished, &d->mutex);
        close_open(d);
    }
    batch *b = at(d, d->open);
    const dvbs2_batch_place place = {b->llr + b->reserved * d->n, d->open % BATCHES};
    if (b->reserved == 0)
        b->flush = ldpc_deadline(FLUSH_US);
    result->done = false;
    b->results[b->reserved++] = result;
    pthread_mutex_unlock(&d->mutex);
    return place;
}

void dvbs2_batch_decoder_ready(dvbs2_batch_decoder *d, dvbs2_batch_place place)
{
    pthread_mutex_lock(&d->mutex);
    d->batches[place.batch].ready++;
    pthread_cond_signal(&d->changed);
    pthread_mutex_unlock(&d->mutex);
}

bool dvbs2_batch_decoder_done(dvbs2_batch_decoder *d, const dvbs2_batch_result *result, bool wait)
{
    pthread_mutex_lock(&d->mutex);
    while (wait && !result->done)
        pthread_cond_wait(&d->finished, &d->mutex);
    const bool done = result->done;
    pthread_mutex_unlock(&d->mutex);
    return done;
}

uint32_t dvbs2_batch_decoder_n(const dvbs2_batch_decoder *d)
{
    return d->n;
}

void dvbs2_batch_decoder_message(dvbs2_batch_decoder *d, ldpc_error *err)
{
    pthread_mutex_lock(&d->mutex);
    *err = d->error;
    pthread_mutex_unlock(&d->mutex);
}
