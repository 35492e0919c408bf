/* SPDX-License-Identifier: BSD-3-Clause */
/* Helper functions of the API tests: they create decoders in one line and make noisy frames with the
 * simulation. */
#ifndef LDPC_TEST_SUPPORT_H
#define LDPC_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ldpc/ldpc.h"

/* Returns the code with the given name; fails the test if the code cannot be created. */
ldpc_code *make_code(const char *name);

/* Returns a code with six bits and three checks of degree 3 (drawn in test_decode.c). */
ldpc_code *make_tiny_code(void);

/* Returns a decoder; fails the test if it cannot be created. If params is NULL, the decoder has the default
 * parameters. */
ldpc_decoder *make_decoder(const ldpc_code *code, const ldpc_decoder_params *params);

/* Input and output buffers for `count` codewords. */
typedef struct codewords {
    size_t count;
    uint8_t *transmitted; /* message bits */
    int8_t *llr;
    uint8_t *message, *codeword;
    int16_t *posterior;
    ldpc_codeword_info *info;
} codewords;

/* Makes noisy codewords with the simulation. first: number of the first simulated frame. */
codewords make_codewords(const ldpc_code *code, double ebn0_db, uint64_t first, size_t count);
void free_codewords(codewords *w);
ldpc_batch batch_of(const codewords *w);

/* All outputs equal? */
void assert_same_codewords(const ldpc_code *code, const codewords *a, const codewords *b);

/* Returns the cumulative distribution function of the standard normal distribution at x. */
double normal_cdf(double x);

#endif
