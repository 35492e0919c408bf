/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the survey of a band: carriers that are found, and other signals that are not taken for carriers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dvbs2/support/sender.h"
#include "ldpc/dvbs2_survey.h"

static const double pi = 3.14159265358979323846;

enum {
    COUNT = 300000, /* samples */
    MOST_SYMBOLS = 260000,
    QPSK_1_2_SHORT = 4 * 4 + 3,
    QPSK_3_4_SHORT = 4 * 7 + 2, /* without pilots */
    PSK8_2_3_SHORT = 4 * 13 + 3,
    S2X_QPSK_11_45_SHORT = 217,
    DUMMY = 0,
    NO_FRAMES = 255, /* random QPSK symbols */
};

static double sample_rate = 4e6;
static bool repeats; /* all frames of a carrier have the same content */
static float complex band[COUNT];

static void add_noise(double power)
{
    for (size_t i = 0; i < COUNT; i++)
        band[i] += noise(power);
}

static float complex shaped[COUNT + 1000]; /* the samples of a carrier */

static void add_samples(const float complex *samples, size_t count, double frequency, double amplitude)
{
    const double complex step = cexp(2 * pi * frequency / sample_rate * I);
    double complex turn = amplitude;
    for (size_t i = 0; i < COUNT && i < count; i++, turn *= step)
        band[i] += samples[i] * (float complex)turn;
}

/* Adds a carrier. Noise of power 1 gives the stated Es/N0. */
static void add_symbols(const float complex *symbols, size_t count, double rate, double frequency,
                        double roll_off, double esn0_db)
{
    const size_t n = sender_shape(symbols, count, sample_rate / rate, roll_off, shaped);
    add_samples(shaped, n, frequency, sqrt(pow(10, esn0_db / 10) * rate / sample_rate));
}

typedef struct carrier {
    double rate, frequency, roll_off, esn0_db;
    uint8_t code; /* PLS code of all frames */
    uint32_t gold;
} carrier;

static void add_carrier(const carrier *c)
{
    static float complex symbols[MOST_SYMBOLS + 33300];
    const size_t wanted = (size_t)(COUNT * c->rate / sample_rate) + 1;
    sender s = {.gold = c->gold, .seed = 1};
    size_t count = 0;
    assert_true(wanted < MOST_SYMBOLS);
    while (count < wanted) {
        if (repeats)
            s = (sender){.gold = c->gold, .seed = 1};
        if (c->code == NO_FRAMES)
            symbols[count++] =
                (float complex)(((uniform() < 0.5 ? -1 : 1) + (uniform() < 0.5 ? -1 : 1) * I) / sqrt(2));
        else
            count += sender_frame(&s, c->code, symbols + count);
    }
    add_symbols(symbols, wanted, c->rate, c->frequency, c->roll_off, c->esn0_db);
}

static dvbs2_survey *survey_samples(size_t count, double least_rate)
{
    dvbs2_survey_params params;
    dvbs2_survey *survey;
    dvbs2_survey_params_init(&params);
    params.sample_rate = sample_rate;
    params.least_rate = least_rate;
    assert_int_equal(dvbs2_survey_create(&params, band, count, &survey, NULL), LDPC_OK);
    return survey;
}

static dvbs2_survey *survey_band(double least_rate)
{
    return survey_samples(COUNT, least_rate);
}

/* Checks the carriers that are found, in the order of their frequencies. */
static void check_carriers(const dvbs2_survey *survey, const carrier *carriers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const carrier *c = &carriers[i];
        const dvbs2_survey_carrier *found = dvbs2_survey_list(survey, i);
        assert_non_null(found);
        /* few different symbols */
        const bool few = COUNT * c->rate / sample_rate < 5000 || c->code == DUMMY;
        assert_float_equal(found->symbol_rate, c->rate, 50e-6 * c->rate);
        assert_float_equal(found->frequency, c->frequency, (few ? 0.02 : 0.005) * c->rate);
        assert_float_equal(found->roll_off, c->roll_off, few ? 0.051 : 1e-6);
        assert_float_equal(found->esn0_db, c->esn0_db, few ? 1.5 : 1.1);
        const bool frames = c->code != NO_FRAMES;
        assert_int_equal(found->standard, !frames          ? DVBS2_STANDARD_UNKNOWN
                                          : c->code >= 128 ? DVBS2_STANDARD_S2X
                                                           : DVBS2_STANDARD_S2);
        assert_int_equal(found->gold, frames ? (int32_t)c->gold : -1);
        assert_int_equal(found->n_modcods, frames && c->code != DUMMY);
        assert_int_equal(found->dummy_frames > 0, c->code == DUMMY);
        if (found->n_modcods) {
            assert_int_equal(found->modcods[0].pls_code, c->code);
            assert_in_range(found->modcods[0].frames, 2, 20);
        }
    }
    assert_null(dvbs2_survey_list(survey, n));
}

