/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests stages of the receiver with synthetic signals: resampler, guard interval, Wiener filter, impulse
 * response, kernels, outputs. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "dvbt2/frame/guard.h"
#include "dvbt2/channel/impulse.h"
#include "receiver/kernels.h"
#include "dvbt2/frame/cell_queue.h"
#include "receiver/resampler.h"
#include "receiver/samples.h"
#include "dvbt2/support/synthetic.h"
#include "dvbt2/channel/wiener.h"

static const double rate = 64e6 / 7;

/* ---- resampler */

enum { TONE = 60000 };

/* Resamples a tone. Returns the error of the result. If `expected` is false, returns the remaining power of
 * the tone. */
static double resampled_tone(double input_rate, double ppm, double carrier, double hertz, bool expected)
{
    static float complex in[TONE], out[4 * TONE];
    rx_resampler r;
    const rx_resampler_params params = {.format = LDPC_CF32,
                                        .input_rate = input_rate,
                                        .output_rate = rate,
                                        .occupied = rate * 27841 / 32768,
                                        .most_ppm = 2500,
                                        .most_back = 8192};
    assert_true(rx_resampler_init(&r, &params));
    r.imbalance.memory = 0;
    rx_resampler_set_clock(&r, ppm);
    rx_resampler_set_carrier(&r, carrier);
    for (int n = 0; n < TONE; n++)
        in[n] = phasor((hertz + carrier) / input_rate * n);
    size_t done = 0, count = 0, got;
    while (done < TONE) {
        done += rx_resampler_write(&r, in + done, TONE - done);
        while ((got = rx_resampler_read(&r, out + count, 777)) > 0)
            count += got;
    }
    double step = r.step, error = 0;
    const size_t first = r.taps; /* zeros precede the first sample */
    rx_resampler_free(&r);
    assert_in_range(count, (size_t)((TONE - 400) / step), (size_t)(TONE / step));
    for (size_t n = first; n < count; n++) {
        float complex right = expected ? phasor(hertz / input_rate * step * (double)n) : 0;
        error += (double)rx_power(out[n] - right) / (double)(count - first);
    }
    return decibel(error);
}

static void test_resampler(void **state)
{
    (void)state;
    static const double rates[] = {8e6, 64e6 / 7, 9.2e6, 10e6, 20e6, 25e6};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (double f = -3.8e6; f <= 3.9e6; f += 1.9e6) {
            assert_true(resampled_tone(rates[i], 0, 0, f, true) < -50);
            assert_true(resampled_tone(rates[i], 100, 123456, f, true) < -50);
        }
    /* adjacent channel */
    assert_true(resampled_tone(20e6, 0, 0, 4.5e6, false) < -55);
    assert_true(resampled_tone(20e6, 0, 0, -8e6, false) < -55);
}

static void test_formats(void **state)
{
    (void)state;
    static const int16_t wide[2] = {16384, -32768};
    static const int8_t narrow[2] = {64, -128};
    static const uint8_t offset[2] = {191, 0};
    const struct {
        ldpc_sample_format format;
        const void *sample;
        float re, im;
    } cases[] = {
        {LDPC_CS16, wide,   0.5F,        -1           },
        {LDPC_CS8,  narrow, 0.5F,        -1           },
        {LDPC_CU8,  offset, 63.5F / 128, -127.5F / 128}
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float out[2];
        rx_samples_to_float(cases[i].format, cases[i].sample, 1, out);
        assert_float_equal(out[0], cases[i].re, 1e-6);
        assert_float_equal(out[1], cases[i].im, 1e-6);
    }
    assert_int_equal(rx_format_bytes((ldpc_sample_format)17), 0);
}

static void test_imbalance(void **state)
{
    (void)state;
    enum { COUNT = 4096, CALLS = 400 };
    static float complex clean[COUNT], y[COUNT];
    rx_imbalance imbalance;
    rx_imbalance_init(&imbalance, 10e6);
    double error = 0;
    for (int call = 0; call < CALLS; call++) {
        for (int n = 0; n < COUNT; n++) {
            clean[n] = noise(1);
            y[n] = clean[n] + rx_mul(rx_cplx(0.05F, -0.03F), conjf(clean[n])) + rx_cplx(0.2F, 0.1F);
        }
        rx_imbalance_correct(&imbalance, rx_kernels_best(), (float *)y, COUNT);
        for (int n = 0; n < COUNT && call >= CALLS - 20; n++)
            error += (double)rx_power(y[n] - clean[n]) / (20 * COUNT);
    }
    assert_true(decibel(error) < -45);
    assert_float_equal(decibel(imbalance.power), decibel(1 + 0.05), 0.2);
    rx_imbalance_init(&imbalance, 10e6);
    for (int n = 0; n < COUNT; n++)
        y[n] = clean[n];
    rx_imbalance_correct(&imbalance, rx_kernels_best(), (float *)y, COUNT);
    assert_memory_equal(y, clean, sizeof y);
}

