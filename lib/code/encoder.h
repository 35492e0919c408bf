/* SPDX-License-Identifier: BSD-3-Clause */
/* The systematic encoder: one mechanism for every H, found from its structure when the code is made.
 *
 * The parity columns are triangulated (triangulate.h). An accumulator, a lower triangular or a dual-diagonal
 * parity part leaves no column aside or only a few; what is left is solved once by a dense inverse (dense.h):
 *
 *     1. early steps: with zeros in the columns set aside, solve the steps that the rest checks depend on
 *     2. the sums of the rest checks, times the inverse, are the columns set aside
 *     3. all steps
 *
 * 64 codewords are encoded side by side: a column holds one bit of each, as a 64-bit word.
 */
#ifndef LDPC_ENCODER_H
#define LDPC_ENCODER_H

#include "code/code_internal.h"

/* Largest number of columns set aside, largest dense matrix in bits, largest product of dependent checks or
 * columns and ones of H: they bound the time and memory of creation to a few seconds and 16 MiB. */
#define LDPC_MAX_ASIDE       UINT32_C(8192)
#define LDPC_MAX_DENSE_BITS  (UINT64_C(1) << 27)
#define LDPC_MAX_KERNEL_ONES (UINT64_C(1) << 37)

typedef struct ldpc_step {
    uint32_t check, column; /* the check's other columns are known: their sum is this column */
} ldpc_step;

struct ldpc_encoder {
    uint32_t steps, early_steps, aside;
    ldpc_step *step;        /* [steps] */
    ldpc_step *early_step;  /* [early_steps] those that the rest checks need, in the same order */
    uint32_t *aside_column; /* [aside] */
    uint32_t *aside_check;  /* [aside] the rest checks that fix them */
    uint8_t *inverse;       /* [(aside + 7) / 8][aside]: bits 8g .. 8g+7 of row i at [g * aside + i] */
};

/* Find the encoder of a code whose rows, layers and known columns are complete; sets encoder, k and message.
 * The message is the earliest columns that carry information, unless this sets more than max_aside columns
 * aside: then it is whatever makes encoding possible. When nothing does within the limits, the code is one
 * for decoding only: no encoder, and the message is all columns but the last ones, as many as checks. */
ldpc_status ldpc_encoder_open(ldpc_code *code, uint32_t max_aside);
void ldpc_encoder_close(ldpc_encoder *encoder);

/* ldpc_encode with all columns of H as output, those that are never sent too: n_codewords * columns bits. */
ldpc_status ldpc_encode_columns(const ldpc_code *code, const uint8_t *message, size_t n_codewords,
                                uint8_t *columns);

/* ldpc_encode for 64 messages of a binary code that are side by side already: bit w of message[i] and
 * codeword[i] is bit i of word w. */
ldpc_status ldpc_encode_lanes(const ldpc_code *code, const uint64_t *message, uint64_t *codeword);

/* Sum of a check's columns; x holds 64 words side by side. */
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
