/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates decoders: finds a backend that supports the plan. */
#include "decode/decoder_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/process.h"
#include "base/status_internal.h"

static ldpc_status open_backend(ldpc_decoder *dec, const ldpc_backend *backend, const ldpc_code *code,
                                const ldpc_decoder_params *params, ldpc_error *err)
{
    if (code->order > 2 && !backend->nonbinary)
        return ldpc_fail(err, LDPC_ERR_UNSUPPORTED,
                         "backend \"%s\" supports binary codes only; %s is over GF(%u)", backend->name,
                         code->name, code->order);
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

static ldpc_status open_named(ldpc_decoder *dec, const ldpc_code *code, const ldpc_decoder_params *params,
                              ldpc_error *err)
{
    const ldpc_backend *backend;
    ldpc_status status = ldpc_backend_find(params->backend, &backend, err);
    if (status)
        return status;
    if (params->min_gpu_batch && backend->with_cpu)
        backend = backend->with_cpu;
    else if (params->min_gpu_batch && backend->no_gpu)
        return ldpc_fail(
            err, LDPC_ERR_UNSUPPORTED,
            "min_gpu_batch %zu: expected backend \"cuda\", \"%s\" does not share batches with the CPU",
            params->min_gpu_batch, backend->name);
    return open_backend(dec, backend, code, params, err);
}

static ldpc_status open_cpu(ldpc_decoder *dec, const ldpc_code *code, ldpc_decoder_params params,
                            ldpc_error *err)
{
    params.kernel = NULL;
    params.max_batch = params.max_batch > LDPC_CPU_MAX_BATCH ? params.max_batch : 0;
    return open_backend(dec, &ldpc_cpu_backend, code, &params, err);
}

/* Returns whether the CPU may succeed after this failure of the GPU. */
static bool is_of_gpu(const ldpc_decoder_params *params, ldpc_status status)
{
    return strcmp(params->backend, "cpu") != 0 &&
           (status == LDPC_ERR_BACKEND || status == LDPC_ERR_UNSUPPORTED || status == LDPC_ERR_DEVICE ||
            status == LDPC_ERR_MEMORY);
}

/* Opens a decoder. If the CPU replaces the GPU, the message about the GPU is kept. */
static ldpc_status open_or_fall_back(ldpc_decoder *dec, const ldpc_code *code,
                                     const ldpc_decoder_params *params, ldpc_error *err)
{
    ldpc_error reason = {""};
    ldpc_status status = open_named(dec, code, params, &reason);
    if (status == LDPC_ERR_BACKEND && !params->fallback)
        ldpc_backend_explain_fallback(&reason, false);
    if (is_of_gpu(params, status) && params->fallback && !open_cpu(dec, code, *params, NULL)) {
        ldpc_backend_explain_fallback(&reason, true);
        dec->error = reason;
        return LDPC_OK;
    }
    if (err)
        *err = reason;
    return status;
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
        return ldpc_fail(err, LDPC_ERR_NULL, "%s must not be NULL", code ? "dec" : "code");
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
        return ldpc_fail(err, LDPC_ERR_THREAD, "a mutex cannot be created");
    }
    own.backend = own.backend ? own.backend : "cpu";
    status = open_or_fall_back(made, code, &own, err);
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
        err->message[0] = '\0';
    return status;
}

void ldpc_decoder_destroy(ldpc_decoder *dec)
{
    if (!dec)
        return;
    /* the threads belong to the parent, and one of them may hold the mutex */
    if (dec->process != ldpc_process_number()) {
        dec->backend->free_in_child(dec->state);
        free_memory(dec);
        return;
    }
    pthread_mutex_lock(&dec->mutex);
    ldpc_decoder_wait_jobs(dec);
    ldpc_decoder_wait_notifications(dec);
    pthread_mutex_unlock(&dec->mutex);
    dec->backend->destroy(dec->state);
    /* the state is not freed, because a driver call may still use it */
    if (dec->abandoned && dec->backend->abandon)
        return;
    dec->state = NULL;
    free_decoder(dec);
}
