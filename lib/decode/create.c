/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters in, decoder out: finds a backend that takes the plan. */
#include "decode/decoder_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/status_internal.h"

bool ldpc_decoder_init_sync(ldpc_decoder *dec)
{
    bool ok = ldpc_condition_init(&dec->changed);
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
    if (status)
        return status;
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

/* True if another backend may support what this one refused. */
static bool another(ldpc_status status)
{
    return status == LDPC_ERR_UNSUPPORTED || status == LDPC_ERR_BACKEND;
}

/* "auto": CPU and GPU together when min_gpu_batch is given, else the best usable backend that supports the
 * plan. The sentence about a failure comes from the best one that was tried. */
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
    bool left_out = strcmp(name, "cuda") == 0 || strcmp(name, "opencl") == 0;
    return ldpc_fail(err, left_out ? LDPC_ERR_BACKEND : LDPC_ERR_PARAM, "%s \"%.64s\"%s: expected %s",
                     left_out ? "backend" : "no backend", name, left_out ? " is not in this build" : "",
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

static void free_memory(ldpc_decoder *dec)
{
    ldpc_plan_clear(&dec->plan);
    free(dec->jobs);
    free(dec);
}

static void free_decoder(ldpc_decoder *dec)
{
    if (dec->state)
        dec->backend->destroy(dec->state);
    pthread_mutex_destroy(&dec->mutex);
    pthread_cond_destroy(&dec->changed);
    free_memory(dec);
}

ldpc_status ldpc_decoder_create(const ldpc_code *code, const ldpc_decoder_params *params, ldpc_decoder **dec,
                                ldpc_error *err)
{
    if (dec)
        *dec = NULL;
    if (!code || !dec)
        return ldpc_fail(err, LDPC_ERR_NULL, "%s is NULL", code ? "dec" : "code");
    ldpc_decoder_params own;
    ldpc_status status = ldpc_decoder_params_read(&own, params, err);
    if (status)
        return status;
    ldpc_decoder *made = ldpc_process_watch() ? ldpc_allocate(1, sizeof *made) : NULL;
    if (!made)
        return ldpc_fail_memory(err);
    made->process = ldpc_process_number();
    if (!ldpc_decoder_init_sync(made)) {
        free(made);
        return ldpc_fail(err, LDPC_ERR_THREAD, "the system refused a mutex");
    }
    status = open_named(made, code, &own, err);
    if (!status) {
        made->jobs = ldpc_allocate(made->facts.depth, sizeof *made->jobs);
        if (!made->jobs)
            status = ldpc_fail_memory(err);
    }
    if (status) {
        free_decoder(made);
    } else {
        ldpc_decoder_tell_kernel(made, &made->facts);
        *dec = made;
    }
    if (!status && err)
        err->message[0] = '\0'; /* discard the error message of a rejected kernel or backend */
    return status;
}

void ldpc_decoder_destroy(ldpc_decoder *dec)
{
    if (!dec)
        return;
    if (dec->process !=
        ldpc_process_number()) { /* the threads, which may hold the mutex, stay with the parent */
        dec->backend->free_in_child(dec->state);
        free_memory(dec);
        return;
    }
    pthread_mutex_lock(&dec->mutex);
    ldpc_decoder_wait_jobs(dec);
    ldpc_decoder_wait_notifications(dec);
    pthread_mutex_unlock(&dec->mutex);
    if (dec->abandoned && dec->backend->abandon)
        dec->backend->destroy(dec->state); /* the rest stays: a call inside the driver may still use it */
    else
        free_decoder(dec);
}
