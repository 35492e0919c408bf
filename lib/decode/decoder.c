/* SPDX-License-Identifier: BSD-3-Clause */
/* The decoder handle: checks what the caller hands in, keeps submitted batches in order, and leaves the work
 * to a backend.
 *
 * Batches in flight live in a ring of `depth` jobs: jobs[first] is the oldest, count of them are submitted.
 * The backend finishes jobs in any order; collect() hands out the oldest only. The mutex guards ring, plan
 * changes and the message.
 */
#define _POSIX_C_SOURCE 200809L
#include "ldpc/decoder.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/backend.h"
#include "base/memory.h"
#include "base/status_internal.h"
#include "decode/spread.h"
#include "plan/batch.h"

struct ldpc_decoder {
    ldpc_plan plan;
    const ldpc_backend *backend;
    void *state;
    ldpc_backend_facts facts;

    pthread_mutex_t mutex;
    pthread_cond_t changed; /* a job is done, has been taken back, or a notification has returned */
    ldpc_job *jobs;
    size_t first, count;
    void (*notify)(void *context);
    void *context;
    unsigned notifying; /* calls of notify under way */
    bool blocking;      /* the job in flight is ldpc_decode's own: no notification */
    ldpc_error error;
};

/* ------------------------------------------------------------------------------------------------ create,
 * destroy */

static bool init_sync(ldpc_decoder *dec)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes))
        return false;
    bool ok = !pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) &&
              !pthread_cond_init(&dec->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    if (ok && pthread_mutex_init(&dec->mutex, NULL)) {
        pthread_cond_destroy(&dec->changed);
        ok = false;
    }
    return ok;
}

static ldpc_status open_backend(ldpc_decoder *dec, const ldpc_backend *backend, const ldpc_code *code,
                                const ldpc_decoder_params *params, ldpc_error *err)
{
    const char *reason = backend->unusable();
    if (reason)
        return ldpc_fail(err, LDPC_ERR_BACKEND, "backend \"%s\": %s", backend->name, reason);
    if (code->order > 2 && !backend->nonbinary)
        return ldpc_fail(err, LDPC_ERR_UNSUPPORTED, "backend \"%s\" takes binary codes; %s is over GF(%u)",
                         backend->name, code->name, code->order);
    ldpc_status status = ldpc_plan_init(&dec->plan, code, params, backend->arithmetic, err);
    if (!status)
        status = backend->create(&dec->plan, &dec->state, &dec->facts, err);
    if (status)
        ldpc_plan_clear(&dec->plan);
    else
        dec->backend = backend;
    return status;
}

static const ldpc_backend *find_backend(const char *name)
{
    const ldpc_backend *backend;
    for (size_t i = 0; (backend = ldpc_backend_at(i)); i++)
        if (strcmp(backend->name, name) == 0)
            return backend;
    return NULL;
}

/* Whether another backend may do what this one cannot. */
static bool another(ldpc_status status)
{
    return status == LDPC_ERR_UNSUPPORTED || status == LDPC_ERR_BACKEND;
}

/* "auto": CPU and GPU together when it is told which words are whose, else the best usable backend that
 * supports the plan; the sentence comes from the best one that was tried. */
static ldpc_status open_best(ldpc_decoder *dec, const ldpc_code *code, const ldpc_decoder_params *params,
                             ldpc_error *err)
{
    size_t count = 0;
    while (ldpc_backend_at(count))
        count++;
    ldpc_status first =
        params->min_gpu_batch ? open_backend(dec, &ldpc_split_backend, code, params, err) : LDPC_ERR_BACKEND;
    if (!another(first))
        return first;
    first = LDPC_OK;
    while (count--) {
        ldpc_status status = open_backend(dec, ldpc_backend_at(count), code, params, first ? NULL : err);
        if (!status)
            return LDPC_OK;
        first = first ? first : status;
        if (!another(status))
            break;
    }
    return first;
}

static ldpc_status fail_backend(const char *name, ldpc_error *err)
{
    char others[64] = "auto";
    size_t length = strlen(others);
    const ldpc_backend *backend;
    for (size_t i = 0; (backend = ldpc_backend_at(i)) && length < sizeof others; i++)
        length += (size_t)snprintf(others + length, sizeof others - length, ", %s", backend->name);
    return ldpc_fail(err, LDPC_ERR_BACKEND, "backend \"%.64s\" is not in this build: expected %s", name,
                     others);
}

