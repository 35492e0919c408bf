/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the equaliser with channels whose minimum mean square error is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "dvbs2/standard/pl_header.h"
#include "dvbs2/support/sender.h"
#include "dvbs2/sync/equaliser.h"

enum { SIDE = DVBS2_EQUALISER_SIDE, TAPS = DVBS2_EQUALISER_TAPS, COUNT = 20000, MARGIN = 40, BINS = 1024 };

typedef struct path {
    int delay; /* symbols */
    float complex gain;
} path;

static const double pi = 3.14159265358979323846;
static float complex sent[COUNT + 2 * MARGIN], received[COUNT + 2 * MARGIN];

static void send(path other, double noise_power, float amplitude)
{
    for (int i = 0; i < COUNT + 2 * MARGIN; i++) {
        const double angle = pi / 4 + pi / 2 * floor(4 * uniform());
        sent[i] = (float)cos(angle) + (float)sin(angle) * I;
    }
    for (int i = MARGIN; i < COUNT + MARGIN; i++)
        received[i] = amplitude * (sent[i] + other.gain * sent[i - other.delay] + noise(noise_power));
}

static double best_ratio(path other, double noise_power)
{
    double error = 0;
    for (int bin = 0; bin < BINS; bin++) {
        const double angle = -2 * pi * bin * other.delay / BINS;
        const double complex h = 1 + (double complex)other.gain * (cos(angle) + sin(angle) * I);
        error += noise_power / (noise_power + creal(h * conj(h))) / BINS;
    }
    return 1 / error - 1;
}

static double ratio_after(const dvbs2_equaliser *e, float amplitude)
{
    double complex product = 0;
    double power = 0;
    for (int i = MARGIN + SIDE; i < COUNT + MARGIN - SIDE; i++) {
        float complex out = 0;
        for (int k = 0; k < TAPS; k++)
            out += e->taps[k] * received[i - SIDE + k];
        product += (double complex)(out * conjf(sent[i]));
        power += creal((double complex)(out * conjf(out)));
    }
    const int n = COUNT - 2 * SIDE;
    const double gain = cabs(product) / n;
    assert_float_equal(gain, (double)amplitude, 0.02 * (double)amplitude);
    return gain * gain / (power / n - gain * gain);
}

/* Learns from blocks of 36 symbols. */
static void learn(dvbs2_equaliser *e, int blocks, float amplitude)
{
    for (int b = 0; b < blocks; b++) {
        const int at = MARGIN + SIDE + b * 75;
        dvbs2_equaliser_learn(e, received + at, sent + at, 36, amplitude);
    }
    dvbs2_equaliser_solve(e);
}

static void test_minimum_mean_square_error(void **state)
{
    (void)state;
    static const path others[] = {
        {1,  0.4f           },
        {2,  0.3f - 0.3f * I},
        {-3, 0.3f * I       },
        {6,  -0.2f          },
    };
    static const double ratios_db[] = {3, 10, 20};
    for (size_t o = 0; o < sizeof others / sizeof *others; o++)
        for (size_t r = 0; r < sizeof ratios_db / sizeof *ratios_db; r++) {
            const double noise_power = pow(10, -ratios_db[r] / 10);
            dvbs2_equaliser e = {0};
            send(others[o], noise_power, 0.3f);
            learn(&e, 250, 0.3f);
            assert_true(e.active);
            const double best_db = 10 * log10(best_ratio(others[o], noise_power));
            const double db = 10 * log10(ratio_after(&e, 0.3f));
            assert_true(db < best_db + 0.1 && db > best_db - 0.15);
            assert_float_equal(-10 * log10((double)e.noise), db, 0.25);
        }
}

/* Without interference, the equaliser is not used, because its taps would only add noise. */
static void test_a_channel_without_interference(void **state)
{
    (void)state;
    for (int blocks = 2; blocks <= 250; blocks *= 5)
        for (int repeat = 0; repeat < 25; repeat++) {
            dvbs2_equaliser e = {0};
            send((path){0}, 0.2, 1);
            learn(&e, blocks, 1);
            assert_false(e.active);
        }
}

static void test_frames_without_pilots(void **state)
{
    (void)state;
    dvbs2_equaliser e = {0};
    float complex header[DVBS2_HEADER];
    dvbs2_header_symbols(16, header);
    for (int frame = 0; frame < 250; frame++) {
        send((path){0}, 0.5, 1);
        for (int i = 0; i < DVBS2_HEADER; i++) {
            received[MARGIN + i] += header[i] - sent[MARGIN + i];
            sent[MARGIN + i] = header[i];
        }
        dvbs2_equaliser_learn(&e, received + MARGIN, header, DVBS2_HEADER, 1);
        dvbs2_equaliser_solve(&e);
        assert_false(e.active);
    }
}

/* A few headers suffice for an echo that is weaker than the noise. */
static void test_a_weak_echo_without_pilots(void **state)
{
    (void)state;
    const path echo = {.delay = 1, .gain = 0.2f * I};
    const double noise_power = 0.2;
    dvbs2_equaliser e = {0};
    float complex header[DVBS2_HEADER];
    dvbs2_header_symbols(16, header);
    for (int frame = 0; frame < 8; frame++) {
        send(echo, noise_power, 1);
        for (int i = 0; i < DVBS2_HEADER; i++) {
            received[MARGIN + i] += header[i] - sent[MARGIN + i];
            if (i > 0)
                received[MARGIN + i] += echo.gain * (header[i - 1] - sent[MARGIN + i - 1]);
        }
        dvbs2_equaliser_learn(&e, received + MARGIN, header, DVBS2_HEADER, 1);
        dvbs2_equaliser_solve(&e);
    }
    assert_true(e.active);
    send(echo, noise_power, 1);
    assert_float_equal(10 * log10(ratio_after(&e, 1)), 10 * log10(best_ratio(echo, noise_power)), 0.15);
}

static void test_a_channel_that_changes(void **state)
{
    (void)state;
    dvbs2_equaliser e = {0};
    for (int repeat = 0; repeat < 12; repeat++) {
        const path other = {.delay = 2, .gain = repeat < 4 ? 0.5f : -0.5f};
        send(other, 0.1, 1);
        learn(&e, 250, 1);
    }
    assert_float_equal(10 * log10(ratio_after(&e, 1)), 10 * log10(best_ratio((path){2, -0.5f}, 0.1)), 0.2);
}

static void test_values_that_are_no_numbers(void **state)
{
    (void)state;
    const path other = {.delay = 1, .gain = 0.4f};
    dvbs2_equaliser e = {0};
    send(other, 0.1, 1);
    for (int i = MARGIN + 1000; i < MARGIN + 1100; i++)
        received[i] = i % 2 ? NAN : INFINITY;
    learn(&e, 250, 1);
    assert_true(e.active);
    for (int k = 0; k < TAPS; k++)
        assert_true(isfinite(crealf(e.taps[k])) && isfinite(cimagf(e.taps[k])));
    assert_float_equal((double)e.noise, 1 / best_ratio(other, 0.1), 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minimum_mean_square_error),
        cmocka_unit_test(test_a_channel_without_interference),
        cmocka_unit_test(test_frames_without_pilots),
        cmocka_unit_test(test_a_weak_echo_without_pilots),
        cmocka_unit_test(test_a_channel_that_changes),
        cmocka_unit_test(test_values_that_are_no_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
