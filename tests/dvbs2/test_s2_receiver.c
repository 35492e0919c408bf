/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the whole receiver, from samples to transport stream packets. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbs2/support/trial.h"

/* Returns C/D of 16APSK 3/4 after Saleh's amplifier. */
static double expected_cd_db(double back_off_db)
{
    const double ratio = 2.85, inner = 4 / (1 + 3 * ratio * ratio),
                 pi = 3.14159265358979; /* power of a point */
    const double powers[2] = {inner, inner * ratio * ratio}, share[2] = {0.25, 0.75};
    double complex gain[2], mean = 0;
    double distortion = 0;
    for (int k = 0; k < 2; k++) {
        const double r2 = pow(10, -back_off_db / 10) * powers[k], turn = pi / 2 * r2 / (1 + r2);
        gain[k] = (cos(turn) + sin(turn) * I) / (1 + r2);
        mean += share[k] * powers[k] * gain[k];
    }
    for (int k = 0; k < 2; k++)
        distortion += share[k] * powers[k] * pow(cabs(gain[k] - mean), 2);
    return 20 * log10(cabs(mean)) - 10 * log10(distortion);
}

static void test_distortion(void **state)
{
    (void)state;
    trial t = {.ratio = 2, .roll_off = 0.2, .esn0_db = 14, .code = APSK16_3_4, .frames = 3};
    run(&t);
    assert_true(t.status.cd_db > 35 && t.status.cd_db <= 60);
    for (t.back_off_db = 3; t.back_off_db < 8; t.back_off_db += 4) {
        run(&t);
        assert_float_equal(t.status.cd_db, expected_cd_db(t.back_off_db), 0.3);
    }
    t = (trial){.ratio = 2, .roll_off = 0.2, .esn0_db = 12, .code = PSK8_2_3_SHORT, .frames = 3};
    run(&t);
    assert_float_equal(t.status.cd_db, 0, 0);
}

/* The amplifier makes products of neighbouring symbols. Without removing them, all frames fail. */
static void test_interference_by_an_amplifier(void **state)
{
    (void)state;
    sender_seed(1);
    trial t = {.ratio = 2,
               .roll_off = 0.2,
               .esn0_db = 12.5,
               .code = 4 * 19 + 1, /* 16APSK 3/4 */
               .frames = 5,
               .back_off_db = 2,
               .echo_db = -16};
    run(&t);
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.status.frames, t.frames);
    assert_true(t.status.failed_frames <= 1);
}

static void test_phase_noise_and_an_amplifier(void **state)
{
    (void)state;
    sender_seed(1);
    trial t = {.ratio = 2,
               .roll_off = 0.2,
               .esn0_db = 13,
               .code = 4 * 19 + 1, /* 16APSK 3/4 */
               .frames = 12,
               .walk = 1e-5,
               .back_off_db = 3};
    run(&t);
    assert_int_equal(t.wrong, 0);
    assert_true(t.status.failed_frames <= 1);
    assert_true(t.status.frames + 1 >= t.frames);
}

static void test_one_of_two_streams(void **state)
{
    (void)state;
    trial t = {
        .ratio = 2, .roll_off = 0.2, .esn0_db = 12, .code = PSK8_2_3_SHORT, .frames = 12, .streams = 2};
    all_received(&t);
    assert_true(t.status.other_frames >= 5);
}

static void test_a_short_signal(void **state)
{
    (void)state;
    all_received(&(trial){.ratio = 2, .roll_off = 0.2, .esn0_db = 2, .code = QPSK_1_4, .frames = 3});
}

static void test_two_threads(void **state)
{
    (void)state;
    trial trials[] = {
        {.ratio = 2.4,
         .roll_off = 0.2,
         .esn0_db = 6,
         .code = QPSK_3_4,
         .frames = 4,
         .offset = 0.5,
         .ppm = 200},
        {.ratio = 1.6,            .roll_off = 0.2,  .esn0_db = 8, .code = QPSK_3_4, .frames = 4, .cu8 = 0.03},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        trial one = trials[i], two = trials[i];
        two.threads = 2;
        sender_seed(1);
        run(&one);
        sender_seed(1);
        run(&two);
        assert_true(one.packets > 0);
        assert_int_equal(one.status.failed_frames, 0);
        assert_true(one.status.frames + 1 >= one.frames);
        assert_float_equal(one.status.level_db, two.status.level_db, 0.1);
        assert_float_equal(one.status.carrier_hz, two.status.carrier_hz, 1);
        assert_float_equal(one.status.clock_ppm, two.status.clock_ppm, 1);
        assert_int_equal(one.status.frames, two.status.frames);
        assert_int_equal(one.status.failed_frames, two.status.failed_frames);
        assert_int_equal(one.status.samples, two.status.samples);
        assert_int_equal(one.status.locks, two.status.locks);
        assert_memory_equal(one.status.losses, two.status.losses, sizeof one.status.losses);
        assert_int_equal(two.right, one.right);
        assert_int_equal(one.wrong, two.wrong);
    }
}

