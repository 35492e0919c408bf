/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks, locks and waits that every call on a decoder needs. */
#include "decode/decoder_internal.h"

#include "base/deadline.h"
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

static bool running(const ldpc_decoder *dec)
{
    for (size_t i = 0; i < dec->count; i++)
        if (!dec->jobs[(dec->first + i) % dec->facts.depth].done)
            return true;
    return false;
}

/* In a forked child, the locks of an unused decoder are created again. The error message is written without
 * the mutex, which a thread of the parent may hold. */
ldpc_status ldpc_decoder_enter(ldpc_decoder *dec)
{
    ldpc_error err;
    if (!dec)
        return LDPC_ERR_NULL;
    if (dec->process == ldpc_process_number())
        return dec->abandoned ? ldpc_decoder_keep(dec, ldpc_fail_abandoned(&err), &err) : LDPC_OK;
    if (dec->count || dec->notifying || !dec->backend->adopt || !dec->backend->adopt(dec->state) ||
        !ldpc_decoder_init_sync(dec))
        return ldpc_fail(
            &dec->error, LDPC_ERR_THREAD,
            "the process was forked after this decoder was created, and the threads or GPUs of the decoder "
            "belong to the parent: create a decoder in this process");
    dec->process = ldpc_process_number();
    return LDPC_OK;
}

void ldpc_decoder_abandon(ldpc_decoder *dec)
{
    if (!dec || dec->process != ldpc_process_number())
        return;
    pthread_mutex_lock(&dec->mutex);
    dec->abandoned = true;
    if (dec->backend->abandon)
        dec->backend->abandon(dec->state);
    pthread_cond_broadcast(&dec->changed);
    ldpc_decoder_wait_notifications(dec);
    pthread_mutex_unlock(&dec->mutex);
}

void ldpc_decoder_wait_jobs(ldpc_decoder *dec)
{
    while (!dec->abandoned && running(dec))
        pthread_cond_wait(&dec->changed, &dec->mutex);
}

void ldpc_decoder_wait_notifications(ldpc_decoder *dec)
{
    while (dec->notifying)
        pthread_cond_wait(&dec->changed, &dec->mutex);
}

ldpc_status ldpc_decoder_keep(ldpc_decoder *dec, ldpc_status status, const ldpc_error *err)
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

ldpc_status ldpc_decoder_check_idle(ldpc_decoder *dec, ldpc_error *err)
{
    /* The mutex is not locked, because decoders without threads do not use it. */
    size_t in_flight = dec->count;
    if (in_flight)
        return ldpc_fail(err, LDPC_ERR_PARAM, "%zu submitted batches have not been collected yet", in_flight);
    return LDPC_OK;
}