/* ---- guard interval */

/* turn: mean carrier offset, cycles per useful part. drift: change of the offset per symbol. step: jump of
 * the offset in the middle of the symbols. */
static void check_guard_intervals(double turn, double drift, double step)
{
    const dvbt2_fft_size fft = DVBT2_FFT_4K;
    const uint32_t length = 4096, count = dvbt2_guard_samples(fft) + 2 * length;
    float complex *samples = malloc(count * sizeof *samples);
    assert_non_null(samples);
    for (unsigned g = 0; g < DVBT2_GUARD_INTERVALS; g++) {
        uint32_t guard = dvbt2_guard_length(fft, (dvbt2_guard_interval)g);
        if (!guard)
            continue;
        const uint32_t symbol = length + guard;
        for (uint32_t n = 0; n < count; n++) {
            samples[n] = noise(1);
            if (n % symbol >= length) /* cyclic prefix */
                samples[n - length] = samples[n];
        }
        const double middle = dvbt2_guard_symbols(fft) * symbol / 2.0;
        for (uint32_t n = 0; n < count; n++) {
            const double late = n - middle, bend = drift / symbol * late / 2;
            samples[n] =
                rx_mul(samples[n], phasor((turn + bend + copysign(step, late) / 2) / length * late)) +
                noise(0.5);
        }
        /* the guard interval precedes the first symbol */
        dvbt2_guard_result result;
        assert_true(dvbt2_guard_find(samples, fft, 0x7f, &result));
        assert_int_equal(result.guard, g);
        assert_float_equal(result.fraction, turn, 0.03);
        assert_float_equal(result.drift, drift, drift / 5);
        assert_int_equal(result.lag, length);
        assert_float_equal(result.clock_ppm, 0, 60);
    }
    for (uint32_t n = 0; n < count; n++)
        samples[n] = noise(1);
    dvbt2_guard_result result;
    assert_false(dvbt2_guard_find(samples, fft, 0x7f, &result));
    free(samples);
}

static void test_guard_interval(void **state)
{
    (void)state;
    check_guard_intervals(0.2, 0, 0);
    check_guard_intervals(0.2, 0.02, 0);
    check_guard_intervals(0.2, 0, 0.2); /* a step is not a drift */
}

/* ---- channel */

/* Two paths, with delays as fractions of the symbol. */
static float complex two_paths(double k, double first, double second)
{
    return 0.8F * phasor(-k * first) + 0.6F * phasor(-k * second + 0.3);
}

static void test_wiener(void **state)
{
    (void)state;
    static const uint32_t distances[] = {3, 6, 12, 24};
    const uint32_t carriers = 6817;
    float complex *grid = malloc(carriers * sizeof *grid), *out = malloc((carriers + 64) * sizeof *out);
    assert_true(grid && out);
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        dvbt2_wiener w;
        assert_true(dvbt2_wiener_init(&w, distances[i], 0, carriers));
        double spread = 0.7 / distances[i];
        dvbt2_wiener_design(&w, spread, 1e-3);
        for (uint32_t p = 0; p < w.points; p++)
            grid[p] = two_paths(p * (double)distances[i], -0.48 * spread, 0.48 * spread) + noise(1e-3);
        dvbt2_wiener_run(&w, grid, out);
        double error = 0;
        for (uint32_t k = 0; k < carriers; k++)
            error += (double)rx_power(out[k] - two_paths(k, -0.48 * spread, 0.48 * spread)) / carriers;
        assert_true(decibel(error) < -30);
        assert_float_equal(decibel(error), decibel(1e-3 * (double)w.noise_gain), 1.5);
        dvbt2_wiener_free(&w);
    }
    free(grid);
    free(out);
}

