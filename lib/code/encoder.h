/* SPDX-License-Identifier: BSD-3-Clause */
/* The systematic encoder: one mechanism for every H, found from its structure when the code is made.
 *
 * The parity columns are triangulated approximately (triangulation.h), as Richardson and Urbanke do
 * ("Efficient encoding of low-density parity-check codes", 2001). For an accumulator, a lower triangular or a
 * dual-diagonal parity part the triangle holds all parity columns but none or a few, which are set aside
 * (their "gap"). A dense inverse (gf2_system.h) that is computed once gives these columns:
 *
 *     1. early steps: with zeros in the columns set aside, solve the steps that the rest checks depend on
 *     2. the syndrome of the rest checks, times the inverse, gives the columns set aside
 *     3. all steps
 *
 * 64 codewords are encoded together: each column is a uint64_t that holds one bit of each codeword.
 */
#ifndef LDPC_ENCODER_H
#define LDPC_ENCODER_H

#include "code/code_internal.h"

/* Limits of the search for an encoder (docs/formats.md): the number of columns set aside, the bits of a dense
 * matrix, and the operations on uint64_t of all attempts together. They keep any code, however unsuitable,
 * from taking more than a few seconds and two dense matrices of 16 MiB. */
#define LDPC_MAX_ASIDE      UINT32_C(8192)
#define LDPC_MAX_DENSE_BITS (UINT64_C(1) << 27)
#define LDPC_MAX_OPERATIONS (UINT64_C(1) << 34)

typedef struct ldpc_step {
    uint32_t check, column; /* the other columns of the check are known: their sum is this column */
} ldpc_step;

struct ldpc_encoder {
    uint32_t steps, early_steps, aside;
    ldpc_step *step;        /* [steps] */
    ldpc_step *early_step;  /* [early_steps] those that the rest checks need, in the same order */
    uint32_t *aside_column; /* [aside] */
    uint32_t *aside_check;  /* [aside] the rest checks that determine them */
    uint8_t *inverse;       /* [(aside + 7) / 8][aside]: bits 8g .. 8g+7 of row i at [g * aside + i] */
};

/* Finds the encoder of a code whose rows, layers and known columns are complete; sets encoder, k and message.
 * The message columns are the earliest ones that can carry information. If that sets more than max_aside
 * columns aside, or takes more than max_operations, they are those that leave the smallest gap. If that
 * exceeds the limits too, the code is for decoding only: it has no encoder, and the last columns, as many as
 * checks, count as parity. */
ldpc_status ldpc_encoder_open(ldpc_code *code, uint32_t max_aside, uint64_t max_operations);
void ldpc_encoder_close(ldpc_encoder *encoder);

/* ldpc_encode with all columns of H as output, punctured ones too: n_codewords * columns bits. */
ldpc_status ldpc_encode_columns(const ldpc_code *code, const uint8_t *message, size_t n_codewords,
                                uint8_t *columns);

/* ldpc_encode for 64 messages of a binary code: bit w of message[i] and of codeword[i] is bit i of codeword
 * w. */
ldpc_status ldpc_encode_lanes(const ldpc_code *code, const uint64_t *message, uint64_t *codeword);

/* Sum of a check's columns for 64 codewords; x is [columns]. */
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
