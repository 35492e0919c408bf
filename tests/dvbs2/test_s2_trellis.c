/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the LLRs of the trellis with numerical integrals over the phases of all symbols. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "dvbs2/phase/trellis.h"
#include "dvbs2/support/sender.h"
#include "receiver/kernels.h"
#include "ldpc/dvb_cells.h"

static const double pi = 3.14159265358979323846;

enum { KNOWN = 2, CELLS = 5, SYMBOLS = 2 * KNOWN + CELLS, STEPS = 240, MOST_BITS = 5 };

/* Cells between known symbols. Known symbols are 1. */
typedef struct trial {
    size_t modcod, bits;
    double noise, walk, amplitude, phase, frequency;
    dvbs2_decisions decisions;
    float complex symbols[SYMBOLS];
    float prior[CELLS * MOST_BITS], llr[CELLS * MOST_BITS];
} trial;

static double complex point_of(const trial *t, size_t i)
{
    const float *p = t->decisions.points + 2 * i;
    return (double)p[0] + (double)p[1] * I;
}

static void run(trial *t)
{
    assert_true(dvbs2_decisions_prepare(&t->decisions, (uint32_t)t->modcod, (float)t->noise));
    t->bits = t->decisions.bits;
    double walked = 0.3;
    for (int i = 0; i < SYMBOLS; i++) {
        const bool known = i < KNOWN || i >= KNOWN + CELLS;
        const double complex s = known ? 1 : point_of(t, (size_t)(uniform() * (double)(1u << t->bits)));
        walked += sqrt(2 * t->walk) * (double)crealf(noise(1));
        const double phase = t->phase + t->frequency * (i - (KNOWN - 1) / 2.0) + walked;
        t->symbols[i] = (float complex)((known ? t->amplitude : 1) * (s * (cos(phase) + I * sin(phase)) +
                                                                      (double complex)noise(t->noise)));
    }
    for (size_t i = 0; i < CELLS * t->bits; i++)
        t->prior[i] = (float)(4 * uniform() - 2);
    const dvbs2_reference references[] = {
        {.clean = t->symbols,         .count = KNOWN, .at = (KNOWN - 1) / 2.0           },
        {.clean = t->symbols + KNOWN,
         .decisions = &t->decisions,
         .count = CELLS,
         .at = KNOWN + (CELLS - 1) / 2.0},
        {.clean = t->symbols + KNOWN + CELLS,                           .count = KNOWN,       .at = KNOWN + CELLS + (KNOWN - 1) / 2.0}
    };
    const dvbs2_carrier carrier = {.phase = t->phase,
                                   .frequency = t->frequency,
                                   .amplitude = t->amplitude,
                                   .noise = t->noise * t->amplitude * t->amplitude};
    const dvbs2_trellis_frame frame = {.references = references,
                                       .count = 3,
                                       .carrier = &carrier,
                                       .walk = {.white = t->walk},
                                       .noise = (float)t->noise,
                                       .prior = t->prior};
    dvbs2_trellis trellis = {0};
    assert_true(dvbs2_trellis_run(&trellis, &frame, t->llr));
    for (size_t i = 0; rx_kernels_list(i); i++) {
        float llr[CELLS * MOST_BITS];
        trellis.isa = rx_kernels_list(i)->name;
        assert_true(dvbs2_trellis_run(&trellis, &frame, llr));
        for (size_t b = 0; b < CELLS * t->bits; b++)
            assert_float_equal(llr[b], t->llr[b], 1e-3 + 1e-3 * fabs((double)llr[b]));
    }
    if (t->walk == 0)
        assert_float_equal(trellis.frequency, 0, 1e-3);
    dvbs2_trellis_free(&trellis);
}

/* Returns the likelihood of symbol i. phase: phase relative to the line. bit: only labels whose bit `bit` has this
 * value are included; -1: all labels. */
static double likelihood(const trial *t, int i, double phase, int bit, int value)
{
    const bool known = i < KNOWN || i >= KNOWN + CELLS;
    const double angle = phase + t->phase + t->frequency * (i - (KNOWN - 1) / 2.0);
    const double complex y =
        (double complex)t->symbols[i] / (known ? t->amplitude : 1) * (cos(angle) - I * sin(angle));
    double sum = 0;
    for (size_t label = 0; label < (known ? 1u : 1u << t->bits); label++) {
        double prior = 1;
        for (size_t b = 0; b < t->bits && !known; b++) {
            const bool one = label >> (t->bits - 1 - b) & 1;
            const double llr = (double)t->prior[(size_t)(i - KNOWN) * t->bits + b];
            if ((int)b == bit)
                prior *= one == value;
            else
                prior /= 1 + exp(one ? llr : -llr);
        }
        const double distance = cabs(y - (known ? 1 : point_of(t, label)));
        sum += prior * exp(-distance * distance / t->noise);
    }
    return sum;
}

