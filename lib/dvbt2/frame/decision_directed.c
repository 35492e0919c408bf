/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/frame/decision_directed.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dvbt2/frame/receiver_internal.h"

enum { CHUNK = 4096 }; /* cells per write */

/* ---- memory */

static void free_mode(dvbt2_decision_directed *directed)
{
    free(directed->received);
    free(directed->channel);
    free(directed->noise);
    free(directed->mean);
    free(directed->variance);
    free(directed->corrected);
    dvbt2_reestimation_free(&directed->estimator);
    directed->received = directed->channel = directed->mean = directed->corrected = NULL;
    directed->variance = NULL;
    directed->noise = NULL;
    directed->length = directed->symbols = directed->carriers = 0;
}

bool dvbt2_decision_directed_init(dvbt2_decision_directed *directed, uint32_t n_plps)
{
    directed->plp = ldpc_allocate(n_plps, sizeof *directed->plp);
    directed->written = ldpc_allocate(n_plps, sizeof *directed->written);
    directed->n_plps = directed->plp ? n_plps : 0;
    return directed->plp && directed->written;
}

void dvbt2_decision_directed_free(dvbt2_decision_directed *directed)
{
    free_mode(directed);
    for (uint32_t i = 0; i < directed->n_plps; i++)
        dvbt2_decoded_plp_free(&directed->plp[i]);
    free(directed->plp);
    free(directed->written);
}

static bool fits(const dvbt2_decision_directed *directed, const dvbt2_parameters *p)
{
    return directed->length == p->fft_length && directed->symbols == p->n_symbols &&
           directed->carriers == p->carriers;
}

static bool make_mode(dvbt2_decision_directed *directed, const dvbt2_parameters *p)
{
    if (fits(directed, p))
        return true;
    free_mode(directed);
    const size_t carriers = (size_t)p->n_symbols * p->carriers;
    directed->received = ldpc_allocate(carriers, sizeof *directed->received);
    directed->channel = ldpc_allocate(carriers, sizeof *directed->channel);
    directed->noise = ldpc_allocate(p->n_symbols, sizeof *directed->noise);
    directed->mean = ldpc_allocate(p->carriers, sizeof *directed->mean);
    directed->variance = ldpc_allocate(p->carriers, sizeof *directed->variance);
    directed->corrected = ldpc_allocate(p->carriers, sizeof *directed->corrected);
    if (!directed->received || !directed->channel || !directed->noise || !directed->mean ||
        !directed->variance || !directed->corrected ||
        !dvbt2_reestimation_init(&directed->estimator, p->fft_length, p->carriers)) {
        free_mode(directed);
        return false;
    }
    directed->length = p->fft_length;
    directed->symbols = p->n_symbols;
    directed->carriers = p->carriers;
    return true;
}

/* ---- while a frame is received */

static bool has_cells(const dvbt2_receiver *rx, uint32_t output)
{
    return rx->choice[output].slices.n_slices > 0;
}

void dvbt2_decision_directed_keep(dvbt2_receiver *rx, uint32_t l)
{
    dvbt2_decision_directed *directed = &rx->directed;
    const dvbt2_demodulator *d = rx->now;
    const dvbt2_parameters *p = &d->parameters;
    if (rx->params.decision_directed == 0 || d != rx->full || p->mode.miso)
        return;
    if (l == 0 ? !make_mode(directed, p) : !fits(directed, p))
        return;
    const size_t at = (size_t)l * directed->carriers;
    memcpy(directed->received + at, d->carriers[l % d->ring],
           directed->carriers * sizeof *directed->received);
    memcpy(directed->channel + at, d->h[0], directed->carriers * sizeof *directed->channel);
    directed->noise[l] = (dvbt2_kept_noise){dvbt2_demodulator_noise(d, l), d->channel.error};
}

void dvbt2_decision_directed_start(dvbt2_receiver *rx)
{
    rx->directed.keeping = rx->params.decision_directed > 0 && rx->now == rx->full &&
                           !rx->now->parameters.mode.miso && fits(&rx->directed, &rx->now->parameters);
}

void dvbt2_decision_directed_begin(dvbt2_receiver *rx, uint32_t output, const dvbt2_plp_frame *info)
{
    dvbt2_decision_directed *directed = &rx->directed;
    directed->written[output] = 0;
    directed->keeping = dvbt2_decoded_plp_begin(&directed->plp[output], info) && directed->keeping;
}

void dvbt2_decision_directed_add(dvbt2_receiver *rx, uint32_t output, const float complex *cells,
                                 const float *noise, uint32_t count)
{
    dvbt2_decoded_plp_add(&rx->directed.plp[output], cells, noise, count);
}

/* ---- channel re-estimation */

