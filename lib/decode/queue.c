/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches in a decoder: jobs between submit and collect, and blocking calls. */
#include "decode/decoder_internal.h"

#include <errno.h>
#include <inttypes.h>

#include "base/deadline.h"
#include "base/status_internal.h"
#include "plan/batch.h"

static ldpc_status check_batch(const ldpc_decoder *dec, const ldpc_batch *batch, ldpc_error *err)
{
    if (batch->n_codewords < 1 || batch->n_codewords > dec->facts.max_batch)
        return ldpc_fail(err, LDPC_ERR_RANGE, "n_codewords %zu: expected 1 .. %zu", batch->n_codewords,
                         dec->facts.max_batch);
    const ldpc_code *code = dec->plan.code;
    if (batch->message && code->k == 0)
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "%s has no message bits (k = 0): is its parity-check matrix of %" PRIu32
                         " rows and %" PRIu32 " columns transposed?",
                         code->name, code->checks, code->columns);
    bool costs = batch->symbol_costs || batch->symbol_costs_float;
    int inputs = 0;
    for (ldpc_buffer b = 0; b < LDPC_BUFFER_INPUTS; b++)
        inputs += ldpc_batch_get(batch, b) != NULL;
    if (!inputs)
        return ldpc_fail(
            err, LDPC_ERR_NULL,
            "no input: one of llr, llr_float, symbol_costs and symbol_costs_float must not be NULL");
    if (inputs > 1)
        return ldpc_fail(
            err, LDPC_ERR_PARAM,
            "several inputs: expected one of llr, llr_float, symbol_costs and symbol_costs_float, the others "
            "NULL");
    if (dec->plan.code->order == 2 && (costs || batch->symbol_posterior))
        return ldpc_fail(err, LDPC_ERR_PARAM, "symbol costs: expected a code over GF(q), q > 2; %s is binary",
                         dec->plan.code->name);
    if ((batch->llr_float || batch->symbol_costs_float) && dec->plan.arithmetic != LDPC_ARITHMETIC_FLOAT)
        return ldpc_fail(err, LDPC_ERR_PARAM, "%s: expected a decoder with float arithmetic, found %s",
                         batch->llr_float ? "llr_float" : "symbol_costs_float",
                         ldpc_arithmetic_name(dec->plan.arithmetic));
    return LDPC_OK;
}

static ldpc_status read_batch(const ldpc_decoder *dec, ldpc_batch *own, const ldpc_batch *given,
                              ldpc_error *err)
{
    if (!given)
        return ldpc_fail(err, LDPC_ERR_NULL, "batch must not be NULL");
    ldpc_status status = ldpc_batch_read(own, given, err);
    return status ? status : check_batch(dec, own, err);
}

static void report_job(ldpc_job *job, ldpc_status status)
{
    ldpc_decoder *dec = job->owner;
    pthread_mutex_lock(&dec->mutex);
    job->status = status;
    job->done = true;
    void (*notify)(void *) = dec->abandoned ? NULL : dec->notify;
    void *context = dec->context;
    dec->notifying += notify != NULL;
    pthread_cond_broadcast(&dec->changed);
    pthread_mutex_unlock(&dec->mutex);
    if (!notify)
        return;
    /* The mutex is not held, because `notify` may need a lock that another thread holds in submit or
     * collect. */
    notify(context);
    pthread_mutex_lock(&dec->mutex);
    dec->notifying--;
    pthread_cond_broadcast(&dec->changed);
    pthread_mutex_unlock(&dec->mutex);
}

/* The job must be in the ring before it is submitted. `notify` may be called at once, and ldpc_collect() must
 * then find the job. */
