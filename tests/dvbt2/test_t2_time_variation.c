/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the time filter and the channel estimates at the pilot grid in known time-varying channels. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "dvbt2/channel/time_variation.h"
#include "dvbt2/support/synthetic.h"
#include "dvbt2/channel/tracking.h"

enum { PATHS = 2, FIRST = 8, LAST = 60 };

/* Two paths of equal power and opposite Doppler shifts. */
typedef struct channel {
    double doppler; /* cycles per symbol */
    double delay;   /* delay from the middle of the window, as a fraction of the symbol */
} channel;

static float complex channel_at(const channel *c, double carrier, double symbol)
{
    const double turns = c->delay * carrier + c->doppler * symbol;
    return (phasor(turns) + phasor(0.1 - turns)) / sqrtf(PATHS);
}

static dvbt2_speed speed_of(double doppler)
{
    dvbt2_speed speed = {0};
    for (int i = 0; i < 20; i++)
        dvbt2_speed_add(&speed, 1, cos(2 * RX_PI * doppler));
    return speed;
}

static void test_time_filter(void **state)
{
    (void)state;
    static const double dopplers[] = {0, 0.01, 0.1, 0.2}, most[] = {0.005, 0.005, 0.02, 0.4};
    for (size_t i = 0; i < sizeof dopplers / sizeof *dopplers; i++) {
        const double noise_power = 0.01;
        dvbt2_time_point point[5];
        float weight[5];
        for (int t = 0; t < 5; t++)
            point[t] = (dvbt2_time_point){2 * t - 7, noise_power};
        dvbt2_speed speed = speed_of(dopplers[i]);
        double expected = dvbt2_time_filter(&speed, point, 5, weight), sum = 0;
        for (int trial = 0; trial < 4000; trial++) {
            double turns = uniform();
            float complex error = -phasor(turns);
            for (int t = 0; t < 5; t++)
                error += weight[t] * (phasor(turns + dopplers[i] * point[t].time) + noise(noise_power));
            sum += (double)rx_power(error) / 4000;
        }
        assert_true(sum < 1.3 * expected + 1e-4);
        assert_true(sum < most[i]);
    }
}

static void test_speed_unknown(void **state)
{
    (void)state;
    dvbt2_speed speed = {0};
    assert_false(dvbt2_speed_known(&speed));
    speed = speed_of(0.1);
    assert_true(dvbt2_speed_known(&speed));
}

typedef struct bench {
    dvbt2_parameters parameters;
    dvbt2_pilots *pilots;
    dvbt2_pilot_grid grid;
    dvbt2_time_variation variation;
    float interference[DVBT2_MAX_CARRIERS];
} bench;

static bench *make_bench(bool miso)
{
    const dvbt2_mode mode = {.fft = DVBT2_FFT_8K,
                             .guard = miso ? DVBT2_GUARD_1_16 : DVBT2_GUARD_1_8,
                             .pilot_pattern = 3,
                             .miso = miso,
                             .n_data_symbols = 80};
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    assert_int_equal(dvbt2_parameters_derive(&mode, &b->parameters, NULL), LDPC_OK);
    assert_int_equal(dvbt2_pilots_create(&b->parameters, &b->pilots, NULL), LDPC_OK);
    assert_true(dvbt2_pilot_grid_init(&b->grid, &b->parameters, b->pilots));
    assert_true(dvbt2_time_variation_init(&b->variation, &b->parameters, &b->grid));
    dvbt2_time_variation_start(&b->variation);
    return b;
}

static void free_bench(bench *b)
{
    dvbt2_time_variation_free(&b->variation);
    dvbt2_pilot_grid_free(&b->grid);
    dvbt2_pilots_destroy(b->pilots);
    free(b);
}

static void read_symbol(bench *b, const channel *c, uint32_t l, double noise_power)
{
    static float complex carriers[DVBT2_MAX_CARRIERS];
    const dvbt2_pilot_list *list = &b->grid.normal[l % b->grid.classes];
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t k = list->carrier[i];
        carriers[k] =
            (channel_at(c, k, l) + noise(noise_power + (double)b->interference[k])) / list->inverse[i];
    }
    const dvbt2_pilot_noise pilot = {(float)noise_power, (float)noise_power, 1, b->interference, 0.003f};
    dvbt2_time_variation_read(&b->variation, l, list, carriers, 1, &pilot);
}

static double grid_error(bench *b, const channel *c, double noise_power, double *expected)
{
    double sum = 0, symbols = 0;
    float complex *grid = malloc(b->grid.points * sizeof *grid);
    assert_non_null(grid);
    dvbt2_time_variation_design(&b->variation, 2 * c->delay + 0.001, noise_power);
    b->variation.speed = speed_of(c->doppler);
    *expected = 0;
    for (uint32_t l = 0; l < LAST; l++) {
        read_symbol(b, c, l, noise_power);
        const uint32_t wanted = l + 1 - b->grid.classes;
        float error = 10;
        if (l < FIRST + b->grid.classes)
            continue;
        assert_true(dvbt2_time_variation_estimate(&b->variation, wanted, &error, grid));
        *expected += (double)error;
        for (uint32_t i = 0; i < b->grid.points; i++)
            sum += (double)rx_power(grid[i] - channel_at(c, i * b->grid.distance, wanted)) / b->grid.points;
        symbols++;
    }
    free(grid);
    *expected /= symbols;
    return sum / symbols;
}

