/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the estimate of the interference that an amplifier causes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dvbs2/support/sender.h"
#include "dvbs2/sync/volterra.h"

enum { COUNT = 4000, SIDE = DVBS2_VOLTERRA_SIDE };

static const double noise_power = 0.01;
static float complex sent[COUNT + 2 * SIDE], received[COUNT], estimate[COUNT];

/* Returns the interference of symbol x[0]. */
static float complex interference(const float complex *x)
{
    return 0.1f * I * x[-1] + (0.1f - 0.05f * I) * x[0] * x[1] * conjf(x[-1]) +
           0.1f * x[2] * x[0] * conjf(x[0]) - 0.08f * x[-1] * x[-1] * conjf(x[0]);
}

static void send(float complex gain, float complex cubic)
{
    for (int i = 0; i < COUNT + 2 * SIDE; i++) {
        const double radius = uniform() < 0.75 ? 1.13 : 0.4,
                     angle = 3.14159265358979 / 6 * floor(12 * uniform());
        sent[i] = (float complex)(radius * (cos(angle) + sin(angle) * I));
    }
    for (int i = 0; i < COUNT; i++) {
        const float complex *x = sent + SIDE + i;
        received[i] = *x * (gain + cubic * *x * conjf(*x)) + interference(x) + noise(noise_power);
    }
}

static double error(void)
{
    double sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum += pow(cabs((double complex)(estimate[i] - interference(sent + SIDE + i))), 2) / COUNT;
    return sum;
}

/* The error is that of 42 coefficients from 4000 symbols with noise, plus regularisation. */
static void test_known_interference(void **state)
{
    (void)state;
    dvbs2_volterra s = {0};
    send(1.2f, -0.2f + 0.1f * I);
    dvbs2_volterra_learn(&s, sent + SIDE, received, COUNT / 2);
    dvbs2_volterra_learn(&s, sent + SIDE + COUNT / 2, received + COUNT / 2, COUNT / 2);
    dvbs2_volterra_solve(&s);
    dvbs2_volterra_estimate(&s, sent + SIDE, COUNT, estimate);
    assert_true(error() < 3 * noise_power * DVBS2_VOLTERRA_TERMS / COUNT);
}

/* Without symbols, there is no interference. */
static void test_silence(void **state)
{
    (void)state;
    dvbs2_volterra s = {0};
    for (int i = 0; i < COUNT + 2 * SIDE; i++)
        sent[i] = 0;
    dvbs2_volterra_learn(&s, sent + SIDE, received, COUNT);
    dvbs2_volterra_solve(&s);
    dvbs2_volterra_estimate(&s, sent + SIDE, COUNT, estimate);
    for (int i = 0; i < COUNT; i++)
        assert_true(crealf(estimate[i]) == 0 && cimagf(estimate[i]) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_interference),
        cmocka_unit_test(test_silence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
