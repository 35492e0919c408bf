/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps a codeword to cells, as the transmitter does. */
#ifndef DVBT2_CELL_MAPPER_H
#define DVBT2_CELL_MAPPER_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "ldpc/dvb_cells.h"

/* Maps a packed codeword to cells in demapper order. index: scratch memory, one byte per cell. */
void dvbt2_map_codeword(const ldpc_demapper *demapper, bool rotated, const uint8_t *codeword, uint8_t *index,
                        float complex *cells);

/* Computes mean and variance of each cell from the posterior LLRs (units of 1 / scale nats). probability:
 * scratch memory, one float per bit. */
void dvbt2_map_posteriors(const ldpc_demapper *demapper, bool rotated, const int16_t *posterior, float scale,
                          float *probability, float complex *cells, float *variance);

#endif
