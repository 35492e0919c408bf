/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonbinary codes inside the library: the field, and what a code over GF(q) has beyond its graph.
 *
 * A field element is an integer 0 .. q-1: bit b is the coefficient of alpha^b, so addition is XOR. Outside of
 * the library a symbol is p = log2 q bits, the most significant one first.
 */
#ifndef LDPC_NB_H
#define LDPC_NB_H

#include <stdbool.h>

#include "code/code_internal.h"
#include "code/galois_field.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a nonbinary code has beyond struct ldpc_code. */
typedef struct ldpc_nb {
    ldpc_field field;
    /* variable v has the edges variable_edges[variable_start[v] .. variable_start[v+1]): positions in
     * row_columns */
    uint32_t *variable_start;
    uint32_t *variable_edges;
    uint8_t *product;         /* [q][q]: row h is the permutation that multiplying by h makes */
    uint8_t *halves;          /* [q][32]: h times 0 .. 15, h times 0, 16, 32 .. 240 (0 beyond the field) */
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

/* Sizes in which a code and its encoder are made within seconds; LDPC_ERR_LIMIT, or LDPC_ERR_RANGE for none.
 */
ldpc_status ldpc_nb_size_check(uint64_t checks, uint64_t columns, uint64_t entries, ldpc_error *err);

/* Sorts `entries`. */
ldpc_status ldpc_nb_code_create(uint32_t checks, uint32_t columns, const ldpc_field *field,
                                ldpc_nb_entry *entries, size_t count, const char *name, const char *standard,
                                ldpc_code **code, ldpc_error *err);

/* Symbols of one word: k in, n out; `parity` is scratch of nb->parity bytes. */
void ldpc_nb_encode_symbols(const ldpc_code *code, const uint8_t *message, uint8_t *parity,
                            uint8_t *codeword);

/* ldpc_encode for q > 2. */
ldpc_status ldpc_nb_encode(const ldpc_code *code, const uint8_t *message, size_t n_codewords,
                           uint8_t *codeword);

/* Unsatisfied checks of a word of ldpc_code_columns() symbols; the second takes p bits for each. */
uint32_t ldpc_nb_syndrome_symbols(const ldpc_code *code, const uint8_t *symbols);
uint32_t ldpc_nb_syndrome_weight(const ldpc_code *code, const uint8_t *bits);

/* Write `count` symbols of p bits, one per byte. */
void ldpc_nb_symbols_to_bits(const uint8_t *symbols, size_t count, uint32_t p, uint8_t *bits);
void ldpc_nb_bits_to_symbols(const uint8_t *bits, size_t count, uint32_t p, uint8_t *symbols);

#ifdef __cplusplus
}
#endif

#endif
