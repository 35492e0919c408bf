/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates error rates. The decoder's GPU or threads generate, decode and count the frames. */
#include "ldpc/sim.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "base/status_internal.h"
#include "decode/fan_out.h"
#include "sim/frame_maker.h"
#include "sim/frames.h"
#include "sim/channel_params.h"

#define BATCH_LLRS       ((size_t)1 << 19)
#define MAX_ROUND        1024
#define MAX_DEVICE_ROUND 65536

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t round_up(size_t a, size_t unit)
{
    return (a + unit - 1) / unit * unit;
}

typedef struct worker_buffers {
    uint64_t *lanes;
    uint8_t *message, *codeword, *decoded;
    void *llr;
    ldpc_codeword_info *info;
    ldpc_status status;
    bool decoder_failed;
} worker_buffers;

typedef struct simulation {
    ldpc_decoder *dec;
    ldpc_frame_maker maker;
    bool soft, packed; /* soft: float LLRs; packed: packed bits */
    bool on_device;
    bool dropped_frames;
    bool decoder_failed;
    /* number of decoder threads; 0: ldpc_decode() is used */
    size_t threads;
    size_t capacity, lanes;
    worker_buffers *buffers;
    uint64_t first, frames;
    ldpc_sim_block *blocks;
} simulation;

static size_t workers_of(const simulation *s)
{
    return s->threads ? s->threads : 1;
}

static void free_buffers(simulation *s)
{
    for (size_t i = 0; s->buffers && i < workers_of(s); i++) {
        free(s->buffers[i].lanes);
        free(s->buffers[i].message);
        free(s->buffers[i].codeword);
        free(s->buffers[i].decoded);
        free(s->buffers[i].llr);
        free(s->buffers[i].info);
    }
    free(s->buffers);
}

static bool make_buffers(const simulation *s, worker_buffers *d)
{
    d->lanes = ldpc_make_lanes(&s->maker);
    d->message = ldpc_allocate(s->capacity, s->maker.k);
    d->codeword = ldpc_allocate(s->capacity, s->maker.n);
    d->decoded = ldpc_allocate(s->lanes, s->maker.k);
    d->llr = ldpc_allocate(s->lanes, s->maker.n * (s->soft ? sizeof(float) : 1));
    d->info = ldpc_allocate(s->lanes, sizeof *d->info);
    return d->lanes && d->message && d->codeword && d->decoded && d->llr && d->info;
}

/* A thread processes one block at a time. Batches for ldpc_decode are large enough to keep the decoder busy.
 */
static void choose_sizes(simulation *s)
{
    s->threads = ldpc_decoder_workers(s->dec, &s->lanes);
    s->capacity = LDPC_SIM_BLOCK;
    if (s->threads) {
        s->lanes = least(s->lanes, LDPC_SIM_BLOCK);
        return;
    }
    size_t good = ldpc_decoder_good_batch(s->dec);
    size_t batch = good * (1 + BATCH_LLRS / (good * s->maker.n));
    s->capacity = round_up(batch, LDPC_SIM_BLOCK);
    s->lanes = least(s->capacity, ldpc_decoder_max_batch(s->dec));
}

static void open_simulation(simulation *s, ldpc_decoder *dec, const ldpc_sim_params *params)
{
    const ldpc_plan *plan = ldpc_decoder_plan(dec);
    *s = (simulation){
        .dec = dec,
        .maker = ldpc_frame_maker_of(plan->code, params, plan->llr_scale),
        .soft = plan->arithmetic == LDPC_ARITHMETIC_FLOAT,
        .packed = plan->packed,
        .on_device = params->channel == LDPC_CHANNEL_AWGN && !params->demapper,
    };
    choose_sizes(s);
}

static ldpc_status make_all_buffers(simulation *s)
{
    if (s->buffers)
        return LDPC_OK;
    s->buffers = ldpc_allocate(workers_of(s), sizeof *s->buffers);
    bool made = s->buffers;
    for (size_t i = 0; made && i < workers_of(s); i++)
        made = make_buffers(s, &s->buffers[i]);
    return made ? LDPC_OK : LDPC_ERR_MEMORY;
}