/* Two paths at the ends of the delay range. Pilots are on every 12th carrier. */
static void test_wiener_measured(void **state)
{
    (void)state;
    const uint32_t length = 8192, carriers = 6817, distance = 12, fine = 3,
                   points = (carriers - 1) / fine + 1;
    const double side = 0.49 / distance;
    float complex *grid = malloc(carriers * sizeof *grid), *out = malloc((carriers + 64) * sizeof *out);
    dvbt2_impulse impulse;
    dvbt2_delays readings[DVBT2_READINGS];
    dvbt2_wiener w;
    assert_true(grid && out && dvbt2_impulse_init(&impulse, length, fine, points));
    for (uint32_t i = 0; i < points; i++)
        grid[i] = two_paths((double)i * fine, -side, side) + noise(1e-3);
    dvbt2_impulse_compute(&impulse, grid, false);
    assert_true(dvbt2_impulse_delays(&impulse, length / distance, 1, readings) > 0);
    assert_float_equal(readings[0].paths, 2 * side * length, 1);
    assert_true(dvbt2_wiener_init(&w, distance, 0, carriers));
    for (uint32_t p = 0; p < w.points; p++)
        grid[p] = two_paths((double)p * distance, -side, side) + noise(1e-3);
    double error[2] = {0, 0};
    for (int measured = 0; measured < 2; measured++) {
        dvbt2_impulse_correlation(&impulse, &readings[0], w.correlation, w.lags);
        if (measured)
            dvbt2_wiener_design_measured(&w, 1e-3);
        else
            dvbt2_wiener_design(&w, 2 * side, 1e-3);
        dvbt2_wiener_run(&w, grid, out);
        for (uint32_t k = 0; k < carriers; k++)
            error[measured] += (double)rx_power(out[k] - two_paths(k, -side, side)) / carriers;
    }
    print_message("error %.1f dB, with filters for an even response %.1f dB\n", decibel(error[1]),
                  decibel(error[0]));
    assert_true(decibel(error[1]) < -30);
    assert_true(decibel(error[0]) > -20);
    assert_float_equal(decibel(error[1]), decibel(1e-3 * (double)w.noise_gain), 2);
    dvbt2_wiener_free(&w);
    dvbt2_impulse_free(&impulse);
    free(grid);
    free(out);
}

static void test_impulse_response(void **state)
{
    (void)state;
    const uint32_t length = 8192, distance = 3, points = 2273, guard = 1024;
    float complex *grid = malloc(points * sizeof *grid);
    dvbt2_impulse impulse;
    dvbt2_delays readings[DVBT2_READINGS];
    assert_true(grid && dvbt2_impulse_init(&impulse, length, distance, points));
    for (uint32_t i = 0; i < points; i++)
        grid[i] = two_paths((double)i * distance, -100.0 / length, 500.0 / length) + noise(0.01);
    dvbt2_impulse_compute(&impulse, grid, false);
    assert_int_equal(dvbt2_impulse_delays(&impulse, guard, 1, readings), 1);
    assert_float_equal(readings[0].first, -100, 5);
    assert_float_equal(readings[0].last, 500, 5);
    assert_float_equal(readings[0].middle, 200, 5);
    assert_float_equal(decibel(readings[0].noise), -20, 0.7);
    assert_float_equal(decibel(readings[0].signal), 0, 0.2);
    for (uint32_t i = 0; i < points; i++)
        grid[i] = two_paths((double)i * distance, -100.0 / length, 500.0 / length) + noise(0.01);
    dvbt2_impulse_compute(&impulse, grid, true);
    assert_int_equal(dvbt2_impulse_delays(&impulse, guard, 2, readings), 1);
    assert_float_equal(decibel(readings[0].noise), -20, 0.7);
    assert_float_equal(decibel(readings[0].signal), 0, 0.2);
    for (uint32_t i = 0; i < points; i++)
        grid[i] = two_paths((double)i * distance, 0, 1700.0 / length) + noise(0.01);
    dvbt2_impulse_compute(&impulse, grid, false);
    assert_int_equal(dvbt2_impulse_delays(&impulse, 2048, 1, readings), 2);
    dvbt2_impulse_free(&impulse);
    free(grid);
}

/* ---- kernels */

enum { WIDTH = 48, TAPS = 32, OUTPUTS = 200 };

static void fill(float *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        x[i] = (float)(uniform() - 0.5);
}

static void assert_close(const float *a, const float *b, size_t count, double scale)
{
    for (size_t i = 0; i < count; i++)
        assert_true(fabs((double)(a[i] - b[i])) < 1e-5 * scale);
}

