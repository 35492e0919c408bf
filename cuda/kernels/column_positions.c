/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversion between the transmission order and the column order of kernels. */
#include "cuda/kernels/kernel.h"

#include <stdlib.h>

#include "base/memory.h"

static void map_columns(const ldpc_code *code, const uint32_t *position, ldpc_cuda_positions *positions)
{
    for (uint32_t p = 0; p < code->columns; p++)
        positions->source[p] = LDPC_CUDA_UNKNOWN;
    for (uint32_t i = 0; i < code->n; i++) {
        bool zero = code->transmitted[i] == LDPC_NO_COLUMN;
        positions->codeword_at[i] = zero ? LDPC_CUDA_ZERO : position[code->transmitted[i]];
        if (!zero)
            positions->source[position[code->transmitted[i]]] = (int32_t)i;
    }
    for (uint32_t i = 0; i < code->shortened; i++)
        positions->source[position[code->known_zero[i]]] = LDPC_CUDA_KNOWN;
    for (uint32_t i = 0; i < code->k; i++)
        positions->message_at[i] = position[code->message[i]];
}

ldpc_status ldpc_cuda_positions_make(const ldpc_code *code, ldpc_cuda_positions *positions)
{
    uint32_t *position = ldpc_allocate(code->columns, sizeof *position);
    positions->source = ldpc_allocate(code->columns, sizeof *positions->source);
    positions->codeword_at = ldpc_allocate(code->n, sizeof *positions->codeword_at);
    positions->message_at = ldpc_allocate(code->k, sizeof *positions->message_at);
    bool ok = position && positions->source && positions->codeword_at && positions->message_at;
    for (uint32_t p = 0; ok && p < code->columns; p++)
        position[code->column_at[p]] = p;
    if (ok)
        map_columns(code, position, positions);
    else
        ldpc_cuda_positions_free(positions);
    free(position);
    return ok ? LDPC_OK : LDPC_ERR_MEMORY;
}

void ldpc_cuda_positions_free(ldpc_cuda_positions *positions)
{
    free(positions->source);
    free(positions->codeword_at);
    free(positions->message_at);
    *positions = (ldpc_cuda_positions){0};
}
