/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests random regular codes: degrees, girth, seeds, refused parameters. */
#include <stdlib.h>
#include <string.h>

#include "code/code_helpers.h"

static ldpc_code *grow(uint32_t n, uint32_t dv, uint32_t dc, uint32_t order, uint64_t seed)
{
    ldpc_error err;
    ldpc_code *code;
    if (ldpc_code_create_random(n, dv, dc, order, seed, &code, &err))
        fail_msg("%s", err.message);
    return code;
}

static void check_regular(const ldpc_code *code, uint32_t dv, uint32_t dc)
{
    uint32_t n = ldpc_code_columns(code), *degree = allocate(n * sizeof *degree);
    memset(degree, 0, n * sizeof *degree);
    for (uint32_t c = 0; c < ldpc_code_checks(code); c++) {
        uint32_t count;
        const uint32_t *columns = ldpc_code_check(code, c, &count);
        assert_int_equal(count, dc);
        for (uint32_t i = 0; i < count; i++)
            degree[columns[i]]++;
    }
    for (uint32_t v = 0; v < n; v++)
        assert_int_equal(degree[v], dv);
    free(degree);
}

/* Progressive edge growth reaches girth 8 and 6. Random graphs of these sizes have many 4-cycles. */
static void test_regular(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, dv, dc, order, girth;
    } wanted[] = {
        {1000, 3, 6, 2,   8},
        {200,  3, 6, 2,   6},
        {504,  3, 6, 16,  6},
        {200,  2, 4, 64,  8},
        {100,  2, 4, 256, 8},
        {1000, 4, 8, 4,   6},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        ldpc_code *code = grow(wanted[i].n, wanted[i].dv, wanted[i].dc, wanted[i].order, 1);
        check_regular(code, wanted[i].dv, wanted[i].dc);
        assert_int_equal(ldpc_code_order(code), wanted[i].order);
        assert_true(ldpc_code_girth(code, 20) >= wanted[i].girth);
        size_t bits = ldpc_code_symbol_bits(code);
        uint8_t *message = allocate(ldpc_code_k(code) * bits), *codeword = allocate(ldpc_code_n(code) * bits);
        uint64_t seed = 3;
        for (size_t j = 0; j < ldpc_code_k(code) * bits; j++)
            message[j] = (uint8_t)(random_bits(&seed) >> 63);
        assert_int_equal(ldpc_encode(code, message, 1, codeword), LDPC_OK);
        assert_int_equal(ldpc_syndrome_weight(code, codeword), 0);
        free(message);
        free(codeword);
        ldpc_code_destroy(code);
    }
}

static int same_checks(const ldpc_code *a, const ldpc_code *b)
{
    uint32_t degree;
    for (uint32_t c = 0; c < ldpc_code_checks(a); c++) {
        const uint32_t *left = ldpc_code_check(a, c, &degree), *right = ldpc_code_check(b, c, NULL);
        if (memcmp(left, right, degree * sizeof *left))
            return 0;
    }
    return 1;
}

static void test_seeds(void **state)
{
    (void)state;
    ldpc_code *first = grow(120, 3, 6, 2, 5), *again = grow(120, 3, 6, 2, 5), *other = grow(120, 3, 6, 2, 6),
              *wide = grow(120, 3, 6, 32, 5);
    assert_true(same_checks(first, again));
    assert_false(same_checks(first, other));
    assert_true(same_checks(first, wide)); /* only the values differ */
    ldpc_code_destroy(first);
    ldpc_code_destroy(again);
    ldpc_code_destroy(other);
    ldpc_code_destroy(wide);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, dv, dc, order;
        ldpc_status status;
    } wrong[] = {
        {0,      3,    6,    2,   LDPC_ERR_RANGE},
        {100,    0,    6,    2,   LDPC_ERR_RANGE},
        {100,    3,    7,    2,   LDPC_ERR_RANGE},
        {100,    3,    1,    2,   LDPC_ERR_RANGE},
        {100,    3,    6,    6,   LDPC_ERR_RANGE},
        {100,    3,    6,    512, LDPC_ERR_RANGE},
        {6,      6,    12,   2,   LDPC_ERR_RANGE},
        {100,    60,   100,  2,   LDPC_OK       },
        {600000, 3,    6,    2,   LDPC_ERR_LIMIT},
        {1000,   1000, 1000, 2,   LDPC_ERR_LIMIT},
        {60000,  3,    6,    4,   LDPC_ERR_LIMIT},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ldpc_code *code = (ldpc_code *)&code;
        ldpc_error err = {""};
        assert_int_equal(
            ldpc_code_create_random(wrong[i].n, wrong[i].dv, wrong[i].dc, wrong[i].order, 1, &code, &err),
            wrong[i].status);
        assert_true((code != NULL) == (wrong[i].status == LDPC_OK));
        assert_true((err.message[0] != 0) == (wrong[i].status != LDPC_OK));
        ldpc_code_destroy(code);
    }
    assert_int_equal(ldpc_code_create_random(10, 1, 2, 2, 1, NULL, NULL), LDPC_ERR_NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regular),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
