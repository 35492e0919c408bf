/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the carrier and clock loops with synthetic pilots. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "receiver/loop.h"
#include "dvbt2/support/synthetic.h"
#include "dvbt2/channel/tracking.h"

static const dvbt2_confidence sure = {.still = 1, .rates = 1, .common = 1};

static float complex two_paths(double k, double first, double second)
{
    return 0.8F * phasor(-k * first) + 0.6F * phasor(-k * second + 0.3);
}

static void test_straight_line(void **state)
{
    (void)state;
    for (int drifts = 0; drifts < 2; drifts++) {
        rx_loop loop;
        rx_loop_start(&loop, 30, drifts);
        for (int l = 1; l <= 5; l++) /* two measurements determine the rate */
            rx_loop_update(&loop, 0.5 + 0.25 * l - rx_loop_expected(&loop), 1e9, 1);
        assert_float_equal(loop.rate, 0.25, 0.1);
        for (int l = 6; l <= 300; l++)
            rx_loop_update(&loop, 0.5 + 0.25 * l - rx_loop_expected(&loop), 1e9, 1);
        assert_float_equal(loop.rate, 0.25, 1e-6);
        rx_loop_update(&loop, 7, 1, 1);
        assert_float_equal(loop.rate, 0.25, 1e-6);
        assert_float_equal(loop.value, 0.5 + 0.25 * 301 + 7, 1e-4);
    }
}

static void test_drift(void **state)
{
    (void)state;
    rx_loop loop;
    double error = 0;
    rx_loop_start(&loop, 30, true);
    for (int l = 1; l <= 400; l++) {
        error = 0.05 * l * l - rx_loop_expected(&loop);
        rx_loop_update(&loop, error, 1e9, 1);
    }
    assert_float_equal(error, 0, 1e-6);
    assert_float_equal(loop.drift, 0.1, 1e-6);
}

static void test_step_of_the_rate(void **state)
{
    (void)state;
    static const double steps[] = {1.3, -1.3, 0.8, -0.8, 0.4, -0.4, 0.2, -0.2};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        rx_loop loop;
        double value = 0, error = 0;
        rx_loop_start(&loop, 500, true);
        for (int l = 1; l <= 300; l++) {
            value += l > 250 ? steps[i] : 0;
            error = value + 1e-3 * creal(noise(1)) - rx_loop_expected(&loop);
            rx_loop_update(&loop, error, 1, 1);
            if (l >= 258 && fabs(steps[i]) >= 0.4)
                assert_float_equal(loop.rate, steps[i], 0.02);
        }
        assert_float_equal(loop.rate, steps[i], 1e-3);
        assert_float_equal(error, 0, 0.01);
    }
}

/* ---- pilots */

static void test_phase_and_timing(void **state)
{
    (void)state;
    enum { PILOTS = 150 };
    dvbt2_parameters p = {.fft_length = 8192, .symbol_length = 9216, .carriers = 6817};
    dvbt2_tracking tracking;
    float complex now[PILOTS], before[PILOTS];
    uint16_t carrier[PILOTS];
    dvbt2_tracking_reset(&tracking, &p);
    for (int l = 1; l <= 100; l++) {
        for (int i = 0; i < PILOTS; i++) {
            carrier[i] = (uint16_t)(i * 45);
            double k = carrier[i] - 3408;
            before[i] = two_paths(k, 0, 0.01) * 2 + noise(0.01);
            now[i] = rx_mul(two_paths(k, 0, 0.01) * 2, phasor(0.05 * l - k * 0.02 / 8192)) + noise(0.01);
        }
        dvbt2_phase_sums sums = dvbt2_compare_pilots(now, before, carrier, PILOTS, p.carriers);
        assert_float_equal(dvbt2_coherence(&sums), 1, 0.02);
        dvbt2_tracking_update(&tracking, &sums, &sure);
    }
    double drift;
    assert_float_equal(tracking.timing, 100 * 0.02, 0.1);
    assert_float_equal(dvbt2_tracking_clock(&tracking) * p.symbol_length, 0.02, 0.002);
    assert_float_equal(dvbt2_tracking_carrier(&tracking, &drift) * p.symbol_length, 0.05, 0.002);
    assert_float_equal(dvbt2_tracking_carrier(&tracking, &drift), 0, 1e-12);
}

/* In 32K, 40 ppm are 1.6 samples per symbol, so phases wrap within the band. */
static void test_step_of_the_clock(void **state)
{
    (void)state;
    enum { PILOTS = 180, APART = 155, LENGTH = 32768, CARRIERS = PILOTS * APART + 1 };
    const dvbt2_parameters p = {.fft_length = LENGTH, .symbol_length = LENGTH, .carriers = CARRIERS};
    float complex now[PILOTS], before[PILOTS];
    uint16_t carrier[PILOTS];
    for (int step = -16; step <= 16; step++) {
        const double samples = 0.1 * step;
        for (int i = 0; i < PILOTS; i++) {
            carrier[i] = (uint16_t)(i * APART + (int)(uniform() * APART));
            const double k = carrier[i] - (CARRIERS - 1) / 2.0;
            before[i] = two_paths(k, 0, 0.01) + noise(0.01);
            now[i] = rx_mul(two_paths(k, 0, 0.01), phasor(0.2 - k * samples / LENGTH)) + noise(0.01);
        }
        dvbt2_tracking tracking;
        dvbt2_tracking_reset(&tracking, &p);
        const dvbt2_phase_sums sums = dvbt2_compare_pilots(now, before, carrier, PILOTS, p.carriers);
        dvbt2_tracking_update(&tracking, &sums, &sure);
        assert_float_equal(tracking.timing, samples, 0.03);
        assert_float_equal(tracking.phase, 2 * RX_PI * 0.2, 0.05);
        assert_true(dvbt2_coherence(&sums) > 0.85F);
    }
}

/* A clock offset changes the timing in every symbol. Fading resembles a timing change in single symbols. */
static void test_timing_explains(void **state)
{
    (void)state;
    enum { PILOTS = 150 };
    const dvbt2_parameters p = {.fft_length = 8192, .symbol_length = 9216, .carriers = 6817};
    static const bool late[] = {true, false, true, true, true, false, true};
    dvbt2_tracking tracking;
    dvbt2_tracking_reset(&tracking, &p);
    for (size_t l = 0; l < sizeof late / sizeof *late; l++) {
        float complex now[PILOTS], before[PILOTS];
        uint16_t carrier[PILOTS];
        for (int i = 0; i < PILOTS; i++) {
            carrier[i] = (uint16_t)(i * 45);
            const double k = carrier[i] - 3408;
            before[i] = two_paths(k, 0, 0.01) + noise(1e-4);
            now[i] = late[l] ? rx_mul(before[i], phasor(-k * 0.5 / 8192)) : two_paths(k, 0.3, 0.01);
            now[i] += noise(1e-4);
        }
        const dvbt2_phase_sums sums = dvbt2_compare_pilots(now, before, carrier, PILOTS, p.carriers);
        assert_int_equal(dvbt2_timing_explains(&tracking, &sums), l > 0 && late[l] && late[l - 1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_line),     cmocka_unit_test(test_drift),
        cmocka_unit_test(test_step_of_the_rate),  cmocka_unit_test(test_phase_and_timing),
        cmocka_unit_test(test_step_of_the_clock), cmocka_unit_test(test_timing_explains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
