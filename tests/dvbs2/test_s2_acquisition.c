/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests how the receiver finds rate, carrier and roll-off, from samples to transport stream packets. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dvbs2/support/trial.h"

static void test_ratios_of_samples_to_symbols(void **state)
{
    (void)state;
    static const double ratios[] = {1.25, 1.6, 2, 2.713, 5};
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        trial t = {.ratio = ratios[i], .roll_off = 0.2, .esn0_db = 6, .code = QPSK_3_4, .frames = 4};
        all_received(&t);
        assert_int_equal(t.status.frames, t.frames);
    }
}

static void test_roll_offs(void **state)
{
    (void)state;
    static const double roll_offs[] = {0.35, 0.25, 0.15, 0.1, 0.05};
    for (size_t i = 0; i < sizeof roll_offs / sizeof *roll_offs; i++)
        all_received(
            &(trial){.ratio = 2, .roll_off = roll_offs[i], .esn0_db = 6, .code = QPSK_3_4, .frames = 4});
}

/* All frames but the first are received. */
static void receive(trial *t)
{
    run(t);
    assert_int_equal(t->wrong, 0);
    assert_int_equal(t->status.failed_frames, 0);
    assert_true(t->status.frames + 1 >= t->frames);
}

/* The two adjacent carriers are 6 dB stronger than the received carrier. */
static void test_adjacent_carriers(void **state)
{
    (void)state;
    trial t = {.ratio = 3.8,
               .roll_off = 0.2,
               .esn0_db = 8,
               .offset = 0.1,
               .adjacent_db = 6,
               .code = QPSK_3_4,
               .frames = 4};
    receive(&t);
    assert_float_equal(t.status.carrier_hz, t.offset * 1e6, 20);
    assert_float_equal(t.status.roll_off, t.roll_off, 1e-6);
}

/* Nothing but the correlation of the band edges distinguishes the carrier from the adjacent ones, because no noise is
 * visible between them. */
static void test_adjacent_carriers_without_a_gap(void **state)
{
    (void)state;
    static const trial trials[] = {
        {.ratio = 2.25, .roll_off = 0.15, .offset = 0.2   },
        {.ratio = 2.7,  .roll_off = 0.15, .offset = -0.3  },
        {.ratio = 2.3,  .roll_off = 0.1,  .offset = -0.015},
        {.ratio = 2.2,  .roll_off = 0.05, .offset = 0.01  },
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        trial t = trials[i];
        t.adjacent_db = 6;
        t.adjacent_at = 1.05;
        t.esn0_db = 8;
        t.code = QPSK_3_4;
        t.frames = 4;
        receive(&t);
        assert_float_equal(t.status.carrier_hz, t.offset * 1e6, 20);
        assert_float_equal(t.status.roll_off, t.roll_off, 0.051);
    }
}

/* The carrier is not measured before the signal begins. */
static void test_noise_before_the_signal(void **state)
{
    (void)state;
    for (size_t lead = 30000; lead <= 42000; lead += 12000) {
        trial t = {.ratio = 2.7,
                   .roll_off = 0.2,
                   .esn0_db = 6,
                   .offset = 0.38,
                   .ppm = 90,
                   .code = QPSK_3_4,
                   .frames = 2,
                   .lead = lead};
        receive(&t);
    }
}

static void test_carrier_and_clock_offsets(void **state)
{
    (void)state;
    all_received(&(trial){.ratio = 2.4,
                          .roll_off = 0.2,
                          .esn0_db = 6,
                          .offset = 0.5,
                          .ppm = 200,
                          .code = QPSK_3_4,
                          .frames = 4});
    all_received(&(trial){.ratio = 2.4,
                          .roll_off = 0.2,
                          .esn0_db = 6,
                          .offset = -0.5,
                          .ppm = -200,
                          .code = QPSK_3_4,
                          .frames = 4});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ratios_of_samples_to_symbols),
        cmocka_unit_test(test_roll_offs),
        cmocka_unit_test(test_adjacent_carriers),
        cmocka_unit_test(test_adjacent_carriers_without_a_gap),
        cmocka_unit_test(test_noise_before_the_signal),
        cmocka_unit_test(test_carrier_and_clock_offsets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
