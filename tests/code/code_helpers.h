/* SPDX-License-Identifier: BSD-3-Clause */
/* Helper functions for the tests of codes. */
#ifndef LDPC_TESTS_CODE_HELPERS_H
#define LDPC_TESTS_CODE_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ldpc/code.h"

/* The random generator xorshift64*. Every run of a test uses the same numbers. The state must not be 0. */
uint64_t random_bits(uint64_t *state);

/* Even numbers 0 .. limit - 1. */
uint32_t random_below(uint64_t *state, uint32_t limit);

/* Calls malloc and fails the test instead of returning NULL; never requests 0 bytes. */
void *allocate(size_t bytes);

/* Calls ldpc_code_create and fails the test with its error message. */
ldpc_code *create(const char *name);

/* A malformed text and the error message that the reader must return for it. */
typedef struct bad_text {
    const char *text;
    unsigned line;    /* number of the line in the prefix "line N: " of the message */
    const char *says; /* text that the message must contain */
} bad_text;

typedef ldpc_status text_reader(const char *text, size_t length, ldpc_code **code, ldpc_error *err);

/* Checks that the reader refuses every text with LDPC_ERR_FORMAT and the expected message. */
void check_bad_texts(text_reader *read, const bad_text *texts, size_t count);

/* Reads all prefixes of a valid text, and many damaged copies of it. Each must give either a code or an error
 * message with a line number. */
void check_damaged_texts(text_reader *read, const char *good, size_t copies);

/* Asserts that both codes have the same edges, transmitted columns and known columns. */
void assert_same_code(const ldpc_code *a, const ldpc_code *b);

#endif
