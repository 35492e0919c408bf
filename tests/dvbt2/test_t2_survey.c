/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fftw3.h>

#include "receiver/complex.h"
#include "dvbt2/standard/reference_sequence.h"
#include "dvbt2/support/mode_trial.h"
#include "dvbt2/support/synthetic.h"

typedef struct test_case {
    const char *name;
    /* OFDM: useful part in samples (0: no OFDM), active carriers, guard interval */
    uint32_t length, carriers, guard;
    double snr_db, narrow; /* bandwidth of a narrow-band signal, relative to the sample rate */
    double bandwidth;      /* channel bandwidth that the receiver has been set to, MHz */
    double rate;
    double offset;        /* channel offset, Hz */
    const char *expected; /* text that the message must contain */
    bool pilots;          /* true: scattered pilots of DVB-T, without continual pilots */
    double baud;
} test_case;

static uint32_t count_of(const test_case *c)
{
    return (uint32_t)(c->rate * 4.8e6) + 2200000;
}

static void add_ofdm(const test_case *c, float complex *samples)
{
    const uint32_t count = count_of(c);
    float complex *symbol = fftwf_malloc(c->length * sizeof *symbol);
    fftwf_plan plan = fftwf_plan_dft_1d((int)c->length, symbol, symbol, FFTW_BACKWARD, FFTW_ESTIMATE);
    for (uint32_t at = 0, l = 0; at + c->length + c->guard <= count; at += c->length + c->guard, l++) {
        memset(symbol, 0, c->length * sizeof *symbol);
        for (uint32_t k = 0; k < c->carriers; k++)
            symbol[(k + c->length - c->carriers / 2) % c->length] =
                rx_cplx(uniform() < 0.5 ? 1 : -1, uniform() < 0.5 ? 1 : -1) / sqrtf(2 * (float)c->carriers);
        for (uint32_t k = 3 * (l % 4); k < c->carriers && c->pilots; k += 12)
            symbol[(k + c->length - c->carriers / 2) % c->length] =
                4.0f / 3 / sqrtf((float)c->carriers) * (float)dvbt2_pn_sign(k / 3);
        fftwf_execute(plan);
        memcpy(samples + at, symbol + c->length - c->guard, c->guard * sizeof *symbol);
        memcpy(samples + at + c->guard, symbol, c->length * sizeof *symbol);
    }
    fftwf_destroy_plan(plan);
    fftwf_free(symbol);
}

/* Adds noise through three first-order low-pass filters. */
static void add_narrow(double share, float complex *samples, uint32_t count)
{
    float complex state[3] = {0};
    for (uint32_t n = 0; n < count; n++) {
        float complex x = noise(1);
        for (int i = 0; i < 3; i++)
            x = state[i] += (x - state[i]) * (float)share;
        samples[n] = x / (float)share;
    }
}

/* Adds QPSK with band-limited pulses (sinc function times a parabola). */
static void add_single_carrier(double baud, float complex *samples, uint32_t count)
{
    enum { SIDE = 8 };
    float complex symbol[2 * SIDE] = {0};
    int64_t made = 0;
    for (uint32_t n = 0; n < count; n++) {
        const double t = n * baud, turn = sin(RX_PI * (t - floor(t))) / RX_PI;
        for (; (double)made < t + SIDE - 1; made++)
            symbol[made % (2 * SIDE)] = rx_cplx(uniform() < 0.5 ? 1 : -1, uniform() < 0.5 ? 1 : -1);
        for (int64_t k = made - 1; k >= 0 && k > made - 2 * SIDE; k--) {
            const double x = t - (double)k, window = 1 - x * x / (SIDE * SIDE);
            const double sinc = fabs(x) < 1e-6 ? 1 : ((int64_t)floor(t) - k) % 2 ? -turn / x : turn / x;
            samples[n] += symbol[k % (2 * SIDE)] * (float)(sinc * window);
        }
    }
}

