/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "code/dense.h"
#include "base/memory.h"

ldpc_status ldpc_dense_open(ldpc_dense *dense, uint32_t rows, uint32_t columns)
{
    *dense = (ldpc_dense){.rows = rows, .columns = columns, .words = ((size_t)columns + 63) / 64};
    dense->bits = ldpc_allocate(rows * dense->words, sizeof *dense->bits);
    dense->column_of = ldpc_allocate(rows, sizeof *dense->column_of);
    dense->row_of = ldpc_allocate(columns, sizeof *dense->row_of);
    if (!dense->bits || !dense->column_of || !dense->row_of) {
        ldpc_dense_close(dense);
        return LDPC_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < rows; i++)
        dense->column_of[i] = LDPC_NOT_EXCHANGED;
    for (uint32_t j = 0; j < columns; j++)
        dense->row_of[j] = LDPC_NOT_EXCHANGED;
    return LDPC_OK;
}

void ldpc_dense_close(ldpc_dense *dense)
{
    free(dense->bits);
    free(dense->column_of);
    free(dense->row_of);
    *dense = (ldpc_dense){0};
}

bool ldpc_dense_get(const ldpc_dense *dense, uint32_t row, uint32_t column)
{
    return dense->bits[row * dense->words + column / 64] >> column % 64 & 1;
}

void ldpc_dense_set(ldpc_dense *dense, uint32_t row, uint32_t column)
{
    dense->bits[row * dense->words + column / 64] |= UINT64_C(1) << column % 64;
}

static uint32_t find_pivot(const ldpc_dense *dense, uint32_t column)
{
    for (uint32_t i = 0; i < dense->rows; i++)
        if (dense->column_of[i] == LDPC_NOT_EXCHANGED && ldpc_dense_get(dense, i, column))
            return i;
    return LDPC_NOT_EXCHANGED;
}

static void exchange(ldpc_dense *dense, uint32_t pivot, uint32_t column)
{
    const uint64_t *from = dense->bits + pivot * dense->words;
    for (uint32_t i = 0; i < dense->rows; i++) {
        if (i == pivot || !ldpc_dense_get(dense, i, column))
            continue;
        uint64_t *to = dense->bits + i * dense->words;
        for (size_t w = 0; w < dense->words; w++)
            to[w] ^= from[w];
        ldpc_dense_set(dense, i, column); /* now the coefficient of s[pivot] */
    }
    dense->column_of[pivot] = column;
    dense->row_of[column] = pivot;
    dense->rank++;
}

void ldpc_dense_solve(ldpc_dense *dense)
{
    for (uint32_t column = 0; column < dense->columns && dense->rank < dense->rows; column++) {
        uint32_t pivot = find_pivot(dense, column);
        if (pivot != LDPC_NOT_EXCHANGED)
            exchange(dense, pivot, column);
    }
}
