/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests dyadic views. */
#include <stdlib.h>
#include <string.h>

#include "code/code_helpers.h"
#include "code/dyadic.h"

/* Returns true if H has a one at this position. */
static bool is_one(const ldpc_code *code, uint32_t check, uint32_t column)
{
    for (uint32_t e = code->row_start[check]; e < code->row_start[check + 1]; e++)
        if (code->row_columns[e] == column)
            return true;
    return false;
}

static void assert_same_ones(const ldpc_code *code)
{
    const ldpc_code *view = code->dyadic;
    assert_non_null(view);
    assert_true(view->is_dyadic && !code->is_dyadic);
    assert_int_equal((size_t)view->layer_start[view->layers] * view->z, code->edges);
    for (uint32_t l = 0; l < view->layers; l++)
        for (uint32_t b = view->layer_start[l]; b < view->layer_start[l + 1]; b++)
            for (uint32_t r = 0; r < view->z; r++) {
                uint32_t at = view->blocks[b].group * view->z + (r ^ view->blocks[b].shift);
                assert_true(is_one(code, view->check_at[l * view->z + r], view->column_at[at]));
            }
}

static void test_ethernet(void **state)
{
    (void)state;
    ldpc_code *code = create("ethernet:2048");
    assert_same_ones(code);
    assert_int_equal(code->dyadic->z, 64);
    assert_int_equal(code->dyadic->layers, 6);
    assert_int_equal(code->dyadic->groups, 32);
    ldpc_code_destroy(code);
}

enum { Z = 4, CHECKS = 8, COLUMNS = 12, EDGES = 24 };

/* Creates a code of two layers with three dyadic blocks each. If `wrong` is set, one edge is moved. */
static ldpc_code *create_small(bool wrong)
{
    static const uint32_t shift[2][3] = {
        {0, 1, 3},
        {2, 0, 1}
    };
    uint32_t checks[EDGES], columns[EDGES], edges = 0;
    for (uint32_t l = 0; l < 2; l++)
        for (uint32_t g = 0; g < 3; g++)
            for (uint32_t r = 0; r < Z; r++) {
                checks[edges] = l * Z + r;
                columns[edges++] = g * Z + (r ^ shift[l][g]);
            }
    if (wrong) {
        columns[EDGES - 1] = columns[EDGES - 2];
        columns[EDGES - 2] ^= 1;
    }
    ldpc_code *code;
    assert_int_equal(ldpc_code_create_edges(CHECKS, COLUMNS, checks, columns, EDGES, &code, NULL), LDPC_OK);
    return code;
}

static void natural(uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
}

static void assert_refused(ldpc_code *code, uint32_t z, const uint32_t *check_at, const uint32_t *column_at)
{
    ldpc_error err = {""};
    assert_int_equal(ldpc_code_add_dyadic_view(code, z, check_at, column_at, &err), LDPC_ERR_PARAM);
    assert_null(code->dyadic);
    assert_non_null(strstr(err.message, "dyadic"));
}

static void test_orders(void **state)
{
    (void)state;
    uint32_t check_at[CHECKS], column_at[COLUMNS];
    natural(check_at, CHECKS);
    natural(column_at, COLUMNS);
    ldpc_code *code = create_small(false);
    assert_refused(code, 3, check_at, column_at);
    assert_refused(code, 0, check_at, column_at);
    assert_refused(code, 8, check_at, column_at); /* 12 columns */
    check_at[0] = 1;
    check_at[1] = 0;
    assert_refused(code, Z, check_at, column_at);
    natural(check_at, CHECKS);
    column_at[3] = 4;
    column_at[4] = 3;
    assert_refused(code, Z, check_at, column_at);
    natural(column_at, COLUMNS);
    for (uint32_t i = 0; i < CHECKS; i++)
        check_at[i] = (i + Z) % CHECKS; /* the second layer comes first */
    assert_refused(code, Z, check_at, column_at);
    natural(check_at, CHECKS);
    assert_int_equal(ldpc_code_add_dyadic_view(code, Z, check_at, column_at, NULL), LDPC_OK);
    assert_same_ones(code);
    ldpc_code_destroy(code);
    code = create_small(true);
    assert_refused(code, Z, check_at, column_at);
    ldpc_code_destroy(code);
    code = create("wifi:648:1/2");
    assert_refused(code, 1, check_at, column_at); /* circulants already */
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ethernet),
        cmocka_unit_test(test_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