static bool bit_is_wrong(const simulation *s, const uint8_t *message, const uint8_t *decoded, size_t i)
{
    return message[i] != (s->packed ? ldpc_packed_bit(decoded, i) : decoded[i]);
}

/* Returns whether the message has errors. */
static bool count_errors(const simulation *s, const uint8_t *message, const uint8_t *decoded,
                         ldpc_sim_block *block)
{
    if (!s->packed && memcmp(message, decoded, s->maker.k) == 0)
        return false;
    uint64_t before = block->bit_errors;
    for (size_t i = 0; i < s->maker.k; i += s->maker.symbol_bits) {
        uint64_t bits = 0;
        for (size_t b = 0; b < s->maker.symbol_bits; b++)
            bits += bit_is_wrong(s, message, decoded, i + b);
        block->bit_errors += bits;
        block->symbol_errors += bits > 0;
    }
    return block->bit_errors > before;
}

static ldpc_sim_block *block_of(const simulation *s, uint64_t frame)
{
    return &s->blocks[frame / LDPC_SIM_BLOCK];
}

static void count_frame(const simulation *s, uint64_t frame, const uint8_t *message, const uint8_t *decoded,
                        const ldpc_codeword_info *info)
{
    ldpc_sim_block *block = block_of(s, frame);
    uint64_t bit = UINT64_C(1) << frame % LDPC_SIM_BLOCK;
    block->frames++;
    block->iterations[frame % LDPC_SIM_BLOCK] = (uint16_t)info->iterations;
    if (!count_errors(s, message, decoded, block))
        return;
    block->failed |= bit;
    if (info->converged)
        block->undetected |= bit;
}

static void decode_frames(const simulation *s, const worker_buffers *d, const ldpc_worker *worker,
                          uint64_t frame, size_t count, const uint8_t *message, const uint8_t *codeword)
{
    const ldpc_frame_maker *m = &s->maker;
    int8_t *llr = s->soft ? NULL : d->llr;
    float *llr_float = s->soft ? d->llr : NULL;
    for (size_t w = 0; w < count; w++)
        block_of(s, frame + w)->channel_errors +=
            m->row->transmit(&m->channel, s->first + frame + w, codeword + w * m->n, m->n,
                             llr ? llr + w * m->n : NULL, llr_float ? llr_float + w * m->n : NULL);
    ldpc_batch batch = {.n_codewords = count, .message = d->decoded, .info = d->info};
    batch.llr = llr;
    batch.llr_float = llr_float;
    worker->decode(worker, &batch);
    size_t stride = s->packed ? ldpc_packed_bytes(m->k) : m->k;
    for (size_t w = 0; w < count; w++)
        count_frame(s, frame + w, message + w * m->k, d->decoded + w * stride, &d->info[w]);
}

static void do_item(void *context, const ldpc_worker *worker, size_t item)
{
    const simulation *s = context;
    const ldpc_frame_maker *m = &s->maker;
    worker_buffers *d = &s->buffers[worker->number];
    uint64_t frame = (uint64_t)item * s->capacity;
    size_t count = s->frames - frame < s->capacity ? (size_t)(s->frames - frame) : s->capacity;
    for (size_t w = 0; w < count && !d->status; w += LDPC_SIM_BLOCK)
        d->status = ldpc_make_codewords(m, s->first + frame + w, least(LDPC_SIM_BLOCK, count - w), d->lanes,
                                        d->message + w * m->k, d->codeword + w * m->n);
    for (size_t w = 0; w < count && !d->status; w += s->lanes)
        decode_frames(s, d, worker, frame + w, least(s->lanes, count - w), d->message + w * m->k,
                      d->codeword + w * m->n);
}

