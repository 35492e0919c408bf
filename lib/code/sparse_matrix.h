/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse binary matrices: row i has ones in columns items[start[i] .. start[i + 1]). */
#ifndef LDPC_SPARSE_MATRIX_H
#define LDPC_SPARSE_MATRIX_H

#include <stddef.h>
#include <stdint.h>

void ldpc_sparse_sum(uint32_t *start, uint32_t rows);

/* Transposes a matrix: column j has ones in the rows out_items[out_start[j] .. out_start[j + 1]). `out_start`
 * must be zero on entry. */
void ldpc_sparse_transpose(uint32_t rows, uint32_t columns, const uint32_t *start, const uint32_t *items,
                           uint32_t *out_start, uint32_t *out_items);

#endif
