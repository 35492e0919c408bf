/* SPDX-License-Identifier: BSD-3-Clause */
/* Error-rate simulation. Every frame is made from (seed, frame number) alone and frames are counted in order,
 * so counts do not depend on threads or batch sizes. */
#define _POSIX_C_SOURCE 200809L
#include "ldpc/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "code/memory.h"
#include "code/status_internal.h"
#include "sim/noise.h"

#define MAX_EBN0_DB 100
#define BATCH_LLRS  ((size_t)1 << 19) /* a batch is about so large, or one good batch of the decoder */

void ldpc_sim_params_init(ldpc_sim_params *params)
{
    if (params)
        *params = (ldpc_sim_params){.ebn0_db = 1, .seed = 1, .max_frames = 1000, .max_frame_errors = 100};
}

/* LLRs of a codeword and bits of a message. */
static size_t llrs_of(const ldpc_code *code)
{
    return (size_t)ldpc_code_n(code) * ldpc_code_symbol_bits(code);
}

static size_t bits_of(const ldpc_code *code)
{
    return (size_t)ldpc_code_k(code) * ldpc_code_symbol_bits(code);
}

/* The channel of one point: y = 1 - 2 bit + sigma * noise, LLR = gain * y. */
typedef struct channel {
    float sigma, gain, llr_scale;
} channel;

static channel channel_of(const ldpc_code *code, double ebn0_db, float llr_scale)
{
    double rate = (double)ldpc_code_k(code) / ldpc_code_n(code);
    double variance = 1 / (2 * rate * pow(10, ebn0_db / 10));
    return (channel){(float)sqrt(variance), (float)(2 / variance), llr_scale};
}

/* To the nearest int8 (ties to even), saturated to +-127: adding 1.5 * 2^23 leaves no fraction bits. */
static int8_t quantize(float steps)
{
    const float magic = 12582912.0f;
    float limited = steps > 127.0f ? 127.0f : steps < -127.0f ? -127.0f : steps;
    return (int8_t)((limited + magic) - magic);
}

/* Replace the noise samples in llr_float by LLRs (nat); fill llr too unless it is NULL. Returns the wrong
 * hard decisions. */
static uint64_t transmit(const channel *ch, const uint8_t *codeword, size_t n, float *llr_float, int8_t *llr)
{
    uint64_t errors = 0;
    for (size_t i = 0; i < n; i++) {
        float sent = codeword[i] ? -1.0f : 1.0f;
        float y = sent + ch->sigma * llr_float[i];
        errors += (y < 0) != (codeword[i] != 0);
        llr_float[i] = ch->gain * y;
    }
    for (size_t i = 0; llr && i < n; i++)
        llr[i] = quantize(llr_float[i] * ch->llr_scale);
    return errors;
}

static ldpc_status check_params(const ldpc_code *code, const ldpc_sim_params *params, ldpc_error *err)
{
    if (!(params->ebn0_db >= -MAX_EBN0_DB && params->ebn0_db <= MAX_EBN0_DB))
        return ldpc_fail(err, LDPC_ERR_PARAM, "ebn0_db %g: expected -%d .. %d", params->ebn0_db, MAX_EBN0_DB,
                         MAX_EBN0_DB);
    if (ldpc_code_k(code) == 0)
        return ldpc_fail(err, LDPC_ERR_UNSUPPORTED, "code %s has no information bits", ldpc_code_name(code));
    return LDPC_OK;
}

ldpc_status ldpc_sim_frame(const ldpc_code *code, const ldpc_sim_params *params, float llr_scale,
                           uint64_t frame, uint8_t *message, int8_t *llr, float *llr_float)
{
    if (!code || !params)
        return LDPC_ERR_NULL;
    ldpc_status status = check_params(code, params, NULL);
    if (status)
        return status;
    size_t n = llrs_of(code), k = bits_of(code);
    uint8_t *bits = ldpc_allocate(n + k, 1);
    float *samples = ldpc_allocate(n, sizeof *samples);
    if (!bits || !samples) {
        free(bits);
        free(samples);
        return LDPC_ERR_MEMORY;
    }
    uint8_t *codeword = bits, *sent = bits + n;
    ldpc_random_bits(params->seed, frame, k, sent);
    status = ldpc_encode(code, sent, 1, codeword);
    if (!status) {
        channel ch = channel_of(code, params->ebn0_db, llr_scale);
        ldpc_noise(params->seed, frame, n, samples);
        transmit(&ch, codeword, n, samples, llr);
        if (message)
            memcpy(message, sent, k);
        if (llr_float)
            memcpy(llr_float, samples, n * sizeof *samples);
    }
    free(bits);
    free(samples);
    return status;
}

/* ------------------------------------------------------------------------------------------------ a run */

typedef struct run {
    ldpc_decoder *dec;
    const ldpc_code *code;
    const ldpc_sim_params *params;
    ldpc_sim_result *result;
    channel ch;
    size_t n, k, batch; /* LLRs, message bits, words */
    uint32_t p;         /* bits of a symbol */
    bool soft;          /* the decoder takes float LLRs */
    uint8_t *sent, *codeword, *decoded;
    float *llr_float;
    int8_t *llr;
    uint64_t *channel_errors;
    ldpc_word_info *info;
} run;

