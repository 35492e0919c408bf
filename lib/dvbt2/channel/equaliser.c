/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/equaliser.h"

#include "dvbt2/channel/miso.h"

void dvbt2_equalise_miso(const dvbt2_equaliser_input *symbol, const dvbt2_symbol_layout *layout,
                         const uint16_t *order, float complex *cells, float *noise)
{
    for (uint32_t q = 0; q + 1 < layout->n_data; q += 2) {
        dvbt2_miso_pair pair;
        float complex cell[2];
        float cell_noise[2];
        for (uint32_t i = 0; i < 2; i++) {
            uint16_t k = layout->data[q + i];
            pair.y[i] = symbol->received[k];
            pair.h1[i] = symbol->h1[k];
            pair.h2[i] = symbol->h2[k];
            pair.noise[i] = symbol->noise + symbol->interference[k];
        }
        dvbt2_miso_decode(&pair, cell, cell_noise);
        for (uint32_t i = 0; i < 2; i++) {
            cells[order[q + i]] = cell[i];
            noise[order[q + i]] = cell_noise[i];
        }
    }
}
