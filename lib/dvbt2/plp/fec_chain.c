/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/plp/fec_chain.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/deadline.h"
#include "base/memory.h"
#include "base/status_internal.h"

enum {
    /* Large batches wake the threads less often. */
    MIN_BATCH = 4,
    MAX_BATCH = 128,
    MAX_DEPTH = 32,
    /* After the deadline, a finished batch is still accepted for this time, because the process may have been
     * suspended. */
    GRACE_US = 100000,
};

/* ---- creation */

static ldpc_status create_decoder(dvbt2_fec_chain *chain, const dvbt2_plp_decoder_params *params,
                                  ldpc_error *err)
{
    ldpc_code *code;
    ldpc_status status = ldpc_code_create(chain->format.code, &code, err);
    if (status)
        return status;
    ldpc_decoder_params decoder;
    ldpc_decoder_params_init(&decoder);
    decoder.max_iterations = params->max_iterations;
    decoder.packed = true;
    decoder.backend = params->backend;
    decoder.devices = params->devices;
    decoder.cache_dir = params->cache_dir;
    decoder.threads = params->threads;
    status = ldpc_decoder_create(code, &decoder, &chain->decoder, err);
    ldpc_code_destroy(code);
    if (status)
        return status;
    if (strcmp(ldpc_decoder_backend(chain->decoder), "cpu") != 0)
        chain->gpu_timeout_ms = params->gpu_timeout_ms;
    chain->batch = ldpc_decoder_good_batch(chain->decoder);
    chain->batch = chain->batch > MAX_BATCH ? MAX_BATCH : chain->batch < MIN_BATCH ? MIN_BATCH : chain->batch;
    chain->depth = ldpc_decoder_depth(chain->decoder);
    chain->depth = chain->depth > MAX_DEPTH ? MAX_DEPTH : chain->depth;
    return LDPC_OK;
}

static ldpc_status create_parts(dvbt2_fec_chain *chain, const dvbt2_plp_decoder_params *params,
                                ldpc_error *err)
{
    const dvbt2_plp_format *format = &chain->format;
    ldpc_demapper_params demapper;
    ldpc_demapper_params_init(&demapper);
    demapper.code = format->code;
    demapper.modulation = format->modulation;
    demapper.rotated = format->rotated;
    demapper.exact = params->exact;
    ldpc_status status = ldpc_demapper_create(&demapper, &chain->demapper, err);
    if (!status)
        status = ldpc_cell_deinterleaver_create(format->code, format->modulation, format->ti_blocks,
                                                &chain->deinterleaver, err);
    if (!status)
        status = ldpc_bch_create(format->code, &chain->bch, err);
    if (!status)
        status = create_decoder(chain, params, err);
    return status;
}

static bool allocate_buffers(dvbt2_fec_chain *chain)
{
    chain->n = ldpc_demapper_n(chain->demapper);
    chain->cells = ldpc_demapper_cells(chain->demapper);
    chain->batches = ldpc_allocate(chain->depth, sizeof *chain->batches);
    chain->iq = ldpc_allocate(chain->batch * chain->cells, 2 * sizeof *chain->iq);
    chain->noise = ldpc_allocate(chain->batch * chain->cells, sizeof *chain->noise);
    chain->frame = ldpc_allocate(ldpc_packed_bytes(chain->n), 1);
    bool ok = chain->batches && chain->iq && chain->noise && chain->frame &&
              dvbt2_kept_cells_init(&chain->kept, chain->cells);
    for (size_t i = 0; ok && i < chain->depth; i++) {
        dvbt2_fec_batch *batch = &chain->batches[i];
        batch->llr = ldpc_decoder_alloc(chain->decoder, chain->batch * chain->n);
        batch->codeword = ldpc_decoder_alloc(chain->decoder, chain->batch * ldpc_packed_bytes(chain->n));
        batch->info = ldpc_allocate(chain->batch, sizeof *batch->info);
        ok = batch->llr && batch->codeword && batch->info;
    }
    return ok;
}

ldpc_status dvbt2_fec_chain_create(const dvbt2_plp_decoder_params *params, const dvbt2_plp_format *format,
                                   dvbt2_fec_chain **chain, ldpc_error *err)
{
    *chain = ldpc_allocate(1, sizeof **chain);
    if (!*chain)
        return ldpc_fail_memory(err);
    (*chain)->format = *format;
    (*chain)->format.fec_blocks = 0;
    ldpc_status status = create_parts(*chain, params, err);
    if (!status && !allocate_buffers(*chain))
        status = ldpc_fail_memory(err);
    if (status) {
        dvbt2_fec_chain_destroy(*chain);
        *chain = NULL;
    }
    return status;
}

