/* SPDX-License-Identifier: BSD-3-Clause */
/* The encoder of a code as a table for a GPU, in which sums of different columns can be made at the same
 * time.
 *
 * lib/code/encoder.h makes one parity column after the other, each as the sum (xor) of the other columns of a
 * check. On a GPU a thread block encodes 32 frames: a column is a word of 32 bits, one of each frame, and the
 * sums are shared by the block's threads. So they are put into LEVELS: all sums of a level can be made side
 * by side, and a barrier stands behind each level. Taken literally, an accumulator, in which each column
 * needs the one before, would have as many levels as columns. Therefore a level has two parts. First each sum
 * adds its operands, but for the one that its own level makes, if there is one. Then CHAINS of such sums are
 * accumulated by one prefix scan: an accumulator of any length is one level.
 *
 *     sums of the encoder         level 0, first part             level 0, second part: scan of the chain 5 -
 * 6 - 7
 *
 *     c5 = c0 + c2                x5 = c0 + c2      (head)        c5 = x5
 *     c6 = c1 + c5                x6 = c1                         c6 = x5 + x6
 *     c7 = c3 + c6                x7 = c3                         c7 = x5 + x6 + x7
 *     c8 = c0 + c3                x8 = c0 + c3      (head)        c8 = x8, a chain of its own
 *
 *                                 level 1
 *     c9 = c5 + c7                two operands of level 0: it cannot continue a chain
 *
 * A sum continues the chain of an operand when that is its only operand of the latest level among all its
 * operands, and no other sum continues that chain; else it belongs to the level behind.
 *
 * COLUMNS SET ASIDE. Where the parity part is not triangular, the encoder sets some columns aside and finds
 * them first, with zeros in their place: early steps make columns that are made once more at the end, with
 * other values. The table does the same in sections, each of which begins with a new level:
 *
 *     section 1   early steps, where columns set aside count as zero
 *     section 2   the sums of the rest checks, into additional columns behind those of H
 *     section 3   inverse matrix times these: the columns set aside
 *     section 4   all steps
 *
 *     columns of the table:   [ columns of H: 0 .. columns - 1 | one for each column set aside ]
 *
 * FLATTER TABLES. A dual-diagonal or triangular parity part may still need many levels, each with few sums
 * for hundreds of threads. If there are more than eight, the encoder tries sums of message columns alone
 * (rows of the generator matrix) for columns of late levels, as far as they have at most 256 operands, and
 * keeps the table with fewer levels. If the columns set aside are such sums, sections 1 to 3 are one level.
 *
 *     table[0 .. 3]    number of levels, and where the three arrays below begin: targets, starts, operands
 *     table[4 ..]      LDPC_ENCODING_LEVEL numbers for each level: first sum, number of sums, has it chains?
 *     targets          column of each sum, with LDPC_ENCODING_HEAD where a chain begins
 *     starts           operands of sum i are numbers starts[i] .. starts[i + 1] - 1
 *     operands         columns
 */
#ifndef LDPC_CUDA_ENCODING_H
#define LDPC_CUDA_ENCODING_H

#include "code/code_internal.h"

#define LDPC_ENCODING_HEAD UINT32_C(0x80000000)
enum { LDPC_ENCODING_START = 4, LDPC_ENCODING_LEVEL = 3 };

typedef struct ldpc_encoding {
    uint32_t *table;
    size_t table_words; /* uint32 numbers of the table */
    uint32_t columns;   /* of H, and the additional ones */
    uint32_t widest;    /* sums of the largest level */
} ldpc_encoding;

/* For a code over GF(q), q = 2^p, column v * p + b is bit b of symbol v. LDPC_ERR_LIMIT: the table would be
 * too large. */
ldpc_status ldpc_encoding_make(const ldpc_code *code, ldpc_encoding *encoding);
void ldpc_encoding_free(ldpc_encoding *encoding);

#endif
