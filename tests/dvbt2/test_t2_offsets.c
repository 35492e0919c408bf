/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dvbt2/support/mode_trial.h"

static const double most = 500e3, most_relative = 0.27;

static const dvbt2_mode mode = {
    .fft = DVBT2_FFT_4K, .guard = DVBT2_GUARD_1_16, .pilot_pattern = 4, .n_data_symbols = 30};

static mode_trial_result trial(double bandwidth, double sign, bool doubled, double noise)
{
    dvbt2_parameters p;
    assert_int_equal(dvbt2_parameters_derive(&mode, &p, NULL), LDPC_OK);
    const double rate = dvbt2_sample_rate(bandwidth), occupied = rate * p.carriers / p.fft_length;
    const double carrier =
        sign * fmin(fmin(most, most_relative * rate), ((doubled ? 2 : 1) * rate - occupied) / 2);
    mode_trial_result r = mode_trial_run(
        &mode,
        &(mode_trial_way){
            .bandwidth = bandwidth, .carrier = carrier, .noise = noise, .doubled = doubled, .frames = 6});
    print_message("%g MHz, %+.1f kHz: found %+.1f kHz, %u of %u frames right\n", bandwidth, 1e-3 * carrier,
                  1e-3 * r.status.carrier_hz, r.right, r.sent);
    assert_float_equal(r.status.carrier_hz, carrier, (noise < 0.1 ? 0.01 : 0.05) * rate / p.fft_length);
    return r;
}

/* Sampling rates 1/T and 2/T. */
static void test_bandwidths(void **state)
{
    (void)state;
    const double bandwidths[] = {0.125, 0.333, 0.5, 1.7, 5, 8, 10};
    for (size_t b = 0; b < sizeof bandwidths / sizeof *bandwidths; b++)
        for (int doubled = 0; doubled < 2; doubled++)
            for (int sign = -1; sign <= 1; sign += 2) {
                mode_trial_result r = trial(bandwidths[b], sign, doubled, 1e-3);
                assert_int_equal(r.right, r.sent);
            }
}

static void test_noise(void **state)
{
    (void)state;
    const double bandwidths[] = {0.333, 1.7, 5};
    for (size_t b = 0; b < sizeof bandwidths / sizeof *bandwidths; b++) {
        mode_trial_result r = trial(bandwidths[b], 1, true, 0.7);
        assert_int_equal(r.status.state, DVBT2_STATE_TRACKING);
        assert_int_equal(r.status.locks, 1);
        assert_int_equal(r.status.frames, r.sent);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bandwidths), cmocka_unit_test(test_noise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
