/* SPDX-License-Identifier: BSD-3-Clause */
/* The systematic encoder of any H.
 *
 * The parity columns are brought to approximate lower triangular form (triangulation.h): Richardson and
 * Urbanke, "Efficient encoding of low-density parity-check codes", 2001. Some columns are set aside, and some
 * checks (the rest) are left. A dense inverse (gf2_system.h) of the rest gives the columns set aside.
 * Encoding has three steps:
 *
 *     1. early steps: with zeros in the columns set aside, solve the columns on which the rest depends
 *     2. multiply the syndrome of the rest by the inverse: this gives the columns set aside
 *     3. solve all columns of the triangle
 *
 * A column is a uint64_t with one bit of each of 64 codewords.
 */
#ifndef LDPC_ENCODER_H
#define LDPC_ENCODER_H

#include "code/code_internal.h"

/* Limits of the search (docs/formats.md). Within these limits, a search takes a few seconds and needs two
 * dense matrices of 16 MiB. */
#define LDPC_MAX_ASIDE      UINT32_C(8192)
#define LDPC_MAX_DENSE_BITS (UINT64_C(1) << 27)
#define LDPC_MAX_OPERATIONS (UINT64_C(1) << 34)

typedef struct ldpc_step {
    uint32_t check, column;
} ldpc_step;

struct ldpc_encoder {
    uint32_t steps, early_steps, aside;
    ldpc_step *step; /* [steps] steps of the triangle */
    ldpc_step *early_step;
    uint32_t *aside_column; /* [aside] columns in the gap */
    uint32_t *aside_check;  /* [aside] the rest */
    uint8_t *inverse;       /* [(aside + 7) / 8][aside] bits 8g .. 8g+7 of row i are at [g * aside + i] */
};

/* Finds the encoder of a code with rows, layers and known columns. Sets encoder, k and message.
 *
 * The message is the earliest columns of `order` that can carry information. Returns LDPC_ERR_LIMIT above
 * max_aside or max_operations. With order = NULL, the search then uses the columns with the smallest gap; if
 * this fails too, the code has no encoder. */
ldpc_status ldpc_encoder_open(ldpc_code *code, const uint32_t *order, uint32_t max_aside,
                              uint64_t max_operations);
void ldpc_encoder_close(ldpc_encoder *encoder);

ldpc_status ldpc_encode_columns(const ldpc_code *code, const uint8_t *message, size_t n_codewords,
                                uint8_t *columns);

/* Like ldpc_encode, for 64 messages of a binary code. Bit w of each word belongs to message w. */
ldpc_status ldpc_encode_lanes(const ldpc_code *code, const uint64_t *message, uint64_t *codeword);

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
