/* SPDX-License-Identifier: BSD-3-Clause */
/* Setters and getters of a decoder, and memory for its batches. */
#include "decode/decoder_internal.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status_internal.h"

ldpc_status ldpc_decoder_set_notify(ldpc_decoder *dec, void (*notify)(void *context), void *context)
{
    ldpc_error err = {""};
    ldpc_status status = ldpc_decoder_enter(dec);
    if (status)
        return status;
    pthread_mutex_lock(&dec->mutex);
    if (dec->count) {
        status = ldpc_fail(&err, LDPC_ERR_PARAM,
                           "%zu batches are in flight: expected none when notify is set", (size_t)dec->count);
    } else {
        ldpc_decoder_wait_notifications(dec);
        dec->notify = notify;
        dec->context = context;
    }
    pthread_mutex_unlock(&dec->mutex);
    return ldpc_decoder_keep(dec, status, &err);
}

/* Waits for all batches. The mutex is released until end_change(), because the backend may compile for
 * seconds. */
static ldpc_status begin_change(ldpc_decoder *dec, ldpc_plan *old)
{
    ldpc_status status = ldpc_decoder_enter(dec);
    if (status)
        return status;
    pthread_mutex_lock(&dec->mutex);
    ldpc_decoder_wait_jobs(dec);
    pthread_mutex_unlock(&dec->mutex);
    *old = dec->plan;
    return ldpc_decoder_enter(dec); /* the decoder may have been abandoned during the wait */
}

static ldpc_status end_change(ldpc_decoder *dec, const ldpc_plan *old, ldpc_status status, ldpc_error *err)
{
    if (!status && dec->backend->update)
        status = dec->backend->update(dec->state, err);
    if (status)
        dec->plan = *old;
    if (!status)
        ldpc_decoder_unsettle(dec);
    return ldpc_decoder_keep(dec, status, err);
}

ldpc_status ldpc_decoder_set_max_iterations(ldpc_decoder *dec, uint32_t max_iterations)
{
    ldpc_error err = {""};
    ldpc_plan old;
    ldpc_status status = begin_change(dec, &old);
    if (status)
        return status;
    return end_change(dec, &old, ldpc_plan_set_max_iterations(&dec->plan, max_iterations, &err), &err);
}

ldpc_status ldpc_decoder_set_early_stop(ldpc_decoder *dec, bool early_stop)
{
    ldpc_error err = {""};
    ldpc_plan old;
    ldpc_status status = begin_change(dec, &old);
    if (status)
        return status;
    dec->plan.early_stop = early_stop;
    return end_change(dec, &old, LDPC_OK, &err);
}

static ldpc_status change_rule(ldpc_decoder *dec, ldpc_status set(ldpc_plan *, float, ldpc_error *),
                               float value)
{
    ldpc_error err = {""};
    ldpc_plan old;
    ldpc_status status = begin_change(dec, &old);
    if (status)
        return status;
    return end_change(dec, &old, set(&dec->plan, value, &err), &err);
}

ldpc_status ldpc_decoder_set_offset(ldpc_decoder *dec, float offset)
{
    return change_rule(dec, ldpc_plan_set_offset, offset);
}

ldpc_status ldpc_decoder_set_factor(ldpc_decoder *dec, float factor)
{
    return change_rule(dec, ldpc_plan_set_factor, factor);
}

void *ldpc_decoder_alloc(ldpc_decoder *dec, size_t bytes)
{
    if (ldpc_decoder_enter(dec))
        return NULL;
    return dec->backend->alloc ? dec->backend->alloc(dec->state, bytes) : ldpc_allocate(bytes, 1);
}

void ldpc_decoder_free(ldpc_decoder *dec, void *memory)
{
    if (!dec || !memory)
        return;
    if (dec->backend->free && ldpc_decoder_enter(dec))
        return; /* the pinned memory belongs to the parent */
    if (dec->backend->free)
        dec->backend->free(dec->state, memory);
    else
        free(memory);
}

ldpc_status ldpc_decoder_register(ldpc_decoder *dec, void *memory, size_t bytes)
{
    ldpc_error err = {""};
    ldpc_status status = ldpc_decoder_enter(dec);
    if (status)
        return status;
    if (!memory)
        status = ldpc_fail(&err, LDPC_ERR_NULL, "memory must not be NULL");
    else if (!bytes)
        status = ldpc_fail(&err, LDPC_ERR_RANGE, "bytes 0: expected at least 1");
    else if (dec->backend->pin)
        status = dec->backend->pin(dec->state, memory, bytes, &err);
    return ldpc_decoder_keep(dec, status, &err);
}

ldpc_status ldpc_decoder_unregister(ldpc_decoder *dec, void *memory)
{
    ldpc_error err = {""};
    ldpc_status status = ldpc_decoder_enter(dec);
    if (status)
        return status;
    if (!memory)
        status = ldpc_fail(&err, LDPC_ERR_NULL, "memory must not be NULL");
    else if (dec->backend->unpin)
        status = dec->backend->unpin(dec->state, memory, &err);
    return ldpc_decoder_keep(dec, status, &err);
}

static const ldpc_decoder *or_none(const ldpc_decoder *dec)
{
    static const ldpc_backend no_backend = {.name = ""};
    static const ldpc_decoder none = {.backend = &no_backend};
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

uint32_t ldpc_decoder_llr_limit(const ldpc_decoder *dec)
{
    return (uint32_t)or_none(dec)->plan.llr_limit;
}

size_t ldpc_decoder_max_batch(const ldpc_decoder *dec)
{
    return or_none(dec)->facts.max_batch;
}

size_t ldpc_decoder_depth(const ldpc_decoder *dec)
{
    return or_none(dec)->facts.depth;
}

const char *ldpc_decoder_message(const ldpc_decoder *dec)
{
    return or_none(dec)->error.message;
}
