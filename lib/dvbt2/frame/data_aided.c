/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/frame/data_aided.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dvbt2/channel/equaliser.h"
#include "dvbt2/frame/receiver_internal.h"

enum { CHUNK = 4096 }; /* cells that are written at a time */

/* ---- memory */

static void free_mode(dvbt2_data_aided *aided)
{
    free(aided->received);
    free(aided->channel);
    free(aided->noise);
    free(aided->mean);
    free(aided->variance);
    free(aided->corrected);
    dvbt2_aided_channel_free(&aided->estimator);
    aided->received = aided->channel = aided->mean = aided->corrected = NULL;
    aided->variance = NULL;
    aided->noise = NULL;
    aided->length = aided->symbols = aided->carriers = 0;
}

bool dvbt2_data_aided_init(dvbt2_data_aided *aided, uint32_t n_plps)
{
    aided->plp = ldpc_allocate(n_plps, sizeof *aided->plp);
    aided->written = ldpc_allocate(n_plps, sizeof *aided->written);
    aided->n_plps = aided->plp ? n_plps : 0;
    return aided->plp && aided->written;
}

void dvbt2_data_aided_free(dvbt2_data_aided *aided)
{
    free_mode(aided);
    for (uint32_t i = 0; i < aided->n_plps; i++)
        dvbt2_decoded_plp_free(&aided->plp[i]);
    free(aided->plp);
    free(aided->written);
}

static bool fits(const dvbt2_data_aided *aided, const dvbt2_parameters *p)
{
    return aided->length == p->fft_length && aided->symbols == p->n_symbols && aided->carriers == p->carriers;
}

/* Memory for frames of this mode. */
static bool make_mode(dvbt2_data_aided *aided, const dvbt2_parameters *p)
{
    if (fits(aided, p))
        return true;
    free_mode(aided);
    const size_t carriers = (size_t)p->n_symbols * p->carriers;
    aided->received = ldpc_allocate(carriers, sizeof *aided->received);
    aided->channel = ldpc_allocate(carriers, sizeof *aided->channel);
    aided->noise = ldpc_allocate(p->n_symbols, sizeof *aided->noise);
    aided->mean = ldpc_allocate(p->carriers, sizeof *aided->mean);
    aided->variance = ldpc_allocate(p->carriers, sizeof *aided->variance);
    aided->corrected = ldpc_allocate(p->carriers, sizeof *aided->corrected);
    if (!aided->received || !aided->channel || !aided->noise || !aided->mean || !aided->variance ||
        !aided->corrected || !dvbt2_aided_channel_init(&aided->estimator, p->fft_length, p->carriers)) {
        free_mode(aided);
        return false;
    }
    aided->length = p->fft_length;
    aided->symbols = p->n_symbols;
    aided->carriers = p->carriers;
    return true;
}

/* ---- a frame comes */

static bool has_cells(const dvbt2_receiver *rx, uint32_t output)
{
    return rx->choice[output].slices.n_slices > 0;
}

void dvbt2_data_aided_keep(dvbt2_receiver *rx, uint32_t l)
{
    dvbt2_data_aided *aided = &rx->aided;
    const dvbt2_demodulator *d = rx->now;
    const dvbt2_parameters *p = &d->parameters;
    if (rx->params.data_aided == 0 || d != rx->full || p->mode.miso)
        return;
    if (l == 0 ? !make_mode(aided, p)
               : !fits(aided, p)) /* a frame is kept from its beginning, or not at all */
        return;
    const size_t at = (size_t)l * aided->carriers;
    memcpy(aided->received + at, d->carriers[l % d->ring], aided->carriers * sizeof *aided->received);
    memcpy(aided->channel + at, d->h[0], aided->carriers * sizeof *aided->channel);
    aided->noise[l] = (dvbt2_kept_noise){dvbt2_noise_of(d, l), d->channel.error};
}

void dvbt2_data_aided_start(dvbt2_receiver *rx)
{
    rx->aided.keeping = rx->params.data_aided > 0 && rx->now == rx->full && !rx->now->parameters.mode.miso &&
                        fits(&rx->aided, &rx->now->parameters);
}

void dvbt2_data_aided_begin(dvbt2_receiver *rx, uint32_t output, const dvbt2_plp_frame *info)
{
    dvbt2_data_aided *aided = &rx->aided;
    aided->written[output] = 0;
    aided->keeping = dvbt2_decoded_plp_begin(&aided->plp[output], info) && aided->keeping;
}

void dvbt2_data_aided_add(dvbt2_receiver *rx, uint32_t output, const float complex *cells, const float *noise,
                          uint32_t count)
{
    dvbt2_decoded_plp_add(&rx->aided.plp[output], cells, noise, count);
}

/* ---- its channel once more */

