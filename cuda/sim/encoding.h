/* SPDX-License-Identifier: BSD-3-Clause */
/* The encoder of a code as a table for a GPU, in bits. Its sums (lib/code/encoder.h) come in levels: a sum
 * needs columns of the message and of earlier levels, and at most one column of its own level, that of the
 * sum before it. So the sums of a level are made side by side, and then chains of them are accumulated by one
 * scan: an accumulator of any length is one level.
 *
 *     table[0 .. 3]    levels, and where the three arrays begin: targets, starts, operands
 *     table[4 ..]      LDPC_ENCODING_LEVEL words for each level: first sum, number of sums, chains?
 *     targets          column of each sum, with LDPC_ENCODING_HEAD where a chain begins
 *     starts           operands of sum i are numbers starts[i] .. starts[i + 1] - 1
 *     operands         columns
 *
 * Numbers from code->columns on are not columns of H: they hold what the columns set aside are made from.
 */
#ifndef LDPC_CUDA_ENCODING_H
#define LDPC_CUDA_ENCODING_H

#include "code/code_internal.h"

#define LDPC_ENCODING_HEAD UINT32_C(0x80000000)
enum { LDPC_ENCODING_START = 4, LDPC_ENCODING_LEVEL = 3 };

typedef struct ldpc_encoding {
    uint32_t *table;
    size_t words;
    uint32_t columns; /* of H, and what comes behind them */
    uint32_t widest;  /* sums of the largest level */
} ldpc_encoding;

/* Over a larger field, column v * log2 q + b is bit b of symbol v. LDPC_ERR_LIMIT: the table would be too
 * large. */
ldpc_status ldpc_encoding_make(const ldpc_code *code, ldpc_encoding *encoding);
void ldpc_encoding_free(ldpc_encoding *encoding);

#endif