static void add_tone(double frequency, double amplitude)
{
    for (size_t i = 0; i < COUNT; i++)
        shaped[i] = 1;
    add_samples(shaped, COUNT, frequency, amplitude);
}

static void add_band(const carrier *carriers, size_t n)
{
    memset(band, 0, sizeof band);
    add_noise(1);
    for (size_t i = 0; i < n; i++)
        add_carrier(&carriers[i]);
}

static void check_band(const carrier *carriers, size_t n, double least_rate)
{
    dvbs2_survey *survey = survey_band(least_rate);
    check_carriers(survey, carriers, n);
    dvbs2_survey_destroy(survey);
}

/* Gold codes: known ones, and one each that is found by pilots, by parity checks and by dummy frames. */
static void test_carriers(void **state)
{
    (void)state;
    static const carrier crowded[] = {
        {300e3, -1.7e6, 0.35, 8,  PSK8_2_3_SHORT,       10949 },
        {600e3, -1.1e6, 0.25, 3,  QPSK_1_2_SHORT,       0     },
        {900e3, -0.2e6, 0.20, 20, QPSK_1_2_SHORT,       200000},
        {280e3, 0.5e6,  0.10, 4,  S2X_QPSK_11_45_SHORT, 174526},
        {500e3, 0.97e6, 0.20, 12, NO_FRAMES,            0     },
        {300e3, 1.45e6, 0.15, 7,  QPSK_3_4_SHORT,       150001},
        {150e3, 1.8e6,  0.20, 10, PSK8_2_3_SHORT,       0     }, /* 11250 symbols */
    };
    add_band(crowded, sizeof crowded / sizeof *crowded);
    check_band(crowded, sizeof crowded / sizeof *crowded, 100e3);
    static const carrier narrow[] = {
        {300e3, -0.8e6, 0.20, 6, DUMMY,     77777},
        {30e3,  0.1e6,  0.20, 9, NO_FRAMES, 0    },
    };
    add_band(narrow, sizeof narrow / sizeof *narrow);
    check_band(narrow, sizeof narrow / sizeof *narrow, 30e3);
}

/* The spectrum of the tones has more edges than that of the carrier. */
static void test_carrier_and_tones(void **state)
{
    (void)state;
    static const carrier wide = {1.2e6, 1.2e6, 0.2, 8, QPSK_1_2_SHORT, 0};
    add_band(&wide, 1);
    for (int tone = 0; tone < 20; tone++)
        add_tone(-1.95e6 + 100e3 * tone + 700 * tone * tone, 0.3);
    check_band(&wide, 1, 30e3);
}

/* Carriers with null packets: their spectrum has lines at multiples of the frame rate. */
static void test_frames_that_repeat(void **state)
{
    (void)state;
    static const carrier carriers[] = {
        {1.5e6, -0.8e6, 0.35, 18, QPSK_1_2_SHORT, 0},
        {0.5e6, 0.7e6,  0.20, 18, PSK8_2_3_SHORT, 0},
        {0.3e6, 1.5e6,  0.20, 18, QPSK_3_4_SHORT, 0},
    };
    repeats = true;
    add_band(carriers, 3);
    repeats = false;
    dvbs2_survey *survey = survey_band(30e3);
    for (size_t i = 0; i < 3; i++) {
        const dvbs2_survey_carrier *found = dvbs2_survey_list(survey, i);
        assert_non_null(found);
        assert_int_equal(found->standard, DVBS2_STANDARD_S2);
        assert_float_equal(found->symbol_rate, carriers[i].rate, 50e-6 * carriers[i].rate);
    }
    assert_null(dvbs2_survey_list(survey, 3));
    dvbs2_survey_destroy(survey);
}

