/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The transmitter's mapper, by the demapper's tables: codeword ──> cells of an FEC block. */
#ifndef DVBT2_CELL_MAPPER_H
#define DVBT2_CELL_MAPPER_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "ldpc/dvb_cells.h"

/* The cells that carry a codeword (packed), in the order of the demapper. index: scratch, a byte for each cell. */
void dvbt2_map_codeword(const ldpc_demapper *demapper, bool rotated, const uint8_t *codeword, uint8_t *index,
                        float complex *cells);

/* Mean and variance of these cells where the codeword is known by the posteriors of its bits alone, in steps of 1 / scale nat.
 * probability: scratch, a float for each bit. */
void dvbt2_map_posteriors(const ldpc_demapper *demapper, bool rotated, const int16_t *posterior, float scale,
                          float *probability, float complex *cells, float *variance);

#endif
