/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests steps and drifts of carrier, clock and level while a signal is tracked.
 *
 *     test_t2_steps                   fixed steps and drifts
 *     test_t2_steps COUNT [FIRST]     also random modes, steps and drifts: rounds FIRST .. FIRST + COUNT - 1
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "dvbt2/support/mode_trial.h"
#include "dvbt2/support/synthetic.h"

#define MODE(size, interval, pattern, wide, symbols)                                                         \
    {                                                                                                        \
        .fft = size, .guard = interval, .pilot_pattern = pattern, .extended = wide,                          \
        .n_data_symbols = symbols                                                                            \
    }
static const dvbt2_mode modes[] = {
    MODE(DVBT2_FFT_2K, DVBT2_GUARD_1_8, 2, false, 90),   MODE(DVBT2_FFT_8K, DVBT2_GUARD_1_16, 4, false, 24),
    MODE(DVBT2_FFT_32K, DVBT2_GUARD_1_128, 7, true, 12), MODE(DVBT2_FFT_32K, DVBT2_GUARD_1_16, 4, true, 12),
    MODE(DVBT2_FFT_32K, DVBT2_GUARD_1_8, 2, true, 12),   MODE(DVBT2_FFT_32K, DVBT2_GUARD_19_256, 4, true, 12),
};
enum { MODES = sizeof modes / sizeof *modes, FRAMES = 6 };

static const double noise_power = 2e-3; /* 27 dB */

/* most_lost: maximum number of frames that are lost */
static void check_step(const dvbt2_mode *mode, mode_trial_way way, uint32_t most_lost)
{
    way.noise = noise_power;
    way.frames = FRAMES;
    way.step_at = way.step_at > 0 ? way.step_at : 2.4;
    const mode_trial_result r = mode_trial_run(mode, &way);
    print_message("%s: %+.0f Hz, %+.0f ppm, %+.0f dB after %.2f frames: %u of %u frames right, found %+.1f "
                  "Hz, %+.1f ppm, "
                  "%u locks, last loss \"%s\"\n",
                  dvbt2_fft_size_name(mode->fft), way.carrier_step, way.clock_step, way.gain_step_db,
                  way.step_at, r.right, r.sent, r.status.carrier_hz, r.status.clock_ppm,
                  (unsigned)r.status.locks, dvbt2_loss_name(r.status.last_loss));
    assert_true(r.right + most_lost >= r.sent);
    assert_int_equal(r.status.state, DVBT2_STATE_TRACKING);
    uint64_t losses = 0;
    for (int i = 0; i < DVBT2_MAX_LOSSES; i++)
        losses += r.status.losses[i];
    assert_int_equal(losses, r.status.locks - 1);
    assert_true(r.status.frames + r.status.lost_frames + 1 >= r.sent);
}

static void test_carrier_steps(void **state)
{
    (void)state;
    /* carrier spacings */
    static const double carriers[] = {0.5, 0.63, -0.36, -70.3, 1, 0.72};
    for (size_t i = 0; i < sizeof carriers / sizeof *carriers; i++) {
        const dvbt2_mode *mode = &modes[i % MODES];
        check_step(mode, (mode_trial_way){.carrier_step = carriers[i] * 64e6 / 7 / (1024u << mode->fft)}, 2);
    }
}

