/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the modulation error ratio with decoded codewords. */
#ifndef DVBT2_MER_H
#define DVBT2_MER_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ldpc/dvb_cells.h"

typedef struct dvbt2_kept_cells {
    bool kept;         /* true: the cells of a codeword are stored */
    size_t count;      /* number of cells of an FEC block */
    float *iq, *noise; /* cells in demapper order, and the noise of each cell */
    uint8_t *index;
    float complex *sent;
} dvbt2_kept_cells;

/* Returns false if out of memory. */
bool dvbt2_kept_cells_init(dvbt2_kept_cells *cells, size_t count);
void dvbt2_kept_cells_free(dvbt2_kept_cells *cells);

void dvbt2_keep_cells(dvbt2_kept_cells *cells, const float *iq, const float *noise);

/* Returns the MER of the kept cells in dB (ETSI TR 101 290), then discards the cells. Returns 0 if unknown.
 * Cells are weighted with their power before equalisation. */
double dvbt2_modulation_error_ratio(dvbt2_kept_cells *cells, const ldpc_demapper *demapper, bool rotated,
                                    const uint8_t *codeword);

#endif
