/* SPDX-License-Identifier: BSD-3-Clause */
/* An encoding under construction: the sums in the order in which the encoder computes them, and the level of
 * each sum (encoding.h). */
#ifndef LDPC_CUDA_ENCODING_SUMS_H
#define LDPC_CUDA_ENCODING_SUMS_H

#include "code/code_internal.h"

#define LDPC_ENCODING_NONE UINT32_MAX

/* maximum number of message columns in a sum that replaces the encoder's own sums */
#define LDPC_ENCODING_MAX_TERMS 256

/* The terms of a column are the message columns whose sum is this column. The terms of all columns form the
 * generator matrix. If a column has too many terms, they are not stored. */
typedef struct ldpc_encoding_terms {
    uint32_t *count;  /* [columns] number of terms; a number above LDPC_ENCODING_MAX_TERMS means that there
                       * are too many */
    uint32_t *column; /* [columns][LDPC_ENCODING_MAX_TERMS] the terms of each column */
} ldpc_encoding_terms;

/* Finds the terms of all columns and writes them to arrays of the caller, which must be zeroed. Returns false
 * if there is not enough memory, or if the columns that the encoder sets aside have too many terms. */
bool ldpc_encoding_find_terms(const ldpc_code *code, ldpc_encoding_terms *terms);

typedef struct ldpc_encoding_sum {
    uint32_t target; /* column */
    uint32_t first_operand, operands;
    uint32_t level;
    uint32_t before, after; /* previous sum and next sum of the chain, or LDPC_ENCODING_NONE */
} ldpc_encoding_sum;

typedef struct ldpc_encoding_builder {
    const ldpc_code *code;
    const ldpc_encoding_terms *terms; /* terms of the columns, or NULL */
    ldpc_encoding_sum *sums;
    uint32_t *operands;
    uint32_t n_sums, n_operands, n_levels;
    uint32_t section;     /* index of the first sum of the section under construction */
    uint32_t first_level; /* level of the first sum of this section */
    uint32_t *made_by;    /* [columns] last sum that computes the column, or LDPC_ENCODING_NONE */
    bool *zero;           /* [columns] whether the column is zero in this section: it is shortened, or it is
                           * set aside and not computed yet */
} ldpc_encoding_builder;

/* Finds all sums of the encoder of a binary code. If `terms` is NULL, these are the encoder's own sums.
 * Otherwise, the columns of the third and later levels of a section are computed from their terms, if the
 * terms are stored. Returns false if there is not enough memory. */
bool ldpc_encoding_find_sums(ldpc_encoding_builder *builder, const ldpc_code *code,
                             const ldpc_encoding_terms *terms);
void ldpc_encoding_builder_close(ldpc_encoding_builder *builder);

#endif
