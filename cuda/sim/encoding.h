/* SPDX-License-Identifier: BSD-3-Clause */
/* The encoder of a code as a table for a GPU, in which sums of different columns can be computed at the same
 * time.
 *
 * lib/code/encoder.h computes one parity column after the other, each as the sum (xor) of the other columns
 * of a check. On a GPU a thread block encodes 32 frames (a group): a column is a 32-bit word, one bit of each
 * frame, and the threads of the block share the sums. The sums are divided into LEVELS: all sums of a level can be
 * computed side by side. An accumulator, in which each column depends on the previous one, would thus have as
 * many levels as columns. Therefore a level has two parts. First each sum adds its operands except
 * the one that is computed in the same level, if there is one. Then CHAINS of such sums are accumulated by
 * one prefix scan: an accumulator of any length is one level. A barrier follows each part.
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
 * A sum continues a chain if exactly one of its operands is computed in the latest of its operands' levels
 * and that operand is the end of its chain so far. Otherwise it goes to the next level. The head of a chain
 * is its first sum; a sum without a chain is a head too.
 *
 * MEMORY AND THREADS (encode() of simulate.cuh). The columns x[group][column] are in global memory. BEGIN has
 * written the message columns. Nothing is cleared: shortened columns are never operands, and every other
 * operand is written before it is read. In the first part, thread t computes sums t, t + threads ... of the
 * level and writes them to their target columns. In the second part, each thread accumulates a run of
 * consecutive sums; then log2(threads) steps in shared memory, each with two barriers, give it what the
 * chain that enters its run has before it.
 *
 * COLUMNS SET ASIDE. Where the parity part is not triangular, the encoder sets some columns aside and finds
 * them first, with zeros in their place: early steps compute columns that are computed once more at the end,
 * with other values. The table does the same in sections, each of which begins with a new level:
 *
 *     section 1   early steps, where columns set aside count as zero
 *     section 2   the sums of the rest checks, into additional columns after those of H
 *     section 3   inverse matrix times these: the columns set aside
 *     section 4   all steps
 *
 *     columns of the table:   [ columns of H: 0 .. columns - 1 | one for each column set aside ]
 *
 * TABLES WITH FEWER LEVELS. A dual-diagonal or triangular parity part may still need many levels, each with
 * few sums for hundreds of threads. If there are more than eight, a second table is tried: in the third and
 * later levels of a section, a column is the sum of message columns alone (its row of the generator matrix,
 * the terms of the column), if it has at most 256 of them. The table with fewer levels is used. If all
 * columns set aside are such sums, sections 1 to 3 are one level.
 *
 *     table[0 .. 3]    number of levels, and where the three arrays below begin: targets, starts, operands
 *     table[4 ..]      LDPC_ENCODING_LEVEL numbers for each level: first sum, number of sums, 1 if it has
 *                      chains of two or more sums
 *     targets          column of each sum, with LDPC_ENCODING_HEAD where a chain begins
 *     starts           operands of sum i are numbers starts[i] .. starts[i + 1] - 1
 *     operands         columns
 */
#ifndef LDPC_CUDA_ENCODING_H
#define LDPC_CUDA_ENCODING_H

#include "code/code_internal.h"

/* These constants are also in simulate.cuh. */
#define LDPC_ENCODING_HEAD UINT32_C(0x80000000)
enum { LDPC_ENCODING_START = 4, LDPC_ENCODING_LEVEL = 3 };

typedef struct ldpc_encoding {
    uint32_t *table;
    size_t table_words; /* size of the table in 32-bit words */
    uint32_t columns;   /* the columns of H, followed by the additional columns */
    uint32_t widest;    /* number of sums of the largest level */
} ldpc_encoding;

/* For a code over GF(q), q = 2^p, column v * p + b is bit b of symbol v. LDPC_ERR_LIMIT: the table would be
 * too large. */
ldpc_status ldpc_encoding_make(const ldpc_code *code, ldpc_encoding *encoding);
void ldpc_encoding_free(ldpc_encoding *encoding);

#endif
