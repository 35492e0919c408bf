/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse 0/1 matrices as lists: row i has ones in columns items[start[i] .. start[i + 1]). */
#ifndef LDPC_SPARSE_MATRIX_H
#define LDPC_SPARSE_MATRIX_H

#include <stddef.h>
#include <stdint.h>

/* From counts to starts: on entry start[i + 1] is the number of ones of row i, and start[0] is 0. */
void ldpc_sparse_sum(uint32_t *start, uint32_t rows);

/* Transposes: out_items[out_start[j] ..) are the rows with a one in column j, ascending. out_start is
 * [columns + 1] and zero on entry, out_items is as long as items. */
void ldpc_sparse_transpose(uint32_t rows, uint32_t columns, const uint32_t *start, const uint32_t *items,
                           uint32_t *out_start, uint32_t *out_items);

#endif