/* Decodes with ldpc_decode, for decoders that cannot execute do_item. */
static void decode_by_call(const ldpc_worker *worker, const ldpc_batch *batch)
{
    const simulation *s = worker->state;
    s->buffers[0].status = ldpc_decode(s->dec, batch);
    s->buffers[0].decoder_failed = s->buffers[0].status != LDPC_OK;
}

static ldpc_status do_on_host(simulation *s)
{
    ldpc_status status = make_all_buffers(s);
    if (status)
        return status;
    memset(s->blocks, 0, (size_t)round_up(s->frames, LDPC_SIM_BLOCK) / LDPC_SIM_BLOCK * sizeof *s->blocks);
    size_t items = (size_t)((s->frames + s->capacity - 1) / s->capacity);
    if (s->threads) {
        status = ldpc_decoder_fan_out(s->dec, items, do_item, s);
        s->decoder_failed = status != LDPC_OK;
    } else {
        ldpc_worker self = {.state = s, .decode = decode_by_call};
        for (size_t item = 0; item < items; item++)
            do_item(s, &self, item);
    }
    for (size_t i = 0; i < workers_of(s) && !status; i++) {
        status = s->buffers[i].status;
        s->decoder_failed = s->buffers[i].decoder_failed;
    }
    return status;
}

static bool all_counted(const ldpc_sim_block *blocks, uint64_t frames)
{
    for (; frames > LDPC_SIM_BLOCK; frames -= LDPC_SIM_BLOCK)
        if (blocks++->frames != LDPC_SIM_BLOCK)
            return false;
    return frames == 0 || blocks->frames == frames;
}

/* Simulates frames first .. first + frames - 1. */
static ldpc_status do_blocks(simulation *s, uint64_t first, uint64_t frames, ldpc_sim_block *blocks)
{
    s->first = first;
    s->frames = frames;
    s->blocks = blocks;
    ldpc_status status = LDPC_ERR_UNSUPPORTED;
    if (s->on_device)
        status = ldpc_decoder_simulate(
            s->dec, &(ldpc_frames){&s->maker.channel, s->maker.zero_codeword, first, frames, blocks});
    s->on_device = s->decoder_failed = status != LDPC_ERR_UNSUPPORTED;
    if (s->on_device && !status && !all_counted(blocks, frames)) {
        s->decoder_failed = false;
        s->dropped_frames = true;
        return LDPC_ERR_DEVICE;
    }
    return s->on_device ? status : do_on_host(s);
}

static ldpc_status explain(const simulation *s, ldpc_status status, ldpc_error *err)
{
    if (!status)
        return LDPC_OK;
    if (s->dropped_frames)
        return ldpc_fail(err, status, "the device counted a wrong number of frames");
    return s->decoder_failed ? ldpc_fail(err, status, "%s", ldpc_decoder_message(s->dec))
                             : ldpc_fail_memory(err);
}

static ldpc_status read_params(ldpc_decoder *dec, ldpc_sim_params *own, const ldpc_sim_params *params,
                               const void *out, const char *name, ldpc_error *err)
{
    if (!dec || !params || !out)
        return ldpc_fail(err, LDPC_ERR_NULL, "%s must not be NULL", !dec ? "dec" : !params ? "params" : name);
    ldpc_status status = ldpc_sim_params_read(own, params, err);
    return status ? status : ldpc_channel_check(ldpc_decoder_code(dec), own, err);
}

ldpc_status ldpc_sim_blocks(ldpc_decoder *dec, const ldpc_sim_params *params, uint64_t first_block,
                            uint64_t n_frames, ldpc_sim_block *blocks, ldpc_error *err)
{
    ldpc_sim_params own;
    ldpc_status status = read_params(dec, &own, params, blocks, "blocks", err);
    if (status)
        return status;
    if (first_block > (UINT64_MAX - own.first_frame) / LDPC_SIM_BLOCK)
        return ldpc_fail(err, LDPC_ERR_RANGE, "first_block %llu: expected a first frame below 2^64",
                         (unsigned long long)first_block);
    simulation s;
    open_simulation(&s, dec, &own);
    status =
        explain(&s, do_blocks(&s, own.first_frame + first_block * LDPC_SIM_BLOCK, n_frames, blocks), err);
    free_buffers(&s);
    return status;
}