static ldpc_status open_named(ldpc_decoder *dec, const ldpc_code *code, const ldpc_decoder_params *params,
                              ldpc_error *err)
{
    if (!params->backend || strcmp(params->backend, "auto") == 0)
        return open_best(dec, code, params, err);
    const ldpc_backend *backend = find_backend(params->backend);
    if (!backend)
        return fail_backend(params->backend, err);
    return open_backend(dec, backend, code, params, err);
}

static void free_decoder(ldpc_decoder *dec)
{
    if (dec->state)
        dec->backend->destroy(dec->state);
    ldpc_plan_clear(&dec->plan);
    free(dec->jobs);
    pthread_mutex_destroy(&dec->mutex);
    pthread_cond_destroy(&dec->changed);
    free(dec);
}

ldpc_status ldpc_decoder_create(const ldpc_code *code, const ldpc_decoder_params *params, ldpc_decoder **dec,
                                ldpc_error *err)
{
    if (dec)
        *dec = NULL;
    if (!code || !dec)
        return ldpc_fail(err, LDPC_ERR_NULL, "%s is NULL", code ? "dec" : "code");
    ldpc_decoder_params defaults;
    ldpc_decoder_params_init(&defaults);

    ldpc_decoder *made = ldpc_allocate(1, sizeof *made);
    if (!made)
        return ldpc_fail_memory(err);
    if (!init_sync(made)) {
        free(made);
        return ldpc_fail(err, LDPC_ERR_THREAD, "the system refused a mutex");
    }
    ldpc_status status = open_named(made, code, params ? params : &defaults, err);
    if (!status) {
        made->jobs = ldpc_allocate(made->facts.depth, sizeof *made->jobs);
        if (!made->jobs)
            status = ldpc_fail_memory(err);
    }
    if (status)
        free_decoder(made);
    else
        *dec = made;
    if (!status && err)
        err->message[0] = '\0'; /* what a better kernel or backend had to say */
    return status;
}

static bool running(const ldpc_decoder *dec)
{
    for (size_t i = 0; i < dec->count; i++)
        if (!dec->jobs[(dec->first + i) % dec->facts.depth].done)
            return true;
    return false;
}

/* With the mutex held: wait until the backend is idle. */
static void wait_jobs(ldpc_decoder *dec)
{
    while (running(dec))
        pthread_cond_wait(&dec->changed, &dec->mutex);
}

/* With the mutex held: wait until no notification is under way. */
static void wait_notifications(ldpc_decoder *dec)
{
    while (dec->notifying)
        pthread_cond_wait(&dec->changed, &dec->mutex);
}

void ldpc_decoder_destroy(ldpc_decoder *dec)
{
    if (!dec)
        return;
    pthread_mutex_lock(&dec->mutex);
    wait_jobs(dec);
    wait_notifications(dec);
    pthread_mutex_unlock(&dec->mutex);
    free_decoder(dec);
}

/* ------------------------------------------------------------------------------------------------ decode,
 * submit */

/* Keep the sentence of a failure; returns the status. */
static ldpc_status keep(ldpc_decoder *dec, ldpc_status status, const ldpc_error *err)
{
    if (status >= LDPC_ERR_NULL) {
        pthread_mutex_lock(&dec->mutex);
        if (err->message[0])
            dec->error = *err;
        else
            ldpc_fail(&dec->error, status, "%s", ldpc_status_string(status));
        pthread_mutex_unlock(&dec->mutex);
    }
    return status;
}

static ldpc_status check_batch(const ldpc_decoder *dec, const ldpc_batch *batch, ldpc_error *err)
{
    if (!batch)
        return ldpc_fail(err, LDPC_ERR_NULL, "batch is NULL");
    if (batch->n_codewords < 1 || batch->n_codewords > dec->facts.max_batch)
        return ldpc_fail(err, LDPC_ERR_RANGE, "n_codewords %zu: expected 1 .. %zu", batch->n_codewords,
                         dec->facts.max_batch);
    bool costs = batch->symbol_costs || batch->symbol_costs_float;
    int inputs = 0;
    for (ldpc_buffer b = 0; b < LDPC_BUFFER_INPUTS; b++)
        inputs += ldpc_batch_get(batch, b) != NULL;
    if (!inputs)
        return ldpc_fail(err, LDPC_ERR_NULL, "llr is NULL");
    if (inputs > 1)
        return ldpc_fail(
            err, LDPC_ERR_PARAM,
            "llr, llr_float, symbol_costs and symbol_costs_float: expected just one of them, the "
            "others NULL");
    if (dec->plan.code->order == 2 && (costs || batch->symbol_posterior))
        return ldpc_fail(err, LDPC_ERR_PARAM, "symbol costs are for codes over larger fields; %s is binary",
                         dec->plan.code->name);
    if ((batch->llr_float || batch->symbol_costs_float) && dec->plan.arithmetic != LDPC_ARITHMETIC_FLOAT)
        return ldpc_fail(err, LDPC_ERR_PARAM, "%s needs float arithmetic, this decoder's is %s",
                         batch->llr_float ? "llr_float" : "symbol_costs_float",
                         ldpc_arithmetic_name(dec->plan.arithmetic));
    return LDPC_OK;
}