/* Two carriers with the same symbols correlate at the distance of their frequencies, 1.59 MHz. */
static void test_carriers_with_the_same_symbols(void **state)
{
    (void)state;
    static const carrier carriers[] = {
        {1e6,   -795e3, 0.05, 10, QPSK_1_2_SHORT, 0},
        {0.4e6, 0,      0.35, 8,  NO_FRAMES,      0},
        {1e6,   795e3,  0.05, 10, QPSK_1_2_SHORT, 0},
    };
    add_band(carriers, 3);
    check_band(carriers, 3, 30e3);
}

/* All frames of the carrier are equal, so that parts of its spectrum have lines too. */
static void test_wide_carrier_that_repeats(void **state)
{
    (void)state;
    static const carrier wide = {2e6, 0, 0.2, 16, QPSK_1_2_SHORT, 0};
    const double usual_rate = sample_rate;
    sample_rate = 2.4e6;
    repeats = true;
    add_band(&wide, 1);
    repeats = false;
    dvbs2_survey *survey = survey_samples(180000, 30e3);
    const dvbs2_survey_carrier *found = dvbs2_survey_list(survey, 0);
    assert_non_null(found);
    assert_int_equal(found->standard, DVBS2_STANDARD_S2);
    assert_float_equal(found->symbol_rate, wide.rate, 50e-6 * wide.rate);
    assert_null(dvbs2_survey_list(survey, 1));
    dvbs2_survey_destroy(survey);
    sample_rate = usual_rate;
}

static void test_low_symbol_rate(void **state)
{
    (void)state;
    static const carrier low = {300, 1e3, 0.20, 12, NO_FRAMES, 0};
    sample_rate /= 100;
    add_band(&low, 1);
    check_band(&low, 1, 300);
    sample_rate *= 100;
}

/* The first samples contain 3000 symbols, less than a frame. The second carrier is too wide for a second look. */
static void test_narrow_carriers(void **state)
{
    (void)state;
    enum {
        FRAMES = 5,
        APSK32_3_4_SHORT = 4 * 24 + 2,
        LENGTH = 3330,
        FEW = 200000,
        LONG = 1000000,
        PIECE = 70000
    };
    static float complex symbols[FRAMES * LENGTH];
    const double rate = 60e3, ratio = sample_rate / rate;
    const carrier wide = {1.2e6, 1.2e6, 0.2, 8, QPSK_1_2_SHORT, 0};
    sender s = {.gold = 123456, .seed = 1};
    float complex *samples = calloc((size_t)(FRAMES * LENGTH * ratio) + 10000, sizeof *samples);
    assert_non_null(samples);
    for (int i = 0; i < FRAMES; i++)
        assert_int_equal(sender_frame(&s, APSK32_3_4_SHORT, symbols + i * LENGTH), LENGTH);
    assert_true(sender_shape(symbols, FRAMES * LENGTH, ratio, 0.2, samples) > LONG);
    add_band(&wide, 1);
    for (size_t i = 0; i < LONG; i++)
        samples[i] = samples[i] * (float complex)(sqrt(60 / ratio) * cexp(-2 * pi * 0.2 * (double)i * I)) +
                     (i < COUNT ? band[i] : noise(1));
    memcpy(band, samples, sizeof band);
    dvbs2_survey *survey = survey_samples(FEW, 30e3);
    const dvbs2_survey_carrier *found = dvbs2_survey_list(survey, 0);
    assert_non_null(found);
    assert_int_equal(found->n_modcods, 0);
    bool more = true;
    size_t at = 0;
    for (; more && at + PIECE <= LONG; at += PIECE)
        assert_int_equal(dvbs2_survey_continue(survey, samples + at, PIECE, &more, NULL), LDPC_OK);
    assert_true(more);
    assert_int_equal(dvbs2_survey_continue(survey, NULL, 0, &more, NULL), LDPC_OK);
    assert_false(more);
    assert_int_equal(found->standard, DVBS2_STANDARD_S2);
    assert_int_equal(found->gold, 123456);
    assert_int_equal(found->n_modcods, 1);
    assert_int_equal(found->modcods[0].pls_code, APSK32_3_4_SHORT);
    assert_float_equal(found->frequency, -0.8e6, 600);
    assert_float_equal(found->esn0_db, 17.8, 1.5);
    assert_int_equal(dvbs2_survey_list(survey, 1)->gold, 0);
    assert_int_equal(dvbs2_survey_continue(survey, samples, PIECE, &more, NULL), LDPC_OK);
    assert_false(more);
    assert_int_equal(dvbs2_survey_continue(survey, NULL, 1, &more, NULL), LDPC_ERR_NULL);
    dvbs2_survey_destroy(survey);
    free(samples);
}

