/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse binary matrices in compressed row form: row i has ones in columns items[start[i] .. start[i +
 * 1]). */
#ifndef LDPC_SPARSE_MATRIX_H
#define LDPC_SPARSE_MATRIX_H

#include <stddef.h>
#include <stdint.h>

/* Turns row weights into row starts by a prefix sum. On entry start[i + 1] is the weight of row i, start[0]
 * is 0. */
void ldpc_sparse_sum(uint32_t *start, uint32_t rows);

/* Transposes a matrix: out_items[out_start[j] ..) are the rows with a one in column j, ascending. out_start
 * is [columns + 1] and zero on entry; out_items is as long as items. */
void ldpc_sparse_transpose(uint32_t rows, uint32_t columns, const uint32_t *start, const uint32_t *items,
                           uint32_t *out_start, uint32_t *out_items);

#endif
