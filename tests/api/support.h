/* SPDX-License-Identifier: BSD-3-Clause */
/* Decoders and noisy frames for the API tests. */
#ifndef LDPC_TEST_SUPPORT_H
#define LDPC_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ldpc/ldpc.h"

/* Fails the test if the code cannot be created. */
ldpc_code *make_code(const char *name);

/* Six bits, three checks of degree 3 (drawn in test_decode.c). */
ldpc_code *make_tiny_code(void);

/* Fails the test if the decoder cannot be created. params: NULL for the defaults. */
ldpc_decoder *make_decoder(const ldpc_code *code, const ldpc_decoder_params *params);

typedef struct codewords {
    size_t count;
    uint8_t *transmitted; /* message bits */
    int8_t *llr;
    uint8_t *message, *codeword;
    int16_t *posterior;
    ldpc_codeword_info *info;
} codewords;

/* Makes noisy codewords with the simulation. first: first simulated frame. */
codewords make_codewords(const ldpc_code *code, double ebn0_db, uint64_t first, size_t count);
void free_codewords(codewords *w);
ldpc_batch batch_of(const codewords *w);

/* All outputs equal? */
void assert_same_codewords(const ldpc_code *code, const codewords *a, const codewords *b);

/* Standard normal distribution function at x. */
double normal_cdf(double x);

#endif