/* Computes OUTPUTS outputs of the resampling kernel according to its definition. */
static void filter_directly(const float *re, const float *im, const float *filter, double position,
                            double step, float *out)
{
    for (int i = 0; i < OUTPUTS; i++) {
        const double at = position + i * step;
        const size_t first = (size_t)at, phase = (size_t)((at - (double)first) * RX_PHASES + 0.5);
        out[2 * i] = out[2 * i + 1] = 0;
        for (size_t t = 0; t < TAPS; t++) {
            out[2 * i] += filter[phase * TAPS + t] * re[first + t];
            out[2 * i + 1] += filter[phase * TAPS + t] * im[first + t];
        }
    }
}

static void test_kernels_agree(void **state)
{
    (void)state;
    static float re[1000], im[1000], filter[(RX_PHASES + 1) * TAPS], taps[WIDTH * TAPS];
    static float a[2 * OUTPUTS], b[2 * OUTPUTS], noise_a[OUTPUTS], noise_b[OUTPUTS];
    static float complex y[OUTPUTS], h[OUTPUTS];
    static float more[OUTPUTS]; /* additional noise of each carrier */
    uint16_t carrier[OUTPUTS];
    static const double steps[] = {1.17, 1, 1.0001, 0.9999};
    fill(more, OUTPUTS);
    fill(re, 1000);
    fill(im, 1000);
    fill(filter, (RX_PHASES + 1) * TAPS);
    fill(taps, WIDTH * TAPS);
    fill((float *)y, 2 * OUTPUTS);
    fill((float *)h, 2 * OUTPUTS);
    for (int i = 0; i < OUTPUTS; i++)
        more[i] = fabsf(more[i]);
    for (int i = 0; i < OUTPUTS; i++)
        carrier[i] = (uint16_t)(i * 7 % OUTPUTS);
    const rx_kernels *first = rx_kernels_list(0), *k;
    assert_non_null(first);
    for (size_t i = 0; (k = rx_kernels_list(i)); i++) {
        for (size_t j = 0; j < sizeof steps / sizeof *steps; j++) {
            const double end = k->resample(re, im, filter, TAPS, 0.305, steps[j], b, OUTPUTS);
            assert_float_equal(end, 0.305 + OUTPUTS * steps[j], 1e-9);
            filter_directly(re, im, filter, 0.305, steps[j], a);
            assert_close(a, b, 2 * OUTPUTS, TAPS);
        }
        for (uint32_t width = 24; width <= WIDTH; width += 24) {
            first->interpolate(y, taps, TAPS, width, (float complex *)a);
            k->interpolate(y, taps, TAPS, width, (float complex *)b);
            assert_close(a, b, 2 * width, TAPS);
        }
        first->equalise(y, h, 0.5F, more, carrier, OUTPUTS, (float complex *)a, noise_a);
        k->equalise(y, h, 0.5F, more, carrier, OUTPUTS, (float complex *)b, noise_b);
        assert_float_equal(noise_b[3], (0.5F + more[carrier[3]]) / rx_power(h[carrier[3]]),
                           1e-3F * noise_b[3]);
        assert_float_equal(cabsf(((float complex *)b)[3] * h[carrier[3]] - y[carrier[3]]), 0, 1e-5);
        for (int j = 0; j < OUTPUTS; j++) {
            assert_float_equal(a[2 * j] / b[2 * j], 1, 1e-3);
            assert_float_equal(noise_a[j] / noise_b[j], 1, 1e-3);
        }
        double sums[2][5];
        first->moments((float *)y, OUTPUTS - 3, sums[0]);
        k->moments((float *)y, OUTPUTS - 3, sums[1]);
        for (int j = 0; j < 5; j++)
            assert_float_equal(sums[0][j], sums[1][j], 1e-4);
        memcpy(a, y, sizeof y);
        memcpy(b, y, sizeof y);
        first->correct(a, OUTPUTS, rx_cplx(0.1F, 0.2F), rx_cplx(-0.1F, 0.3F));
        k->correct(b, OUTPUTS, rx_cplx(0.1F, 0.2F), rx_cplx(-0.1F, 0.3F));
        assert_close(a, b, 2 * OUTPUTS, 1);
        first->mix((float *)y, OUTPUTS - 5, 0.7, -0.3, a, a + OUTPUTS);
        k->mix((float *)y, OUTPUTS - 5, 0.7, -0.3, b, b + OUTPUTS);
        assert_close(a, b, OUTPUTS - 5, 1);
        assert_close(a + OUTPUTS, b + OUTPUTS, OUTPUTS - 5, 1);
        float complex mixed = rx_mul(y[100], phasor((0.7 - 30) / (2 * RX_PI)));
        assert_float_equal(cabsf(rx_cplx(b[100], b[OUTPUTS + 100]) - mixed), 0, 1e-5);
        memcpy(a, y, sizeof y);
        memcpy(b, y, sizeof y);
        first->straighten((float complex *)a, OUTPUTS, 1, 0.01);
        k->straighten((float complex *)b, OUTPUTS, 1, 0.01);
        assert_close(a, b, 2 * OUTPUTS, 1);
        assert_float_equal(cabsf(((float complex *)b)[150] - rx_mul(y[150], phasor(2.5 / (2 * RX_PI)))), 0,
                           1e-5);
        const float complex three[3] = {rx_cplx(0.1f, 0.2f), rx_cplx(0.8f, -0.1f), rx_cplx(-0.3f, 0.05f)};
        first->filter(y, three, 3, OUTPUTS - 16, (float complex *)a);
        k->filter(y, three, 3, OUTPUTS - 16, (float complex *)b);
        assert_close(a, b, 2 * (OUTPUTS - 16), 1);
        assert_float_equal(cabsf(((float complex *)b)[150] - rx_mul(three[0], y[150]) -
                                 rx_mul(three[1], y[151]) - rx_mul(three[2], y[152])),
                           0, 1e-5);
    }
}

