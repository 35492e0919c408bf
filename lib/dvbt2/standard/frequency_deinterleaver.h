/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency deinterleaver as a table of permutations (EN 302 755, clause 8.5).
 *
 *     const uint16_t *cell = dvbt2_frequency_order(deint, l);
 *     for (q < layout->n_data)
 *         cells[cell[q]] = equalised[layout->data[q]];
 *
 * P2, normal and frame-closing symbols have different numbers of cells; even and odd symbols have different
 * permutations. l counts the symbols of a frame from the first P2 symbol, which is even. */
#ifndef DVBT2_FREQUENCY_DEINTERLEAVER_H
#define DVBT2_FREQUENCY_DEINTERLEAVER_H

#include "dvbt2/standard/parameters.h"

typedef struct dvbt2_frequency_deinterleaver dvbt2_frequency_deinterleaver;

/* Returns LDPC_OK, LDPC_ERR_NULL or LDPC_ERR_MEMORY. */
ldpc_status dvbt2_frequency_deinterleaver_create(const dvbt2_parameters *parameters,
                                                 dvbt2_frequency_deinterleaver **deint, ldpc_error *err);
void dvbt2_frequency_deinterleaver_destroy(dvbt2_frequency_deinterleaver *deint); /* NULL is allowed */

/* Returns the cell order of symbol l, or NULL past the end of the frame. Data carrier q carries cell order[q]
 * in the order of the frame map, for q < dvbt2_symbol_cells(). */
const uint16_t *dvbt2_frequency_order(const dvbt2_frequency_deinterleaver *deint, uint32_t l);

/* Computes the permutation for any number of cells. `order` must have room for n_cells values. */
void dvbt2_frequency_permutation(dvbt2_fft_size fft, bool odd, uint32_t n_cells, uint16_t *order);

#endif
