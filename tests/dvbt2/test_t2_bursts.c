/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bursts, runs of zeros and impulses in any symbol cost no codeword. Absurd samples cost only the frames that
 * contain them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "dvbt2/channel/ofdm.h"
#include "dvbt2/support/mode_trial.h"
#include "dvbt2/support/synthetic.h"

static const double us = 64.0 / 7; /* number of samples per us in an 8 MHz channel */

/* clang-format off */
static const dvbt2_mode modes[] = {
    {.fft = DVBT2_FFT_8K, .guard = DVBT2_GUARD_1_16, .pilot_pattern = 4, .extended = true, .n_data_symbols = 22},
    {.fft = DVBT2_FFT_2K, .guard = DVBT2_GUARD_1_8, .pilot_pattern = 3, .n_data_symbols = 70},
    {.fft = DVBT2_FFT_32K, .guard = DVBT2_GUARD_1_128, .pilot_pattern = 7, .extended = true, .n_data_symbols = 12},
    {.fft = DVBT2_FFT_1K, .guard = DVBT2_GUARD_1_8, .pilot_pattern = 3, .n_data_symbols = 70},
};
/* clang-format on */

typedef struct hit {
    uint32_t symbol;
    double at, length; /* start relative to the end of the guard interval, and duration, us */
    double power;      /* noise power relative to the signal; 0: zeros replace the samples */
} hit;

static void strike(const void *how, const dvbt2_parameters *p, float complex *samples, uint32_t count)
{
    const hit *h = how;
    const uint32_t start = p->frame_length + DVBT2_P1_SAMPLES + h->symbol * p->symbol_length +
                           p->guard_length + (uint32_t)(h->at * us);
    for (uint32_t n = start; n < start + (uint32_t)(h->length * us) && n < count; n++)
        samples[n] = h->power > 0 ? samples[n] + noise(h->power) : 0;
}

/* Adds 1 us of noise at 30 dB in every ms. */
static void add_impulses(const void *how, const dvbt2_parameters *p, float complex *samples, uint32_t count)
{
    (void)how;
    (void)p;
    for (double at = 500 * us; at + us < count; at += 1000 * us)
        for (uint32_t n = 0; n < (uint32_t)us; n++)
            samples[(uint32_t)at + n] += noise(1000);
}

static mode_trial_result
trial(const dvbt2_mode *mode, const trial_code *code, double cn,
      void (*spoil)(const void *, const dvbt2_parameters *, float complex *, uint32_t), const void *how)
{
    dvbt2_parameters p;
    assert_int_equal(dvbt2_parameters_derive(mode, &p, NULL), LDPC_OK);
    const mode_trial_way way = {.noise = (double)p.fft_length / p.carriers * pow(10, -cn / 10),
                                .frames = 3,
                                .code = code,
                                .spoil = spoil,
                                .how = how};
    return mode_trial_run(mode, &way);
}

static void check_mode(const dvbt2_mode *mode, const trial_code *code, double length, double power)
{
    dvbt2_parameters p;
    assert_int_equal(dvbt2_parameters_derive(mode, &p, NULL), LDPC_OK);
    assert_true(p.closing || mode != modes);
    const uint32_t places[] = {0, p.n_p2 - 1, p.n_p2, p.n_symbols / 2, p.n_symbols - 1};
    for (size_t i = p.n_p2 > 1 ? 0 : 1; i < sizeof places / sizeof *places; i++) {
        const hit h = {places[i], 0.3 * (p.fft_length / us - length), length, power};
        const mode_trial_result r = trial(mode, code, 26, strike, &h);
        if (r.lost > 0 || r.status.lost_frames > 0)
            fail_msg("%s: %.0f us of %s in symbol %u of %u: %u of %u codewords lost, C/N %.1f dB",
                     dvbt2_fft_size_name(mode->fft), length, power > 0 ? "noise" : "zeros", places[i],
                     p.n_symbols, r.lost, r.codewords, r.status.cn_db);
    }
}

static void test_bursts(void **state)
{
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        check_mode(&modes[i], *state, 100, 100);
}

static void test_two_p2_symbols(void **state)
{
    const hit h = {0, 0, 230, 100};
    const mode_trial_result r = trial(&modes[3], *state, 26, strike, &h);
    assert_int_equal(r.lost, 0);
    assert_int_equal(r.status.lost_frames, 0);
}

