/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From carriers and channel to cells and their noise. */
#include "dvbt2/equaliser.h"

#include "dvbt2/kernels.h"
#include "dvbt2/miso.h"

/* Noise of a carrier of symbol l. */
static float noise_of(const dvbt2_demodulator *d, uint32_t l)
{
    return d->channel.noise * d->disturbance[l % d->ring];
}

static void equalise_siso(dvbt2_demodulator *d, uint32_t l, const dvbt2_symbol_layout *layout,
                          const uint16_t *order)
{
    d->kernels->equalise(d->carriers[l % d->ring], d->h[0], noise_of(d, l) + d->channel.error,
                         d->parameters.carriers, d->equalised, d->carrier_noise);
    double sum = 0;
    for (uint32_t q = 0; q < layout->n_data; q++) {
        uint16_t k = layout->data[q], c = order[q];
        d->cells[c] = d->equalised[k];
        d->noise[c] = d->carrier_noise[k];
        sum += (double)d->carrier_noise[k];
    }
    d->mean_noise = sum / layout->n_data;
}

static void equalise_miso(dvbt2_demodulator *d, uint32_t l, const dvbt2_symbol_layout *layout,
                          const uint16_t *order)
{
    const float complex *y = d->carriers[l % d->ring];
    const float noise = noise_of(d, l) + 2 * d->channel.error;
    double sum = 0;
    for (uint32_t q = 0; q + 1 < layout->n_data; q += 2) {
        dvbt2_miso_pair pair;
        float complex cell[2];
        float cell_noise[2];
        for (uint32_t i = 0; i < 2; i++) {
            uint16_t k = layout->data[q + i];
            pair.y[i] = y[k];
            pair.h1[i] = d->h[0][k];
            pair.h2[i] = d->h[1][k];
            pair.noise[i] = noise;
        }
        dvbt2_miso_decode(&pair, cell, cell_noise);
        for (uint32_t i = 0; i < 2; i++) {
            d->cells[order[q + i]] = cell[i];
            d->noise[order[q + i]] = cell_noise[i];
            sum += (double)cell_noise[i];
        }
    }
    d->mean_noise = sum / layout->n_data;
}

void dvbt2_equalise(dvbt2_demodulator *d, uint32_t l)
{
    const dvbt2_symbol_layout *layout = dvbt2_pilots_symbol(d->pilots, l);
    const uint16_t *order = dvbt2_frequency_order(d->order, l);
    if (d->parameters.mode.miso)
        equalise_miso(d, l, layout, order);
    else
        equalise_siso(d, l, layout, order);
}
