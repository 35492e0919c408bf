/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests that the survey names time slicing and superframes, which are not received, and that it takes no other signals for
 * them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "dvbs2/scan/framing.h"
#include "dvbs2/support/sender.h"
#include "ldpc/dvbs2_survey.h"

static const double pi = 3.14159265358979323846;

enum {
    SUPERFRAME = 612540,
    MOST = SUPERFRAME + 40000, /* symbols */
    QPSK_1_2_SHORT = 4 * 4 + 3,
    PSK8_2_3_SHORT = 4 * 13 + 2, /* without pilots */
    APSK16_2_3_SHORT = 4 * 18 + 2,
};

static float complex symbols[MOST];

static void fill(float complex *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (float complex)(((uniform() < 0.5 ? -1 : 1) + (uniform() < 0.5 ? -1 : 1) * I) / sqrt(2));
}

static void repeat(size_t period, size_t count)
{
    for (size_t i = 0; i + period < MOST && i < count; i++)
        symbols[i + period] = symbols[i];
}

/* A header of 180 symbols: SOF, and 154 random symbols of pi/2-BPSK. */
static size_t sliced_frame(uint8_t pls_code, float complex *to)
{
    const size_t length = sender_length(pls_code) + 90;
    fill(to, length);
    sender_header(pls_code, to);
    for (int i = 26; i < 180; i++)
        to[i] = (float complex)cexp((pi / 4 + pi / 2 * (i % 2) + (uniform() < 0.5 ? pi : 0)) * I);
    return length;
}

static size_t sliced_frames(size_t frames)
{
    size_t count = 0;
    for (size_t i = 0; i < frames; i++)
        count += sliced_frame(i % 3 ? PSK8_2_3_SHORT : QPSK_1_2_SHORT, symbols + count);
    return count;
}

static void check_time_slices(size_t count, bool expected)
{
    bool found;
    assert_true(dvbs2_find_time_slices(symbols, count, &found));
    assert_int_equal(found, expected);
}

static void test_time_slices(void **state)
{
    (void)state;
    size_t count = sliced_frames(8);
    channel(symbols, count, 0.3, 0.02, 3);
    check_time_slices(count, true);
    for (size_t i = 0; i < count; i++) /* a mirrored spectrum */
        symbols[i] = conjf(symbols[i]);
    check_time_slices(count, true);
    check_time_slices(2 * 8000, false); /* too few frames */
    static sender s;
    count = 0;
    for (int i = 0; i < 8; i++) /* without time slicing */
        count += sender_frame(&s, i % 3 ? PSK8_2_3_SHORT : QPSK_1_2_SHORT, symbols + count);
    check_time_slices(count, false);
    /* Two frames without time slicing are as long as one with it: 64APSK, QPSK, 16APSK. */
    static const uint8_t halves[] = {PSK8_2_3_SHORT, APSK16_2_3_SHORT, QPSK_1_2_SHORT & ~1};
    for (size_t k = 0; k < sizeof halves; k++) {
        for (count = 0; count < 10 * 8190;)
            count += sender_frame(&s, halves[k], symbols + count);
        check_time_slices(count, false);
    }
    fill(symbols, 200000);
    check_time_slices(200000, false);
}

static void test_superframes(void **state)
{
    (void)state;
    fill(symbols, MOST);
    assert_false(dvbs2_has_superframes(symbols, MOST));
    repeat(SUPERFRAME, 720);
    channel(symbols, MOST, 0.3, 0.01, 0);
    assert_true(dvbs2_has_superframes(symbols, MOST));
    assert_false(dvbs2_has_superframes(symbols, SUPERFRAME));
    assert_false(dvbs2_has_superframes(symbols + 600, MOST - 1000)); /* the end of a header */
    static const size_t periods[] = {SUPERFRAME / 2, SUPERFRAME / 12, SUPERFRAME / 41, SUPERFRAME / 83};
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
        fill(symbols, periods[i]);
        repeat(periods[i], MOST);
        assert_false(dvbs2_has_superframes(symbols, MOST));
    }
    for (size_t i = 0; i < MOST; i++) /* a tone, then silence */
        symbols[i] = i < MOST / 2 ? (float complex)cexp(0.01 * (double)i * I) : 0;
    assert_false(dvbs2_has_superframes(symbols, MOST));
}

/* ---- survey */

static void check_survey(size_t count, dvbs2_standard standard)
{
    const double rate = 1e6, ratio = 1.25;
    const size_t room = (size_t)((double)count * ratio) + 1000;
    float complex *samples = calloc(room, sizeof *samples);
    assert_non_null(samples);
    const size_t n = sender_shape(symbols, count, ratio, 0.2, samples);
    channel(samples, n, 0.1, 0.01, 6);
    dvbs2_survey_params params;
    dvbs2_survey *survey;
    dvbs2_survey_params_init(&params);
    params.sample_rate = ratio * rate;
    params.least_rate = 0.3e6;
    assert_int_equal(dvbs2_survey_create(&params, samples, n, &survey, NULL), LDPC_OK);
    const dvbs2_survey_carrier *carrier = dvbs2_survey_list(survey, 0);
    assert_non_null(carrier);
    assert_int_equal(carrier->standard, standard);
    assert_float_equal(carrier->symbol_rate, rate, 50);
    assert_null(dvbs2_survey_list(survey, 1));
    dvbs2_survey_destroy(survey);
    free(samples);
}

static void test_survey(void **state)
{
    (void)state;
    check_survey(sliced_frames(8), DVBS2_STANDARD_TIME_SLICES);
    fill(symbols, MOST);
    repeat(SUPERFRAME, 10000);
    check_survey(MOST, DVBS2_STANDARD_SUPERFRAMES);
}

/* Superframes of format 0 contain the PL frames of DVB-S2X. Here, a frame continues after the superframe header. */
static void test_frames_in_superframes(void **state)
{
    (void)state;
    static sender s;
    size_t count = 0;
    for (int i = 0; i < 8; i++) {
        count += sender_frame(&s, PSK8_2_3_SHORT, symbols + count);
        if (i != 3)
            continue;
        for (size_t k = 1; k <= 3000; k++)
            symbols[count - k + 720] = symbols[count - k];
        fill(symbols + count - 3000, 720);
        count += 720;
    }
    check_survey(count, DVBS2_STANDARD_SUPERFRAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_slices),
        cmocka_unit_test(test_superframes),
        cmocka_unit_test(test_survey),
        cmocka_unit_test(test_frames_in_superframes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