/* Adds 20 dB of noise to P2 symbol 0 of each frame but the first, and -5 dB to P2 symbol 1. */
static void add_tails(const void *how, const dvbt2_parameters *p, float complex *samples, uint32_t count)
{
    (void)how;
    for (uint32_t start = p->frame_length + DVBT2_P1_SAMPLES; start < count; start += p->frame_length)
        for (uint32_t n = 0; n < 2 * p->symbol_length && start + n < count; n++)
            samples[start + n] += noise(n < p->symbol_length ? 100 : 0.3);
}

/* The noise of P2 symbol 1 is not that of the frame. Without bursts, a cell carries 8.6 bits. */
static void test_bursts_in_each_frame(void **state)
{
    (void)state;
    static const int several_p2[] = {0, 1, 3};
    for (size_t i = 0; i < sizeof several_p2 / sizeof *several_p2; i++) {
        const dvbt2_mode *mode = &modes[several_p2[i]];
        const mode_trial_way way = {.noise = 2.5e-3, .frames = 8, .spoil = add_tails};
        const mode_trial_result r = mode_trial_run(mode, &way);
        print_message("%s: bursts in each P2: %.2f bits per cell\n", dvbt2_fft_size_name(mode->fft),
                      r.information);
        assert_int_equal(r.status.lost_frames, 0);
        assert_true(r.information > 8);
    }
}

static void test_zeros(void **state)
{
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        check_mode(&modes[i], *state, i == 0 ? 33 : 100, 0);
}

/* Zeros replace any part of a symbol. The receiver must blank these samples. */
static void test_share_of_zeros(void **state)
{
    (void)state;
    static float complex window[2048], carriers[2048];
    dvbt2_parameters p;
    dvbt2_ofdm ofdm;
    assert_int_equal(dvbt2_parameters_derive(&modes[1], &p, NULL), LDPC_OK);
    assert_true(dvbt2_ofdm_init(&ofdm, &p));
    for (uint32_t zeros = 64; zeros < p.fft_length * 3 / 4; zeros += 8) {
        for (uint32_t n = 0; n < p.fft_length; n++)
            window[(n + (uint32_t)ofdm.time_zero) % p.fft_length] = n < zeros ? 0 : noise(1);
        dvbt2_ofdm_transform(&ofdm, window, 0, carriers);
        const float lost = (float)zeros / (float)(p.fft_length - zeros);
        if (fabsf(ofdm.lost / lost - 1) > 1e-3f)
            fail_msg("%u of %u samples are zeros: %.3f lost, expected %.3f", zeros, p.fft_length,
                     (double)ofdm.lost, (double)lost);
    }
    dvbt2_ofdm_free(&ofdm);
}

static void test_impulses(void **state)
{
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        const mode_trial_result r = trial(&modes[i], *state, 25, add_impulses, NULL);
        print_message("%s: impulses: %u of %u codewords lost, C/N %.1f dB\n",
                      dvbt2_fft_size_name(modes[i].fft), r.lost, r.codewords, r.status.cn_db);
        assert_int_equal(r.lost, 0);
    }
}

static void poison(const void *how, const dvbt2_parameters *p, float complex *samples, uint32_t count)
{
    const float value = *(const float *)how;
    const uint32_t start = p->frame_length + p->frame_length / 3, step = fabsf(value) < 1e6F ? 997 : 3;
    for (uint32_t n = start; n < start + (uint32_t)(10000 * us) && n < count; n += step)
        samples[n] = rx_cplx(n % 2 ? value : -value, n % 5 ? 0 : value);
}

static void test_absurd_samples(void **state)
{
    static const float values[] = {NAN, INFINITY, 3e38F, 1e30F, 9e5F, 100, 1e-38F};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const mode_trial_result r = trial(&modes[0], *state, 26, poison, &values[i]);
        print_message("samples of %g: %u of %u frames right\n", (double)values[i], r.right, r.sent);
        assert_int_equal(r.not_finite, 0);
        assert_true(r.right >= 2);
        assert_true(isfinite(r.status.cn_db) && isfinite(r.status.expected_mer_db) &&
                    isfinite(r.status.carrier_hz) && isfinite(r.status.clock_ppm));
    }
}

static int open_code(void **state)
{
    static trial_code code;
    trial_code_open(&code, "dvbt2:64800:2/3", "256qam");
    *state = &code;
    return 0;
}

static int close_code(void **state)
{
    trial_code_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impulses),
        cmocka_unit_test(test_bursts),
        cmocka_unit_test(test_two_p2_symbols),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_share_of_zeros),
        cmocka_unit_test(test_absurd_samples),
        cmocka_unit_test(test_bursts_in_each_frame),
    };
    return cmocka_run_group_tests(tests, open_code, close_code);
}
