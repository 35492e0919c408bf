/* SPDX-License-Identifier: BSD-3-Clause */
/* The bits, pivots and rank of code/gf2_system.h must equal those of a plain elimination. */
#include <stdlib.h>
#include <string.h>

#include "code/code_helpers.h"
#include "code/gf2_system.h"

/* Takes the columns in order. Exchanges each column with the first free row that has a one in it. */
static void solve_plainly(ldpc_gf2_system *s)
{
    for (uint32_t column = 0; column < s->columns; column++) {
        uint32_t pivot = 0;
        while (pivot < s->rows &&
               (s->column_of[pivot] != LDPC_NOT_EXCHANGED || !ldpc_gf2_get(s, pivot, column)))
            pivot++;
        if (pivot == s->rows)
            continue;
        for (uint32_t i = 0; i < s->rows; i++) {
            if (i == pivot || !ldpc_gf2_get(s, i, column))
                continue;
            for (size_t w = 0; w < s->words; w++)
                s->bits[i * s->words + w] ^= s->bits[pivot * s->words + w];
            ldpc_gf2_set(s, i, column);
        }
        s->column_of[pivot] = column;
        s->row_of[column] = pivot;
        s->rank++;
    }
}

/* copy: every copy-th row repeats an earlier row */
static void check_system(uint32_t rows, uint32_t columns, uint32_t copy, uint64_t *seed)
{
    ldpc_gf2_system fast, plain;
    assert_int_equal(ldpc_gf2_open(&fast, rows, columns), LDPC_OK);
    assert_int_equal(ldpc_gf2_open(&plain, rows, columns), LDPC_OK);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++)
            if (copy && i % copy == copy - 1 ? ldpc_gf2_get(&fast, i / 2, j) : random_bits(seed) >> 63) {
                ldpc_gf2_set(&fast, i, j);
                ldpc_gf2_set(&plain, i, j);
            }
    assert_int_equal(ldpc_gf2_solve(&fast), LDPC_OK);
    solve_plainly(&plain);
    assert_int_equal(fast.rank, plain.rank);
    assert_memory_equal(fast.bits, plain.bits, rows * fast.words * sizeof *fast.bits);
    assert_memory_equal(fast.column_of, plain.column_of, rows * sizeof *fast.column_of);
    assert_memory_equal(fast.row_of, plain.row_of, columns * sizeof *fast.row_of);
    ldpc_gf2_close(&fast);
    ldpc_gf2_close(&plain);
}

static void test_random_systems(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 7, 8, 9, 63, 64, 65, 130};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    uint64_t seed = 1;
    for (uint32_t i = 0; i < SIZES * SIZES; i++)
        for (uint32_t copy = 0; copy < 4; copy += 2 - copy / 2)
            check_system(sizes[i / SIZES], sizes[i % SIZES], copy, &seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