/* Returns the relative probability that the phase turns by n steps of the circle. The walk is Gaussian. */
static double step_of(const trial *t, int n)
{
    const double angle = 2 * pi * remainder((double)n / STEPS, 1);
    return t->walk > 0 ? exp(-angle * angle / (2 * t->walk)) : n == 0;
}

/* Returns the LLR of a bit of symbol `at`. Integrates over the phases from both ends to this symbol. */
static double exact(const trial *t, int at, int bit)
{
    double messages[2][STEPS], sums[2] = {0};
    for (int end = 0; end < 2; end++) {
        double *message = messages[end], last[STEPS];
        for (int k = 0; k < STEPS; k++)
            message[k] = 1;
        for (int i = end ? SYMBOLS - 1 : 0; i != at; i += end ? -1 : 1) {
            for (int k = 0; k < STEPS; k++)
                last[k] = message[k] * likelihood(t, i, 2 * pi * k / STEPS, -1, 0);
            for (int k = 0; k < STEPS; k++) {
                message[k] = 0;
                for (int j = 0; j < STEPS; j++)
                    message[k] += last[j] * step_of(t, k - j);
            }
        }
    }
    for (int value = 0; value < 2; value++)
        for (int k = 0; k < STEPS; k++)
            sums[value] +=
                messages[0][k] * messages[1][k] * likelihood(t, at, 2 * pi * k / STEPS, bit, value);
    return log(sums[0] / sums[1]);
}

/* The tables of the trellis round the sharpness of a likelihood to 2.5 %. */
static void compare(trial *t)
{
    run(t);
    for (int cell = 0; cell < CELLS; cell += 2)
        for (size_t bit = 0; bit < t->bits; bit++) {
            const double llr = exact(t, KNOWN + cell, (int)bit);
            assert_float_equal(t->llr[(size_t)cell * t->bits + bit], llr, 0.05 + 0.05 * fabs(llr));
        }
    dvbs2_decisions_free(&t->decisions);
}

static size_t modcod_of(uint8_t pls_code)
{
    size_t i = 0;
    while (ldpc_dvbs2_modcod_list(i)->pls_code != pls_code)
        i++;
    return i;
}

enum { QPSK_1_2 = 4 * 4, PSK8_2_3 = 4 * 13, APSK32_3_4 = 4 * 24 };

static void test_a_constant_phase(void **state)
{
    (void)state;
    static const uint8_t codes[] = {QPSK_1_2, PSK8_2_3, APSK32_3_4};
    for (size_t i = 0; i < sizeof codes; i++) {
        trial t = {
            .modcod = modcod_of(codes[i]), .noise = 0.25, .amplitude = 1.7, .phase = 1.1, .frequency = 0.21};
        compare(&t);
    }
}

static void test_a_walk(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        trial t = {.modcod = modcod_of(i % 2 ? QPSK_1_2 : PSK8_2_3),
                   .noise = 0.3,
                   .walk = 4e-3,
                   .amplitude = 0.4,
                   .phase = -2,
                   .frequency = -0.3};
        compare(&t);
    }
}

/* For symbols without information, all phases are equally likely. */
static void test_symbols_without_information(void **state)
{
    (void)state;
    static const float complex values[] = {0, NAN, INFINITY, NAN * I};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        trial t = {.modcod = modcod_of(PSK8_2_3), .noise = 0.3, .walk = -1e-3, .amplitude = 1};
        run(&t);
        dvbs2_decisions_free(&t.decisions);
        assert_true(isfinite(t.llr[0]));
        for (int k = 0; k < SYMBOLS; k++)
            t.symbols[k] = values[i];
        const dvbs2_reference references[] = {
            {.clean = t.symbols, .count = KNOWN},
            { .clean = t.symbols + KNOWN, .decisions = &t.decisions,       .count = CELLS, .at = KNOWN}
        };
        const dvbs2_carrier carrier = {.amplitude = 1, .noise = 0.3};
        const dvbs2_trellis_frame frame = {.references = references,
                                           .count = 2,
                                           .carrier = &carrier,
                                           .walk = {.white = 1e-3},
                                           .noise = 0.3f};
        dvbs2_trellis trellis = {0};
        assert_true(dvbs2_decisions_prepare(&t.decisions, (uint32_t)t.modcod, 0.3f));
        assert_true(dvbs2_trellis_run(&trellis, &frame, t.llr));
        for (size_t b = 0; b < CELLS * t.bits; b++)
            assert_float_equal(t.llr[b], 0, 1e-3);
        dvbs2_trellis_free(&trellis);
        dvbs2_decisions_free(&t.decisions);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_constant_phase),
        cmocka_unit_test(test_a_walk),
        cmocka_unit_test(test_symbols_without_information),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
