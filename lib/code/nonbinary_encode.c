/* SPDX-License-Identifier: BSD-3-Clause */
/* Encoding, syndromes and conversions to bits over GF(q). */
#include "code/nonbinary.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void ldpc_nb_symbols_to_bits(const uint8_t *symbols, size_t count, uint32_t p, uint8_t *bits)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t b = 0; b < p; b++)
            *bits++ = symbols[i] >> (p - 1 - b) & 1;
}

void ldpc_nb_bits_to_symbols(const uint8_t *bits, size_t count, uint32_t p, uint8_t *symbols)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t symbol = 0;
        for (uint32_t b = 0; b < p; b++)
            symbol = symbol << 1 | (*bits++ & 1);
        symbols[i] = (uint8_t)symbol;
    }
}

void ldpc_nb_encode_symbols(const ldpc_code *code, const uint8_t *message, uint8_t *parity, uint8_t *codeword)
{
    const ldpc_nb *nb = code->nb;
    memset(parity, 0, nb->parity);
    for (uint32_t j = 0; j < code->k; j++) {
        codeword[code->message[j]] = message[j];
        if (message[j])
            ldpc_field_add_scaled(&nb->field, parity, nb->generator + (size_t)j * nb->parity, message[j],
                                  nb->parity);
    }
    for (uint32_t i = 0; i < nb->parity; i++)
        codeword[nb->parity_columns[i]] = parity[i];
}

ldpc_status ldpc_nb_encode(const ldpc_code *code, const uint8_t *message, size_t n_codewords,
                           uint8_t *codeword)
{
    size_t n = code->n, k = code->k, p = code->nb->field.p;
    uint8_t *in = ldpc_allocate(2 * n + code->nb->parity, 1);
    if (!in)
        return LDPC_ERR_MEMORY;
    uint8_t *out = in + n, *parity = out + n;
    for (size_t w = 0; w < n_codewords; w++) {
        ldpc_nb_bits_to_symbols(message + w * k * p, k, (uint32_t)p, in);
        ldpc_nb_encode_symbols(code, in, parity, out);
        ldpc_nb_symbols_to_bits(out, n, (uint32_t)p, codeword + w * n * p);
    }
    free(in);
    return LDPC_OK;
}

uint32_t ldpc_nb_syndrome_symbols(const ldpc_code *code, const uint8_t *symbols)
{
    uint32_t weight = 0;
    for (uint32_t c = 0; c < code->checks; c++) {
        uint8_t sum = 0;
        for (uint32_t e = code->row_start[c]; e < code->row_start[c + 1]; e++)
            sum ^= code->nb->product[(size_t)code->row_coefficients[e] * code->order +
                                     symbols[code->row_columns[e]]];
        weight += sum != 0;
    }
    return weight;
}

/* Must not allocate memory, because ldpc_syndrome_weight cannot report a failure. */
uint32_t ldpc_nb_syndrome_weight(const ldpc_code *code, const uint8_t *bits)
{
    uint32_t weight = 0, p = code->nb->field.p;
    for (uint32_t c = 0; c < code->checks; c++) {
        uint8_t sum = 0, symbol;
        for (uint32_t e = code->row_start[c]; e < code->row_start[c + 1]; e++) {
            ldpc_nb_bits_to_symbols(bits + (size_t)code->row_columns[e] * p, 1, p, &symbol);
            sum ^= code->nb->product[(size_t)code->row_coefficients[e] * code->order + symbol];
        }
        weight += sum != 0;
    }
    return weight;
}
