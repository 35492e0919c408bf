/* SPDX-License-Identifier: BSD-3-Clause */
/* An encoding under construction: its sums in the order in which the encoder computes them, each with its
 * level (encoding.h). */
#ifndef LDPC_CUDA_ENCODING_SUMS_H
#define LDPC_CUDA_ENCODING_SUMS_H

#include "code/code_internal.h"

#define LDPC_ENCODING_NONE UINT32_MAX

/* A column that is the sum of more message columns than this is not computed from them. */
#define LDPC_ENCODING_MAX_TERMS 256

/* The terms of a column: the message columns whose sum is the column. The terms of all columns form the
 * generator matrix; no terms are stored for columns that have too many. */
typedef struct ldpc_encoding_terms {
    uint32_t *count;  /* [columns] number of terms; more than LDPC_ENCODING_MAX_TERMS: too many */
    uint32_t *column; /* [columns][LDPC_ENCODING_MAX_TERMS] */
} ldpc_encoding_terms;

/* Fills zeroed arrays of the caller. False when out of memory, or if the columns that the encoder sets aside
 * have too many terms. */
bool ldpc_encoding_find_terms(const ldpc_code *code, ldpc_encoding_terms *terms);

typedef struct ldpc_encoding_sum {
    uint32_t target; /* column */
    uint32_t first_operand, operands;
    uint32_t level;
    uint32_t before, after; /* previous and next sum in its chain, or LDPC_ENCODING_NONE */
} ldpc_encoding_sum;

typedef struct ldpc_encoding_builder {
    const ldpc_code *code;
    const ldpc_encoding_terms *terms; /* or NULL */
    ldpc_encoding_sum *sums;
    uint32_t *operands;
    uint32_t n_sums, n_operands, n_levels;
    uint32_t section;     /* first sum of the section under construction */
    uint32_t first_level; /* its first level */
    uint32_t *made_by;    /* [columns] the latest sum that computes the column, or LDPC_ENCODING_NONE */
    bool *zero;           /* [columns] whether the column is zero in this section: shortened, or set aside and
                           * not computed yet */
} ldpc_encoding_builder;

/* Finds all sums of a binary code's encoder. If `terms` is NULL, these are the encoder's own sums; otherwise,
 * columns of the third and later levels of a section are sums of their terms where terms are stored. Returns
 * false when out of memory. */
bool ldpc_encoding_find_sums(ldpc_encoding_builder *builder, const ldpc_code *code,
                             const ldpc_encoding_terms *terms);
void ldpc_encoding_builder_close(ldpc_encoding_builder *builder);

#endif