/* Put a job into the ring and start it. It is visible before it is started, so that a notification never
 * comes before collect() can see the job; a refused one is taken back. */
static ldpc_status start_job(ldpc_decoder *dec, const ldpc_batch *batch, ldpc_error *err)
{
    pthread_mutex_lock(&dec->mutex);
    if (dec->count == dec->facts.depth) {
        pthread_mutex_unlock(&dec->mutex);
        return LDPC_AGAIN;
    }
    ldpc_job *job = &dec->jobs[(dec->first + dec->count) % dec->facts.depth];
    *job = (ldpc_job){.batch = *batch, .owner = dec};
    dec->count++;
    pthread_mutex_unlock(&dec->mutex);

    ldpc_status status = dec->backend->submit(dec->state, job, err);
    if (status) {
        pthread_mutex_lock(&dec->mutex);
        dec->count--;
        pthread_cond_broadcast(&dec->changed);
        pthread_mutex_unlock(&dec->mutex);
    }
    return status;
}

void ldpc_job_done(ldpc_job *job, ldpc_status status)
{
    ldpc_decoder *dec = job->owner;
    pthread_mutex_lock(&dec->mutex);
    job->status = status;
    job->done = true;
    void (*notify)(void *) = dec->blocking ? NULL : dec->notify;
    void *context = dec->context;
    dec->notifying += notify != NULL;
    pthread_cond_broadcast(&dec->changed);
    pthread_mutex_unlock(&dec->mutex);
    if (!notify)
        return;
    /* Without the mutex: notify may take locks that are held around submit or collect elsewhere. */
    notify(context);
    pthread_mutex_lock(&dec->mutex);
    dec->notifying--;
    pthread_cond_broadcast(&dec->changed);
    pthread_mutex_unlock(&dec->mutex);
}

ldpc_status ldpc_submit(ldpc_decoder *dec, const ldpc_batch *batch)
{
    if (!dec)
        return LDPC_ERR_NULL;
    ldpc_error err = {""};
    ldpc_status status = check_batch(dec, batch, &err);
    if (!status)
        status = start_job(dec, batch, &err);
    return keep(dec, status, &err);
}

/* Monotonic time `timeout_us` from now, some centuries at most. */
static struct timespec deadline(int64_t timeout_us)
{
    const int64_t second = 1000000;
    int64_t most = (int64_t)1 << 33;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    int64_t seconds = timeout_us / second;
    int64_t ns = t.tv_nsec + timeout_us % second * 1000;
    t.tv_sec += (time_t)((seconds < most ? seconds : most) + ns / 1000000000);
    t.tv_nsec = (long)(ns % 1000000000);
    return t;
}

/* With the mutex held: wait for the oldest job. */
static ldpc_status wait_oldest(ldpc_decoder *dec, int64_t timeout_us)
{
    struct timespec until = {0};
    if (timeout_us > 0)
        until = deadline(timeout_us);
    while (dec->count && !dec->jobs[dec->first].done) {
        if (timeout_us == 0)
            return LDPC_AGAIN;
        if (timeout_us < 0)
            pthread_cond_wait(&dec->changed, &dec->mutex);
        else if (pthread_cond_timedwait(&dec->changed, &dec->mutex, &until) == ETIMEDOUT)
            timeout_us = 0;
    }
    return dec->count ? LDPC_OK : LDPC_EMPTY;
}

static ldpc_status take_oldest(ldpc_decoder *dec, int64_t timeout_us, ldpc_batch *batch, ldpc_error *err)
{
    pthread_mutex_lock(&dec->mutex);
    ldpc_status status = wait_oldest(dec, timeout_us);
    if (!status) {
        const ldpc_job *job = &dec->jobs[dec->first];
        status = job->status;
        if (status)
            *err = job->error;
        if (batch)
            *batch = job->batch;
        dec->first = (dec->first + 1) % dec->facts.depth;
        dec->count--;
    }
    pthread_mutex_unlock(&dec->mutex);
    return status;
}