static void test_short_delays(void **state)
{
    (void)state;
    static const channel channels[] = {
        {0.02, 0.005},
        {0.1,  0.005},
        {0.3,  0.005}
    };
    bench *b = make_bench(false);
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++) {
        double expected, error = grid_error(b, &channels[i], 0.01, &expected);
        assert_true(error < 0.01);
        assert_true(error < 2 * expected && expected < 3 * error);
    }
    free_bench(b);
}

static void check_long_delays(bool miso)
{
    bench *b = make_bench(miso);
    double expected;
    const channel slow = {0.03, 0.03}, fast = {0.08, 0.03};
    assert_true(grid_error(b, &slow, 0.01, &expected) < 0.015);
    assert_true(grid_error(b, &fast, 0.01, &expected) < 0.05);
    free_bench(b);
}

static void test_long_delays(void **state)
{
    (void)state;
    check_long_delays(false);
    check_long_delays(true);
}

static void test_noise(void **state)
{
    (void)state;
    const channel c = {0.1, 0.005};
    for (int interferer = 0; interferer < 2; interferer++) {
        bench *b = make_bench(false);
        double expected;
        for (uint32_t k = 0; k < b->parameters.carriers / 10; k++)
            b->interference[k] = interferer ? 1 : 0;
        grid_error(b, &c, 0.02, &expected);
        assert_true(fabs(decibel((double)dvbt2_time_variation_noise(&b->variation, LAST - 3) / 0.02)) < 0.5);
        assert_true(dvbt2_time_variation_noise(&b->variation, LAST + 10) == 0);
        free_bench(b);
    }
}

/* ---- carrier and clock */

enum { WAVES = 6 * 12, PILOTS = 150, SYMBOLS = 600 };

/* Six fading paths. Each path is a sum of plane waves from all directions. */
typedef struct fading {
    double delay[WAVES], doppler[WAVES], phase[WAVES];
} fading;

static void make_fading(fading *f, double doppler)
{
    for (int i = 0; i < WAVES; i++) {
        f->delay[i] = 0.022 * (i % 6) / 6;
        f->doppler[i] = doppler * cos(2 * RX_PI * (i / 6 + uniform()) / (WAVES / 6));
        f->phase[i] = uniform();
    }
}

/* offset of the oscillator, cycles per symbol */
static void fading_pilots(const fading *f, int l, double offset, const uint16_t *carrier,
                          float complex *pilots)
{
    for (int i = 0; i < PILOTS; i++) {
        pilots[i] = 0;
        for (int w = 0; w < WAVES; w++)
            pilots[i] += phasor(f->phase[w] + f->doppler[w] * l - f->delay[w] * carrier[i]) / sqrtf(WAVES);
        pilots[i] = rx_mul(pilots[i], phasor(offset * l)) + noise(0.01);
    }
}

static void test_carrier_and_clock(void **state)
{
    (void)state;
    static const double doppler = 0.19, offset = 0.06;
    static const dvbt2_parameters p = {.fft_length = 2048, .symbol_length = 2304, .carriers = 1705};
    static const dvbt2_confidence moving = {.still = 0.003, .moving = 0.997, .rates = 1, .common = 0.1};
    float complex now[PILOTS], before[PILOTS];
    uint16_t carrier[PILOTS];
    fading f;
    dvbt2_tracking tracking;
    double corrected = 0, most = 0;
    make_fading(&f, doppler);
    dvbt2_tracking_reset(&tracking, &p);
    for (int i = 0; i < PILOTS; i++)
        carrier[i] = (uint16_t)(i * 11);
    fading_pilots(&f, 0, offset, carrier, before);
    for (int l = 1; l < SYMBOLS; l++) {
        fading_pilots(&f, l, offset, carrier, now);
        dvbt2_phase_sums sums = dvbt2_compare_pilots(now, before, carrier, PILOTS, p.carriers);
        dvbt2_tracking_update(&tracking, &sums, &moving);
        corrected = tracking.carrier.rate / (2 * RX_PI);
        most = fmax(most, fabs(tracking.timing));
        const float complex turn = phasor(-tracking.phase / (2 * RX_PI));
        for (int i = 0; i < PILOTS; i++)
            before[i] = rx_mul(now[i], turn);
    }
    assert_true(fabs(corrected - offset) < 0.06 * doppler);
    assert_true(most < 0.5);
}

static void test_gain_step(void **state)
{
    (void)state;
    const channel c = {0.1, 0.005};
    bench *b = make_bench(false);
    double expected;
    grid_error(b, &c, 0.01, &expected);
    float complex *before = malloc(b->grid.points * sizeof *before),
                  *after = malloc(b->grid.points * sizeof *after);
    assert_true(before && after);
    float error = 10, scaled = 1000;
    assert_true(dvbt2_time_variation_estimate(&b->variation, LAST - 4, &error, before));
    dvbt2_time_variation_scale(&b->variation, 3);
    assert_true(dvbt2_time_variation_estimate(&b->variation, LAST - 4, &scaled, after));
    assert_true(fabsf(scaled / error / 9 - 1) < 1e-3f);
    for (uint32_t i = 0; i < b->grid.points; i++)
        assert_true(cabsf(after[i] - 3 * before[i]) < 1e-3f);
    dvbt2_time_variation_forget(&b->variation);
    assert_false(dvbt2_time_variation_estimate(&b->variation, LAST - 4, &scaled, after));
    free(before);
    free(after);
    free_bench(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_filter),
        cmocka_unit_test(test_speed_unknown),
        cmocka_unit_test(test_short_delays),
        cmocka_unit_test(test_long_delays),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_gain_step),
        cmocka_unit_test(test_carrier_and_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
