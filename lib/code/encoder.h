/* SPDX-License-Identifier: BSD-3-Clause */
/* The systematic encoder. One method serves every H; the encoder is computed when the code is made.
 *
 * The parity columns are brought to approximate lower triangular form (triangulation.h) as in Richardson and
 * Urbanke, "Efficient encoding of low-density parity-check codes", 2001. The triangle contains all parity
 * columns except the gap, that is, the columns that are set aside. The gap is empty or small if the parity
 * part is an accumulator, lower triangular or dual-diagonal. A dense inverse (gf2_system.h) that is computed
 * once gives the values of the columns in the gap. Encoding has three steps:
 *
 *     1. early steps: set the gap to zero and solve the columns on which the rest checks depend
 *     2. multiply the syndrome of the rest checks by the inverse: this gives the columns in the gap
 *     3. solve all columns of the triangle
 *
 * 64 codewords are encoded at once. A column is a uint64_t that holds one bit of each codeword.
 */
#ifndef LDPC_ENCODER_H
#define LDPC_ENCODER_H

#include "code/code_internal.h"

/* Limits of the search for an encoder (docs/formats.md): number of columns in the gap; number of bits of a
 * dense matrix; total number of uint64_t operations. They limit the search to a few seconds and two dense
 * matrices of 16 MiB, whatever the code. */
#define LDPC_MAX_ASIDE      UINT32_C(8192)
#define LDPC_MAX_DENSE_BITS (UINT64_C(1) << 27)
#define LDPC_MAX_OPERATIONS (UINT64_C(1) << 34)

typedef struct ldpc_step {
    uint32_t check, column; /* the column is the sum of the check's other columns, all of which are known */
} ldpc_step;

struct ldpc_encoder {
    uint32_t steps, early_steps, aside;
    ldpc_step *step; /* [steps] all steps of the triangle */
    /* [early_steps] the steps that the rest checks need, in the order of `step` */
    ldpc_step *early_step;
    uint32_t *aside_column; /* [aside] columns in the gap */
    uint32_t *aside_check;  /* [aside] the rest checks; they determine the columns in the gap */
    uint8_t *inverse;       /* [(aside + 7) / 8][aside] bits 8g .. 8g+7 of row i are at [g * aside + i] */
};

/* Finds the encoder of a code whose rows, layers and known columns are complete. Sets encoder, k and message.
 * The message consists of the earliest columns of `order` that can carry information, in ascending order of
 * their numbers. `order` lists all columns; NULL: by number. If these message columns would exceed max_aside
 * columns in the gap or max_operations, the result is LDPC_ERR_LIMIT if `order` was given. Otherwise the
 * search chooses the columns with the smallest gap. If these exceed a limit too, the code has no encoder and
 * can only be decoded; the last columns, one per check, then count as parity columns. */
ldpc_status ldpc_encoder_open(ldpc_code *code, const uint32_t *order, uint32_t max_aside,
                              uint64_t max_operations);
void ldpc_encoder_close(ldpc_encoder *encoder);

/* Does the same as ldpc_encode, but outputs all columns of H, including punctured columns: n_codewords *
 * columns bits. */
ldpc_status ldpc_encode_columns(const ldpc_code *code, const uint8_t *message, size_t n_codewords,
                                uint8_t *columns);

/* Does the same as ldpc_encode for 64 messages of a binary code. Bit w of message[i] is bit i of message w;
 * bit w of codeword[i] is bit i of codeword w. */
ldpc_status ldpc_encode_lanes(const ldpc_code *code, const uint64_t *message, uint64_t *codeword);

/* Returns the sum (XOR) of the columns of a check for 64 codewords. `x` has one uint64_t per column. */
static inline uint64_t ldpc_check_sum(const ldpc_code *code, uint32_t check, const uint64_t *x)
{
    uint64_t sum = 0;
    for (uint32_t e = code->row_start[check]; e < code->row_start[check + 1]; e++)
        sum ^= x[code->row_columns[e]];
    return sum;
}

static inline void ldpc_take_steps(const ldpc_code *code, const ldpc_step *step, uint32_t steps, uint64_t *x)
{
    for (uint32_t i = 0; i < steps; i++) {
        x[step[i].column] = 0;
        x[step[i].column] = ldpc_check_sum(code, step[i].check, x);
    }
}

#endif