/* Only the frame with the gap is lost. The samples before the gap are processed, and the next header is found
 * in the first symbols after the gap. */
static void test_threads_at_a_gap(void **state)
{
    (void)state;
    enum { FRAME = 2 * 5598, GAP = 5000 };
    for (size_t i = 0; i < 8; i++) {
        trial t = {.ratio = 2, .roll_off = 0.35, .esn0_db = 12, .code = PSK8_2_3_SHORT, .frames = 7};
        t.threads = 1 + i % 2;
        t.hold = 1 + i % 4 / 2 * 3;
        t.gap = GAP;
        t.gap_at = 4 * FRAME - GAP - 80 - 60 * i; /* 40 to 250 symbols before a header */
        sender_seed(1);
        run(&t);
        assert_int_equal(t.status.losses[DVBS2_LOSS_GAP], 1);
        assert_int_equal(t.status.losses[DVBS2_LOSS_HEADER], 0);
        assert_int_equal(t.status.locks, 2);
        assert_int_equal(t.status.failed_frames, 0);
        assert_int_equal(t.status.frames, t.frames - 1);
    }
}

/* A narrow carrier in a wide band: the sample rate is divided by 16 or 32 before the matched filter. */
static void test_a_narrow_part_of_the_band(void **state)
{
    (void)state;
    trial t = {.ratio = 100,
               .roll_off = 0.2,
               .esn0_db = 8,
               .offset = -3,
               .offset_range = 0.1,
               .code = PSK8_2_3_SHORT,
               .frames = 5};
    all_received(&t);
    assert_float_equal(t.status.level_db, 10 * log10(1 + pow(10, -0.8) * 100), 0.3);
    t = (trial){
        .ratio = 70, .roll_off = 0.35, .esn0_db = 12, .offset = 2, .code = PSK8_2_3_SHORT, .frames = 5};
    t.offset_range = 0.5;
    t.threads = 2;
    t.cu8 = 0.02;
    run(&t);
    assert_int_equal(t.wrong + t.status.failed_frames, 0);
    assert_true(t.status.frames + 1 >= t.frames);
}

/* The carrier drifts by 5 MHz/s at 27.5 Mbaud. In total, it moves by 0.0027 cycles per symbol. */
static void test_a_carrier_that_drifts(void **state)
{
    (void)state;
    trial t = {.ratio = 2, .roll_off = 0.2, .esn0_db = 8, .code = QPSK_3_4, .frames = 12, .drift = 6.7e-9};
    run(&t);
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.status.failed_frames, 0);
    assert_true(t.status.frames + 1 >= t.frames);
    assert_int_equal(t.status.locks, 1);
    assert_float_equal(t.status.carrier_hz, 1e6 * t.drift * 33282 * (double)t.frames, 1000);
}

/* The noise makes the first frequency wrong by two cycles per frame. */
static void test_a_false_carrier(void **state)
{
    (void)state;
    sender_seed(87109);
    trial t = {
        .ratio = 2, .roll_off = 0.2, .esn0_db = 10.8, .offset = 0.0071, .code = APSK16_3_4, .frames = 6};
    run(&t);
    assert_int_equal(t.wrong, 0);
    assert_true(t.status.frames + 1 >= t.frames);
    assert_int_equal(t.status.failed_frames, 0);
    assert_int_equal(t.status.locks, 1);
    assert_float_equal(t.status.carrier_hz, 1e6 * t.offset, 20);
    assert_float_equal(t.first_carrier_hz, 1e6 * t.offset, 20);
}