bool dvbt2_fec_chain_want_posteriors(dvbt2_fec_chain *chain)
{
    for (size_t i = 0; i < chain->depth; i++) {
        chain->batches[i].posterior = ldpc_allocate(chain->batch * chain->n, sizeof(int16_t));
        if (!chain->batches[i].posterior)
            return false;
    }
    return true;
}

static void destroy_decoder(dvbt2_fec_chain *chain)
{
    for (size_t i = 0; chain->batches && i < chain->depth; i++) {
        ldpc_decoder_free(chain->decoder, chain->batches[i].llr);
        ldpc_decoder_free(chain->decoder, chain->batches[i].codeword);
    }
    /* The decoder writes to the batches until it is destroyed. */
    ldpc_decoder_destroy(chain->decoder);
    for (size_t i = 0; chain->batches && i < chain->depth; i++) {
        free(chain->batches[i].info);
        free(chain->batches[i].posterior);
    }
}

void dvbt2_fec_chain_destroy(dvbt2_fec_chain *chain)
{
    if (!chain)
        return;
    destroy_decoder(chain);
    free(chain->batches);
    free(chain->iq);
    free(chain->noise);
    free(chain->frame);
    dvbt2_kept_cells_free(&chain->kept);
    ldpc_bch_destroy(chain->bch);
    ldpc_cell_deinterleaver_destroy(chain->deinterleaver);
    ldpc_demapper_destroy(chain->demapper);
    free(chain);
}

bool dvbt2_fec_chain_fits(const dvbt2_fec_chain *chain, const dvbt2_plp_format *format)
{
    return strcmp(chain->format.code, format->code) == 0 &&
           strcmp(chain->format.modulation, format->modulation) == 0 &&
           chain->format.rotated == format->rotated && chain->format.ti_blocks == format->ti_blocks;
}

/* ---- cells in */

ldpc_status dvbt2_fec_chain_submit(dvbt2_fec_chain *chain, const dvbt2_fec_blocks *blocks)
{
    dvbt2_fec_batch *batch = &chain->batches[(chain->oldest + chain->in_flight) % chain->depth];
    const uint32_t ti_size = blocks->ti_size, first = blocks->first, count = blocks->count;
    ldpc_status status =
        ldpc_cells_deinterleave(chain->deinterleaver, ti_size, first, count, 2, blocks->iq, chain->iq);
    if (!status)
        status = ldpc_cells_deinterleave(chain->deinterleaver, ti_size, first, count, 1, blocks->noise,
                                         chain->noise);
    ldpc_cells cells = {.n_codewords = count, .iq = chain->iq, .cell_noise = chain->noise};
    if (!status)
        status = ldpc_demap(chain->demapper, &cells, batch->llr);
    batch->count = count;
    batch->begins = blocks->begins;
    if (batch->begins)
        batch->about = *blocks->begins;
    ldpc_batch codewords = {.n_codewords = count,
                            .llr = batch->llr,
                            .codeword = batch->codeword,
                            .info = batch->info,
                            .posterior = batch->posterior};
    batch->late = ldpc_deadline((int64_t)chain->gpu_timeout_ms * 1000);
    if (!status)
        status = ldpc_submit(chain->decoder, &codewords);
    if (!status)
        chain->in_flight++;
    batch->kept = !status && batch->begins && !chain->kept.kept;
    if (batch->kept)
        dvbt2_keep_cells(&chain->kept, chain->iq, chain->noise);
    return status;
}

/* ---- output of baseband frames */

