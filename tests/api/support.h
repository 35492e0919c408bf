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

/* Creates a code. Fails the test if that is not possible. */
ldpc_code *make_code(const char *name);

/* Creates the code drawn in test_decode.c. */
ldpc_code *make_tiny_code(void);

/* Creates a decoder, or fails the test. params: NULL for the defaults. */
ldpc_decoder *make_decoder(const ldpc_code *code, const ldpc_decoder_params *params);

typedef struct codewords {
    size_t count;
    uint8_t *transmitted; /* message bits */
    int8_t *llr;
    uint8_t *message, *codeword;
    int16_t *posterior;
    ldpc_codeword_info *info;
} codewords;

/* Makes noisy codewords. first: number of the first frame in the simulation. */
codewords make_codewords(const ldpc_code *code, double ebn0_db, uint64_t first, size_t count);
void free_codewords(codewords *w);
ldpc_batch batch_of(const codewords *w);

/* All outputs equal? */
void assert_same_codewords(const ldpc_code *code, const codewords *a, const codewords *b);

/* Returns the standard normal distribution function at x. */
double normal_cdf(double x);

#endif
