/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel of a decoder, and the switch from an interim kernel. */
#include "decode/decoder_internal.h"

#include "base/deadline.h"

void ldpc_decoder_tell_kernel(ldpc_decoder *dec, const ldpc_backend_facts *facts)
{
    dec->kernel = facts->kernel;
    dec->good_batch = facts->good_batch;
    dec->lanes = facts->lanes;
    dec->compiling = facts->compiling;
    if (facts->skipped.message[0]) {
        pthread_mutex_lock(&dec->mutex);
        dec->error = facts->skipped;
        pthread_mutex_unlock(&dec->mutex);
    }
}

static ldpc_status settle(ldpc_decoder *dec, const struct timespec *until)
{
    ldpc_error err = {""};
    ldpc_backend_facts facts;
    ldpc_status status = dec->backend->settle(dec->state, until, &facts, &err);
    ldpc_decoder_tell_kernel(dec, &facts);
    return ldpc_decoder_keep(dec, status, &err);
}

void ldpc_decoder_settle(ldpc_decoder *dec)
{
    if (!dec->compiling)
        return;
    const struct timespec now = ldpc_deadline(0);
    settle(dec, &now);
}

void ldpc_decoder_unsettle(ldpc_decoder *dec)
{
    if (!dec->backend->settle)
        return;
    const struct timespec now = ldpc_deadline(0);
    settle(dec, &now);
}

ldpc_status ldpc_decoder_wait_kernel(ldpc_decoder *dec, int64_t timeout_us)
{
    ldpc_status status = ldpc_decoder_enter(dec);
    if (status || !dec->backend->settle)
        return status;
    const struct timespec until = ldpc_deadline(timeout_us < 0 ? 0 : timeout_us);
    return settle(dec, timeout_us < 0 ? NULL : &until);
}

const char *ldpc_decoder_kernel(const ldpc_decoder *dec)
{
    return dec ? dec->kernel : "";
}

size_t ldpc_decoder_good_batch(const ldpc_decoder *dec)
{
    return dec ? dec->good_batch : 0;
}

size_t ldpc_decoder_lanes(const ldpc_decoder *dec)
{
    return dec ? dec->lanes : 0;
}
