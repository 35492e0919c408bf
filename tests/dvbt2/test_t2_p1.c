/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the detection of P1 with noise, carrier offset, level changes and echoes. */
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "dvbt2/frame/p1.h"
#include "dvbt2/support/synthetic.h"

static const double rate = 64e6 / 7;

enum { P1_STREAM = 20000, P1_AT = 9001 };

/* Makes a P1 with noise. carrier: offset in Hz. power: noise power relative to P1. */
static void make_p1(uint8_t s1, uint8_t s2, double carrier, double power, float complex *out)
{
    float complex bins[DVBT2_P1_A] = {0}, a[DVBT2_P1_A];
    int8_t sequence[DVBT2_P1_CARRIERS];
    dvbt2_p1_modulation(s1, s2, sequence);
    for (int i = 0; i < DVBT2_P1_CARRIERS; i++)
        bins[(dvbt2_p1_carrier[i] - DVBT2_P1_MIDDLE) & 1023] = sequence[i] / sqrtf(DVBT2_P1_CARRIERS);
    fftwf_plan plan =
        fftwf_plan_dft_1d(DVBT2_P1_A, bins, a, FFTW_BACKWARD, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
    fftwf_execute(plan);
    fftwf_destroy_plan(plan);
    for (int n = 0; n < P1_STREAM; n++) {
        int m = n - P1_AT;
        out[n] = noise(power);
        if (m < 0 || m >= DVBT2_P1_LENGTH)
            continue;
        bool middle = m >= DVBT2_P1_C && m < DVBT2_P1_C + DVBT2_P1_A;
        float complex x = m < DVBT2_P1_C ? a[m] : middle ? a[m - DVBT2_P1_C] : a[m - DVBT2_P1_A];
        out[n] += rx_mul(middle ? x : rx_mul(x, phasor(m / 1024.0)), phasor(carrier / rate * m));
    }
}

static void test_p1(void **state)
{
    (void)state;
    static const double carriers[] = {0, 4400, -123456, 499000, -499000};
    static float complex samples[P1_STREAM];
    dvbt2_p1_search *p1 = malloc(sizeof *p1);
    assert_true(p1 && dvbt2_p1_search_init(p1, rate));
    for (size_t i = 0; i < sizeof carriers / sizeof *carriers; i++)
        for (int level = -60; level <= 60; level += 60) {
            dvbt2_p1_result result;
            uint32_t used;
            make_p1(i % 2 ? 3 : 0, (uint8_t)(2 * i), carriers[i], 0.8, samples);
            for (int n = 0; n < P1_STREAM; n++)
                samples[n] *= powf(10, (float)level / 20);
            dvbt2_p1_search_reset(p1, 1000);
            assert_true(dvbt2_p1_search_push(p1, samples, P1_STREAM, &used, &result));
            assert_in_range(result.start, 1000 + P1_AT - 12, 1000 + P1_AT + 12);
            assert_float_equal(result.carrier, carriers[i], 150);
            assert_int_equal(result.info.s1, i % 2 ? 3 : 0);
            assert_int_equal(result.info.s2, 2 * i);
            assert_true(dvbt2_p1_check(p1, samples + P1_AT - 32, 32, &result) || fabs(carriers[i]) > 0);
        }
    for (int n = 0; n < P1_STREAM; n++)
        samples[n] = noise(1);
    uint32_t used;
    dvbt2_p1_result result;
    dvbt2_p1_search_reset(p1, 0);
    assert_false(dvbt2_p1_search_push(p1, samples, P1_STREAM, &used, &result));
    assert_int_equal(used, P1_STREAM);
    assert_false(dvbt2_p1_check(p1, samples, 32, &result));
    dvbt2_p1_search_free(p1);
    free(p1);
}

static void test_p1_with_echo(void **state)
{
    (void)state;
    static const uint32_t delays[] = {1, 30, 100, 243, 500, 900, 1500};
    static float complex clean[P1_STREAM], samples[P1_STREAM];
    dvbt2_p1_search *p1 = malloc(sizeof *p1);
    assert_true(p1 && dvbt2_p1_search_init(p1, rate));
    make_p1(0, 6, 1234, 0.1, clean);
    for (size_t i = 0; i < sizeof delays / sizeof *delays; i++)
        for (int phase = 0; phase < 12; phase++) {
            dvbt2_p1_result result;
            uint32_t used;
            for (uint32_t n = 0; n < P1_STREAM; n++)
                samples[n] =
                    clean[n] + (n < delays[i] ? 0 : rx_mul(clean[n - delays[i]], phasor(phase / 12.0)));
            dvbt2_p1_search_reset(p1, 1000);
            assert_true(dvbt2_p1_search_push(p1, samples, P1_STREAM, &used, &result));
            assert_in_range(result.start, 1000 + P1_AT - 12, 1000 + P1_AT + delays[i] + 12);
            assert_int_equal(result.info.s1, 0);
            assert_int_equal(result.info.s2, 6);
        }
    dvbt2_p1_search_free(p1);
    free(p1);
}

static void test_narrow_channel(void **state)
{
    (void)state;
    static float complex samples[P1_STREAM];
    dvbt2_p1_search *p1 = malloc(sizeof *p1);
    assert_true(p1 && dvbt2_p1_search_init(p1, 40e6 / 7));
    dvbt2_p1_result result;
    uint32_t used;
    make_p1(0, 6, 70 / 1024.0 * rate, 0.1, samples); /* 70 carriers are 391 kHz at 40/7 MHz */
    dvbt2_p1_search_reset(p1, 1000);
    assert_true(dvbt2_p1_search_push(p1, samples, P1_STREAM, &used, &result));
    assert_float_equal(result.carrier, 70 / 1024.0 * 40e6 / 7, 150);
    dvbt2_p1_search_free(p1);
    free(p1);
}

static void test_glitch(void **state)
{
    (void)state;
    static float complex samples[P1_STREAM];
    dvbt2_p1_search *p1 = malloc(sizeof *p1);
    assert_true(p1 && dvbt2_p1_search_init(p1, rate));
    dvbt2_p1_result result;
    uint32_t used;
    make_p1(0, 6, 0, 0.1, samples);
    for (int n = 0; n < P1_STREAM; n++)
        samples[n] *= n < 2000 ? 1e6F : 1e-5F;
    dvbt2_p1_search_reset(p1, 1000);
    assert_true(dvbt2_p1_search_push(p1, samples, P1_STREAM, &used, &result));
    assert_int_equal(result.info.s2, 6);
    dvbt2_p1_search_free(p1);
    free(p1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_p1), cmocka_unit_test(test_p1_with_echo),
                                       cmocka_unit_test(test_narrow_channel), cmocka_unit_test(test_glitch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