ldpc_status ldpc_collect(ldpc_decoder *dec, int64_t timeout_us, ldpc_batch *batch)
{
    if (!dec)
        return LDPC_ERR_NULL;
    ldpc_error err = {""};
    ldpc_status status = take_oldest(dec, timeout_us, batch, &err);
    return keep(dec, status, &err);
}

static void set_blocking(ldpc_decoder *dec, bool blocking)
{
    pthread_mutex_lock(&dec->mutex);
    dec->blocking = blocking;
    pthread_mutex_unlock(&dec->mutex);
}

static ldpc_status decode_through_queue(ldpc_decoder *dec, const ldpc_batch *batch, ldpc_error *err)
{
    set_blocking(dec, true);
    ldpc_status status = start_job(dec, batch, err);
    if (!status)
        status = take_oldest(dec, -1, NULL, err);
    set_blocking(dec, false);
    return status;
}

static ldpc_status check_idle(ldpc_decoder *dec, ldpc_error *err)
{
    pthread_mutex_lock(&dec->mutex);
    size_t in_flight = dec->count;
    pthread_mutex_unlock(&dec->mutex);
    if (in_flight)
        return ldpc_fail(err, LDPC_ERR_PARAM, "%zu submitted batches have not been collected yet", in_flight);
    return LDPC_OK;
}

ldpc_status ldpc_decode(ldpc_decoder *dec, const ldpc_batch *batch)
{
    if (!dec)
        return LDPC_ERR_NULL;
    ldpc_error err = {""};
    ldpc_status status = check_batch(dec, batch, &err);
    if (!status)
        status = check_idle(dec, &err);
    if (!status)
        status = dec->backend->decode ? dec->backend->decode(dec->state, batch, &err)
                                      : decode_through_queue(dec, batch, &err);
    return keep(dec, status, &err);
}

ldpc_batch ldpc_decoder_slice(const ldpc_decoder *dec, const ldpc_batch *batch, size_t first, size_t count)
{
    if (!dec || !batch || first > batch->n_codewords || count > batch->n_codewords - first)
        return (ldpc_batch){0};
    return ldpc_batch_slice(&dec->plan, batch, first, count);
}

const ldpc_plan *ldpc_decoder_plan(const ldpc_decoder *dec)
{
    return &dec->plan;
}

size_t ldpc_decoder_workers(const ldpc_decoder *dec, size_t *lanes)
{
    *lanes = dec->facts.lanes;
    return dec->backend->spread ? dec->facts.workers : 0;
}

ldpc_status ldpc_decoder_spread(ldpc_decoder *dec, size_t items, ldpc_work *work, void *context)
{
    ldpc_error err = {""};
    ldpc_status status = check_idle(dec, &err);
    if (!status)
        dec->backend->spread(dec->state, items, work, context);
    return keep(dec, status, &err);
}

ldpc_status ldpc_decoder_simulate(ldpc_decoder *dec, const ldpc_frames *frames)
{
    ldpc_error err = {""};
    if (!dec->backend->simulate)
        return LDPC_ERR_UNSUPPORTED;
    ldpc_status status = check_idle(dec, &err);
    if (!status)
        status = dec->backend->simulate(dec->state, frames, &err);
    return status == LDPC_ERR_UNSUPPORTED ? status : keep(dec, status, &err);
}

ldpc_status ldpc_decode_device(ldpc_decoder *dec, void *stream, const ldpc_batch *batch)
{
    if (!dec)
        return LDPC_ERR_NULL;
    ldpc_error err = {""};
    ldpc_status status = check_batch(dec, batch, &err);
    if (!status)
        status = dec->backend->decode_device
                     ? dec->backend->decode_device(dec->state, stream, batch, &err)
                     : ldpc_fail(&err, LDPC_ERR_UNSUPPORTED, "backend \"%s\" has no memory of its own",
                                 dec->backend->name);
    return keep(dec, status, &err);
}

void *ldpc_decoder_alloc(ldpc_decoder *dec, size_t bytes)
{
    if (!dec)
        return NULL;
    return dec->backend->alloc ? dec->backend->alloc(dec->state, bytes) : ldpc_allocate(bytes, 1);
}

void ldpc_decoder_free(ldpc_decoder *dec, void *memory)
{
    if (!dec || !memory)
        return;
    if (dec->backend->free)
        dec->backend->free(dec->state, memory);
    else
        free(memory);
}

/* ------------------------------------------------------------------------------------------------ setters,
 * getters */

