/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mapper of the transmitter, using the tables of the demapper: from a codeword to the cells of an FEC block. */
#ifndef DVBT2_CELL_MAPPER_H
#define DVBT2_CELL_MAPPER_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "ldpc/dvb_cells.h"

/* Map a packed codeword to its cells, in the order of the demapper. index: scratch, one byte per cell. */
void dvbt2_map_codeword(const ldpc_demapper *demapper, bool rotated, const uint8_t *codeword, uint8_t *index,
                        float complex *cells);

/* Mean and variance of the cells given the posterior LLRs of the codeword's bits, in steps of 1 / scale nat.
 * probability: scratch, one float per bit. */
void dvbt2_map_posteriors(const ldpc_demapper *demapper, bool rotated, const int16_t *posterior, float scale,
                          float *probability, float complex *cells, float *variance);

#endif
