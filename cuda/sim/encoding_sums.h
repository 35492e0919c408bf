/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of an encoding and their levels (encoding.h). */
#ifndef LDPC_CUDA_ENCODING_SUMS_H
#define LDPC_CUDA_ENCODING_SUMS_H

#include "code/code_internal.h"

#define LDPC_ENCODING_NONE UINT32_MAX

/* maximum terms of a column */
#define LDPC_ENCODING_MAX_TERMS 256

typedef struct ldpc_encoding_terms {
    uint32_t *count;
    uint32_t *column; /* [columns][LDPC_ENCODING_MAX_TERMS] */
} ldpc_encoding_terms;

/* `terms` must be zeroed. Returns false if out of memory, or if a column set aside has too many terms. */
bool ldpc_encoding_find_terms(const ldpc_code *code, ldpc_encoding_terms *terms);

typedef struct ldpc_encoding_sum {
    uint32_t target; /* column */
    uint32_t first_operand, operands;
    uint32_t level;
    uint32_t before, after;
} ldpc_encoding_sum;

typedef struct ldpc_encoding_builder {
    const ldpc_code *code;
    const ldpc_encoding_terms *terms;
    ldpc_encoding_sum *sums;
    uint32_t *operands;
    uint32_t n_sums, n_operands, n_levels;
    uint32_t section;     /* first sum of this section */
    uint32_t first_level; /* level of the first sum */
    uint32_t *made_by;
    bool *zero; /* [columns] zero in this section */
} ldpc_encoding_builder;

/* Returns false if out of memory. */
bool ldpc_encoding_find_sums(ldpc_encoding_builder *builder, const ldpc_code *code,
                             const ldpc_encoding_terms *terms);
void ldpc_encoding_builder_close(ldpc_encoding_builder *builder);

#endif
