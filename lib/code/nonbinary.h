/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes over GF(q), q > 2. In the public API, a symbol is p = log2 q bits, most significant first. */
#ifndef LDPC_NONBINARY_H
#define LDPC_NONBINARY_H

#include <stdbool.h>

#include "code/code_internal.h"
#include "code/galois_field.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Nonbinary part of a code. */
typedef struct ldpc_nb {
    ldpc_field field;
    /* edges of variable v: variable_edges[variable_start[v] .. variable_start[v + 1]) */
    uint32_t *variable_start;
    uint32_t *variable_edges;
    uint8_t *product; /* [q][q] products: h x is at [h][x] */
    /* [q][32] h times 0 .. 15, then h times 0, 16, .. 240; 0 for values >= q */
    uint8_t *halves;
    uint32_t parity;
    uint32_t *parity_columns; /* [parity] */
    uint8_t *generator;       /* [k][parity] parity part of the generator matrix */
} ldpc_nb;

void ldpc_nb_destroy(ldpc_nb *nb);

/* One nonzero element of H. Lists need not be sorted. */
typedef struct ldpc_nb_entry {
    uint32_t check, column;
    uint8_t coefficient;
} ldpc_nb_entry;

/* Returns LDPC_ERR_LIMIT if construction would take more than a few seconds, LDPC_ERR_RANGE for impossible
 * sizes. */
ldpc_status ldpc_nb_size_check(uint64_t checks, uint64_t columns, uint64_t entries, ldpc_error *err);

/* Sorts `entries`. */
ldpc_status ldpc_nb_code_create(uint32_t checks, uint32_t columns, const ldpc_field *field,
                                ldpc_nb_entry *entries, size_t count, const char *name, const char *standard,
                                ldpc_code **code, ldpc_error *err);

/* Encodes k symbols. `parity` is scratch memory of nb->parity bytes. */
void ldpc_nb_encode_symbols(const ldpc_code *code, const uint8_t *message, uint8_t *parity,
                            uint8_t *codeword);

/* Implements ldpc_encode for q > 2. */
ldpc_status ldpc_nb_encode(const ldpc_code *code, const uint8_t *message, size_t n_codewords,
                           uint8_t *codeword);

/* `symbols`: ldpc_code_columns() symbols; `bits`: p bits per symbol. */
uint32_t ldpc_nb_syndrome_symbols(const ldpc_code *code, const uint8_t *symbols);
uint32_t ldpc_nb_syndrome_weight(const ldpc_code *code, const uint8_t *bits);

/* Convert symbols to unpacked bits, most significant first, and back. */
void ldpc_nb_symbols_to_bits(const uint8_t *symbols, size_t count, uint32_t p, uint8_t *bits);
void ldpc_nb_bits_to_symbols(const uint8_t *bits, size_t count, uint32_t p, uint8_t *symbols);

#ifdef __cplusplus
}
#endif

#endif
