/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets allocations fail while a demapper or cell deinterleaver is created. Run with a leak checker. Replaces
 * ldpc_allocate and ldpc_reallocate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "code/failing_memory.h"
#include "ldpc/ldpc.h"

static ldpc_status make_demapper(ldpc_error *err)
{
    ldpc_demapper *dem;
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    params.code = "dvbs2:16200:3/5";
    params.modulation = "8psk";
    const ldpc_status status = ldpc_demapper_create(&params, &dem, err);
    assert_true((status == LDPC_OK) == (dem != NULL));
    ldpc_demapper_destroy(dem);
    return status;
}

static ldpc_status make_deinterleaver(ldpc_error *err)
{
    ldpc_cell_deinterleaver *deint;
    const ldpc_status status = ldpc_cell_deinterleaver_create("dvbt2:16200:3/5", "256qam", 3, &deint, err);
    assert_true((status == LDPC_OK) == (deint != NULL));
    ldpc_cell_deinterleaver_destroy(deint);
    return status;
}

static void check(ldpc_status (*make)(ldpc_error *err), size_t least)
{
    size_t given = 0;
    ldpc_status status;
    do {
        ldpc_error err = {""};
        left = given++;
        status = make(&err);
        if (status) {
            assert_int_equal(status, LDPC_ERR_MEMORY);
            assert_string_equal(err.message, "out of memory");
        }
    } while (status);
    assert_true(given > least);
}

static void test_demapper(void **state)
{
    (void)state;
    check(make_demapper, 6);
}

static void test_deinterleaver(void **state)
{
    (void)state;
    check(make_deinterleaver, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_demapper), cmocka_unit_test(test_deinterleaver)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
