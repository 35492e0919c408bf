/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An echo of -15 dB at any delay that the pilots resolve costs no codeword in any allowed mode.
 *
 *     test_t2_reach [STEP [FIRST]]        every STEP-th combination, default 33, from combination 1 on */
#include <assert.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "dvbt2/support/mode_trial.h"
#include "dvbt2/support/synthetic.h"

static uint32_t step = 33, first_mode = 1;

static const double weak = 0.178; /* -15 dB */

static const double most_early = 1.2, most_late = 1.25, most_of_range = 0.95;

static const double most_of_frame = 0.7;

/* Constellation, code, and C/N in dB. The C/N is 6 dB above the threshold in white noise. */
static const struct robustness {
    const char *code, *modulation;
    double cn;
} robustness[] = {
    {"dvbt2:16200:1/2", "qpsk",   6.8 },
    {"dvbt2:64800:2/3", "256qam", 24.4},
};

/* Returns the delay range of the pilots, samples. */
static double range_of(const dvbt2_parameters *p)
{
    const uint32_t distance = p->dx * (p->mode.miso ? 2 : 1), p2 = p->mode.fft == DVBT2_FFT_32K ? 6 : 3;
    return (double)p->fft_length / (distance > p2 ? distance : p2);
}

static dvbt2_mode mode_of(dvbt2_fft_size fft, dvbt2_guard_interval guard, uint8_t pattern, bool miso)
{
    return (dvbt2_mode){.fft = fft,
                        .guard = guard,
                        .pilot_pattern = pattern,
                        .miso = miso,
                        .extended = fft == DVBT2_FFT_8K || fft >= DVBT2_FFT_16K,
                        .n_data_symbols = 20};
}

static mode_trial_result receive(const dvbt2_mode *mode, double delay, double skipped,
                                 const struct robustness *r)
{
    dvbt2_parameters p;
    trial_code code;
    assert_int_equal(dvbt2_parameters_derive(mode, &p, NULL), LDPC_OK);
    trial_code_open(&code, r->code, r->modulation);
    const mode_trial_way way = {.echo = delay / p.guard_length,
                                .echo_gain = (float)weak * phasor(uniform()),
                                .noise = (double)p.fft_length / p.carriers * pow(10, -r->cn / 10),
                                .gap = skipped,
                                .frames = 4,
                                .code = &code};
    mode_trial_result result = mode_trial_run(mode, &way);
    if (skipped > 0)
        result.lost -= result.codewords / way.frames;
    trial_code_close(&code);
    assert_int_equal(result.not_finite, 0);
    return result;
}

static bool trial(const dvbt2_mode *mode, double delay, const struct robustness *r)
{
    dvbt2_parameters p;
    assert_int_equal(dvbt2_parameters_derive(mode, &p, NULL), LDPC_OK);
    const mode_trial_result result = receive(mode, delay, most_of_frame, r);
    if (result.lost > 0)
        print_message("%s%s%s %s PP%u, %s: %u of %u codewords lost with an echo at %+.0f samples, %+.2f "
                      "guard intervals, %+.0f %% of the "
                      "range; C/N %.1f\n",
                      dvbt2_fft_size_name(mode->fft), mode->extended ? " extended" : "",
                      mode->miso ? " MISO" : "", dvbt2_guard_interval_name((uint8_t)mode->guard),
                      mode->pilot_pattern, r->modulation, result.lost, result.codewords, delay,
                      delay / p.guard_length, 100 * delay / range_of(&p), result.status.cn_db);
    return result.lost > 0;
}

static uint32_t sweep(const dvbt2_mode *mode)
{
    dvbt2_parameters p;
    assert_int_equal(dvbt2_parameters_derive(mode, &p, NULL), LDPC_OK);
    const double most = most_of_range * range_of(&p);
    const double first = -fmin(most_early * p.guard_length, most),
                 last = fmin(most_late * p.guard_length, most);
    return trial(mode, first, &robustness[1]) + trial(mode, 0.85 * first, &robustness[0]) +
           trial(mode, 0.85 * last, &robustness[1]) + trial(mode, last, &robustness[1]);
}

