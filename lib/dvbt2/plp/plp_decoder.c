/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoder of one PLP, with one FEC chain for each cell format. Before another chain is used, all codewords of
 * the current chain are collected, so frames stay in order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "base/versioned.h"
#include "dvbt2/plp/fec_chain.h"
#include "dvbt2/plp/interleaving_frame.h"
#include "dvbt2/layouts.h"
#include "dvbt2/plp/common_plp.h"

enum {
    MAX_CHAINS = 16,
    MAX_BLOCKS = 1023, /* PLP_NUM_BLOCKS has 10 bits */
    TEXT = 256,
};

/* decoded.blocks after a failure */
#define NOT_DECODED UINT32_MAX

struct dvbt2_plp_decoder {
    dvbt2_plp_decoder_params params;
    char *strings[2];                    /* copied string parameters */
    dvbt2_fec_chain *chains[MAX_CHAINS]; /* chains, most recently used first */
    size_t n_chains;
    dvbt2_interleaving_frame gathered;
    dvbt2_baseband baseband;
    dvbt2_plp_decoder *common; /* decoder of the common PLP, or NULL */
    bool merging;              /* true: L1 signals a common PLP */
    bool finished;
    dvbt2_plp_counters counters;
    ldpc_error error;
    char kernel[TEXT];
};

/* ---- creation */

static const ldpc_layout params_layout = LDPC_LAYOUT(dvbt2_plp_decoder_params, fallback);
static const ldpc_layout format_layout = LDPC_LAYOUT(dvbt2_plp_format, fec_blocks);

void dvbt2_plp_decoder_params_init_sized(dvbt2_plp_decoder_params *params, size_t size)
{
    dvbt2_plp_decoder_params defaults = {.size = size, .backend = "cpu", .threads = 1, .max_iterations = 25};
    defaults.stream = LDPC_BB_ANY_STREAM;
    defaults.gpu_timeout_ms = 60000;
    if (params)
        ldpc_write_struct(&params_layout, params, size, &defaults);
}

static bool copy_string(dvbt2_plp_decoder *dec, int i, const char **string)
{
    if (!*string)
        return true;
    size_t bytes = strlen(*string) + 1;
    dec->strings[i] = ldpc_allocate(bytes, 1);
    if (dec->strings[i])
        memcpy(dec->strings[i], *string, bytes);
    *string = dec->strings[i];
    return *string;
}

ldpc_status dvbt2_plp_decoder_create(const dvbt2_plp_decoder_params *params, dvbt2_plp_decoder **dec,
                                     ldpc_error *err)
{
    if (!dec)
        return ldpc_fail(err, LDPC_ERR_NULL, "dec must not be NULL");
    *dec = NULL;
    dvbt2_plp_decoder_params given;
    dvbt2_plp_decoder_params_init(&given);
    ldpc_status status = params ? ldpc_read_struct(&params_layout, &given, params, err) : LDPC_OK;
    if (status)
        return status;
    ldpc_error reason;
    status = ldpc_backend_choose(given.backend, given.fallback, &given.backend, &reason);
    if (status)
        return ldpc_fail(err, status, "%s", reason.message);
    *dec = ldpc_allocate(1, sizeof **dec);
    if (!*dec)
        return ldpc_fail_memory(err);
    (*dec)->error = reason;
    dvbt2_plp_decoder_params *own = &(*dec)->params;
    *own = given;
    bool copied = copy_string(*dec, 0, &own->devices);
    copied = copy_string(*dec, 1, &own->cache_dir) && copied;
    status = dvbt2_baseband_init(&(*dec)->baseband, own);
    if (copied && !status)
        return LDPC_OK;
    dvbt2_plp_decoder_destroy(*dec);
    *dec = NULL;
    if (status == LDPC_ERR_RANGE)
        return ldpc_fail(err, status, "stream %d out of range (expected 0 .. 255, or %d for any)",
                         (int)own->stream, LDPC_BB_ANY_STREAM);
    return ldpc_fail_memory(err);
}

