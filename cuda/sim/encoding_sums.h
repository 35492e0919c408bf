/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of an encoding and their levels (encoding.h). */
#ifndef LDPC_CUDA_ENCODING_SUMS_H
#define LDPC_CUDA_ENCODING_SUMS_H

#include "code/code_internal.h"

#define LDPC_ENCODING_NONE UINT32_MAX

/* maximum number of message columns of a sum that replaces the encoder's sums */
#define LDPC_ENCODING_MAX_TERMS 256

/* Terms of a column: the message columns whose sum it is. */
typedef struct ldpc_encoding_terms {
    uint32_t *count;  /* [columns] number of terms; above LDPC_ENCODING_MAX_TERMS: not stored */
    uint32_t *column; /* [columns][LDPC_ENCODING_MAX_TERMS] */
} ldpc_encoding_terms;

/* Writes the terms of all columns to zeroed arrays. Returns false if memory is exhausted, or columns set
 * aside have too many terms. */
bool ldpc_encoding_find_terms(const ldpc_code *code, ldpc_encoding_terms *terms);

typedef struct ldpc_encoding_sum {
    uint32_t target; /* column */
    uint32_t first_operand, operands;
    uint32_t level;
    uint32_t before, after; /* neighbours in the chain, or LDPC_ENCODING_NONE */
} ldpc_encoding_sum;

typedef struct ldpc_encoding_builder {
    const ldpc_code *code;
    const ldpc_encoding_terms *terms; /* terms of the columns, or NULL */
    ldpc_encoding_sum *sums;
    uint32_t *operands;
    uint32_t n_sums, n_operands, n_levels;
    uint32_t section;     /* first sum of this section */
    uint32_t first_level; /* level of the first sum */
    uint32_t *made_by;    /* [columns] last sum for the column, or LDPC_ENCODING_NONE */
    bool *zero;           /* [columns] zero in this section: shortened, or set aside and not computed yet */
} ldpc_encoding_builder;

/* Finds the sums of a binary encoder. With `terms`, columns of the third and later levels are computed from
 * their terms. Returns false if memory is exhausted. */
bool ldpc_encoding_find_sums(ldpc_encoding_builder *builder, const ldpc_code *code,
                             const ldpc_encoding_terms *terms);
void ldpc_encoding_builder_close(ldpc_encoding_builder *builder);

#endif
