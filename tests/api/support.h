/* SPDX-License-Identifier: BSD-3-Clause */
/* What the API tests share: decoders made in one line, and frames of the simulation as input. */
#ifndef LDPC_TEST_SUPPORT_H
#define LDPC_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ldpc/ldpc.h"

/* A code by name; the test fails when there is none. */
ldpc_code *make_code(const char *name);

/* Six bits, three checks of degree 3 (test_decode.c draws it). */
ldpc_code *make_tiny_code(void);

/* A decoder; the test fails when there is none. params NULL = defaults. */
ldpc_decoder *make_decoder(const ldpc_code *code, const ldpc_decoder_params *params);

/* Input and every output of a number of codewords. */
typedef struct codewords {
    size_t count;
    uint8_t *transmitted; /* message bits */
    int8_t *llr;
    uint8_t *message, *codeword;
    int16_t *posterior;
    ldpc_codeword_info *info;
} codewords;

/* Noisy codewords of the simulation, numbered from `first`. */
codewords make_codewords(const ldpc_code *code, double ebn0_db, uint64_t first, size_t count);
void free_codewords(codewords *w);
ldpc_batch batch_of(const codewords *w);

/* All outputs equal? */
void assert_same_codewords(const ldpc_code *code, const codewords *a, const codewords *b);

/* Probability that a normal variable of variance 1 is below x. */
double normal_cdf(double x);

#endif
