/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests that each mode of symbols.txt is detected, and that all its cells are correct.
 *
 *     test_t2_modes [STEP [FIRST]]        every STEP-th mode, default 21 */
#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbt2/support/golden.h"
#include "dvbt2/support/mode_trial.h"

static int step = 21, first_line;

static void check_mode(const dvbt2_mode *mode)
{
    mode_trial_result r = mode_trial_run(mode, &(mode_trial_way){0});
    if (r.right < r.sent * 2 / 5)
        fail_msg("%s%s, guard interval %s, PP%u%s%s, %u data symbols: %u of %u frames received without error",
                 dvbt2_fft_size_name(mode->fft), mode->extended ? " extended" : "",
                 dvbt2_guard_interval_name((uint8_t)mode->guard), mode->pilot_pattern,
                 mode->miso ? " MISO" : "", mode->tone_reservation ? " TR" : "", mode->n_data_symbols,
                 r.right, r.sent);
}

static void test_modes(void **state)
{
    (void)state;
    FILE *file = golden_open("support/symbols.txt");
    golden_mode line;
    for (int i = 0; golden_read_mode(file, &line); i++) {
        if (i >= first_line && (i - first_line) % step == 0)
            check_mode(&line.mode);
    }
    fclose(file);
}

/* Short guard intervals measure the clock with errors up to 50 ppm. Phases then wrap within the band. */
static void test_late_timing(void **state)
{
    (void)state;
    check_mode(&(dvbt2_mode){.fft = DVBT2_FFT_2K,
                             .guard = DVBT2_GUARD_1_32,
                             .pilot_pattern = 5,
                             .miso = true,
                             .tone_reservation = true,
                             .n_data_symbols = 7});
}

static void test_carrier_at_0_hz(void **state)
{
    (void)state;
    check_mode(&(dvbt2_mode){.fft = DVBT2_FFT_8K,
                             .guard = DVBT2_GUARD_19_256,
                             .pilot_pattern = 5,
                             .extended = true,
                             .tone_reservation = true,
                             .n_data_symbols = 8});
}

static void test_gaps(void **state)
{
    (void)state;
    const dvbt2_mode mode = {
        .fft = DVBT2_FFT_2K, .guard = DVBT2_GUARD_1_32, .pilot_pattern = 7, .n_data_symbols = 40};
    const double symbol = 2112. / (2048 + 48 * 2112), at = 2.3;
    const double gaps[] = {
        1 / (2048. + 48 * 2112), 0.5 * symbol, symbol, 4 * symbol, 0.25, 0.5, 0.71, 1.37, 2.5};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        uint32_t hit = (uint32_t)(at + gaps[i]) - (uint32_t)at + 1;
        for (int noisy = 0; noisy <= 1; noisy++) {
            const mode_trial_way way = {.gap_at = at, .gap = gaps[i], .noise = noisy * 2e-3};
            const mode_trial_result r = mode_trial_run(&mode, &way);
            if (r.right + hit < r.sent)
                fail_msg("gap of %.3f frames: %u of %u frames right", gaps[i], r.right, r.sent);
        }
    }
}

static void test_p1_near_its_place(void **state)
{
    (void)state;
    const dvbt2_mode modes[] = {
        {.fft = DVBT2_FFT_2K, .guard = DVBT2_GUARD_1_8,    .pilot_pattern = 2, .n_data_symbols = 60},
        {.fft = DVBT2_FFT_8K, .guard = DVBT2_GUARD_19_256, .pilot_pattern = 5, .n_data_symbols = 19}
    };
    const double gaps[] = {457 / 158720., 0.93};
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
        for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
            const uint32_t hit = gaps[i] > 0.6 ? 2 : 1;
            const mode_trial_way way = {.gap_at = 3.4, .gap = gaps[i], .frames = 9, .noise = 2e-3};
            mode_trial_result r = mode_trial_run(&modes[m], &way);
            if (r.right + hit < r.sent)
                fail_msg("mode %zu, gap of %.3f frames: %u of %u frames right", m, gaps[i], r.right, r.sent);
        }
}

static void test_guard_changes(void **state)
{
    (void)state;
    const dvbt2_mode before = {
        .fft = DVBT2_FFT_2K, .guard = DVBT2_GUARD_1_4, .pilot_pattern = 1, .n_data_symbols = 40};
    const dvbt2_mode after = {
        .fft = DVBT2_FFT_2K, .guard = DVBT2_GUARD_1_16, .pilot_pattern = 4, .n_data_symbols = 41};
    mode_trial_result r = mode_trial_run(&after, &(mode_trial_way){.before = &before, .frames = 12});
    print_message("another guard interval: %u of %u frames right\n", r.right, r.sent);
    assert_in_range(r.right, r.sent - 6, r.sent);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_modes),
                                       cmocka_unit_test(test_late_timing),
                                       cmocka_unit_test(test_carrier_at_0_hz),
                                       cmocka_unit_test(test_p1_near_its_place),
                                       cmocka_unit_test(test_gaps),
                                       cmocka_unit_test(test_guard_changes)};
    if (argc > 1)
        step = (int)strtol(argv[1], NULL, 10);
    if (argc > 2)
        first_line = (int)strtol(argv[2], NULL, 10);
    assert(step > 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