/* ---- a run */

static bool complete(const ldpc_sim_params *params, const ldpc_sim_result *result)
{
    return result->frames >= params->max_frames ||
           (params->max_frame_errors && result->frame_errors >= params->max_frame_errors);
}

static unsigned ones(uint64_t mask)
{
    unsigned count = 0;
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

static size_t count_blocks(const ldpc_code *code, const ldpc_sim_params *params, const ldpc_sim_block *blocks,
                           size_t n_blocks, ldpc_sim_result *result)
{
    size_t b = 0;
    for (; b < n_blocks && !complete(params, result); b++) {
        result->frames += blocks[b].frames;
        result->frame_errors += ones(blocks[b].failed);
        result->symbols += (uint64_t)blocks[b].frames * ldpc_code_k(code);
        result->symbol_errors += blocks[b].symbol_errors;
        result->bits += (uint64_t)blocks[b].frames * ldpc_code_k(code) * ldpc_code_symbol_bits(code);
        result->bit_errors += blocks[b].bit_errors;
        result->undetected += ones(blocks[b].undetected);
        result->channel_errors += blocks[b].channel_errors;
        for (uint32_t i = 0; i < blocks[b].frames; i++)
            result->iterations += blocks[b].iterations[i];
    }
    return b;
}

size_t ldpc_sim_count(const ldpc_code *code, const ldpc_sim_params *params, const ldpc_sim_block *blocks,
                      size_t n_blocks, ldpc_sim_result *result)
{
    ldpc_sim_params own;
    if (!code || !params || !blocks || !result || ldpc_sim_params_read(&own, params, NULL))
        return 0;
    return count_blocks(code, &own, blocks, n_blocks, result);
}

/* Returns the number of blocks of the next round. The total number doubles, within limits. */
static size_t next_round(const simulation *s, const ldpc_sim_result *result)
{
    size_t fill = s->threads ? 4 * s->threads : s->capacity / LDPC_SIM_BLOCK;
    uint64_t before = result->frames / LDPC_SIM_BLOCK;
    uint64_t most = s->on_device ? MAX_DEVICE_ROUND : MAX_ROUND;
    size_t wanted = (size_t)(before < most ? before : most);
    return wanted > fill ? wanted : fill;
}

static ldpc_status run_rounds(simulation *s, const ldpc_sim_params *params, ldpc_sim_block *blocks,
                              ldpc_sim_result *result)
{
    while (!complete(params, result)) {
        uint64_t frames = (uint64_t)next_round(s, result) * LDPC_SIM_BLOCK;
        uint64_t left = params->max_frames - result->frames;
        frames = frames < left ? frames : left;
        ldpc_status status = do_blocks(s, params->first_frame + result->frames, frames, blocks);
        if (status)
            return status;
        count_blocks(s->maker.code, params, blocks, (size_t)((frames + LDPC_SIM_BLOCK - 1) / LDPC_SIM_BLOCK),
                     result);
    }
    return LDPC_OK;
}

ldpc_status ldpc_sim_run(ldpc_decoder *dec, const ldpc_sim_params *params, ldpc_sim_result *result,
                         ldpc_error *err)
{
    ldpc_sim_params own;
    ldpc_status status = read_params(dec, &own, params, result, "result", err);
    if (status)
        return status;
    *result = (ldpc_sim_result){0};
    simulation s;
    open_simulation(&s, dec, &own);
    size_t most = next_round(&s, &(ldpc_sim_result){.frames = UINT64_MAX});
    ldpc_sim_block *blocks = ldpc_allocate(most, sizeof *blocks);
    if (!blocks)
        status = ldpc_fail_memory(err);
    else
        status = explain(&s, run_rounds(&s, &own, blocks, result), err);
    free(blocks);
    free_buffers(&s);
    return status;
}