ldpc_status ldpc_decoder_set_notify(ldpc_decoder *dec, void (*notify)(void *context), void *context)
{
    if (!dec)
        return LDPC_ERR_NULL;
    ldpc_error err = {""};
    ldpc_status status = LDPC_OK;
    pthread_mutex_lock(&dec->mutex);
    if (dec->count) {
        status = ldpc_fail(&err, LDPC_ERR_PARAM,
                           "the notification cannot change while %zu batches are in flight", dec->count);
    } else {
        wait_notifications(dec);
        dec->notify = notify;
        dec->context = context;
    }
    pthread_mutex_unlock(&dec->mutex);
    return keep(dec, status, &err);
}

/* The plan changes between begin_change and end_change: batches that have been started end under the old one.
 */
static ldpc_plan begin_change(ldpc_decoder *dec)
{
    pthread_mutex_lock(&dec->mutex);
    wait_jobs(dec);
    return dec->plan;
}

static ldpc_status end_change(ldpc_decoder *dec, const ldpc_plan *old, ldpc_status status, ldpc_error *err)
{
    if (!status && dec->backend->update)
        status = dec->backend->update(dec->state, err);
    if (status)
        dec->plan = *old;
    pthread_mutex_unlock(&dec->mutex);
    return keep(dec, status, err);
}

ldpc_status ldpc_decoder_set_max_iterations(ldpc_decoder *dec, uint32_t max_iterations)
{
    if (!dec)
        return LDPC_ERR_NULL;
    ldpc_error err = {""};
    ldpc_plan old = begin_change(dec);
    return end_change(dec, &old, ldpc_plan_set_max_iterations(&dec->plan, max_iterations, &err), &err);
}

ldpc_status ldpc_decoder_set_early_stop(ldpc_decoder *dec, bool early_stop)
{
    if (!dec)
        return LDPC_ERR_NULL;
    ldpc_error err = {""};
    ldpc_plan old = begin_change(dec);
    dec->plan.early_stop = early_stop;
    return end_change(dec, &old, LDPC_OK, &err);
}

ldpc_status ldpc_decoder_set_offset(ldpc_decoder *dec, float offset)
{
    if (!dec)
        return LDPC_ERR_NULL;
    ldpc_error err = {""};
    ldpc_plan old = begin_change(dec);
    return end_change(dec, &old, ldpc_plan_set_offset(&dec->plan, offset, &err), &err);
}

ldpc_status ldpc_decoder_set_factor(ldpc_decoder *dec, float factor)
{
    if (!dec)
        return LDPC_ERR_NULL;
    ldpc_error err = {""};
    ldpc_plan old = begin_change(dec);
    return end_change(dec, &old, ldpc_plan_set_factor(&dec->plan, factor, &err), &err);
}

/* What the getters see of a NULL handle. */
static const ldpc_decoder *or_none(const ldpc_decoder *dec)
{
    static const ldpc_backend no_backend = {.name = ""};
    static const ldpc_decoder none = {.backend = &no_backend, .facts = {.kernel = ""}};
    return dec ? dec : &none;
}

const ldpc_code *ldpc_decoder_code(const ldpc_decoder *dec)
{
    return or_none(dec)->plan.code;
}

const char *ldpc_decoder_backend(const ldpc_decoder *dec)
{
    return or_none(dec)->backend->name;
}

const char *ldpc_decoder_kernel(const ldpc_decoder *dec)
{
    return or_none(dec)->facts.kernel;
}

ldpc_algorithm ldpc_decoder_algorithm(const ldpc_decoder *dec)
{
    return or_none(dec)->plan.algorithm;
}

ldpc_arithmetic ldpc_decoder_arithmetic(const ldpc_decoder *dec)
{
    return or_none(dec)->plan.arithmetic;
}

ldpc_schedule ldpc_decoder_schedule(const ldpc_decoder *dec)
{
    return or_none(dec)->plan.schedule;
}

float ldpc_decoder_llr_scale(const ldpc_decoder *dec)
{
    return or_none(dec)->plan.llr_scale;
}

size_t ldpc_decoder_max_batch(const ldpc_decoder *dec)
{
    return or_none(dec)->facts.max_batch;
}

size_t ldpc_decoder_good_batch(const ldpc_decoder *dec)
{
    return or_none(dec)->facts.good_batch;
}

size_t ldpc_decoder_depth(const ldpc_decoder *dec)
{
    return or_none(dec)->facts.depth;
}

size_t ldpc_decoder_lanes(const ldpc_decoder *dec)
{
    return or_none(dec)->facts.lanes;
}

const char *ldpc_decoder_message(const ldpc_decoder *dec)
{
    return or_none(dec)->error.message;
}