static void check_sentence(const test_case *c)
{
    const uint32_t count = count_of(c);
    float complex *samples = calloc(count, sizeof *samples);
    assert_non_null(samples);
    if (c->length > 0)
        add_ofdm(c, samples);
    if (c->narrow > 0)
        add_narrow(c->narrow, samples, count);
    if (c->baud > 0)
        add_single_carrier(c->baud, samples, count);
    const double rate = c->rate * dvbt2_sample_rate(8);
    const double noise_power = pow(10, -c->snr_db / 10);
    for (uint32_t n = 0; n < count && c->offset > 0; n++)
        samples[n] = rx_mul(samples[n], phasor(c->offset / rate * n));
    for (uint32_t n = 0; n < count && c->snr_db < 99; n++)
        samples[n] += noise(noise_power);
    dvbt2_receiver_params params;
    dvbt2_receiver *rx;
    dvbt2_status status;
    dvbt2_receiver_params_init(&params);
    params.bandwidth = c->bandwidth;
    params.sample_rate = rate;
    assert_int_equal(dvbt2_receiver_create(&params, &rx, NULL), LDPC_OK);
    for (uint32_t at = 0; at + 100000 <= count; at += 100000)
        assert_int_equal(dvbt2_receiver_push(rx, samples + at, 100000), 100000);
    dvbt2_receiver_status(rx, &status);
    print_message("%s: %s\n", c->name, status.message);
    assert_non_null(strstr(status.message, c->expected));
    dvbt2_receiver_destroy(rx);
    free(samples);
}

enum { IN_CI = 13 };
static bool all;

static void test_sentences(void **state)
{
    (void)state;
    const double b8 = 8;
    /* clang-format off */
    const test_case cases[] = {
        {"DVB-T 8K, 1/32",                  8192,  6817,  256,  20,  0,    b8,                1,       0,    "DVB-T signal (8K)",               false, 0},
        {"DVB-T 2K, 1/4, 3 dB, 90 kHz off", 2048,  1705,  512,  3,   0,    b8,                1,       90e3, "DVB-T signal (2K)",               false, 0},
        {"32K without P1",                  32768, 27265, 1024, 20,  0,    b8,                1,       0,    "symbols of 32K were",             false, 0},
        {"8 MHz as 7 MHz",                  8192,  6817,  1024, 20,  0,    7,                 1,       0,    "a channel of 8 MHz, not 7 MHz", false, 0},
        {"rate 9.4 % too high",             8192,  6817,  1024, 20,  0,    b8,                1.094,   0,    "rate near 9.143 MHz, not 10.00", false, 0},
        {"rate 0.5 % too low",              32768, 27265, 512,  15,  0,    b8,                0.995,   0,    "rate near 9.143 MHz, not 9.09", false, 0},
        {"DVB-T 2K, 1/32, pilots",          2048,  1705,  64,   20,  0,    b8,                1,       0,    "this is a DVB-T signal (2K)",     true, 0},
        {"DVB-T 2K, 1/16, rate",            2048,  1705,  128,  10,  0,    b8,                0.875,   0,    "rate is near 9.143 MHz",          true, 0},
        {"ISDB-T 8K, 1/8",                  9216,  5617,  1152, 20,  0,    b8,                1,       0,    "this is an ISDB-T signal (8K)",   true, 0},
        {"QPSK, 1.4 Mbaud",                 0,     0,     0,    20,  0,    b8,                1,       0,    "too narrow for a channel of 8",   false, 0.15},
        {"QPSK, 2.7 Mbaud",                 0,     0,     0,    20,  0,    b8,                1,       0,    "too weak; DVB-T2 in a channel of 8 MHz is 7.61", false, 0.3},
        {"noise",                           0,     0,     0,    0,   0,    b8,                1,       0,    "flat like noise",                 false, 0},
        {"zeros",                           0,     0,     0,    100, 0,    b8,                1,       0,    "all samples are 0",               false, 0},
        {"QPSK, 7.6 Mbaud",                 0,     0,     0,    20,  0,    b8,                1,       0,    "standard, or is too weak",        false, 0.832},
        {"something narrow",                0,     0,     0,    20,  0.05, b8,                1,       0,    "too narrow for a channel of 8",   false, 0},
        {"8 MHz as 6 MHz",                  32768, 27841, 256,  20,  0,    6,                 1,       0,    "channel of 8 MHz, not 6 MHz", false, 0},
        {"rate twice as high",              4096,  3409,  256,  10,  0,    b8,                2,       0,    "rate near 9.143 MHz, not 18.2",   false, 0},
        {"DVB-T 2K, 1/32, rate",            2048,  1705,  64,   20,  0,    b8,                1.09375, 0,    "DVB-T signal (2K)",               true, 0},
        {"DVB-T 8K, 1/32, rate",            8192,  6817,  256,  20,  0,    b8,                1.09375, 0,    "rate near 9.143 MHz, not 10 MHz", true, 0},
        {"DVB-T 8K, 1/8, 6 MHz",            8192,  6817,  1024, 20,  0,    6,                 0.75,    0,    "this is a DVB-T signal (8K)",     true, 0},
        {"DVB-T 8K, 1/8, 7 MHz as 8",       8192,  6817,  1024, 20,  0,    b8,                0.875,   0,    "a channel of 7 MHz, not 8 MHz",   true, 0},
        {"QPSK, 5 Mbaud",                   0,     0,     0,    20,  0,    b8,                1,       0,    "too weak; DVB-T2 in a channel of 8 MHz is 7.61", false, 0.55},
    };
    /* clang-format on */
    for (size_t i = 0; i < (all ? sizeof cases / sizeof *cases : IN_CI); i++)
        check_sentence(&cases[i]);
}

