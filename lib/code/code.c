/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "code/encoder.h"
#include "code/dyadic.h"
#include "code/nonbinary.h"

ldpc_code *ldpc_code_retain(const ldpc_code *code)
{
    ldpc_code *shared = (ldpc_code *)code; /* only the reference count changes */
    atomic_fetch_add_explicit(&shared->references, 1, memory_order_relaxed);
    return shared;
}

void ldpc_code_destroy(ldpc_code *code)
{
    if (!code || atomic_fetch_sub_explicit(&code->references, 1, memory_order_acq_rel) != 1)
        return;
    free(code->row_start);
    free(code->row_columns);
    free(code->row_coefficients);
    free(code->layer_start);
    free(code->blocks);
    free(code->check_at);
    free(code->column_at);
    free(code->transmitted);
    free(code->message);
    free(code->known_zero);
    ldpc_encoder_close(code->encoder);
    ldpc_nb_destroy(code->nb);
    ldpc_dyadic_view_destroy(code->dyadic);
    free(code);
}

static const ldpc_code *or_none(const ldpc_code *code)
{
    static const ldpc_code none = {.name = ""};
    return code ? code : &none;
}

const char *ldpc_code_name(const ldpc_code *code)
{
    return or_none(code)->name;
}

const char *ldpc_code_standard(const ldpc_code *code)
{
    return or_none(code)->standard;
}

uint32_t ldpc_code_n(const ldpc_code *code)
{
    return or_none(code)->n;
}

uint32_t ldpc_code_k(const ldpc_code *code)
{
    return or_none(code)->k;
}

uint32_t ldpc_code_checks(const ldpc_code *code)
{
    return or_none(code)->checks;
}

uint32_t ldpc_code_columns(const ldpc_code *code)
{
    return or_none(code)->columns;
}

uint32_t ldpc_code_punctured(const ldpc_code *code)
{
    return or_none(code)->punctured;
}

uint32_t ldpc_code_shortened(const ldpc_code *code)
{
    return or_none(code)->shortened;
}

uint32_t ldpc_code_order(const ldpc_code *code)
{
    return or_none(code)->order;
}

uint32_t ldpc_code_symbol_bits(const ldpc_code *code)
{
    return !code ? 0 : code->nb ? code->nb->field.p : 1;
}

uint32_t ldpc_code_polynomial(const ldpc_code *code)
{
    return code && code->nb ? code->nb->field.polynomial : 0;
}

const uint16_t *ldpc_code_check_values(const ldpc_code *code, uint32_t c)
{
    return code && code->nb && c < code->checks ? code->row_coefficients + code->row_start[c] : NULL;
}

uint32_t ldpc_code_lifting_size(const ldpc_code *code)
{
    return or_none(code)->z;
}

size_t ldpc_code_edges(const ldpc_code *code)
{
    return or_none(code)->edges;
}

const uint32_t *ldpc_code_check(const ldpc_code *code, uint32_t c, uint32_t *degree)
{
    if (!code || c >= code->checks) {
        if (degree)
            *degree = 0;
        return NULL;
    }
    if (degree)
        *degree = code->row_start[c + 1] - code->row_start[c];
    return code->row_columns + code->row_start[c];
}

const uint32_t *ldpc_code_transmitted_columns(const ldpc_code *code)
{
    return or_none(code)->transmitted;
}

const uint32_t *ldpc_code_message_columns(const ldpc_code *code)
{
    return or_none(code)->message;
}

const uint32_t *ldpc_code_shortened_columns(const ldpc_code *code)
{
    return or_none(code)->known_zero;
}

bool ldpc_code_has_encoder(const ldpc_code *code)
{
    return or_none(code)->encoder || or_none(code)->nb;
}

uint32_t ldpc_syndrome_weight(const ldpc_code *code, const uint8_t *columns)
{
    if (!code || !columns)
        return UINT32_MAX;
    if (code->nb)
        return ldpc_nb_syndrome_weight(code, columns);
    uint32_t weight = 0;
    for (uint32_t c = 0; c < code->checks; c++) {
        uint8_t parity = 0;
        for (uint32_t e = code->row_start[c]; e < code->row_start[c + 1]; e++)
            parity ^= columns[code->row_columns[e]];
        weight += parity & 1;
    }
    return weight;
}