/* Collects the oldest batch if it is finished or `wait` is set. */
static ldpc_status collect(dvbt2_plp_decoder *dec, dvbt2_fec_chain *chain, bool wait)
{
    ldpc_status status = dvbt2_fec_chain_collect(chain, wait, &dec->counters, &dec->baseband);
    for (size_t i = 0; chain->given_up && i < dec->n_chains; i++) /* destroying a decoder would block */
        ldpc_decoder_abandon(dec->chains[i]->decoder);
    return status && status != LDPC_AGAIN ? dvbt2_fec_chain_fail(chain, status, &dec->error) : status;
}

/* Collects batches until at most `left` of them are in flight, even after a failure. Returns the first
 * failure. */
static ldpc_status collect_down_to(dvbt2_plp_decoder *dec, dvbt2_fec_chain *chain, size_t left)
{
    ldpc_status first = LDPC_OK;
    while (chain->in_flight > left) {
        ldpc_status status = collect(dec, chain, true);
        first = first ? first : status;
    }
    return first;
}

static void skip_codewords(dvbt2_plp_decoder *dec)
{
    if (dec->n_chains)
        collect_down_to(dec, dec->chains[0], 0);
    dvbt2_baseband_break(&dec->baseband);
}

static void drop_last_chain(dvbt2_plp_decoder *dec)
{
    dvbt2_fec_chain_destroy(dec->chains[--dec->n_chains]);
}

/* ---- formats */

static void move_to_front(dvbt2_plp_decoder *dec, size_t i)
{
    dvbt2_fec_chain *chain = dec->chains[i];
    memmove(dec->chains + 1, dec->chains, i * sizeof *dec->chains);
    dec->chains[0] = chain;
    snprintf(dec->kernel, sizeof dec->kernel, "%s %s", ldpc_decoder_backend(chain->decoder),
             ldpc_decoder_kernel(chain->decoder));
}

/* Selects the chain of this format. First collects all batches of the previous chain. */
static ldpc_status select_chain(dvbt2_plp_decoder *dec, const dvbt2_plp_format *format)
{
    if (dec->n_chains && dvbt2_fec_chain_fits(dec->chains[0], format))
        return LDPC_OK;
    ldpc_status status = dec->n_chains ? collect_down_to(dec, dec->chains[0], 0) : LDPC_OK;
    for (size_t i = 1; i < dec->n_chains; i++)
        if (dvbt2_fec_chain_fits(dec->chains[i], format)) {
            move_to_front(dec, i);
            return status;
        }
    dvbt2_fec_chain *chain;
    ldpc_status made = dvbt2_fec_chain_create(&dec->params, format, &chain, &dec->error);
    if (made)
        return made;
    if (dec->n_chains == MAX_CHAINS)
        drop_last_chain(dec);
    dec->chains[dec->n_chains++] = chain;
    move_to_front(dec, dec->n_chains - 1);
    return status;
}

/* Checks a format from untrusted L1: strings must be terminated, numbers in range. */
static ldpc_status read_format(dvbt2_plp_decoder *dec, dvbt2_plp_format *format,
                               const dvbt2_plp_format *given)
{
    ldpc_status status = ldpc_read_struct(&format_layout, format, given, &dec->error);
    if (status)
        return status;
    if (!memchr(format->code, 0, sizeof format->code) ||
        !memchr(format->modulation, 0, sizeof format->modulation))
        return ldpc_fail(&dec->error, LDPC_ERR_PARAM,
                         "a name in the format is not terminated by a zero byte");
    if (strncmp(format->code, "dvbt2:", 6))
        return ldpc_fail(&dec->error, LDPC_ERR_NAME,
                         "expected a code of DVB-T2 such as \"dvbt2:64800:2/3\", not \"%s\"", format->code);
    if (format->fec_blocks > MAX_BLOCKS)
        return ldpc_fail(&dec->error, LDPC_ERR_RANGE,
                         "%u FEC blocks in an interleaving frame (expected 0 .. %d)",
                         (unsigned)format->fec_blocks, MAX_BLOCKS);
    return LDPC_OK;
}

ldpc_status dvbt2_plp_decoder_prepare(dvbt2_plp_decoder *dec, const dvbt2_plp_format *format)
{
    if (!dec || !format)
        return LDPC_ERR_NULL;
    dvbt2_plp_format own;
    ldpc_status status = read_format(dec, &own, format);
    return status ? status : select_chain(dec, &own);
}

