/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the buffers of a batch, and slices of a batch. */
#include "plan/batch.h"

#include <stdlib.h>

#include "support.h"

/* The contents are never read. */
static ldpc_batch distinct_buffers(char *memory)
{
    ldpc_batch batch = {.n_codewords = 9};
    for (ldpc_buffer b = 0; b < LDPC_BUFFERS; b++)
        ldpc_batch_set(&batch, b, memory + b);
    return batch;
}

static void test_table_names_all_pointers(void **state)
{
    static char memory[LDPC_BUFFERS];
    ldpc_batch batch = distinct_buffers(memory);
    const void *const members[] = {
        batch.llr,     batch.llr_float, batch.symbol_costs, batch.symbol_costs_float,
        batch.message, batch.codeword,  batch.posterior,    batch.symbol_posterior,
        batch.info};
    (void)state;
    for (ldpc_buffer b = 0; b < LDPC_BUFFERS; b++) {
        assert_ptr_equal(members[b], memory + b);
        assert_ptr_equal(ldpc_batch_get(&batch, b), memory + b);
    }
    assert_string_equal(ldpc_buffer_name(LDPC_BUFFER_SYMBOL_COSTS_FLOAT), "symbol_costs_float");
    assert_string_equal(ldpc_buffer_name(LDPC_BUFFER_INFO), "info");
}

static void check(const char *name, bool packed, const size_t expected[LDPC_BUFFERS])
{
    ldpc_code *code = make_code(name);
    ldpc_plan plan = {.code = code, .packed = packed};
    enum { FIRST = 3, COUNT = 5 };
    size_t most = 0;
    for (ldpc_buffer b = 0; b < LDPC_BUFFERS; b++) {
        assert_int_equal(ldpc_buffer_bytes(code, b, packed), expected[b]);
        most = expected[b] > most ? expected[b] : most;
    }
    char *memory = malloc(LDPC_BUFFERS + FIRST * most);
    assert_non_null(memory);
    ldpc_batch batch = distinct_buffers(memory), slice = ldpc_batch_slice(&plan, &batch, FIRST, COUNT);
    assert_int_equal(slice.n_codewords, COUNT);
    for (ldpc_buffer b = 0; b < LDPC_BUFFERS; b++)
        assert_ptr_equal(ldpc_batch_get(&slice, b), memory + b + FIRST * expected[b]);
    free(memory);
    ldpc_code_destroy(code);
}

/* wifi:648:1/2: n = 648, k = 324. bds:b1c:88: n = 88, k = 44 symbols of 6 bits. */
static void test_sizes_and_slices(void **state)
{
    (void)state;
    check("wifi:648:1/2", false, (const size_t[]){648, 2592, 1296, 5184, 324, 648, 1296, 1296, 12});
    check("wifi:648:1/2", true, (const size_t[]){648, 2592, 1296, 5184, 41, 81, 1296, 1296, 12});
    check("bds:b1c:88", false, (const size_t[]){528, 2112, 5632, 22528, 264, 528, 1056, 5632, 12});
    check("bds:b1c:88", true, (const size_t[]){528, 2112, 5632, 22528, 33, 66, 1056, 5632, 12});
}

static void test_missing_buffers_stay_missing(void **state)
{
    (void)state;
    ldpc_code *code = make_code("wifi:648:1/2");
    ldpc_plan plan = {.code = code};
    ldpc_batch batch = {.n_codewords = 4}, slice = ldpc_batch_slice(&plan, &batch, 2, 2);
    for (ldpc_buffer b = 0; b < LDPC_BUFFERS; b++)
        assert_null(ldpc_batch_get(&slice, b));
    ldpc_code_destroy(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_names_all_pointers),
        cmocka_unit_test(test_sizes_and_slices),
        cmocka_unit_test(test_missing_buffers_stay_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