static void test_clock_steps(void **state)
{
    (void)state;
    static const struct {
        double ppm, at; /* time of the step, frames */
    } steps[] = {
        {40,  2.4 },
        {-25, 2.4 },
        {-8,  2.8 }, /* below the jump threshold */
        {22,  2.95}, /* intercarrier interference */
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        check_step(&modes[i % MODES], (mode_trial_way){.clock_step = steps[i].ppm, .step_at = steps[i].at},
                   2);
}

static void test_level_steps(void **state)
{
    (void)state;
    static const double decibels[] = {20, -20, 6};
    for (size_t i = 0; i < sizeof decibels / sizeof *decibels; i++)
        check_step(&modes[i], (mode_trial_way){.gain_step_db = decibels[i]}, 1);
    for (int sign = -1; sign <= 1; sign += 2) {
        const double db = 10 * sign;
        /* inside P2 */
        check_step(&modes[0], (mode_trial_way){.gain_step_db = db, .step_at = 2.0495}, 1);
        check_step(&modes[1], (mode_trial_way){.gain_step_db = db, .step_at = 2.03}, 1);
        check_step(&modes[2], (mode_trial_way){.gain_step_db = db, .step_at = 2.04}, 1);
        /* between frames */
        check_step(&modes[2], (mode_trial_way){.gain_step_db = 2 * db, .step_at = 3}, 0);
    }
}

static void check_drift(const dvbt2_mode *mode, double carrier, double clock)
{
    mode_trial_way way = {.noise = noise_power, .frames = FRAMES};
    const mode_trial_result still = mode_trial_run(mode, &way);
    way.carrier_drift = carrier;
    way.clock_drift = clock;
    const mode_trial_result r = mode_trial_run(mode, &way);
    print_message(
        "%s %s PP%u: %+.0f Hz/s, %+.0f ppm/s: %u of %u frames right, error %.1f dB, %.1f dB without the "
        "drift, found %+.1f Hz, %+.2f ppm\n",
        dvbt2_fft_size_name(mode->fft), dvbt2_guard_interval_name(mode->guard), mode->pilot_pattern, carrier,
        clock, r.right, r.sent, decibel(r.error), decibel(still.error), r.status.carrier_hz,
        r.status.clock_ppm);
    assert_int_equal(r.right, r.sent);
    assert_int_equal(r.status.locks, 1);
    assert_int_equal(r.status.lost_frames, 0);
    assert_true(decibel(r.error) < decibel(still.error) + 0.5);
}

static void test_drifts(void **state)
{
    (void)state;
    for (size_t i = 0; i < MODES; i++)
        check_drift(&modes[i], i % 2 ? -2000 : 2000, i % 2 ? 16 : -16);
}

/* ---- random modes and steps */

static uint32_t first_round, rounds;

static double symmetric(double most)
{
    return most * (2 * uniform() - 1);
}

/* Returns a mode that the standard allows. Its frames last about 45 ms. */
static dvbt2_mode random_mode(void)
{
    dvbt2_mode mode = {0};
    do {
        mode.fft = (dvbt2_fft_size)(uniform() * DVBT2_FFT_SIZES);
        mode.guard = (dvbt2_guard_interval)(uniform() * DVBT2_GUARD_INTERVALS);
        mode.pilot_pattern = (uint8_t)(1 + uniform() * 8);
        mode.extended = mode.fft >= DVBT2_FFT_8K && uniform() < 0.5;
        mode.n_data_symbols = (uint16_t)(12u << (DVBT2_FFT_32K - mode.fft));
    } while (!dvbt2_mode_allowed(&mode));
    return mode;
}

static void test_random_steps(void **state)
{
    (void)state;
    for (uint32_t i = first_round; i < first_round + rounds; i++) {
        reseed(i);
        print_message("round %u: ", (unsigned)i);
        const dvbt2_mode *mode = &modes[(unsigned)(uniform() * MODES)];
        mode_trial_way way = {.step_at = 2 + 2 * uniform()};
        switch (i % 3) {
        case 0:
            way.carrier_step = symmetric(uniform() < 0.5 ? 1000 : 100e3);
            break;
        case 1:
            way.clock_step = symmetric(40);
            break;
        default:
            way.gain_step_db = symmetric(20);
        }
        check_step(mode, way, 2);
        const dvbt2_mode any = random_mode();
        check_drift(&any, symmetric(2000), symmetric(16));
    }
}

int main(int argc, char **argv)
{
    rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    first_round = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_carrier_steps), cmocka_unit_test(test_clock_steps),
        cmocka_unit_test(test_level_steps),   cmocka_unit_test(test_drifts),
        cmocka_unit_test(test_random_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
