/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency deinterleaver as a table of permutations (EN 302 755, clause 8.5).
 *
 *     const uint16_t *cell = dvbt2_frequency_order(deint, l);
 *     for (q < layout->n_data)
 *         cells[cell[q]] = equalised[layout->data[q]];
 *
 * l = 0 is the first P2 symbol. Even and odd symbols have different permutations. */
#ifndef DVBT2_FREQUENCY_DEINTERLEAVER_H
#define DVBT2_FREQUENCY_DEINTERLEAVER_H

#include "dvbt2/standard/parameters.h"

typedef struct dvbt2_frequency_deinterleaver dvbt2_frequency_deinterleaver;

/* Returns LDPC_OK, LDPC_ERR_NULL or LDPC_ERR_MEMORY. */
ldpc_status dvbt2_frequency_deinterleaver_create(const dvbt2_parameters *parameters,
                                                 dvbt2_frequency_deinterleaver **deint, ldpc_error *err);
void dvbt2_frequency_deinterleaver_destroy(dvbt2_frequency_deinterleaver *deint); /* NULL is allowed */

/* Returns the cell order of symbol l, or NULL past the end of the frame. Data carrier q contains cell
 * order[q]. */
const uint16_t *dvbt2_frequency_order(const dvbt2_frequency_deinterleaver *deint, uint32_t l);

/* Computes the permutation of n_cells cells. order: n_cells values. */
void dvbt2_frequency_permutation(dvbt2_fft_size fft, bool odd, uint32_t n_cells, uint16_t *order);

#endif
