/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the time and cell deinterleaver of DVB-T2 with the standard's interleaver: whole and partial TI
 * blocks, cells and noise; TI block sizes, refused parameters. See also python/ldpc/qa_dvb_cells.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ldpc/ldpc.h"

static const char *const code = "dvbt2:16200:1/2";
static const char *const modulations[] = {"qpsk", "16qam", "64qam", "256qam"};

static ldpc_cell_deinterleaver *make(const char *modulation, uint32_t ti_blocks)
{
    ldpc_error err = {""};
    ldpc_cell_deinterleaver *deint;
    assert_int_equal(ldpc_cell_deinterleaver_create(code, modulation, ti_blocks, &deint, &err), LDPC_OK);
    return deint;
}

static float *places(const ldpc_cell_deinterleaver *deint, uint32_t size)
{
    const size_t count = size * ldpc_cell_deinterleaver_cells(deint);
    float *const in = malloc(count * sizeof *in), *const out = malloc(count * sizeof *out);
    assert_non_null(in);
    assert_non_null(out);
    for (size_t i = 0; i < count; i++)
        in[i] = (float)i;
    assert_int_equal(ldpc_cells_deinterleave(deint, size, 0, size, 1, in, out), LDPC_OK);
    free(in);
    return out;
}

static void check_ti_block(const char *modulation, uint32_t size)
{
    ldpc_cell_deinterleaver *deint = make(modulation, 1), *cells_only = make(modulation, 0);
    const size_t cells = ldpc_cell_deinterleaver_cells(deint), rows = cells / 5;
    float *const place = places(deint, size), *const first = places(cells_only, 1);
    for (size_t r = 0; r < size; r++) {
        size_t shift = 0;
        for (size_t c = 0; c < cells; c++) {
            const size_t on_air = (size_t)place[r * cells + c], column = on_air % (5 * size),
                         row = on_air / (5 * size);
            assert_int_equal(column / 5, r);
            const size_t permuted = column % 5 * rows + row,
                         difference = (permuted + cells - (size_t)first[c]) % cells;
            shift = c == 0 ? difference : shift;
            assert_int_equal(difference, shift);
        }
        /* the counter is bit-reversed */
        size_t highest = 1;
        while (2 * highest < cells)
            highest *= 2;
        if (r < 2)
            assert_int_equal(shift, r * highest);
    }
    free(place);
    free(first);
    ldpc_cell_deinterleaver_destroy(deint);
    ldpc_cell_deinterleaver_destroy(cells_only);
}

static void test_ti_blocks(void **state)
{
    (void)state;
    for (size_t m = 0; m < 4; m++)
        for (uint32_t size = 1; size < 8; size += 3)
            check_ti_block(modulations[m], size);
}

static void test_permutation(void **state)
{
    (void)state;
    for (size_t m = 0; m < 4; m++) {
        static uint8_t seen[8100];
        ldpc_cell_deinterleaver *deint = make(modulations[m], 0);
        const size_t cells = ldpc_cell_deinterleaver_cells(deint);
        float *const place = places(deint, 1);
        assert_int_equal(cells, 16200 / (2 * (m + 1)));
        memset(seen, 0, sizeof seen);
        for (size_t c = 0; c < cells; c++)
            seen[(size_t)place[c]]++;
        for (size_t c = 0; c < cells; c++)
            assert_int_equal(seen[c], 1);
        assert_int_equal((int)place[0], 0);
        free(place);
        ldpc_cell_deinterleaver_destroy(deint);
    }
}

static void test_parts_and_pairs(void **state)
{
    (void)state;
    enum { SIZE = 5 };
    ldpc_cell_deinterleaver *deint = make("256qam", 3);
    const size_t cells = ldpc_cell_deinterleaver_cells(deint), count = SIZE * cells;
    float *const place = places(deint, SIZE), *const pairs = malloc(2 * count * sizeof *pairs),
                 *const out = malloc(2 * count * sizeof *out);
    assert_non_null(pairs);
    assert_non_null(out);
    for (size_t i = 0; i < count; i++) {
        pairs[2 * i] = (float)i;
        pairs[2 * i + 1] = -(float)i;
    }
    for (uint32_t first = 0; first < SIZE; first++)
        for (uint32_t size = 1; first + size <= SIZE; size++) {
            assert_int_equal(ldpc_cells_deinterleave(deint, SIZE, first, size, 2, pairs, out), LDPC_OK);
            for (size_t i = 0; i < size * cells; i++) {
                assert_true(out[2 * i] == place[first * cells + i]);
                assert_true(out[2 * i + 1] == -out[2 * i]);
            }
        }
    free(place);
    free(pairs);
    free(out);
    ldpc_cell_deinterleaver_destroy(deint);
}