static void test_reach(void **state)
{
    (void)state;
    uint32_t number = 0, failed = 0, tried = 0;
    for (int miso = 0; miso < 2; miso++)
        for (int fft = 0; fft < DVBT2_FFT_SIZES; fft++)
            for (int guard = 0; guard < DVBT2_GUARD_INTERVALS; guard++)
                for (uint8_t pattern = 1; pattern <= 8; pattern++) {
                    const dvbt2_mode mode =
                        mode_of((dvbt2_fft_size)fft, (dvbt2_guard_interval)guard, pattern, miso);
                    if (!dvbt2_mode_allowed(&mode) || number++ < first_mode ||
                        (number - 1 - first_mode) % step)
                        continue;
                    failed += sweep(&mode);
                    tried++;
                }
    print_message("%u of %u combinations, %u trials failed\n", tried, number, failed);
    assert_int_equal(failed, 0);
}

static void test_beyond(void **state)
{
    static const dvbt2_mode modes[] = {
        {.fft = DVBT2_FFT_8K,
         .guard = DVBT2_GUARD_1_16,
         .pilot_pattern = 4,
         .extended = true,
         .n_data_symbols = 20},
        {.fft = DVBT2_FFT_2K,                   .guard = DVBT2_GUARD_1_16,     .pilot_pattern = 5, .n_data_symbols = 40},
        {.fft = DVBT2_FFT_32K,                   .guard = DVBT2_GUARD_1_8,    .pilot_pattern = 2, .n_data_symbols = 8 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        dvbt2_parameters p;
        assert_int_equal(dvbt2_parameters_derive(&modes[i], &p, NULL), LDPC_OK);
        const double delay = range_of(&p) * (i == 2 ? 1.1 : 1.0);
        const mode_trial_result weak_mode = receive(&modes[i], delay, most_of_frame, &robustness[0]);
        const mode_trial_result strong_mode = receive(&modes[i], delay, most_of_frame, &robustness[1]);
        print_message("%s: QPSK %u of %u lost, 256QAM %u of %u lost, frames lost %u of %u\n",
                      dvbt2_fft_size_name(modes[i].fft), weak_mode.lost, weak_mode.codewords,
                      strong_mode.lost, strong_mode.codewords, (unsigned)strong_mode.status.lost_frames,
                      (unsigned)(strong_mode.status.frames + strong_mode.status.lost_frames));
        assert_int_equal(weak_mode.lost, 0);
        assert_false(weak_mode.beyond_pilots);
        assert_true(strong_mode.lost > 0 && strong_mode.beyond_pilots);
        assert_int_equal(strong_mode.status.frames, 0);
        assert_in_range(strong_mode.status.lost_frames, 2, 4);
    }
}

static void test_misread(void **state)
{
    static const dvbt2_mode mode = {.fft = DVBT2_FFT_32K,
                                    .guard = DVBT2_GUARD_19_128,
                                    .pilot_pattern = 2,
                                    .extended = true,
                                    .n_data_symbols = 8};
    (void)state;
    dvbt2_parameters p;
    assert_int_equal(dvbt2_parameters_derive(&mode, &p, NULL), LDPC_OK);
    const mode_trial_result r = receive(&mode, -most_of_range * range_of(&p), 0, &robustness[1]);
    print_message("32K, misread: %u of %u codewords lost\n", r.lost, r.codewords);
    assert_in_range(r.lost, 0, r.codewords / 2);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_misread), cmocka_unit_test(test_beyond),
                                       cmocka_unit_test(test_reach)};
    if (argc > 1)
        step = (uint32_t)strtoul(argv[1], NULL, 10);
    if (argc > 2)
        first_mode = (uint32_t)strtoul(argv[2], NULL, 10);
    assert(step > 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