static const dvbt2_mode modes[] = {
    {.fft = DVBT2_FFT_1K,        .guard = DVBT2_GUARD_1_16, .pilot_pattern = 4,   .n_data_symbols = 60},
    {                    .fft = DVBT2_FFT_8K, .guard = DVBT2_GUARD_1_32,        .pilot_pattern = 7, .n_data_symbols = 30                    },
    { .fft = DVBT2_FFT_32K,
     .guard = DVBT2_GUARD_1_128,
     .pilot_pattern = 7,
     .extended = true,
     .n_data_symbols = 10},
};
enum { MODES = sizeof modes / sizeof *modes };

/* I and Q are exchanged. */
static void test_mirrored(void **state)
{
    (void)state;
    for (size_t m = 0; m < MODES; m++) {
        const mode_trial_way way = {
            .mirrored = true, .doubled = m == 1, .carrier = 123456, .noise = 0.003, .frames = 4};
        const mode_trial_result r = mode_trial_run(&modes[m], &way);
        print_message("mode %zu: %u of %u, %.0f Hz\n", m, r.right, r.sent, r.status.carrier_hz);
        assert_int_equal(r.right, r.sent);
        assert_true(r.status.mirrored);
        assert_float_equal(r.status.carrier_hz, -way.carrier, 20);
    }
}

/* Tests sample rates that are wrong by up to 0.2 %. */
static void test_wrong_rates(void **state)
{
    (void)state;
    static const double ppm[] = {-2000, 512};
    for (size_t m = 0; m < MODES; m++)
        for (size_t i = 0; i < sizeof ppm / sizeof *ppm; i++) {
            const mode_trial_way way = {
                .rate_ppm = ppm[i], .carrier = -31234, .noise = 0.003, .mirrored = i == 0, .frames = 6};
            const mode_trial_result r = mode_trial_run(&modes[m], &way);
            print_message("mode %zu, %+.0f ppm: %+.1f ppm, %u of %u\n", m, ppm[i], r.status.clock_ppm,
                          r.right, r.sent);
            assert_true(r.right >= r.sent - 1U);
            assert_float_equal(r.status.clock_ppm, -ppm[i] / (1 + 1e-6 * ppm[i]), 2);
        }
}

static void falsify_guard(const void *how, const dvbt2_parameters *p, float complex *samples, uint32_t count)
{
    enum { FRAMES = 4, LAG = 16 };
    (void)how;
    assert_true(count >= FRAMES * p->frame_length);
    for (uint32_t f = 0; f < FRAMES; f++) {
        const uint32_t end = (f + 1) * p->frame_length, useful = p->fft_length + LAG;
        for (uint32_t n = f * p->frame_length + DVBT2_P1_SAMPLES; n < end; n += useful + p->guard_length) {
            for (uint32_t i = 0; i < useful + p->guard_length && n + i < end; i++)
                samples[n + i] = i < useful ? noise(1) : samples[n + i - useful];
        }
    }
}

static void test_false_guard(void **state)
{
    (void)state;
    static const double ppm[] = {50, 700};
    for (size_t i = 0; i < sizeof ppm / sizeof *ppm; i++) {
        const mode_trial_way way = {.rate_ppm = ppm[i], .noise = 0.003, .frames = 10, .spoil = falsify_guard};
        const mode_trial_result r = mode_trial_run(&modes[1], &way);
        print_message("%+.0f ppm: %+.1f ppm, %u of %u\n", ppm[i], r.status.clock_ppm, r.right, r.sent);
        assert_true(r.right >= r.sent - 5U);
        assert_float_equal(r.status.clock_ppm, -ppm[i] / (1 + 1e-6 * ppm[i]), 2);
    }
}

int main(int argc, char **argv)
{
    all = argc > 1 && strcmp(argv[1], "all") == 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sentences), cmocka_unit_test(test_mirrored),
                                       cmocka_unit_test(test_wrong_rates),
                                       cmocka_unit_test(test_false_guard)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
