/* SPDX-License-Identifier: BSD-3-Clause */
/* The encoder of an LDPC code as a table for a GPU, with the sums of columns that can be computed together.
 *
 * lib/code/encoder.h computes the parity columns in order, each as the sum (xor) of the other columns of a parity check.
 * On a GPU, a thread block encodes a group of 32 frames. A column of a group is a 32-bit word with a bit of each frame.
 * The threads share the sums, which are divided into LEVELS: the sums of a level can be computed together. In an
 * accumulator, each column depends on the previous one, which would give as many levels as columns. Therefore each level
 * has two parts. In the first part, each sum adds its operands, except one that is computed in this level. In the second
 * part, a prefix scan accumulates CHAINS of such sums. An accumulator of any length is then one level. A barrier follows
 * each part.
 *
 *     sums of the encoder         level 0, first part             level 0, second part: scan of 5, 6, 7
 *
 *     c5 = c0 + c2                x5 = c0 + c2      (head)        c5 = x5
 *     c6 = c1 + c5                x6 = c1                         c6 = x5 + x6
 *     c7 = c3 + c6                x7 = c3                         c7 = x5 + x6 + x7
 *     c8 = c0 + c3                x8 = c0 + c3      (head)        c8 = x8, a chain of its own
 *
 *                                 level 1
 *     c9 = c5 + c7                two operands of level 0: it cannot continue a chain
 *
 * A sum continues a chain if only one of its operands is in the latest level of all its operands, and this operand ends
 * the chain. Otherwise the sum is in the next level. The head of a chain is its first sum. A sum without a chain is a
 * head, too.
 *
 * MEMORY AND THREADS (encode() of simulate.cuh). The columns x[group][column] are in global memory. The phase BEGIN has
 * written the message columns. No memory is cleared: shortened columns are never operands, and others are written before
 * they are read. In the first part of a level, thread t computes the sums t, t + threads ... In the second part,
 * each thread accumulates a run of consecutive sums. Then log2(threads) steps in shared memory, each with two barriers,
 * compute for each thread the sum of the earlier part of the chain that continues in its run.
 *
 * COLUMNS SET ASIDE. If the parity part is not triangular, the encoder sets some columns aside and computes them first.
 * Its early steps use zeros instead of these columns. At the end, the columns of the early steps are computed again. The
 * table does this in sections, each of which starts with a new level:
 *
 *     section 1   the early steps, in which the columns set aside count as zero
 *     section 2   the sums of the remaining checks, stored in additional columns after those of H
 *     section 3   the columns set aside: the inverse matrix multiplied by the sums of section 2
 *     section 4   all steps
 *
 *     columns of the table:   [ columns of H: 0 .. columns - 1 | one for each column set aside ]
 *
 * TABLES WITH FEWER LEVELS. A dual-diagonal or triangular parity part may still need many levels with few sums. If
 * there are more than eight levels, a second table is made. It computes columns of the third and later levels of a
 * section from message columns, called terms, unless a column has more than 256 terms. The table with fewer levels is
 * used. If all columns set aside are computed from terms, sections 1 to 3 together are one level.
 *
 *     table[0 .. 3]    number of levels, and the indices at which the arrays targets, starts and operands begin
 *     table[4 ..]      LDPC_ENCODING_LEVEL numbers for each level: first sum, number of sums, 1 if it has
 *                      chains of two or more sums
 *     targets          column of each sum, with LDPC_ENCODING_HEAD where a chain begins
 *     starts           the operands of sum i have the indices starts[i] .. starts[i + 1] - 1
 *     operands         columns */
#ifndef LDPC_CUDA_ENCODING_H
#define LDPC_CUDA_ENCODING_H

#include "code/code_internal.h"

/* As in simulate.cuh. */
#define LDPC_ENCODING_HEAD UINT32_C(0x80000000)
enum { LDPC_ENCODING_START = 4, LDPC_ENCODING_LEVEL = 3 };

typedef struct ldpc_encoding {
    uint32_t *table;
    size_t table_words; /* 32-bit words */
    uint32_t columns;   /* columns of H, and additional columns */
    uint32_t widest;    /* sums of the largest level */
} ldpc_encoding;

/* For GF(q), q = 2^p, column v * p + b is bit b of symbol v. LDPC_ERR_LIMIT: too large. */
ldpc_status ldpc_encoding_make(const ldpc_code *code, ldpc_encoding *encoding);
void ldpc_encoding_free(ldpc_encoding *encoding);

#endif
