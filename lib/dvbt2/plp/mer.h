/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the modulation error ratio. The cells of an FEC block are kept until the block is decoded. Then
 * they are compared with the cells of the decoded codeword, so the result includes every impairment of signal
 * and receiver. Hard decisions on single cells would be wrong under noise, and are impossible with rotated
 * constellations. */
#ifndef DVBT2_MER_H
#define DVBT2_MER_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ldpc/dvb_cells.h"

typedef struct dvbt2_kept_cells {
    bool kept;         /* true: the cells of a codeword are stored until it is decoded */
    size_t count;      /* number of cells of an FEC block */
    float *iq, *noise; /* cells and their noise, in the order of the demapper */
    uint8_t *index;    /* for each cell, the index of its constellation point */
    float complex *sent;
} dvbt2_kept_cells;

/* Initialises the storage. Returns false if out of memory. */
bool dvbt2_kept_cells_init(dvbt2_kept_cells *cells, size_t count);
void dvbt2_kept_cells_free(dvbt2_kept_cells *cells);

void dvbt2_keep_cells(dvbt2_kept_cells *cells, const float *iq, const float *noise);

/* Returns the modulation error ratio in dB (ETSI TR 101 290) of the kept cells. Their ideal values come from
 * the packed codeword. Then clears the kept cells. Cells are weighted with their power before equalisation,
 * so that carriers in the notch of an echo do not dominate. Erased cells (noise 0) are not used. Returns 0 if
 * no cell is usable or the error is 0. */
double dvbt2_modulation_error_ratio(dvbt2_kept_cells *cells, const ldpc_demapper *demapper, bool rotated,
                                    const uint8_t *codeword);

#endif