/* Returns the number of ones in a word. */
static uint32_t ones(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return (uint32_t)(((x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >> 56);
}

static uint8_t eight_signs(const int8_t *llr)
{
    uint8_t signs[8];
    for (size_t bit = 0; bit < 8; bit++)
        signs[bit] = llr[bit] < 0;
    return ldpc_pack_eight(signs);
}

/* n must be a multiple of 8. */
static uint64_t wrong_signs(dvbt2_fec_chain *chain, const int8_t *llr, const uint8_t *codeword)
{
    const size_t bytes = chain->n / 8;
    uint64_t wrong = 0;
    for (size_t byte = 0; byte < bytes; byte += 8) {
        uint64_t differ = 0;
        for (size_t i = byte; i < byte + 8 && i < bytes; i++)
            differ = differ << 8 | (uint8_t)(eight_signs(llr + 8 * i) ^ codeword[i]);
        wrong += ones(differ);
    }
    return wrong;
}

/* Measures the MER with the kept cells if the codeword is correct. */
static void measure_error(dvbt2_fec_chain *chain, const uint8_t *codeword, bool right, double *mer_db)
{
    if (!chain->kept.kept)
        return;
    double mer = dvbt2_modulation_error_ratio(&chain->kept, chain->demapper, chain->format.rotated, codeword);
    *mer_db = right ? mer : *mer_db;
}

static ldpc_status finish_codeword(dvbt2_fec_chain *chain, const dvbt2_fec_batch *batch, size_t i,
                                   dvbt2_plp_counters *counters, dvbt2_baseband *baseband)
{
    const dvbt2_interleaving_info *begins = batch->begins && i == 0 ? &batch->about : NULL;
    const uint8_t *codeword = batch->codeword + i * ldpc_packed_bytes(chain->n);
    const ldpc_codeword_info *info = &batch->info[i];
    int32_t corrected;
    ldpc_status status = ldpc_bch_decode(chain->bch, codeword, 1, true, chain->frame, &corrected);
    if (status)
        return status;
    bool broken = corrected == LDPC_BCH_FAILED || !info->decoded;
    counters->codewords++;
    counters->iterations += info->iterations;
    counters->failed_codewords += !info->converged;
    if (info->converged) {
        counters->bits += chain->n;
        counters->bit_errors += wrong_signs(chain, batch->llr + i * chain->n, codeword);
    }
    counters->bch_failed += broken;
    counters->bch_corrected_bits += corrected > 0 ? (uint64_t)corrected : 0;
    if (begins && batch->kept)
        measure_error(chain, codeword, info->converged && !broken, &counters->mer_db);
    return dvbt2_baseband_push(baseband, chain->format.code, chain->frame, broken, begins);
}

/* With LLRs of 0, the decoder returns the all-zero codeword. Scrambled frames are never all-zero. */
static bool is_zero(const uint8_t *codeword, size_t bytes)
{
    return codeword[0] == 0 && memcmp(codeword, codeword + 1, bytes - 1) == 0;
}

static void refuse_zeros(const dvbt2_fec_chain *chain, dvbt2_fec_batch *batch)
{
    const size_t bytes = ldpc_packed_bytes(chain->n);
    for (size_t i = 0; i < batch->count; i++)
        if (is_zero(batch->codeword + i * bytes, bytes))
            batch->info[i].converged = batch->info[i].decoded = false;
}

static int64_t microseconds_until(const struct timespec *end)
{
    const struct timespec now = ldpc_deadline(0);
    return (int64_t)(end->tv_sec - now.tv_sec) * 1000000 + (end->tv_nsec - now.tv_nsec) / 1000;
}

static ldpc_status collect_oldest(dvbt2_fec_chain *chain, bool wait)
{
    const int64_t left = microseconds_until(&chain->batches[chain->oldest].late);
    if (!chain->gpu_timeout_ms || (!wait && left > 0))
        return ldpc_collect(chain->decoder, wait ? -1 : 0, NULL);
    ldpc_status status = ldpc_collect(chain->decoder, left > GRACE_US ? left : GRACE_US, NULL);
    if (status == LDPC_AGAIN) {
        chain->given_up = true;
        ldpc_decoder_abandon(chain->decoder);
        status = ldpc_collect(chain->decoder, 0, NULL);
    }
    return status;
}

ldpc_status dvbt2_fec_chain_take(dvbt2_fec_chain *chain, bool wait, const dvbt2_fec_batch **taken)
{
    dvbt2_fec_batch *batch = &chain->batches[chain->oldest];
    *taken = batch;
    ldpc_status status = collect_oldest(chain, wait);
    if (status == LDPC_AGAIN)
        return status;
    if (status && batch->kept)
        chain->kept.kept = false; /* the codeword is lost */
    chain->oldest = (chain->oldest + 1) % chain->depth;
    chain->in_flight--;
    if (!status)
        refuse_zeros(chain, batch);
    return status;
}

ldpc_status dvbt2_fec_chain_collect(dvbt2_fec_chain *chain, bool wait, dvbt2_plp_counters *counters,
                                    dvbt2_baseband *baseband)
{
    const dvbt2_fec_batch *batch;
    ldpc_status status = dvbt2_fec_chain_take(chain, wait, &batch);
    if (status == LDPC_AGAIN)
        return status;
    for (size_t i = 0; !status && i < batch->count; i++)
        status = finish_codeword(chain, batch, i, counters, baseband);
    if (status)
        dvbt2_baseband_break(baseband); /* codewords were lost */
    return status;
}

ldpc_status dvbt2_fec_chain_fail(const dvbt2_fec_chain *chain, ldpc_status status, ldpc_error *err)
{
    if (status == LDPC_ERR_MEMORY)
        return ldpc_fail_memory(err);
    if (chain->given_up)
        return ldpc_fail(err, status,
                         "the GPU has not finished its work within %g s (parameter gpu_timeout): the GPU or "
                         "its driver hangs",
                         chain->gpu_timeout_ms / 1000.0);
    return ldpc_fail(err, status, "%s", ldpc_decoder_message(chain->decoder));
}