size_t dvbt2_plp_decoder_cells(dvbt2_plp_decoder *dec, const dvbt2_plp_format *format)
{
    return dvbt2_plp_decoder_prepare(dec, format) ? 0 : format->fec_blocks * dec->chains[0]->cells;
}

/* ---- input of cells, output of packets */

static ldpc_status push_ti_block(dvbt2_plp_decoder *dec, dvbt2_fec_blocks block)
{
    dvbt2_fec_chain *chain = dec->chains[0];
    ldpc_status status = LDPC_OK;
    while (block.first < block.ti_size && !status) {
        uint32_t left = block.ti_size - block.first;
        block.count = left < chain->batch ? left : (uint32_t)chain->batch;
        status = collect_down_to(dec, chain, chain->depth - 1);
        if (!status) {
            status = dvbt2_fec_chain_submit(chain, &block);
            if (status)
                dvbt2_fec_chain_fail(chain, status, &dec->error);
        }
        block.first += block.count;
        block.begins = NULL;
    }
    return status;
}

typedef struct frame_cells {
    uint32_t fec_blocks;
    dvbt2_interleaving_info info;
    size_t end;
    const float *iq, *noise;
} frame_cells;

static ldpc_status push_ti_blocks(dvbt2_plp_decoder *dec, const frame_cells *frame,
                                  dvbt2_ti_progress *decoded)
{
    const dvbt2_fec_chain *chain = dec->chains[0];
    const uint32_t ti_blocks = ldpc_ti_blocks(chain->deinterleaver, frame->fec_blocks);
    ldpc_status status = LDPC_OK;
    while (decoded->blocks < ti_blocks && !status) {
        const uint32_t size = ldpc_ti_block_size(chain->deinterleaver, frame->fec_blocks, decoded->blocks);
        const size_t cells = size * chain->cells;
        if (cells > frame->end - decoded->cells)
            break;
        if (cells > 0) {
            const dvbt2_fec_blocks block = {.ti_size = size,
                                            .iq = frame->iq + 2 * decoded->cells,
                                            .noise = frame->noise + decoded->cells,
                                            .begins = decoded->cells == 0 ? &frame->info : NULL};
            status = push_ti_block(dec, block);
        }
        decoded->blocks++;
        decoded->cells += cells;
    }
    return status;
}

ldpc_status dvbt2_plp_decoder_push(dvbt2_plp_decoder *dec, const dvbt2_plp_format *format, const float *iq,
                                   const float *noise)
{
    if (!dec || !format || !iq || !noise)
        return LDPC_ERR_NULL;
    const frame_cells frame = {.fec_blocks = format->fec_blocks, .end = SIZE_MAX, .iq = iq, .noise = noise};
    ldpc_status status = dvbt2_plp_decoder_prepare(dec, format);
    dec->counters.frames += !status;
    if (!status)
        status = push_ti_blocks(dec, &frame, &(dvbt2_ti_progress){0});
    if (status)
        skip_codewords(dec);
    return status;
}

ldpc_status dvbt2_plp_format_of_sized(const dvbt2_plp_frame *frame, dvbt2_plp_format *format, size_t size)
{
    static const char *const modulations[] = {"qpsk", "16qam", "64qam", "256qam"};
    if (!frame || !format)
        return LDPC_ERR_NULL;
    const dvbt2_l1_plp *plp = &frame->plp;
    if (plp->plp_fec_type > 1 || plp->plp_mod >= sizeof modulations / sizeof *modulations || plp->plp_cod > 7)
        return LDPC_ERR_PARAM;
    dvbt2_plp_format own = {.size = size,
                            .rotated = plp->plp_rotation,
                            .ti_blocks = frame->ti_blocks,
                            .fec_blocks = frame->n_blocks};
    snprintf(own.code, sizeof own.code, "dvbt2:%d:%s", plp->plp_fec_type ? 64800 : 16200,
             dvbt2_rate_name(plp->plp_cod));
    snprintf(own.modulation, sizeof own.modulation, "%s", modulations[plp->plp_mod]);
    ldpc_write_struct(&format_layout, format, size, &own);
    return LDPC_OK;
}

