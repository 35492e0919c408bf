/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From carriers and channel to cells and their noise. */
#include "dvbt2/channel/equaliser.h"

#include "receiver/kernels.h"
#include "dvbt2/channel/miso.h"

float dvbt2_noise_of(const dvbt2_demodulator *d, uint32_t l)
{
    return d->channel.noise * d->disturbance[l % d->ring];
}

static void equalise_siso(dvbt2_demodulator *d, uint32_t l, uint32_t count)
{
    d->kernels->equalise(d->carriers[l % d->ring], d->h[0], dvbt2_noise_of(d, l) + d->channel.error,
                         d->interference.power, dvbt2_demodulator_sources(d, l), count, d->cells, d->noise);
}

static void equalise_miso(dvbt2_demodulator *d, uint32_t l, const dvbt2_symbol_layout *layout,
                          const uint16_t *order)
{
    const float complex *y = d->carriers[l % d->ring];
    const float noise = dvbt2_noise_of(d, l) + 2 * d->channel.error;
    for (uint32_t q = 0; q + 1 < layout->n_data; q += 2) {
        dvbt2_miso_pair pair;
        float complex cell[2];
        float cell_noise[2];
        for (uint32_t i = 0; i < 2; i++) {
            uint16_t k = layout->data[q + i];
            pair.y[i] = y[k];
            pair.h1[i] = d->h[0][k];
            pair.h2[i] = d->h[1][k];
            pair.noise[i] = noise + d->interference.power[k];
        }
        dvbt2_miso_decode(&pair, cell, cell_noise);
        for (uint32_t i = 0; i < 2; i++) {
            d->cells[order[q + i]] = cell[i];
            d->noise[order[q + i]] = cell_noise[i];
        }
    }
}

void dvbt2_equalise(dvbt2_demodulator *d, uint32_t l)
{
    const dvbt2_symbol_layout *layout = dvbt2_pilots_symbol(d->pilots, l);
    if (d->parameters.mode.miso)
        equalise_miso(d, l, layout, dvbt2_frequency_order(d->order, l));
    else
        equalise_siso(d, l, layout->n_data);
}
