/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers for the tests of codes. */
#ifndef LDPC_TESTS_CODE_HELPERS_H
#define LDPC_TESTS_CODE_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ldpc/code.h"

/* Returns a reproducible random number (xorshift64*). The state must not be 0. */
uint64_t random_bits(uint64_t *state);

/* Even numbers 0 .. limit - 1. */
uint32_t random_below(uint64_t *state, uint32_t limit);

/* Allocates at least one byte. Fails the test instead of returning NULL. */
void *allocate(size_t bytes);

/* Creates a code. If that fails, the test fails with the error message of ldpc_code_create(). */
ldpc_code *create(const char *name);

/* A malformed text and the expected error message. */
typedef struct bad_text {
    const char *text;
    unsigned line;    /* start of the message ("line N: ") */
    const char *says; /* part of the message */
} bad_text;

typedef ldpc_status text_reader(const char *text, size_t length, ldpc_code **code, ldpc_error *err);

void check_bad_texts(text_reader *read, const bad_text *texts, size_t count);

/* Reads all prefixes and damaged copies of a valid text. Each text must give a code, or an error message with
 * a line number. */
void check_damaged_texts(text_reader *read, const char *good, size_t copies);

/* Compares the edges, the transmitted columns and the known columns of two codes. */
void assert_same_code(const ldpc_code *a, const ldpc_code *b);

#endif