/* ---- DVB-S */

static const char *const punctured[][3] = {
    {"1/2", "1",       "1"      },
    {"2/3", "10",      "11"     },
    {"3/4", "101",     "110"    },
    {"5/6", "10101",   "11010"  },
    {"7/8", "1000101", "1111010"}
};

/* EN 300 421, 4.4.3 and 4.5: convolutional code, puncturing, QPSK. */
static void code_bits(const char *const code[3], float complex *symbols, size_t count)
{
    const size_t period = strlen(code[1]);
    uint8_t message[7] = {0};
    size_t bits = 0;
    for (size_t t = 0; bits < 2 * count; t++) {
        memmove(message + 1, message, 6);
        message[0] = uniform() < 0.5;
        const uint8_t x = message[0] ^ message[1] ^ message[2] ^ message[3] ^ message[6],
                      y = message[0] ^ message[2] ^ message[3] ^ message[5] ^ message[6];
        for (int output = 0; output < 2 && bits < 2 * count; output++)
            if (code[1 + output][t % period] == '1') {
                const float part = (output ? y : x) ? -0.70710678f : 0.70710678f;
                if (bits % 2 == 0)
                    symbols[bits / 2] = part;
                else
                    symbols[bits / 2] += part * I;
                bits++;
            }
    }
}

static void test_dvb_s(void **state)
{
    (void)state;
    static const double esn0_db[] = {3, 4, 6, 7, 8};
    enum { SYMBOLS = 37500, CODES = sizeof punctured / sizeof *punctured };
    static float complex symbols[SYMBOLS];
    memset(band, 0, sizeof band);
    add_noise(1);
    for (int code = 0; code < CODES; code++) {
        code_bits(punctured[code], symbols, SYMBOLS);
        for (size_t i = 0; i < SYMBOLS && code % 2; i++) /* a mirrored spectrum */
            symbols[i] = conjf(symbols[i]);
        add_symbols(symbols, SYMBOLS, 0.5e6, 0.75e6 * (code - 2), 0.35, esn0_db[code]);
    }
    dvbs2_survey *survey = survey_band(30e3);
    for (size_t code = 0; code < CODES; code++) {
        const dvbs2_survey_carrier *found = dvbs2_survey_list(survey, code);
        assert_non_null(found);
        assert_int_equal(found->standard, DVBS2_STANDARD_S);
        assert_string_equal(found->code_rate, punctured[code][0]);
        assert_float_equal(found->symbol_rate, 0.5e6, 20);
    }
    assert_null(dvbs2_survey_list(survey, CODES));
    dvbs2_survey_destroy(survey);
}

/* ---- other signals */

/* Adds OFDM symbols with a guard interval of 1/8. The bandwidth is 0.75 of `rate`; `frequency` is that of the lowest carrier. */
static void add_ofdm(double rate, double frequency)
{
    enum { LENGTH = 256, CARRIERS = 192, GUARD = LENGTH / 8 };
    static float complex time[LENGTH], turns[LENGTH];
    const double ratio = sample_rate / rate;
    for (int i = 0; i < LENGTH; i++)
        turns[i] = cexpf((float)(2 * pi * i / LENGTH) * I);
    size_t symbol = SIZE_MAX;
    for (size_t n = 0; n < COUNT; n++) {
        const size_t t = (size_t)((double)n / ratio), now = t / (LENGTH + GUARD);
        if (now != symbol) {
            float complex cells[CARRIERS];
            for (int k = 0; k < CARRIERS; k++)
                cells[k] = (uniform() < 0.5 ? -1 : 1) + (uniform() < 0.5 ? -1 : 1) * I;
            for (int i = 0; i < LENGTH; i++) {
                time[i] = 0;
                for (int k = 0; k < CARRIERS; k++)
                    time[i] += cells[k] * turns[(i * k) % LENGTH] / 8;
            }
            symbol = now;
        }
        const double angle = 2 * pi * remainder(frequency / sample_rate * (double)n, 1);
        band[n] += time[(t + LENGTH - GUARD) % (LENGTH + GUARD) % LENGTH] *
                   (float complex)(cos(angle) + sin(angle) * I);
    }
}