static ldpc_status push_complete_blocks(dvbt2_plp_decoder *dec)
{
    dvbt2_interleaving_frame *gathered = &dec->gathered;
    if (gathered->decoded.blocks == NOT_DECODED)
        return LDPC_OK;
    dvbt2_plp_format format;
    ldpc_status status = dvbt2_plp_format_of(&gathered->frame, &format);
    if (status)
        ldpc_fail(&dec->error, status, "PLP %u: L1 has a reserved code rate, constellation or FEC type",
                  (unsigned)gathered->frame.plp.plp_id);
    else
        status = dvbt2_plp_decoder_prepare(dec, &format);
    const frame_cells frame = {
        .fec_blocks = gathered->frame.n_blocks,
        .info = {.plp = gathered->frame.plp, .start = gathered->start},
        .end = gathered->end,
        .iq = gathered->iq,
        .noise = gathered->noise
    };
    if (!status)
        status = push_ti_blocks(dec, &frame, &gathered->decoded);
    if (status) {
        gathered->decoded.blocks = NOT_DECODED;
        skip_codewords(dec);
    }
    return status;
}

static ldpc_status finish_gathered(dvbt2_plp_decoder *dec)
{
    if (!dec->gathered.cells)
        return LDPC_OK;
    dvbt2_interleaving_frame_close(&dec->gathered);
    dec->counters.frames += dec->gathered.decoded.blocks != NOT_DECODED;
    ldpc_status status = push_complete_blocks(dec);
    dec->gathered.cells = 0;
    return status;
}

ldpc_status dvbt2_plp_decoder_feed(dvbt2_plp_decoder *dec, const dvbt2_plp_frame *frame, uint32_t first,
                                   size_t count, const float *iq, const float *noise)
{
    if (!dec || !frame || !iq || !noise)
        return LDPC_ERR_NULL;
    ldpc_status status = LDPC_OK;
    dec->merging = frame->has_common;
    dec->finished = false;
    if (!dvbt2_interleaving_frame_is(&dec->gathered, frame)) {
        status = finish_gathered(dec);
        if (frame->lost != dec->gathered.frame.lost)
            dvbt2_plp_decoder_break(dec); /* discards the incomplete packet */
        ldpc_status begun = dvbt2_interleaving_frame_begin(&dec->gathered, frame);
        if (begun == LDPC_ERR_MEMORY) {
            skip_codewords(dec);
            return ldpc_fail_memory(&dec->error);
        }
        status = status ? status : begun;
    }
    ldpc_status added = dvbt2_interleaving_frame_add(&dec->gathered, frame, first, count, iq, noise);
    if (added)
        return ldpc_fail(&dec->error, added,
                         "cells from %u (%zu cells) out of range: this PLP has %u cells in the T2 frame",
                         (unsigned)first, count, (unsigned)frame->cells);
    bool complete = dvbt2_interleaving_frame_complete(&dec->gathered);
    ldpc_status pushed = complete ? finish_gathered(dec) : push_complete_blocks(dec);
    return status ? status : pushed;
}

/* Collects finished batches. */
static void collect_ready(dvbt2_plp_decoder *dec)
{
    while (dec->n_chains && dec->chains[0]->in_flight && collect(dec, dec->chains[0], false) != LDPC_AGAIN)
        continue;
}

size_t dvbt2_plp_decoder_pull(dvbt2_plp_decoder *dec, uint8_t *ts, size_t max_packets)
{
    if (!dec || !ts)
        return 0;
    collect_ready(dec);
    const bool merge =
        dec->common && dec->merging && !dec->baseband.without_issy && !dec->common->baseband.without_issy;
    if (dec->common) {
        collect_ready(dec->common);
        dvbt2_common_plp_limit(&dec->common->baseband, &dec->counters.unplaced_packets);
    }
    if (!merge)
        return dvbt2_baseband_take(&dec->baseband, ts, max_packets);
    return dvbt2_common_plp_take(&dec->baseband, &dec->common->baseband, dec->finished, ts, max_packets,
                                 &dec->counters.common_packets, &dec->counters.unplaced_packets);
}

