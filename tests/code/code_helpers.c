/* SPDX-License-Identifier: BSD-3-Clause */
#include "code/code_helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t random_bits(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

uint32_t random_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)((random_bits(state) >> 32) * limit >> 32);
}

void *allocate(size_t bytes)
{
    void *block = malloc(bytes + 1);
    assert_non_null(block);
    return block;
}

ldpc_code *create(const char *name)
{
    ldpc_error err;
    ldpc_code *code;
    if (ldpc_code_create(name, &code, &err))
        fail_msg("%s: %s", name, err.message);
    return code;
}

void check_bad_texts(text_reader *read, const bad_text *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char begin[32];
        ldpc_error err = {""};
        ldpc_code *code;
        ldpc_status status = read(texts[i].text, strlen(texts[i].text), &code, &err);
        snprintf(begin, sizeof begin, "line %u: ", texts[i].line);
        if (status != LDPC_ERR_FORMAT || strncmp(err.message, begin, strlen(begin)) ||
            !strstr(err.message, texts[i].says))
            fail_msg("text %zu: %s \"%s\", expected \"%s... %s ...\"", i, ldpc_status_string(status),
                     err.message, begin, texts[i].says);
        assert_null(code);
    }
}

/* Passes a copy of exactly this length to the reader, so sanitizers detect reads past the end. */
static ldpc_status read_copy(text_reader *read, const char *text, size_t length)
{
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    ldpc_error err = {""};
    ldpc_code *code;
    ldpc_status status = read(copy, length, &code, &err);
    free(copy);
    if (status == LDPC_OK) {
        assert_non_null(code);
        ldpc_code_destroy(code);
    } else {
        assert_null(code);
        assert_int_equal(status, LDPC_ERR_FORMAT);
        assert_int_equal(strncmp(err.message, "line ", 5), 0);
    }
    return status;
}

void check_damaged_texts(text_reader *read, const char *good, size_t copies)
{
    static const char signs[] = "0123456789 -,.#\nx";
    size_t length = strlen(good), refused = 0;
    uint64_t seed = 1;
    assert_int_equal(read_copy(read, good, length), LDPC_OK);
    for (size_t i = 0; i < length; i++)
        read_copy(read, good, i);
    char *bad = allocate(length);
    for (size_t i = 0; i < copies; i++) {
        memcpy(bad, good, length);
        for (uint32_t changes = 1 + random_below(&seed, 3); changes > 0; changes--)
            bad[random_below(&seed, (uint32_t)length)] = signs[random_below(&seed, sizeof signs - 1)];
        refused += read_copy(read, bad, length) != LDPC_OK;
    }
    assert_true(refused > copies / 2);
    free(bad);
}

void assert_same_code(const ldpc_code *a, const ldpc_code *b)
{
    assert_int_equal(ldpc_code_checks(a), ldpc_code_checks(b));
    assert_int_equal(ldpc_code_columns(a), ldpc_code_columns(b));
    assert_int_equal(ldpc_code_n(a), ldpc_code_n(b));
    assert_int_equal(ldpc_code_k(a), ldpc_code_k(b));
    assert_int_equal(ldpc_code_edges(a), ldpc_code_edges(b));
    assert_int_equal(ldpc_code_punctured(a), ldpc_code_punctured(b));
    assert_int_equal(ldpc_code_shortened(a), ldpc_code_shortened(b));
    assert_memory_equal(ldpc_code_transmitted_columns(a), ldpc_code_transmitted_columns(b),
                        ldpc_code_n(a) * sizeof(uint32_t));
    for (uint32_t c = 0; c < ldpc_code_checks(a); c++) {
        uint32_t degree_a, degree_b;
        const uint32_t *columns_a = ldpc_code_check(a, c, &degree_a),
                       *columns_b = ldpc_code_check(b, c, &degree_b);
        assert_int_equal(degree_a, degree_b);
        assert_memory_equal(columns_a, columns_b, degree_a * sizeof *columns_a);
    }
}
