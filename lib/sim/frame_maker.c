/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/frame_maker.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "code/encoder.h"
#include "sim/channel_params.h"

/* Rounds a number of bits up to whole words. */
static size_t whole_words(size_t bits)
{
    return (bits + 63) / 64 * 64;
}

ldpc_frame_maker ldpc_frame_maker_of(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale)
{
    size_t bits = ldpc_code_symbol_bits(code);
    return (ldpc_frame_maker){
        .code = code,
        .row = ldpc_channel_best(),
        .channel = ldpc_channel_of(code, params, llr_scale),
        .zero_codeword = params->zero_codeword || !ldpc_code_has_encoder(code),
        .n = ldpc_code_n(code) * bits,
        .k = ldpc_code_k(code) * bits,
        .symbol_bits = bits,
    };
}

uint64_t *ldpc_make_lanes(const ldpc_frame_maker *m)
{
    return ldpc_allocate(whole_words(m->k) + m->n, sizeof(uint64_t));
}

ldpc_status ldpc_make_codewords(const ldpc_frame_maker *m, uint64_t first, size_t count, uint64_t *lanes,
                                uint8_t *message, uint8_t *codeword)
{
    uint64_t *encoded = lanes + whole_words(m->k);
    if (m->zero_codeword) {
        memset(message, 0, count * m->k);
        memset(codeword, 0, count * m->n);
        return LDPC_OK;
    }
    m->row->messages(m->channel.seed, first, m->channel.point, m->k, lanes);
    m->row->unpack(lanes, m->k, count, message);
    if (ldpc_code_order(m->code) > 2)
        return ldpc_encode(m->code, message, count, codeword);
    ldpc_status status = ldpc_encode_lanes(m->code, lanes, encoded);
    if (!status)
        m->row->unpack(encoded, m->n, count, codeword);
    return status;
}

ldpc_status ldpc_sim_frames(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale,
                            size_t n_frames, uint8_t *message, int8_t *llr, float *llr_float, ldpc_error *err)
{
    if (!code || !params)
        return ldpc_fail(err, LDPC_ERR_NULL, "%s must not be NULL", code ? "params" : "code");
    ldpc_sim_params own;
    ldpc_status status = ldpc_sim_params_read(&own, params, err);
    if (!status)
        status = ldpc_channel_check(code, &own, err);
    if (status)
        return status;
    if (!(llr_scale >= 0.25f && llr_scale <= 64))
        return ldpc_fail(err, LDPC_ERR_PARAM, "llr_scale %g: expected 0.25 .. 64 steps per nat",
                         (double)llr_scale);
    if (!message && !llr && !llr_float)
        return LDPC_OK;
    ldpc_frame_maker m = ldpc_frame_maker_of(code, &own, llr_scale);
    uint8_t *messages = ldpc_allocate(LDPC_SIM_BLOCK, m.k), *codeword = ldpc_allocate(LDPC_SIM_BLOCK, m.n);
    uint64_t *lanes = ldpc_make_lanes(&m);
    if (!messages || !codeword || !lanes)
        status = ldpc_fail_memory(err);
    for (size_t first = 0; first < n_frames && !status; first += LDPC_SIM_BLOCK) {
        size_t count = n_frames - first < LDPC_SIM_BLOCK ? n_frames - first : LDPC_SIM_BLOCK;
        uint64_t number = own.first_frame + first;
        status = ldpc_make_codewords(&m, number, count, lanes, messages, codeword);
        if (status)
            ldpc_fail_memory(err);
        if (message)
            memcpy(message + first * m.k, messages, count * m.k);
        for (size_t w = 0; w < count && !status; w++) {
            const uint8_t *one = codeword + w * m.n;
            if (llr)
                m.row->transmit(&m.channel, number + w, one, m.n, llr + (first + w) * m.n, NULL);
            if (llr_float)
                m.row->transmit(&m.channel, number + w, one, m.n, NULL, llr_float + (first + w) * m.n);
        }
    }
    free(messages);
    free(codeword);
    free(lanes);
    return status;
}

ldpc_status ldpc_sim_frame(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale,
                           uint64_t frame, uint8_t *message, int8_t *llr, float *llr_float)
{
    if (!code || !params)
        return LDPC_ERR_NULL;
    ldpc_sim_params one;
    ldpc_status status = ldpc_sim_params_read(&one, params, NULL);
    if (status)
        return status;
    one.first_frame = frame;
    return ldpc_sim_frames(code, &one, llr_scale, 1, message, llr, llr_float, NULL);
}
