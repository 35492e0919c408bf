/* SPDX-License-Identifier: BSD-3-Clause */
#include "code/sparse_matrix.h"

void ldpc_sparse_sum(uint32_t *start, uint32_t rows)
{
    for (uint32_t i = 0; i < rows; i++)
        start[i + 1] += start[i];
}

void ldpc_sparse_transpose(uint32_t rows, uint32_t columns, const uint32_t *start, const uint32_t *items,
                           uint32_t *out_start, uint32_t *out_items)
{
    for (uint32_t e = 0; e < start[rows]; e++)
        out_start[items[e] + 1]++;
    ldpc_sparse_sum(out_start, columns);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t e = start[i]; e < start[i + 1]; e++)
            out_items[out_start[items[e]]++] = i;
    for (uint32_t j = columns; j > 0; j--)
        out_start[j] = out_start[j - 1];
    out_start[0] = 0;
}