/* ---- outputs */

static void test_output(void **state)
{
    (void)state;
    float complex cells[60];
    float noise_of[60], iq[200], noise_out[100];
    dvbt2_cell_queue output;
    dvbt2_plp_frame info = {.frame = 5, .cells = 100}, got;
    uint32_t first;
    for (int i = 0; i < 60; i++) {
        cells[i] = rx_cplx((float)i, 1);
        noise_of[i] = 2;
    }
    assert_true(dvbt2_cell_queue_init(&output, 64));
    assert_int_equal(dvbt2_cell_queue_pull(&output, 100, iq, noise_out, &got, &first), 0);
    for (int round = 0; round < 3; round++) {
        dvbt2_cell_queue_begin(&output, &info);
        assert_true(dvbt2_cell_queue_has_room(&output, 60));
        dvbt2_cell_queue_write(&output, cells, noise_of, 60);
        assert_false(dvbt2_cell_queue_has_room(&output, 5));
        assert_int_equal(dvbt2_cell_queue_pull(&output, 25, iq, noise_out, &got, &first), 25);
        assert_int_equal(first, 0);
        dvbt2_cell_queue_write(&output, cells, noise_of, 20);
        assert_int_equal(dvbt2_cell_queue_pull(&output, 100, iq, noise_out, &got, &first), 55);
        assert_int_equal(first, 25);
        assert_int_equal(got.frame, 5);
        for (int i = 0; i < 55; i++)
            assert_float_equal(iq[2 * i], i < 35 ? 25 + i : i - 35, 0);
        assert_int_equal(dvbt2_cell_queue_pull(&output, 100, iq, noise_out, &got, &first), 0);
        dvbt2_cell_queue_complete(&output); /* the remaining cells were lost */
        assert_int_equal(dvbt2_cell_queue_pull(&output, 100, iq, noise_out, &got, &first), 20);
        assert_int_equal(first, 80);
        assert_float_equal(noise_out[19], 0, 0);
        assert_int_equal(dvbt2_cell_queue_pull(&output, 100, iq, noise_out, &got, &first), 0);
    }
    info.cells = 20;
    dvbt2_cell_queue_begin(&output, &info);
    dvbt2_cell_queue_write(&output, cells, noise_of, 20);
    assert_int_equal(dvbt2_cell_queue_pull(&output, 100, iq, noise_out, &got, &first), 20);
    dvbt2_cell_queue_complete(&output);
    info.frame = 6;
    dvbt2_cell_queue_begin(&output, &info);
    dvbt2_cell_queue_write(&output, cells, noise_of, 15);
    assert_int_equal(dvbt2_cell_queue_pull(&output, 100, iq, noise_out, &got, &first), 15);
    assert_int_equal(got.frame, 6);
    assert_int_equal(first, 0);
    dvbt2_cell_queue_free(&output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resampler),        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_imbalance),        cmocka_unit_test(test_guard_interval),
        cmocka_unit_test(test_wiener),           cmocka_unit_test(test_wiener_measured),
        cmocka_unit_test(test_impulse_response), cmocka_unit_test(test_kernels_agree),
        cmocka_unit_test(test_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