static bool next_run(const dvbt2_receiver *rx, uint32_t output, uint32_t l, dvbt2_run *run)
{
    return has_cells(rx, output) && dvbt2_plp_next_run(&rx->map, &rx->choice[output].slices, l, run);
}

/* What is known of the cells of symbol l, each at its carrier. */
static void place_known(dvbt2_receiver *rx, uint32_t l)
{
    dvbt2_data_aided *aided = &rx->aided;
    const uint16_t *carrier = dvbt2_demodulator_sources(rx->now, l);
    memset(aided->mean, 0, aided->carriers * sizeof *aided->mean);
    memset(aided->variance, 0, aided->carriers * sizeof *aided->variance);
    for (uint32_t i = 0; i < rx->params.n_plps; i++)
        for (dvbt2_run run = {0}; next_run(rx, i, l, &run);)
            for (uint32_t c = 0; c < run.count; c++) {
                const uint16_t k = carrier[run.cell + c];
                aided->mean[k] = aided->plp[i].mean[run.place + c];
                aided->variance[k] = aided->plp[i].variance[run.place + c];
            }
}

static void correct_symbol(dvbt2_receiver *rx, uint32_t l)
{
    dvbt2_data_aided *aided = &rx->aided;
    dvbt2_demodulator *d = rx->now;
    const size_t at = (size_t)l * aided->carriers;
    const dvbt2_aided_symbol symbol = {.received = aided->received + at,
                                       .mean = aided->mean,
                                       .variance = aided->variance,
                                       .interference = d->interference.power,
                                       .channel = aided->channel + at,
                                       .noise = aided->noise[l].noise,
                                       .error = aided->noise[l].error,
                                       .spread = (float)d->channel.moving.spread};
    place_known(rx, l);
    const float error = dvbt2_aided_channel_correct(&aided->estimator, &symbol, aided->corrected);
    d->kernels->equalise(symbol.received, aided->corrected, symbol.noise + error, d->interference.power,
                         dvbt2_demodulator_sources(d, l), dvbt2_pilots_symbol(d->pilots, l)->n_data, d->cells,
                         d->noise);
    for (uint32_t i = 0; i < rx->params.n_plps; i++)
        for (dvbt2_run run = {0}; next_run(rx, i, l, &run);) {
            memcpy(aided->plp[i].cell + run.place, d->cells + run.cell, run.count * sizeof *d->cells);
            memcpy(aided->plp[i].noise + run.place, d->noise + run.cell, run.count * sizeof *d->noise);
        }
}

/* What the codewords tell of the cells; false: none has failed. */
static bool learn(dvbt2_receiver *rx)
{
    uint32_t failed = 0;
    for (uint32_t i = 0; i < rx->params.n_plps; i++)
        if (has_cells(rx, i))
            failed += dvbt2_decoded_plp_wait(&rx->aided.plp[i]);
    for (uint32_t i = 0; i < rx->params.n_plps && failed > 0; i++)
        if (has_cells(rx, i))
            dvbt2_decoded_plp_map(&rx->aided.plp[i]);
    return failed > 0;
}

static void decode_again(dvbt2_receiver *rx)
{
    for (uint32_t i = 0; i < rx->params.n_plps; i++)
        if (has_cells(rx, i))
            dvbt2_decoded_plp_decode_again(&rx->aided.plp[i]);
}

void dvbt2_data_aided_finish(dvbt2_receiver *rx, bool whole)
{
    for (uint32_t pass = 0; whole && pass < rx->params.data_aided; pass++) {
        if (pass > 0)
            decode_again(rx);
        if (!learn(rx))
            break;
        for (uint32_t l = 0; l < rx->aided.symbols; l++)
            correct_symbol(rx, l);
    }
    rx->aided.keeping = false;
    rx->aided.leaving = true;
}

/* ---- the frame leaves */

/* True: all cells of this output have left. */
static bool write_output(dvbt2_receiver *rx, uint32_t output)
{
    const dvbt2_decoded_plp *plp = &rx->aided.plp[output];
    uint32_t *written = &rx->aided.written[output];
    while (*written < plp->end) {
        const uint32_t left = plp->end - *written, count = left < CHUNK ? left : CHUNK;
        if (!dvbt2_output_has_room(&rx->outputs[output], count))
            return false;
        dvbt2_output_write(&rx->outputs[output], plp->cell + *written, plp->noise + *written, count);
        *written += count;
    }
    return true;
}

bool dvbt2_data_aided_leave(dvbt2_receiver *rx)
{
    bool all = true;
    for (uint32_t i = 0; i < rx->params.n_plps; i++)
        if (has_cells(rx, i))
            all = write_output(rx, i) && all;
    for (uint32_t i = 0; i < rx->params.n_plps && all; i++)
        if (has_cells(rx, i))
            dvbt2_output_complete(&rx->outputs[i]);
    rx->aided.leaving = !all;
    return all;
}