size_t dvbt2_plp_decoder_pull_frame(dvbt2_plp_decoder *dec, uint8_t *frame, size_t room)
{
    if (!dec || !frame)
        return 0;
    collect_ready(dec);
    return dvbt2_baseband_take_frame(&dec->baseband, frame, room);
}

static ldpc_status decode_all(dvbt2_plp_decoder *dec)
{
    ldpc_status status = finish_gathered(dec);
    ldpc_status collected = dec->n_chains ? collect_down_to(dec, dec->chains[0], 0) : LDPC_OK;
    return status ? status : collected;
}

void dvbt2_plp_decoder_destroy(dvbt2_plp_decoder *dec)
{
    if (!dec)
        return;
    decode_all(dec);
    dvbt2_plp_decoder_set_common(dec, NULL);
    while (dec->n_chains)
        drop_last_chain(dec);
    for (size_t i = 0; i < sizeof dec->strings / sizeof *dec->strings; i++)
        free(dec->strings[i]);
    dvbt2_interleaving_frame_free(&dec->gathered);
    dvbt2_baseband_free(&dec->baseband);
    free(dec);
}

ldpc_status dvbt2_plp_decoder_finish(dvbt2_plp_decoder *dec)
{
    if (!dec)
        return LDPC_ERR_NULL;
    if (dec->common)
        dvbt2_plp_decoder_finish(dec->common);
    ldpc_status status = decode_all(dec);
    dvbt2_timeline_break(&dec->baseband.timeline);
    dec->finished = true;
    return status;
}

void dvbt2_plp_decoder_break(dvbt2_plp_decoder *dec)
{
    if (!dec)
        return;
    decode_all(dec);
    dvbt2_baseband_break(&dec->baseband);
}

ldpc_status dvbt2_plp_decoder_set_common(dvbt2_plp_decoder *dec, dvbt2_plp_decoder *common)
{
    if (!dec)
        return LDPC_ERR_NULL;
    if (dec == common || (common && common->common))
        return ldpc_fail(&dec->error, LDPC_ERR_PARAM, "the decoder of a common PLP cannot have a common PLP");
    if (dec->common)
        dec->common->baseband.timeline.clock = &dec->common->baseband.timeline.own;
    dec->common = common;
    if (common)
        common->baseband.timeline.clock = &dec->baseband.timeline.own;
    return LDPC_OK;
}

ldpc_status dvbt2_plp_decoder_set_backend(dvbt2_plp_decoder *dec, const char *backend)
{
    if (!dec || !backend)
        return LDPC_ERR_NULL;
    const char *chosen;
    ldpc_status status = ldpc_backend_choose(backend, false, &chosen, &dec->error);
    if (status)
        return status;
    dec->params.backend = chosen;
    if (dec->n_chains)
        collect_down_to(dec, dec->chains[0], 0);
    while (dec->n_chains)
        drop_last_chain(dec);
    return LDPC_OK;
}

/* ---- status */

static dvbt2_plp_counters counters_of(const dvbt2_plp_decoder *dec)
{
    if (!dec)
        return (dvbt2_plp_counters){0};
    dvbt2_plp_counters counters = dec->counters;
    counters.bb = dvbt2_baseband_counters(&dec->baseband);
    counters.gfps_frames = dec->baseband.generic[0];
    counters.gcs_frames = dec->baseband.generic[1];
    counters.gse_frames = dec->baseband.generic[2];
    return counters;
}

void dvbt2_plp_decoder_counters_sized(const dvbt2_plp_decoder *dec, dvbt2_plp_counters *counters, size_t size)
{
    dvbt2_plp_counters now = counters_of(dec);
    now.size = size;
    ldpc_write_struct(&dvbt2_counters_layout, counters, size, &now);
}

const dvbt2_plp_signalling *dvbt2_plp_decoder_signalling(const dvbt2_plp_decoder *dec)
{
    return dec ? &dec->baseband.signalling : NULL;
}

const char *dvbt2_plp_decoder_kernel(const dvbt2_plp_decoder *dec)
{
    return dec && dec->n_chains ? dec->kernel : "";
}

const char *dvbt2_plp_decoder_message(const dvbt2_plp_decoder *dec)
{
    return dec ? dec->error.message : "";
}
