/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests which row of a kernel table is chosen for the features of a CPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cpu/cpu_features.h"

static const ldpc_cpu_row plain = {"plain", 0}, narrow = {"narrow", LDPC_CPU_AVX2},
                          slow = {"wide", LDPC_CPU_AVX512BW},
                          fast = {"wide", LDPC_CPU_AVX512BW | LDPC_CPU_WIDE};
static const ldpc_cpu_row *const rows[] = {&plain, &narrow, &slow, &fast};

enum { ROWS = sizeof rows / sizeof *rows };

static void test_last_row_whose_features_are_there(void **state)
{
    (void)state;
    const unsigned avx512 = LDPC_CPU_AVX2 | LDPC_CPU_AVX512BW;
    assert_ptr_equal(ldpc_cpu_best_row(rows, ROWS, 0, NULL), &plain);
    assert_ptr_equal(ldpc_cpu_best_row(rows, ROWS, LDPC_CPU_SSE41, NULL), &plain);
    assert_ptr_equal(ldpc_cpu_best_row(rows, ROWS, LDPC_CPU_AVX2, NULL), &narrow);
    assert_ptr_equal(ldpc_cpu_best_row(rows, ROWS, avx512, NULL), &slow);
    assert_ptr_equal(ldpc_cpu_best_row(rows, ROWS, avx512 | LDPC_CPU_WIDE, NULL), &fast);
    assert_ptr_equal(ldpc_cpu_best_row(rows, 2, avx512, NULL), &narrow);
}

static void test_row_of_a_name(void **state)
{
    (void)state;
    const unsigned all = LDPC_CPU_AVX2 | LDPC_CPU_AVX512BW | LDPC_CPU_WIDE;
    assert_ptr_equal(ldpc_cpu_best_row(rows, ROWS, all, "plain"), &plain);
    assert_ptr_equal(ldpc_cpu_best_row(rows, ROWS, all, "wide"), &fast);
    assert_ptr_equal(ldpc_cpu_best_row(rows, ROWS, LDPC_CPU_AVX512BW, "wide"), &slow);
    assert_null(ldpc_cpu_best_row(rows, ROWS, LDPC_CPU_AVX2, "wide"));
    assert_null(ldpc_cpu_best_row(rows, ROWS, all, "other"));
    assert_null(ldpc_cpu_best_row(rows, 0, all, NULL));
}

static void test_features_of_this_cpu(void **state)
{
    (void)state;
    assert_true(ldpc_cpu_runs(0));
    assert_true(ldpc_cpu_runs(ldpc_cpu_features()));
    assert_false(ldpc_cpu_runs(LDPC_CPU_NEON | LDPC_CPU_SSE41)); /* of two architectures */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_row_whose_features_are_there),
        cmocka_unit_test(test_row_of_a_name),
        cmocka_unit_test(test_features_of_this_cpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