static void test_phase_noise_without_pilots(void **state)
{
    (void)state;
    sender_seed(2);
    trial t = {
        .ratio = 2, .roll_off = 0.2, .esn0_db = 6.4, .code = PSK8_3_5_SHORT, .frames = 20, .walk = 3e-5};
    run(&t);
    assert_int_equal(t.wrong, 0);
    assert_true(t.status.failed_frames <= 2);
    assert_true(t.status.frames + 1 >= t.frames);
}

static void test_an_echo_without_pilots(void **state)
{
    (void)state;
    sender_seed(1);
    trial t = {
        .ratio = 2, .roll_off = 0.2, .esn0_db = 7.5, .code = PSK8_2_3 - 1, .frames = 10, .echo_db = -9};
    run(&t);
    assert_int_equal(t.wrong, 0);
    assert_true(t.status.failed_frames <= 4);
    assert_true(t.status.frames + 1 >= t.frames);
}

static void test_strong_phase_noise(void **state)
{
    (void)state;
    sender_seed(1);
    trial t = {.ratio = 2, .roll_off = 0.2, .esn0_db = 7.75, .code = PSK8_2_3, .frames = 8, .walk = 5e-4};
    run(&t);
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.status.failed_frames, 0);
    assert_true(t.status.frames + 1 >= t.frames);
}

/* The noise of a block's phase is far below the distance of two phases of the grid. */
static void test_weak_phase_noise(void **state)
{
    (void)state;
    sender_seed(1);
    trial t = {.ratio = 2,
               .roll_off = 0.2,
               .esn0_db = 24,
               .offset = 0.0061,
               .code = PSK8_3_4_SHORT,
               .frames = 14,
               .walk = 2e-6};
    run(&t);
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.status.failed_frames, 0);
    assert_true(t.status.frames + 1 >= t.frames);
}

static void test_a_level_step(void **state)
{
    (void)state;
    for (double step = -20; step <= 20; step += 40) {
        trial t = {.ratio = 2, .roll_off = 0.2, .esn0_db = 8, .code = QPSK_3_4, .frames = 9, .step_db = step};
        run(&t);
        assert_true(t.status.failed_frames <= 1);
        assert_true(t.status.frames + 1 >= t.frames);
        assert_int_equal(t.status.locks, 1);
    }
}

/* One missing sample shifts the timing by almost half a symbol. */
static void test_a_missing_sample(void **state)
{
    (void)state;
    sender_seed(1);
    trial t = {.ratio = 2.2,
               .roll_off = 0.2,
               .esn0_db = 11,
               .code = 4 * 19 + 3, /* 16APSK 3/4, short, with pilots */
               .frames = 16,
               .gap = 1,
               .gap_at = 80000,
               .unmarked = true};
    run(&t);
    assert_true(t.status.frames - t.status.failed_frames + 2 >= t.frames);
}

/* Inserts NaN, infinite values and silence before and within a signal. Only frames with such samples may be
 * lost. */
static void test_samples_that_are_no_numbers(void **state)
{
    (void)state;
    trial t = {.ratio = 2, .roll_off = 0.2, .esn0_db = 8, .code = QPSK_3_4, .frames = 8, .bad = 30000};
    run(&t);
    assert_int_equal(t.status.state, DVBS2_STATE_TRACKING);
    assert_true(t.status.frames - t.status.failed_frames >= 5);
    assert_true(t.right >= 5 * 30);
    assert_int_equal(t.status.losses[DVBS2_LOSS_MEMORY], 0);
    t = (trial){.ratio = 70, .roll_off = 0.35, .esn0_db = 12, .code = PSK8_2_3_SHORT, .frames = 5};
    t.offset_range = 0.5;
    t.bad = 1000;
    run(&t);
    assert_int_equal(t.status.state, DVBS2_STATE_TRACKING);
    assert_float_equal(t.status.level_db, 10 * log10(1 + pow(10, -1.2) * 70), 0.3);
}

static void test_a_failed_frame_without_pilots(void **state)
{
    (void)state;
    trial t = {.ratio = 2, .roll_off = 0.2, .esn0_db = 4, .code = QPSK_1_4, .frames = 7, .odd = 108};
    run(&t);
    assert_int_equal(t.status.failed_frames, 1);
    assert_true(t.status.frames + 1 >= t.frames);
    assert_int_equal(t.status.locks, 1);
    assert_true(isfinite(t.status.carrier_hz) && isfinite(t.status.esn0_db));
}

