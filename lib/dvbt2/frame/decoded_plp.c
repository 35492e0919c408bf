/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/frame/decoded_plp.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "dvbt2/plp/cell_mapper.h"

/* ---- memory */

static void free_cells(dvbt2_decoded_plp *p)
{
    free(p->cell);
    free(p->noise);
    free(p->mean);
    free(p->variance);
    free(p->number);
    p->cell = p->mean = NULL;
    p->noise = p->variance = p->number = NULL;
    p->room = 0;
}

static void free_blocks(dvbt2_decoded_plp *p)
{
    free(p->block);
    free(p->codeword);
    free(p->queue);
    p->block = NULL;
    p->codeword = NULL;
    p->queue = NULL;
    p->blocks_room = 0;
}

static void free_format(dvbt2_decoded_plp *p)
{
    free_blocks(p);
    free(p->source);
    free(p->probability);
    free(p->sent);
    free(p->sent_variance);
    free(p->index);
    dvbt2_fec_chain_destroy(p->chain);
    p->source = p->probability = p->sent_variance = NULL;
    p->sent = NULL;
    p->index = NULL;
    p->chain = NULL;
}

void dvbt2_decoded_plp_free(dvbt2_decoded_plp *p)
{
    dvbt2_decoded_plp_wait(p);
    free_cells(p);
    free_format(p);
}

static bool make_cells(dvbt2_decoded_plp *p, uint32_t cells)
{
    if (cells <= p->room)
        return true;
    free_cells(p);
    p->cell = ldpc_allocate(cells, sizeof *p->cell);
    p->noise = ldpc_allocate(cells, sizeof *p->noise);
    p->mean = ldpc_allocate(cells, sizeof *p->mean);
    p->variance = ldpc_allocate(cells, sizeof *p->variance);
    p->number = ldpc_allocate(cells, sizeof *p->number);
    if (!p->cell || !p->noise || !p->mean || !p->variance || !p->number) {
        free_cells(p);
        return false;
    }
    p->room = cells;
    for (uint32_t i = 0; i < cells; i++)
        p->number[i] = (float)i; /* exact below 2^24 */
    return true;
}

static bool make_blocks(dvbt2_decoded_plp *p, uint32_t blocks)
{
    if (blocks <= p->blocks_room)
        return true;
    free_blocks(p);
    p->block = ldpc_allocate(blocks, sizeof *p->block);
    p->codeword = ldpc_allocate(blocks, ldpc_packed_bytes(p->chain->n));
    p->queue = ldpc_allocate(blocks, sizeof *p->queue);
    const bool made = p->block && p->codeword && p->queue;
    p->blocks_room = made ? blocks : 0;
    return made;
}

static bool make_format(dvbt2_decoded_plp *p, const dvbt2_plp_format *format)
{
    if (p->chain && dvbt2_fec_chain_fits(p->chain, format))
        return true;
    free_format(p);
    dvbt2_plp_decoder_params params;
    dvbt2_plp_decoder_params_init(&params);
    params.backend = "cpu"; /* the initialisation of a GPU would interrupt the reception */
    if (dvbt2_fec_chain_create(&params, format, &p->chain, NULL) != LDPC_OK)
        return false;
    p->source = ldpc_allocate(p->chain->cells, sizeof *p->source);
    p->probability = ldpc_allocate(p->chain->n, sizeof *p->probability);
    p->sent = ldpc_allocate(p->chain->cells, sizeof *p->sent);
    p->sent_variance = ldpc_allocate(p->chain->cells, sizeof *p->sent_variance);
    p->index = ldpc_allocate(p->chain->cells, sizeof *p->index);
    if (p->source && p->probability && p->sent && p->sent_variance && p->index &&
        dvbt2_fec_chain_want_posteriors(p->chain))
        return true;
    free_format(p);
    return false;
}

static bool prepare(dvbt2_decoded_plp *p, const dvbt2_plp_frame *frame)
{
    dvbt2_plp_format format = {0};
    return frame->frames == 1 && frame->n_blocks > 0 &&
           (size_t)frame->n_blocks * frame->cells_per_block == frame->cells &&
           dvbt2_plp_format_of(frame, &format) == LDPC_OK && make_format(p, &format) &&
           p->chain->cells == frame->cells_per_block && make_blocks(p, frame->n_blocks);
}

bool dvbt2_decoded_plp_begin(dvbt2_decoded_plp *p, const dvbt2_plp_frame *frame)
{
    dvbt2_decoded_plp_wait(p); /* codewords of an abandoned frame */
    p->cells = p->end = p->n_blocks = p->queued = p->taken = 0;
    p->progress = (dvbt2_ti_progress){0};
    p->decodes = false;
    if (!make_cells(p, frame->cells))
        return false;
    p->cells = frame->cells;
    memset(p->mean, 0, p->cells * sizeof *p->mean);
    memset(p->variance, 0, p->cells * sizeof *p->variance);
    p->decodes = prepare(p, frame);
    p->n_blocks = p->decodes ? frame->n_blocks : 0;
    for (uint32_t i = 0; i < p->n_blocks; i++)
        p->block[i] = (dvbt2_decoded_block){0};
    return true;
}

/* ---- from codewords to cells */

static void place_cells(dvbt2_decoded_plp *p, const dvbt2_decoded_block *block)
{
    const size_t cells = p->chain->cells;
    if (ldpc_cells_deinterleave(p->chain->deinterleaver, block->ti_size, block->place, 1, 1, p->number,
                                p->source) != LDPC_OK)
        return;
    for (size_t c = 0; c < cells; c++) {
        const size_t at = block->cell + (size_t)p->source[c];
        p->mean[at] = p->sent[c];
        p->variance[at] = p->sent_variance[c];
    }
}

