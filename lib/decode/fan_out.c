/* SPDX-License-Identifier: BSD-3-Clause */
#include "decode/fan_out.h"

#include "decode/decoder_internal.h"

const ldpc_plan *ldpc_decoder_plan(const ldpc_decoder *dec)
{
    return &dec->plan;
}

size_t ldpc_decoder_workers(const ldpc_decoder *dec, size_t *most)
{
    *most = dec->facts.most_codewords;
    return dec->backend->fan_out ? dec->facts.workers : 0;
}

ldpc_status ldpc_decoder_fan_out(ldpc_decoder *dec, size_t items, ldpc_work *work, void *context)
{
    ldpc_error err = {""};
    ldpc_status status = ldpc_decoder_enter(dec);
    if (status)
        return status;
    status = ldpc_decoder_check_idle(dec, &err);
    if (!status)
        dec->backend->fan_out(dec->state, items, work, context);
    return ldpc_decoder_keep(dec, status, &err);
}

ldpc_status ldpc_decoder_simulate(ldpc_decoder *dec, const struct ldpc_frames *frames)
{
    ldpc_error err = {""};
    ldpc_status status = ldpc_decoder_enter(dec);
    if (status)
        return status;
    if (!dec->backend->simulate)
        return LDPC_ERR_UNSUPPORTED;
    status = ldpc_decoder_check_idle(dec, &err);
    if (!status)
        ldpc_decoder_settle(dec);
    if (!status)
        status = dec->backend->simulate(dec->state, frames, &err);
    return status == LDPC_ERR_UNSUPPORTED ? status : ldpc_decoder_keep(dec, status, &err);
}
