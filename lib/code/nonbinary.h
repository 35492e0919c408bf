/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonbinary codes inside the library (prefix ldpc_nb): what a code over GF(q), q > 2, has beyond its graph.
 * Outside of the library a symbol is p = log2 q bits, the most significant one first.
 */
#ifndef LDPC_NONBINARY_H
#define LDPC_NONBINARY_H

#include <stdbool.h>

#include "code/code_internal.h"
#include "code/galois_field.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a nonbinary code has beyond struct ldpc_code. */
typedef struct ldpc_nb {
    ldpc_field field;
    /* variable node v has the edges variable_edges[variable_start[v] .. variable_start[v + 1]), ascending:
     * positions in row_columns */
    uint32_t *variable_start;
    uint32_t *variable_edges;
    uint8_t *product;         /* [q][q]: product of h and x at [h][x] */
    uint8_t *halves;          /* [q][32]: h times 0 .. 15, then h times 0, 16 .. 240 (0 beyond the field) */
    uint32_t parity;          /* rank of H */
    uint32_t *parity_columns; /* [parity] */
    uint8_t *generator;       /* [k][parity]: parity = sum over message symbols of symbol * row */
} ldpc_nb;

void ldpc_nb_destroy(ldpc_nb *nb);

/* A parity-check matrix as a list of nonzero elements, in any order. */
typedef struct ldpc_nb_entry {
    uint32_t check, column;
    uint8_t coefficient;
} ldpc_nb_entry;

/* LDPC_OK for sizes in which a code and its encoder are made within seconds, else LDPC_ERR_LIMIT;
 * LDPC_ERR_RANGE for empty ones. */
ldpc_status ldpc_nb_size_check(uint64_t checks, uint64_t columns, uint64_t entries, ldpc_error *err);

/* Makes a code with its encoder; sorts `entries`. */
ldpc_status ldpc_nb_code_create(uint32_t checks, uint32_t columns, const ldpc_field *field,
                                ldpc_nb_entry *entries, size_t count, const char *name, const char *standard,
                                ldpc_code **code, ldpc_error *err);

/* Encodes k symbols into a codeword of n symbols; `parity` is scratch of nb->parity bytes. */
void ldpc_nb_encode_symbols(const ldpc_code *code, const uint8_t *message, uint8_t *parity,
                            uint8_t *codeword);

/* ldpc_encode for q > 2. */
ldpc_status ldpc_nb_encode(const ldpc_code *code, const uint8_t *message, size_t n_codewords,
                           uint8_t *codeword);

/* Number of unsatisfied checks of ldpc_code_columns() symbols; the second function takes p bits for each. */
uint32_t ldpc_nb_syndrome_symbols(const ldpc_code *code, const uint8_t *symbols);
uint32_t ldpc_nb_syndrome_weight(const ldpc_code *code, const uint8_t *bits);

/* `count` symbols to p unpacked bits each, most significant first, and back. */
void ldpc_nb_symbols_to_bits(const uint8_t *symbols, size_t count, uint32_t p, uint8_t *bits);
void ldpc_nb_bits_to_symbols(const uint8_t *bits, size_t count, uint32_t p, uint8_t *symbols);

#ifdef __cplusplus
}
#endif

#endif
