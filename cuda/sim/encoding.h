/* SPDX-License-Identifier: BSD-3-Clause */
/* The encoder of an LDPC code as a table for a GPU.
 *
 * lib/code/encoder.h computes each parity column as the sum (xor) of the other columns of a parity check, one
 * after the other. A GPU computes sums in parallel: a thread block encodes a group of 32 frames, and a column
 * of a group is a 32-bit word with one bit per frame. The sums are divided into LEVELS. A sum needs only sums
 * of earlier levels.
 *
 * An accumulator would have as many levels as columns, because each column depends on the previous one.
 * Therefore a level has two parts, each with a barrier. In the first part, each sum adds its operands, except
 * one operand of this level. In the second part, a prefix scan accumulates CHAINS of such sums: an
 * accumulator of any length is one level.
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
 * A sum continues a chain if exactly one operand is in the latest level of its operands, and this operand
 * ends the chain. Otherwise it begins a chain (head) in the next level.
 *
 * MEMORY AND THREADS (encode() of simulate.cuh). x[group][column] is in global memory, and phase BEGIN has
 * written the message columns. Other columns need no clearing, because they are written before they are read.
 * In the first part of a level, thread t computes the sums t, t + threads ... In the second part, each thread
 * accumulates a run of consecutive sums; a scan of log2(threads) steps in shared memory then adds the earlier
 * part of the chain.
 *
 * COLUMNS SET ASIDE. If the parity part is not triangular, the encoder sets some columns aside. Its early
 * steps use zeros instead of these columns, and are repeated at the end. The table has four sections, each of
 * which begins a level:
 *
 *     section 1   the early steps, in which the columns set aside are zero
 *     section 2   the sums of the remaining checks, stored in additional columns after those of H
 *     section 3   the columns set aside: the inverse matrix multiplied by the sums of section 2
 *     section 4   all steps
 *
 *     columns of the table:   [ columns of H: 0 .. columns - 1 | one for each column set aside ]
 *
 * TABLES WITH FEWER LEVELS. A dual-diagonal or triangular parity part may need many levels with few sums. If
 * a table has more than eight levels, a second table is made, which computes columns from the third level of
 * a section on from message columns, called terms. A column with more than 256 terms is computed as before.
 * The table with fewer levels is used. If all columns set aside are computed from terms, sections 1 to 3 are
 * one level.
 *
 *     table[0 .. 3]    number of levels, offsets of targets, starts and operands
 *     table[4 ..]      LDPC_ENCODING_LEVEL numbers for each level: first sum, number of sums, 1 if it has
 *                      chains of two or more sums
 *     targets          column of each sum, with LDPC_ENCODING_HEAD where a chain begins
 *     starts           sum i has the operands starts[i] .. starts[i + 1] - 1
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

/* Returns LDPC_ERR_LIMIT if the table would be too large. */
ldpc_status ldpc_encoding_make(const ldpc_code *code, ldpc_encoding *encoding);
void ldpc_encoding_free(ldpc_encoding *encoding);

#endif