static ldpc_status start_job(ldpc_decoder *dec, const ldpc_batch *batch, ldpc_error *err)
{
    pthread_mutex_lock(&dec->mutex);
    if (dec->count == dec->facts.depth) {
        pthread_mutex_unlock(&dec->mutex);
        return LDPC_AGAIN;
    }
    ldpc_job *job = &dec->jobs[(dec->first + dec->count) % dec->facts.depth];
    *job = (ldpc_job){.batch = *batch, .owner = dec, .report = report_job};
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

ldpc_status ldpc_submit(ldpc_decoder *dec, const ldpc_batch *batch)
{
    ldpc_error err = {""};
    ldpc_status status = ldpc_decoder_enter(dec);
    if (status)
        return status;
    ldpc_batch own;
    status = read_batch(dec, &own, batch, &err);
    if (!status)
        ldpc_decoder_settle(dec);
    if (!status)
        status = start_job(dec, &own, &err);
    return ldpc_decoder_keep(dec, status, &err);
}

/* The mutex must be held. */
static ldpc_status wait_oldest(ldpc_decoder *dec, int64_t timeout_us, ldpc_error *err)
{
    struct timespec until = {0};
    if (timeout_us > 0)
        until = ldpc_deadline(timeout_us);
    while (!dec->abandoned && dec->count && !dec->jobs[dec->first].done) {
        if (timeout_us == 0)
            return LDPC_AGAIN;
        if (timeout_us < 0)
            pthread_cond_wait(&dec->changed, &dec->mutex);
        else if (pthread_cond_timedwait(&dec->changed, &dec->mutex, &until) == ETIMEDOUT)
            timeout_us = 0;
    }
    if (dec->abandoned)
        return ldpc_fail_abandoned(err);
    return dec->count ? LDPC_OK : LDPC_EMPTY;
}

static ldpc_status take_oldest(ldpc_decoder *dec, int64_t timeout_us, ldpc_batch *batch, ldpc_error *err)
{
    pthread_mutex_lock(&dec->mutex);
    ldpc_status status = wait_oldest(dec, timeout_us, err);
    if (!status) {
        const ldpc_job *job = &dec->jobs[dec->first];
        status = job->status;
        if (status)
            *err = job->error;
        if (batch)
            ldpc_batch_write(batch, job->batch.size, &job->batch);
        dec->first = (dec->first + 1) % dec->facts.depth;
        dec->count--;
    }
    pthread_mutex_unlock(&dec->mutex);
    return status;
}

ldpc_status ldpc_collect(ldpc_decoder *dec, int64_t timeout_us, ldpc_batch *batch)
{
    ldpc_error err = {""};
    ldpc_status status = ldpc_decoder_enter(dec);
    if (status)
        return status;
    status = take_oldest(dec, timeout_us, batch, &err);
    return ldpc_decoder_keep(dec, status, &err);
}

ldpc_status ldpc_decode(ldpc_decoder *dec, const ldpc_batch *batch)
{
    ldpc_error err = {""};
    ldpc_status status = ldpc_decoder_enter(dec);
    if (status)
        return status;
    ldpc_batch own;
    status = read_batch(dec, &own, batch, &err);
    if (!status)
        status = ldpc_decoder_check_idle(dec, &err);
    if (!status)
        ldpc_decoder_settle(dec);
    if (!status)
        status = dec->backend->decode(dec->state, &own, &err);
    return ldpc_decoder_keep(dec, status, &err);
}

void ldpc_decoder_slice_sized(const ldpc_decoder *dec, const ldpc_batch *batch, size_t first, size_t count,
                              ldpc_batch *slice, size_t size)
{
    ldpc_batch own = {0};
    if (!dec || !batch || ldpc_batch_read(&own, batch, NULL) || first > own.n_codewords ||
        count > own.n_codewords - first)
        own = (ldpc_batch){0};
    else
        own = ldpc_batch_slice(&dec->plan, &own, first, count);
    if (slice)
        ldpc_batch_write(slice, size, &own);
}

ldpc_status ldpc_decode_device(ldpc_decoder *dec, void *stream, const ldpc_batch *batch)
{
    ldpc_error err = {""};
    ldpc_status status = ldpc_decoder_enter(dec);
    if (status)
        return status;
    ldpc_batch own;
    status = read_batch(dec, &own, batch, &err);
    if (!status)
        ldpc_decoder_settle(dec);
    if (!status)
        status = dec->backend->decode_device
                     ? dec->backend->decode_device(dec->state, stream, &own, &err)
                     : ldpc_fail(&err, LDPC_ERR_UNSUPPORTED,
                                 "decode_device needs a decoder of the backend \"cuda\", found \"%s\"",
                                 dec->backend->name);
    return ldpc_decoder_keep(dec, status, &err);
}