static void test_the_end_of_a_weak_signal_of_bytes(void **state)
{
    (void)state;
    trial t = {.ratio = 2, .roll_off = 0.2, .esn0_db = 8, .code = QPSK_3_4, .frames = 4, .cu8 = 0.03};
    run(&t);
    assert_int_equal(t.status.failed_frames, 0);
    assert_true(t.status.frames + 1 >= t.frames);
    assert_int_equal(t.status.losses[DVBS2_LOSS_HEADER], 0);
}

static void test_a_reserved_pls_code(void **state)
{
    (void)state;
    static const uint8_t codes[] = {4 * 29 + 1, 4 * 31 + 2, 251}; /* 251: S2X */
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        trial t = {.ratio = 2, .roll_off = 0.2, .esn0_db = 12, .code = PSK8_2_3_SHORT, .frames = 14};
        t.odd = codes[i];
        run(&t);
        assert_int_equal(t.status.losses[DVBS2_LOSS_RESERVED], 1);
        assert_int_equal(t.status.last_loss, DVBS2_LOSS_RESERVED);
        assert_int_equal(t.status.locks, 2);
        assert_int_equal(t.status.failed_frames, 0);
        assert_true(t.status.frames + 2 >= t.frames);
        assert_int_equal(t.wrong, 1); /* packets continue after a gap */
    }
}

/* QPSK symbols of another standard with the same symbol rate have no frames. */
static void test_another_standard(void **state)
{
    (void)state;
    enum { SYMBOLS = 400000 };
    float complex *symbols = malloc(SYMBOLS * sizeof *symbols),
                  *samples = malloc(2 * SYMBOLS * sizeof *samples);
    dvbs2_receiver_params params;
    dvbs2_receiver *rx;
    dvbs2_status status;
    assert_true(symbols && samples);
    for (size_t i = 0; i < SYMBOLS; i++)
        symbols[i] = (uniform() < 0.5 ? 0.7071f : -0.7071f) + (uniform() < 0.5 ? 0.7071f : -0.7071f) * I;
    sender_shape(symbols, SYMBOLS, 2, 0.35, samples);
    dvbs2_receiver_params_init(&params);
    params.symbol_rate = 1e6;
    params.sample_rate = 2e6;
    assert_int_equal(dvbs2_receiver_create(&params, &rx, NULL), LDPC_OK);
    for (size_t done = 0; done < 2 * SYMBOLS;) {
        done += dvbs2_receiver_push(rx, samples + done, 2 * SYMBOLS - done);
        assert_null(dvbs2_receiver_pull(rx));
    }
    dvbs2_receiver_finish(rx);
    assert_null(dvbs2_receiver_pull(rx));
    dvbs2_receiver_status(rx, &status);
    assert_int_equal(status.state, DVBS2_STATE_SEARCH);
    assert_int_equal(status.frames + status.dummy_frames + status.vlsnr_frames + status.locks, 0);
    assert_int_equal(status.samples, 2 * SYMBOLS);
    dvbs2_receiver_destroy(rx);
    free(symbols);
    free(samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distortion),
        cmocka_unit_test(test_interference_by_an_amplifier),
        cmocka_unit_test(test_phase_noise_and_an_amplifier),
        cmocka_unit_test(test_one_of_two_streams),
        cmocka_unit_test(test_a_short_signal),
        cmocka_unit_test(test_two_threads),
        cmocka_unit_test(test_threads_at_a_gap),
        cmocka_unit_test(test_a_narrow_part_of_the_band),
        cmocka_unit_test(test_a_carrier_that_drifts),
        cmocka_unit_test(test_weak_phase_noise),
        cmocka_unit_test(test_a_level_step),
        cmocka_unit_test(test_a_false_carrier),
        cmocka_unit_test(test_phase_noise_without_pilots),
        cmocka_unit_test(test_an_echo_without_pilots),
        cmocka_unit_test(test_strong_phase_noise),
        cmocka_unit_test(test_a_missing_sample),
        cmocka_unit_test(test_samples_that_are_no_numbers),
        cmocka_unit_test(test_a_failed_frame_without_pilots),
        cmocka_unit_test(test_the_end_of_a_weak_signal_of_bytes),
        cmocka_unit_test(test_a_reserved_pls_code),
        cmocka_unit_test(test_another_standard),
    };
#ifdef __SANITIZE_THREAD__
    cmocka_set_test_filter("*thread*");
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
