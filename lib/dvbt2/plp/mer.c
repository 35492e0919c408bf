/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/plp/mer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dvbt2/plp/cell_mapper.h"

bool dvbt2_kept_cells_init(dvbt2_kept_cells *cells, size_t count)
{
    cells->count = count;
    cells->iq = ldpc_allocate(count, 2 * sizeof *cells->iq);
    cells->noise = ldpc_allocate(count, sizeof *cells->noise);
    cells->index = ldpc_allocate(count, sizeof *cells->index);
    cells->sent = ldpc_allocate(count, sizeof *cells->sent);
    return cells->iq && cells->noise && cells->index && cells->sent;
}

void dvbt2_kept_cells_free(dvbt2_kept_cells *cells)
{
    free(cells->iq);
    free(cells->noise);
    free(cells->index);
    free(cells->sent);
}

void dvbt2_keep_cells(dvbt2_kept_cells *cells, const float *iq, const float *noise)
{
    memcpy(cells->iq, iq, cells->count * 2 * sizeof *iq);
    memcpy(cells->noise, noise, cells->count * sizeof *noise);
    cells->kept = true;
}

double dvbt2_modulation_error_ratio(dvbt2_kept_cells *cells, const ldpc_demapper *demapper, bool rotated,
                                    const uint8_t *codeword)
{
    const size_t count = cells->count;
    double power = 0, error = 0;
    dvbt2_map_codeword(demapper, rotated, codeword, cells->index, cells->sent);
    for (size_t c = 0; c < count; c++) {
        if (!(cells->noise[c] > 0 && isfinite(cells->noise[c])))
            continue;
        const float i = crealf(cells->sent[c]), q = cimagf(cells->sent[c]), i_off = cells->iq[2 * c] - i,
                    q_off = cells->iq[2 * c + 1] - q;
        const double received = 1 / (double)cells->noise[c];
        power += received * (double)(i * i + q * q);
        error += received * (double)(i_off * i_off + q_off * q_off);
    }
    cells->kept = false;
    return power > 0 && error > 0 && isfinite(error) ? 10 * log10(power / error) : 0;
}
