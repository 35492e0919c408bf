/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests echoes with any phase, and with delays up to the largest delay that the pilots resolve. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dvbt2/support/mode_trial.h"
#include "dvbt2/support/synthetic.h"

static const double weak = 0.178; /* -15 dB */

/* The pilots resolve delays up to Tu / Dx. The echo has 82 % of this delay in 32K, otherwise 98 %. */
static const dvbt2_mode narrow[] = {
    {.fft = DVBT2_FFT_32K,        .guard = DVBT2_GUARD_1_8, .pilot_pattern = 2, .n_data_symbols = 6},
    { .fft = DVBT2_FFT_16K,
     .guard = DVBT2_GUARD_19_128,
     .pilot_pattern = 3,
     .extended = true,
     .n_data_symbols = 9},
    {                                                                            .fft = DVBT2_FFT_8K,
     .guard = DVBT2_GUARD_19_256,
     .pilot_pattern = 5,
     .extended = true,
     .n_data_symbols = 20},
};

static mode_trial_result trial(const dvbt2_mode *mode, double delay, double gain)
{
    return mode_trial_run(
        mode,
        &(mode_trial_way){.echo = delay, .echo_gain = (float)gain * phasor(0.2), .noise = 1e-3, .frames = 6});
}

static void test_weak_echo_outside(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        mode_trial_result r = trial(&narrow[i], 1.1, weak);
        print_message("%s: %u of %u frames right, delay spread %.1f us\n", dvbt2_fft_size_name(narrow[i].fft),
                      r.right, r.sent, r.status.delay_spread_us);
        assert_int_equal(r.right, r.sent);
    }
}

/* Cells may be wrong, but L1 is decoded and the receiver stays synchronised. */
static void test_strong_echo_outside(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        mode_trial_result r = trial(&narrow[i], 1.1, 1);
        assert_int_equal(r.status.state, DVBT2_STATE_TRACKING);
        assert_int_equal(r.status.locks, 1);
        assert_int_equal(r.status.l1_errors, 0);
        assert_int_equal(r.status.lost_frames, 0);
    }
}

/* Adds a second path of equal power with each of 24 phases. The third frame must be received. */
static void test_phases(void **state)
{
    static const dvbt2_mode mode = {
        .fft = DVBT2_FFT_8K, .guard = DVBT2_GUARD_1_16, .pilot_pattern = 4, .n_data_symbols = 6};
    static const double delays[] = {0.1, 0.5, 0.9};
    enum { PHASES = 24 };
    (void)state;
    for (int phase = 0; phase < PHASES; phase++) {
        const double delay = delays[phase % 3];
        mode_trial_result r = mode_trial_run(
            &mode,
            &(mode_trial_way){
                .echo = delay, .echo_gain = phasor((double)phase / PHASES), .noise = 1e-2, .frames = 5});
        if (r.status.locks != 1 || r.status.frames < r.sent)
            fail_msg("delay %.1f, phase %d of %d: %u locks, %u of %u frames", delay, phase, PHASES,
                     (unsigned)r.status.locks, (unsigned)r.status.frames, r.sent);
    }
}

static void test_delay_spread(void **state)
{
    (void)state;
    const double us = 7.0 / 64, guard = 8192 * 19.0 / 256;
    mode_trial_result r = trial(&narrow[2], 0, 0);
    assert_float_equal(r.status.delay_spread_us, 0, 1e-9);
    r = trial(&narrow[2], 0.5, 0.5);
    assert_float_equal(r.status.delay_spread_us, floor(0.5 * guard) * us, 2 * us);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weak_echo_outside),
        cmocka_unit_test(test_strong_echo_outside),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_delay_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
