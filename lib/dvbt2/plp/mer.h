/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far received cells are from those that were sent: the cells of an FEC block are kept until it is decoded, and
 * compared with the cells of its codeword. That measures every fault of the signal and of the receiver, and needs no
 * decisions, which noise makes wrong and which rotated constellations do not allow cell by cell. */
#ifndef DVBT2_MER_H
#define DVBT2_MER_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ldpc/dvb_cells.h"

typedef struct dvbt2_kept_cells {
    bool kept;         /* there are cells, whose codeword is being decoded */
    size_t count;      /* of an FEC block */
    float *iq, *noise; /* in the order of the demapper */
    uint8_t *index;    /* of the point that each cell carries */
    float complex *sent;
} dvbt2_kept_cells;

bool dvbt2_kept_cells_init(dvbt2_kept_cells *cells, size_t count); /* false: no memory */
void dvbt2_kept_cells_free(dvbt2_kept_cells *cells);

void dvbt2_keep_cells(dvbt2_kept_cells *cells, const float *iq, const float *noise);

/* Modulation error ratio in dB (ETSI TR 101 290) of the kept cells against those of their codeword, packed. Each cell is weighted with
 * its power before equalisation, so that the cells of carriers that an echo takes away do not decide. Cells of
 * which nothing is known (noise 0) do not count. 0: no cell counts, or no error is left. Forgets the cells. */
double dvbt2_modulation_error_ratio(dvbt2_kept_cells *cells, const ldpc_demapper *demapper, bool rotated,
                                    const uint8_t *codeword);

#endif
