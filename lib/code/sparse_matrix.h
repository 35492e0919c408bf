/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse binary matrices in compressed row form: row i has ones in columns items[start[i] .. start[i +
 * 1]). */
#ifndef LDPC_SPARSE_MATRIX_H
#define LDPC_SPARSE_MATRIX_H

#include <stddef.h>
#include <stdint.h>

/* Converts row weights to row starts by a prefix sum. On entry, start[i + 1] is the weight of row i and
 * start[0] is 0. */
void ldpc_sparse_sum(uint32_t *start, uint32_t rows);

/* Transposes a matrix. In the result, column j has its ones in the rows out_items[out_start[j] .. out_start[j
 * + 1]), in ascending order. `out_start` has columns + 1 entries, zero on entry; `out_items` is as long as
 * `items`. */
void ldpc_sparse_transpose(uint32_t rows, uint32_t columns, const uint32_t *start, const uint32_t *items,
                           uint32_t *out_start, uint32_t *out_items);

#endif