static bool next_run(const dvbt2_receiver *rx, uint32_t output, uint32_t l, dvbt2_run *run)
{
    return has_cells(rx, output) && dvbt2_plp_next_run(&rx->frame.map, &rx->choice[output].slices, l, run);
}

static void place_known(dvbt2_receiver *rx, uint32_t l)
{
    dvbt2_decision_directed *directed = &rx->directed;
    const uint16_t *carrier = dvbt2_demodulator_sources(rx->now, l);
    memset(directed->mean, 0, directed->carriers * sizeof *directed->mean);
    memset(directed->variance, 0, directed->carriers * sizeof *directed->variance);
    for (uint32_t i = 0; i < rx->params.n_plps; i++)
        for (dvbt2_run run = {0}; next_run(rx, i, l, &run);)
            for (uint32_t c = 0; c < run.count; c++) {
                const uint16_t k = carrier[run.cell + c];
                directed->mean[k] = directed->plp[i].mean[run.place + c];
                directed->variance[k] = directed->plp[i].variance[run.place + c];
            }
}

static void correct_symbol(dvbt2_receiver *rx, uint32_t l)
{
    dvbt2_decision_directed *directed = &rx->directed;
    dvbt2_demodulator *d = rx->now;
    const size_t at = (size_t)l * directed->carriers;
    const dvbt2_reestimated_symbol symbol = {.received = directed->received + at,
                                             .mean = directed->mean,
                                             .variance = directed->variance,
                                             .interference = d->interference.power,
                                             .channel = directed->channel + at,
                                             .noise = directed->noise[l].noise,
                                             .error = directed->noise[l].error,
                                             .spread = (float)d->channel.variation.spread};
    place_known(rx, l);
    const float error = dvbt2_reestimation_correct(&directed->estimator, &symbol, directed->corrected);
    d->kernels->equalise(symbol.received, directed->corrected, symbol.noise + error, d->interference.power,
                         dvbt2_demodulator_sources(d, l), dvbt2_pilots_symbol(d->pilots, l)->n_data, d->cells,
                         d->noise);
    for (uint32_t i = 0; i < rx->params.n_plps; i++)
        for (dvbt2_run run = {0}; next_run(rx, i, l, &run);) {
            memcpy(directed->plp[i].cell + run.place, d->cells + run.cell, run.count * sizeof *d->cells);
            memcpy(directed->plp[i].noise + run.place, d->noise + run.cell, run.count * sizeof *d->noise);
        }
}

/* Computes mean and variance of the cells. Returns false if all codewords were decoded. */
static bool learn(dvbt2_receiver *rx)
{
    uint32_t failed = 0;
    for (uint32_t i = 0; i < rx->params.n_plps; i++)
        if (has_cells(rx, i))
            failed += dvbt2_decoded_plp_wait(&rx->directed.plp[i]);
    for (uint32_t i = 0; i < rx->params.n_plps && failed > 0; i++)
        if (has_cells(rx, i))
            dvbt2_decoded_plp_map(&rx->directed.plp[i]);
    return failed > 0;
}

static void decode_again(dvbt2_receiver *rx)
{
    for (uint32_t i = 0; i < rx->params.n_plps; i++)
        if (has_cells(rx, i))
            dvbt2_decoded_plp_decode_again(&rx->directed.plp[i]);
}

void dvbt2_decision_directed_finish(dvbt2_receiver *rx, bool whole)
{
    for (uint32_t pass = 0; whole && pass < rx->params.decision_directed; pass++) {
        if (pass > 0)
            decode_again(rx);
        if (!learn(rx))
            break;
        for (uint32_t l = 0; l < rx->directed.symbols; l++)
            correct_symbol(rx, l);
    }
    rx->directed.keeping = false;
    rx->directed.leaving = true;
}

static bool write_output(dvbt2_receiver *rx, uint32_t output)
{
    const dvbt2_decoded_plp *plp = &rx->directed.plp[output];
    uint32_t *written = &rx->directed.written[output];
    while (*written < plp->end) {
        const uint32_t left = plp->end - *written, count = left < CHUNK ? left : CHUNK;
        if (!dvbt2_cell_queue_has_room(&rx->outputs[output], count))
            return false;
        dvbt2_cell_queue_write(&rx->outputs[output], plp->cell + *written, plp->noise + *written, count);
        *written += count;
    }
    return true;
}

bool dvbt2_decision_directed_leave(dvbt2_receiver *rx)
{
    bool all = true;
    for (uint32_t i = 0; i < rx->params.n_plps; i++)
        if (has_cells(rx, i))
            all = write_output(rx, i) && all;
    for (uint32_t i = 0; i < rx->params.n_plps && all; i++)
        if (has_cells(rx, i))
            dvbt2_cell_queue_complete(&rx->outputs[i]);
    rx->directed.leaving = !all;
    return all;
}
