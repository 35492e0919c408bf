/* SPDX-License-Identifier: BSD-3-Clause */
/* From transmitted order to the order in which kernels keep columns, and back. */
#include "cuda/kernels/kernel.h"

#include <stdlib.h>

#include "base/memory.h"

static void map_columns(const ldpc_code *code, const uint32_t *position, ldpc_cuda_places *places)
{
    for (uint32_t p = 0; p < code->columns; p++)
        places->source[p] = LDPC_CUDA_UNKNOWN;
    for (uint32_t i = 0; i < code->n; i++) {
        bool zero = code->transmitted[i] == LDPC_NO_COLUMN;
        places->codeword_at[i] = zero ? LDPC_CUDA_ZERO : position[code->transmitted[i]];
        if (!zero)
            places->source[position[code->transmitted[i]]] = (int32_t)i;
    }
    for (uint32_t i = 0; i < code->shortened; i++)
        places->source[position[code->known_zero[i]]] = LDPC_CUDA_KNOWN;
    for (uint32_t i = 0; i < code->k; i++)
        places->message_at[i] = position[code->message[i]];
}

ldpc_status ldpc_cuda_places_make(const ldpc_code *code, ldpc_cuda_places *places)
{
    uint32_t *position = ldpc_allocate(code->columns, sizeof *position);
    places->source = ldpc_allocate(code->columns, sizeof *places->source);
    places->codeword_at = ldpc_allocate(code->n, sizeof *places->codeword_at);
    places->message_at = ldpc_allocate(code->k, sizeof *places->message_at);
    bool ok = position && places->source && places->codeword_at && places->message_at;
    for (uint32_t p = 0; ok && p < code->columns; p++)
        position[code->column_at[p]] = p;
    if (ok)
        map_columns(code, position, places);
    else
        ldpc_cuda_places_free(places);
    free(position);
    return ok ? LDPC_OK : LDPC_ERR_MEMORY;
}

void ldpc_cuda_places_free(ldpc_cuda_places *places)
{
    free(places->source);
    free(places->codeword_at);
    free(places->message_at);
    *places = (ldpc_cuda_places){0};
}
