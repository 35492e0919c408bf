/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the search of the gold code by parity checks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dvbs2/scan/gold_parity.h"
#include "dvbs2/standard/scrambling.h"
#include "dvbs2/support/sender.h"

enum { FRAMES = 3 };

/* Returns the gold code that is found in frames without pilots, of which the first `random` cells carry no codeword. */
static int32_t find(uint8_t pls_code, uint32_t gold, double esn0_db, uint32_t random)
{
    static const float complex back[4] = {1, -I, -1, I};
    static float complex symbols[DVBS2_MOST_SYMBOLS];
    static uint8_t turns[DVBS2_MOST_SYMBOLS];
    static sender s;
    const double power = pow(10, -esn0_db / 10);
    dvbs2_gold_parity parity;
    s.gold = gold;
    assert_true(dvbs2_gold_parity_init(&parity));
    dvbs2_scrambling(0, turns, DVBS2_MOST_SYMBOLS);
    for (int f = 0; f < FRAMES; f++) {
        const dvbs2_pl_frame frame = {.format = dvbs2_frame_format_of(pls_code), .cells = symbols + 90};
        sender_frame(&s, pls_code, symbols);
        for (uint32_t i = 0; i < frame.format.cells; i++)
            symbols[90 + i] =
                ((i < random ? 0 : symbols[90 + i]) + noise(i < random ? 1 : power)) * back[turns[i]];
        assert_true(dvbs2_gold_parity_add(&parity, &frame));
    }
    assert_int_equal(parity.frames, FRAMES);
    const int32_t found = dvbs2_gold_parity_run(&parity);
    dvbs2_gold_parity_free(&parity);
    return found;
}

/* The signals are slightly below the thresholds of EN 302 307-1 and -2. */
static void test_modulations(void **state)
{
    (void)state;
    static const struct {
        uint8_t pls_code;
        double esn0_db;
    } frames[] = {
        {4 * 4 + 2,  0.5}, /* QPSK 1/2 */
        {4 * 7 + 2,  3.5}, /* QPSK 3/4 */
        {4 * 13 + 2, 6  }, /* 8PSK 2/3 */
        {4 * 19 + 2, 9.5}, /* 16APSK 3/4 */
        {4 * 24 + 2, 12 }, /* 32APSK 3/4 */
        {4 * 4,      0.5}, /* QPSK 1/2, normal frame */
        {216,        -3 }, /* S2X QPSK 11/45 */
        {186,        16 }, /* S2X 64APSK 128/180 */
    };
    static const uint32_t gold[] = {0, 1, 131071, 262141};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        assert_int_equal(find(frames[i].pls_code, gold[i % 4], frames[i].esn0_db, 0), gold[i % 4]);
}

static void test_no_code(void **state)
{
    (void)state;
    assert_int_equal(find(4 * 4 + 2, 5, 10, 8100), -1);
    assert_int_equal(find(4 * 13 + 2, 5, -10, 0), -1);
    dvbs2_gold_parity parity;
    assert_true(dvbs2_gold_parity_init(&parity));
    assert_int_equal(dvbs2_gold_parity_run(&parity), -1);
    dvbs2_gold_parity_free(&parity);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modulations),
        cmocka_unit_test(test_no_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