/* Noise, tones, DC, frequency modulation, OFDM and a noise floor with steps are not taken for carriers. */
static void test_no_carriers(void **state)
{
    (void)state;
    double phase = 0, wanted = 0;
    memset(band, 0, sizeof band);
    add_noise(1);
    add_ofdm(1e6, 0.9e6);
    for (size_t i = 0; i < COUNT; i++) {
        const double t = (double)i / sample_rate;
        wanted += 0.01 * (2 * uniform() - 1) - 1e-4 * wanted;
        phase += 2 * pi * 0.05 * wanted;
        band[i] += 0.5f + 3 * cexpf((float)(phase - 2 * pi * remainder(0.8e6 * t, 1)) * I);
    }
    for (int tone = 0; tone < 5; tone++)
        add_tone(-1.7e6 + 40e3 * tone, 0.7);
    dvbs2_survey *survey = survey_band(30e3);
    assert_null(dvbs2_survey_list(survey, 0));
    dvbs2_survey_destroy(survey);
    memset(band, 0, sizeof band);
    survey = survey_band(30e3);
    assert_null(dvbs2_survey_list(survey, 0));
    dvbs2_survey_destroy(survey);
    dvbs2_survey_destroy(NULL);
    assert_null(dvbs2_survey_list(NULL, 0));
}

/* The spectrum has more edges than the survey compares. */
static void test_many_edges(void **state)
{
    (void)state;
    enum { FEW = 60000, EDGES = 300 };
    memset(band, 0, sizeof band);
    add_noise(1);
    for (size_t i = COUNT - 1; i >= EDGES; i--)
        band[i] += band[i - EDGES];
    dvbs2_survey *survey = survey_samples(FEW, 3e3);
    assert_string_not_equal(dvbs2_survey_note(survey), "");
    assert_null(dvbs2_survey_list(survey, 0));
    dvbs2_survey_destroy(survey);
    memset(band, 0, sizeof band);
    survey = survey_band(30e3);
    assert_string_equal(dvbs2_survey_note(survey), "");
    dvbs2_survey_destroy(survey);
    assert_string_equal(dvbs2_survey_note(NULL), "");
}

static void test_arguments(void **state)
{
    (void)state;
    static const uint32_t wrong_gold = 262142;
    dvbs2_survey_params params, good;
    dvbs2_survey *survey;
    ldpc_error err;
    dvbs2_survey_params_init(&good);
    good.sample_rate = sample_rate;
    assert_int_equal(dvbs2_survey_create(NULL, band, COUNT, &survey, &err), LDPC_ERR_NULL);
    assert_int_equal(dvbs2_survey_create(&good, NULL, COUNT, &survey, &err), LDPC_ERR_NULL);
    assert_int_equal(dvbs2_survey_create(&good, band, COUNT, NULL, &err), LDPC_ERR_NULL);
    assert_int_equal(dvbs2_survey_create(&good, band, 100, &survey, &err), LDPC_ERR_RANGE);
    assert_string_equal(err.message, "100 samples are too few (expected at least 16384)");
    assert_null(survey);
    params = good;
    params.sample_rate = NAN;
    assert_int_equal(dvbs2_survey_create(&params, band, COUNT, &survey, &err), LDPC_ERR_RANGE);
    params = good;
    params.format = 99;
    assert_int_equal(dvbs2_survey_create(&params, band, COUNT, &survey, &err), LDPC_ERR_PARAM);
    params = good;
    params.least_rate = 4e6;
    assert_int_equal(dvbs2_survey_create(&params, band, COUNT, &survey, &err), LDPC_ERR_RANGE);
    params = good;
    params.n_gold = 1;
    assert_int_equal(dvbs2_survey_create(&params, band, COUNT, &survey, &err), LDPC_ERR_RANGE);
    params.gold = &wrong_gold;
    assert_int_equal(dvbs2_survey_create(&params, band, COUNT, &survey, &err), LDPC_ERR_RANGE);
    assert_string_equal(err.message, "gold code 262142 out of range (expected 0 .. 262141)");
    assert_string_equal(dvbs2_standard_name(DVBS2_STANDARD_S2X), "DVB-S2X");
    assert_string_equal(dvbs2_standard_name(99), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_carriers),
        cmocka_unit_test(test_carrier_and_tones),
        cmocka_unit_test(test_low_symbol_rate),
        cmocka_unit_test(test_dvb_s),
        cmocka_unit_test(test_no_carriers),
        cmocka_unit_test(test_many_edges),
        cmocka_unit_test(test_narrow_carriers),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_frames_that_repeat),
        cmocka_unit_test(test_carriers_with_the_same_symbols),
        cmocka_unit_test(test_wide_carrier_that_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
