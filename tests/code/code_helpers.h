/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of codes share. */
#ifndef LDPC_TESTS_CODE_HELPERS_H
#define LDPC_TESTS_CODE_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ldpc/code.h"

/* xorshift64*: the tests are the same on every run. The state must not be 0. */
uint64_t random_bits(uint64_t *state);

/* Even numbers 0 .. limit - 1. */
uint32_t random_below(uint64_t *state, uint32_t limit);

/* malloc that fails the test instead of returning NULL; never asks for 0 bytes. */
void *allocate(size_t bytes);

/* ldpc_code_create that fails the test with the sentence. */
ldpc_code *create(const char *name);

/* A malformed text, and the error message of the reader. */
typedef struct bad_text {
    const char *text;
    unsigned line;    /* the sentence begins with "line N: " */
    const char *says; /* a part of the sentence */
} bad_text;

typedef ldpc_status text_reader(const char *text, size_t length, ldpc_code **code, ldpc_error *err);

/* Every text must be refused with LDPC_ERR_FORMAT and its sentence. */
void check_bad_texts(text_reader *read, const bad_text *texts, size_t count);

/* All beginnings of a good text, and many damaged copies of it: each must give a code or a sentence with a
 * line. */
void check_damaged_texts(text_reader *read, const char *good, size_t copies);

/* The same edges, transmitted and known columns. */
void assert_same_code(const ldpc_code *a, const ldpc_code *b);

#endif