static void free_buffers(run *r)
{
    free(r->sent);
    free(r->codeword);
    free(r->decoded);
    free(r->llr_float);
    free(r->llr);
    free(r->channel_errors);
    free(r->info);
}

static bool make_buffers(run *r)
{
    r->sent = ldpc_allocate(r->batch, r->k);
    r->codeword = ldpc_allocate(r->batch, r->n);
    r->decoded = ldpc_allocate(r->batch, r->k);
    r->llr_float = ldpc_allocate(r->batch, r->n * sizeof *r->llr_float);
    r->llr = ldpc_allocate(r->batch, r->n);
    r->channel_errors = ldpc_allocate(r->batch, sizeof *r->channel_errors);
    r->info = ldpc_allocate(r->batch, sizeof *r->info);
    return r->sent && r->codeword && r->decoded && r->llr_float && r->llr && r->channel_errors && r->info;
}

static ldpc_status make_frames(run *r, uint64_t first, size_t count)
{
    for (size_t w = 0; w < count; w++)
        ldpc_random_bits(r->params->seed, first + w, r->k, r->sent + w * r->k);
    ldpc_status status = ldpc_encode(r->code, r->sent, count, r->codeword);
    for (size_t w = 0; w < count && !status; w++) {
        float *llr_float = r->llr_float + w * r->n;
        ldpc_noise(r->params->seed, first + w, r->n, llr_float);
        r->channel_errors[w] =
            transmit(&r->ch, r->codeword + w * r->n, r->n, llr_float, r->soft ? NULL : r->llr + w * r->n);
    }
    return status;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static ldpc_status decode_frames(run *r, size_t count)
{
    ldpc_batch batch = {.n_words = count, .message = r->decoded, .info = r->info};
    if (r->soft)
        batch.llr_float = r->llr_float;
    else
        batch.llr = r->llr;
    double start = now();
    ldpc_status status = ldpc_decode(r->dec, &batch);
    r->result->decode_seconds += now() - start;
    return status;
}

static void count_frame(run *r, size_t w)
{
    ldpc_sim_result *result = r->result;
    const uint8_t *sent = r->sent + w * r->k, *decoded = r->decoded + w * r->k;
    uint64_t errors = 0, symbol_errors = 0;
    for (size_t i = 0; i < r->k; i += r->p) {
        uint64_t before = errors;
        for (size_t b = 0; b < r->p; b++)
            errors += sent[i + b] != decoded[i + b];
        symbol_errors += errors > before;
    }
    result->frames++;
    result->bits += r->k;
    result->bit_errors += errors;
    result->symbols += r->k / r->p;
    result->symbol_errors += symbol_errors;
    result->frame_errors += errors > 0;
    result->undetected += errors > 0 && r->info[w].converged;
    result->iterations += r->info[w].iterations;
    result->channel_errors += r->channel_errors[w];
}

static bool finished(const run *r)
{
    const ldpc_sim_params *params = r->params;
    return r->result->frames >= params->max_frames ||
           (params->max_frame_errors && r->result->frame_errors >= params->max_frame_errors);
}

static ldpc_status run_batches(run *r)
{
    while (!finished(r)) {
        uint64_t left = r->params->max_frames - r->result->frames;
        size_t count = left < r->batch ? (size_t)left : r->batch;
        ldpc_status status = make_frames(r, r->params->first_frame + r->result->frames, count);
        if (!status)
            status = decode_frames(r, count);
        if (status)
            return status;
        for (size_t w = 0; w < count && !finished(r); w++)
            count_frame(r, w);
    }
    return LDPC_OK;
}

/* A multiple of what fills the decoder. */
static size_t batch_size(const ldpc_decoder *dec, size_t n)
{
    size_t good = ldpc_decoder_good_batch(dec), most = ldpc_decoder_max_batch(dec);
    size_t batch = good * (1 + BATCH_LLRS / (good * n));
    return batch < most ? batch : most;
}

ldpc_status ldpc_sim_run(ldpc_decoder *dec, const ldpc_sim_params *params, ldpc_sim_result *result,
                         ldpc_error *err)
{
    if (!dec || !params || !result)
        return ldpc_fail(err, LDPC_ERR_NULL, "%s is NULL", !dec ? "dec" : !params ? "params" : "result");
    const ldpc_code *code = ldpc_decoder_code(dec);
    *result = (ldpc_sim_result){0};
    ldpc_status status = check_params(code, params, err);
    if (status)
        return status;
    run r = {
        .dec = dec,
        .code = code,
        .params = params,
        .result = result,
        .ch = channel_of(code, params->ebn0_db, ldpc_decoder_llr_scale(dec)),
        .n = llrs_of(code),
        .k = bits_of(code),
        .p = ldpc_code_symbol_bits(code),
        .soft = ldpc_decoder_arithmetic(dec) == LDPC_ARITHMETIC_FLOAT,
    };
    r.batch = batch_size(dec, r.n);
    status = make_buffers(&r) ? run_batches(&r) : ldpc_fail_memory(err);
    free_buffers(&r);
    if (status && status != LDPC_ERR_MEMORY)
        ldpc_fail(err, status, "%s", ldpc_decoder_message(dec));
    return status;
}