void dvbt2_decoded_plp_map(dvbt2_decoded_plp *p)
{
    for (uint32_t i = 0; i < p->n_blocks; i++) {
        dvbt2_decoded_block *block = &p->block[i];
        if (!block->right || block->mapped)
            continue;
        dvbt2_map_codeword(p->chain->demapper, p->chain->format.rotated,
                           p->codeword + i * ldpc_packed_bytes(p->chain->n), p->index, p->sent);
        memset(p->sent_variance, 0, p->chain->cells * sizeof *p->sent_variance);
        place_cells(p, block);
        block->mapped = true;
    }
}

/* ---- codewords */

/* Stores the result of codeword i. */
static void keep(dvbt2_decoded_plp *p, const dvbt2_fec_batch *batch, size_t i, uint32_t number)
{
    const dvbt2_fec_chain *chain = p->chain;
    const size_t bytes = ldpc_packed_bytes(chain->n);
    const uint8_t *codeword = batch->codeword + i * bytes;
    dvbt2_decoded_block *block = &p->block[number];
    int32_t corrected;
    if (ldpc_bch_decode(chain->bch, codeword, 1, true, chain->frame, &corrected) != LDPC_OK)
        corrected = LDPC_BCH_FAILED;
    block->right = batch->info[i].decoded && corrected != LDPC_BCH_FAILED;
    if (!batch->info[i].decoded)
        return;
    if (batch->info[i].converged && corrected == 0) {
        memcpy(p->codeword + number * bytes, codeword, bytes);
        return;
    }
    block->mapped = true;
    dvbt2_map_posteriors(chain->demapper, chain->format.rotated, batch->posterior + i * chain->n,
                         ldpc_decoder_llr_scale(chain->decoder), p->probability, p->sent, p->sent_variance);
    place_cells(p, block);
}

/* Collects batches until at most `left` of them are in flight. */
static void take(dvbt2_decoded_plp *p, size_t left)
{
    while (p->chain->in_flight > left) {
        const dvbt2_fec_batch *batch;
        const ldpc_status status = dvbt2_fec_chain_take(p->chain, true, &batch);
        for (size_t i = 0; i < batch->count; i++, p->taken++)
            if (!status)
                keep(p, batch, i, p->queue[p->taken]);
    }
}

uint32_t dvbt2_decoded_plp_wait(dvbt2_decoded_plp *p)
{
    uint32_t failed = 0;
    if (p->chain)
        take(p, 0);
    for (uint32_t i = 0; i < p->n_blocks; i++)
        failed += !p->block[i].right;
    return failed;
}

/* Submits FEC blocks `first` .. `end` - 1 of a TI block. */
static void submit(dvbt2_decoded_plp *p, const dvbt2_ti_progress *at, uint32_t ti_size, uint32_t first,
                   uint32_t end)
{
    while (first < end) {
        const uint32_t left = end - first, batch = (uint32_t)p->chain->batch;
        const dvbt2_fec_blocks blocks = {.ti_size = ti_size,
                                         .first = first,
                                         .count = left < batch ? left : batch,
                                         .iq = (const float *)(p->cell + at->cells),
                                         .noise = p->noise + at->cells};
        take(p, p->chain->depth - 1);
        if (dvbt2_fec_chain_submit(p->chain, &blocks) != LDPC_OK)
            return;
        for (uint32_t i = 0; i < blocks.count; i++, first++) {
            const uint32_t number = (uint32_t)(at->cells / p->chain->cells) + first;
            p->block[number] = (dvbt2_decoded_block){.cell = at->cells, .ti_size = ti_size, .place = first};
            p->queue[p->queued++] = number;
        }
    }
}

static void submit_runs(dvbt2_decoded_plp *p, const dvbt2_ti_progress *at, uint32_t ti_size)
{
    const dvbt2_decoded_block *block = p->block + at->cells / p->chain->cells;
    for (uint32_t first = 0, end; first < ti_size; first = end + 1) {
        for (end = first; end < ti_size && !block[end].right;)
            end++;
        submit(p, at, ti_size, first, end);
    }
}

static void submit_ti_blocks(dvbt2_decoded_plp *p, dvbt2_ti_progress *at)
{
    const ldpc_cell_deinterleaver *deinterleaver = p->chain->deinterleaver;
    const uint32_t ti_blocks = ldpc_ti_blocks(deinterleaver, p->n_blocks);
    while (at->blocks < ti_blocks) {
        const uint32_t size = ldpc_ti_block_size(deinterleaver, p->n_blocks, at->blocks);
        const size_t cells = size * p->chain->cells;
        if (at->cells + cells > p->end)
            return;
        submit_runs(p, at, size);
        at->blocks++;
        at->cells += cells;
    }
}

void dvbt2_decoded_plp_add(dvbt2_decoded_plp *p, const float complex *cells, const float *noise,
                           uint32_t count)
{
    memcpy(p->cell + p->end, cells, count * sizeof *cells);
    memcpy(p->noise + p->end, noise, count * sizeof *noise);
    p->end += count;
    if (p->decodes)
        submit_ti_blocks(p, &p->progress);
}

void dvbt2_decoded_plp_decode_again(dvbt2_decoded_plp *p)
{
    dvbt2_decoded_plp_wait(p);
    p->queued = p->taken = 0;
    if (p->decodes)
        submit_ti_blocks(p, &(dvbt2_ti_progress){0});
}
