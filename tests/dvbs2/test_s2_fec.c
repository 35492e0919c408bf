/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the decoder of a frame with cells of unusual values. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "dvbs2/streams/fec.h"
#include "dvbs2/support/sender.h"

/* A codeword of 128APSK does not fill its last cell: 9258 cells have 64806 bits. */
static void test_a_padded_last_cell(void **state)
{
    (void)state;
    static float complex cells[9270]; /* whole slots */
    const ldpc_dvbs2_modcod *modcod = ldpc_dvbs2_modcod_list(0);
    while (strcmp(modcod->modulation, "128apsk") || strcmp(modcod->code, "dvbs2x:64800:135/180"))
        modcod++;
    const dvbs2_pl_frame frame = {
        .format = dvbs2_frame_format_of(modcod->pls_code), .cells = cells, .noise = 0.1f};
    assert_int_equal(frame.format.cells, 9270);
    for (size_t i = 0; i < 9270; i++)
        cells[i] = noise(1);
    dvbs2_fec fec;
    dvbs2_fec_result result;
    assert_true(dvbs2_fec_init(&fec, 2));
    assert_int_equal(dvbs2_fec_decode(&fec, &frame, &result, NULL), LDPC_OK);
    assert_true(result.broken);
    const float *extrinsic = dvbs2_fec_extrinsic(&fec, &frame);
    size_t known = 0;
    for (size_t i = 0; i < 9270 * 7; i++)
        known += extrinsic[i] != 0;
    assert_in_range(known, 30000, 64800);
    for (size_t i = 64806; i < 9270 * 7; i++)
        assert_true(extrinsic[i] == 0);
    dvbs2_fec_free(&fec);
}

static void test_cells_without_information(void **state)
{
    (void)state;
    static float complex cells[32400];
    static const float complex values[] = {0, NAN, NAN * I, INFINITY, -INFINITY, INFINITY * I};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (int modcod = 1; modcod <= 28; modcod += 9) {
            const dvbs2_pl_frame frame = {
                .format = dvbs2_frame_format_of((uint8_t)(4 * modcod)), .cells = cells, .noise = 0.1f};
            for (uint32_t c = 0; c < frame.format.cells; c++)
                cells[c] = values[i];
            dvbs2_fec fec;
            dvbs2_fec_result result;
            assert_true(dvbs2_fec_init(&fec, 3));
            assert_int_equal(dvbs2_fec_decode(&fec, &frame, &result, NULL), LDPC_OK);
            assert_true(result.broken);
            dvbs2_fec_free(&fec);
        }
}

/* QPSK 1/2 */
static void test_a_noise_that_is_no_number(void **state)
{
    (void)state;
    static float complex cells[32400];
    const dvbs2_pl_frame frame = {.format = dvbs2_frame_format_of(4 * 4), .cells = cells, .noise = NAN};
    dvbs2_fec fec;
    dvbs2_fec_result result;
    memset(&result, 1, sizeof result);
    assert_true(dvbs2_fec_init(&fec, 3));
    assert_int_equal(dvbs2_fec_decode(&fec, &frame, &result, NULL), LDPC_ERR_RANGE);
    assert_int_equal(result.corrected, LDPC_BCH_FAILED);
    assert_true(result.broken);
    dvbs2_fec_free(&fec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_padded_last_cell),
        cmocka_unit_test(test_cells_without_information),
        cmocka_unit_test(test_a_noise_that_is_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
