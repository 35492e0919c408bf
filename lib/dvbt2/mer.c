/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/mer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"

bool dvbt2_kept_cells_init(dvbt2_kept_cells *cells, size_t count)
{
    cells->count = count;
    cells->iq = ldpc_allocate(count, 2 * sizeof *cells->iq);
    cells->noise = ldpc_allocate(count, sizeof *cells->noise);
    cells->index = ldpc_allocate(count, sizeof *cells->index);
    return cells->iq && cells->noise && cells->index;
}

void dvbt2_kept_cells_free(dvbt2_kept_cells *cells)
{
    free(cells->iq);
    free(cells->noise);
    free(cells->index);
}

void dvbt2_keep_cells(dvbt2_kept_cells *cells, const float *iq, const float *noise)
{
    memcpy(cells->iq, iq, cells->count * 2 * sizeof *iq);
    memcpy(cells->noise, noise, cells->count * sizeof *noise);
    cells->kept = true;
}

/* The points that carry a codeword. */
static void map_codeword(const ldpc_demapper *demapper, const uint8_t *codeword, uint8_t *index, size_t count)
{
    const uint16_t *order = ldpc_demapper_order(demapper);
    const uint32_t bits = (uint32_t)ldpc_demapper_bits(demapper);
    memset(index, 0, count);
    for (size_t i = 0; i < ldpc_demapper_n(demapper); i++)
        if (ldpc_packed_bit(codeword, i))
            index[order[i] / bits] |= (uint8_t)(1u << (bits - 1 - order[i] % bits));
}

double dvbt2_modulation_error_ratio(dvbt2_kept_cells *cells, const ldpc_demapper *demapper, bool rotated,
                                    const uint8_t *codeword)
{
    const float *points = ldpc_demapper_points(demapper);
    const size_t count = cells->count;
    double power = 0, error = 0;
    map_codeword(demapper, codeword, cells->index, count);
    for (size_t c = 0; c < count; c++) {
        if (!(cells->noise[c] > 0 && isfinite(cells->noise[c])))
            continue;
        /* Q of a rotated point travels on the next cell */
        const float i = points[2 * cells->index[c]],
                    q = points[2 * cells->index[rotated ? (c + count - 1) % count : c] + 1],
                    i_off = cells->iq[2 * c] - i, q_off = cells->iq[2 * c + 1] - q;
        power += (double)(i * i + q * q);
        error += (double)(i_off * i_off + q_off * q_off);
    }
    cells->kept = false;
    return power > 0 && error > 0 && isfinite(error) ? 10 * log10(power / error) : 0;
}