static void test_sizes(void **state)
{
    (void)state;
    ldpc_cell_deinterleaver *three = make("qpsk", 3), *none = make("qpsk", 0);
    static const uint32_t of_202[] = {67, 67, 68}, of_2[] = {0, 1, 1};
    assert_int_equal(ldpc_ti_blocks(three, 202), 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(ldpc_ti_block_size(three, 202, i), of_202[i]);
        assert_int_equal(ldpc_ti_block_size(three, 2, i), of_2[i]);
        assert_int_equal(ldpc_ti_block_size(three, 9, i), 3);
    }
    assert_int_equal(ldpc_ti_block_size(three, 202, 3), 0);
    assert_int_equal(ldpc_ti_blocks(none, 7), 7);
    assert_int_equal(ldpc_ti_block_size(none, 7, 6), 1);
    assert_int_equal(ldpc_ti_block_size(none, 7, 7), 0);
    ldpc_cell_deinterleaver_destroy(three);
    ldpc_cell_deinterleaver_destroy(none);
}

static void check_refused(const char *name, const char *modulation, uint32_t ti_blocks, ldpc_status expected,
                          const char *sentence)
{
    ldpc_error err = {""};
    ldpc_cell_deinterleaver *deint;
    assert_int_equal(ldpc_cell_deinterleaver_create(name, modulation, ti_blocks, &deint, &err), expected);
    assert_null(deint);
    if (!strstr(err.message, sentence))
        fail_msg("\"%s\" instead of \"%s\"", err.message, sentence);
}

static void test_refusals(void **state)
{
    (void)state;
    float cells[1] = {0};
    ldpc_cell_deinterleaver *deint = make("qpsk", 1), *none = make("qpsk", 0);
    check_refused(NULL, "qpsk", 1, LDPC_ERR_NULL, "must not be NULL");
    check_refused(code, NULL, 1, LDPC_ERR_NULL, "must not be NULL");
    check_refused("dvbt2:1:1/2", "qpsk", 1, LDPC_ERR_NAME, "dvbt2");
    check_refused(code, "bpsk", 1, LDPC_ERR_PARAM, "found \"bpsk\"");
    check_refused("dvbs2:64800:1/2", "qpsk", 1, LDPC_ERR_PARAM, "only DVB-T2");
    check_refused(code, "qpsk", 256, LDPC_ERR_PARAM, "ti_blocks 256: expected 0 .. 255");
    assert_int_equal(ldpc_cells_deinterleave(NULL, 1, 0, 1, 1, cells, cells), LDPC_ERR_NULL);
    assert_int_equal(ldpc_cells_deinterleave(deint, 1, 0, 1, 1, NULL, cells), LDPC_ERR_NULL);
    assert_int_equal(ldpc_cells_deinterleave(deint, 1, 0, 1, 1, cells, NULL), LDPC_ERR_NULL);
    assert_int_equal(ldpc_cells_deinterleave(deint, 0, 0, 1, 1, cells, cells), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_cells_deinterleave(deint, LDPC_T2_MAX_BLOCKS + 1, 0, 1, 1, cells, cells),
                     LDPC_ERR_RANGE);
    assert_int_equal(ldpc_cells_deinterleave(deint, 2, 2, 1, 1, cells, cells), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_cells_deinterleave(deint, 2, 1, 2, 1, cells, cells), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_cells_deinterleave(deint, 2, 0, 0, 1, cells, cells), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_cells_deinterleave(deint, 2, 0, 1, 3, cells, cells), LDPC_ERR_RANGE);
    assert_int_equal(ldpc_cells_deinterleave(none, 2, 0, 1, 1, cells, cells), LDPC_ERR_RANGE);
    ldpc_cell_deinterleaver_destroy(deint);
    ldpc_cell_deinterleaver_destroy(none);
    ldpc_cell_deinterleaver_destroy(NULL);
    assert_int_equal(ldpc_cell_deinterleaver_cells(NULL), 0);
    assert_int_equal(ldpc_ti_blocks(NULL, 1), 0);
    assert_int_equal(ldpc_ti_block_size(NULL, 1, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ti_blocks),       cmocka_unit_test(test_permutation),
        cmocka_unit_test(test_parts_and_pairs), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
