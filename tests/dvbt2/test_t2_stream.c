/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "receiver/complex.h"
#include "receiver/stream.h"
#include "dvbt2/support/synthetic.h"

enum { INPUT = 600000, PIECE = 7000, RING = 1 << 22, SPAN = 8192, MOST_BACK = 8192, MOST_PPM = 2500 };

static const double rate = 64e6 / 7, occupied = 64e6 / 7 * 27841 / 32768;

typedef struct tone {
    double input_rate, hertz, drift; /* frequency at the first sample, Hz; change of the frequency, Hz/s */
    size_t sent;
    rx_stream stream;
} tone;

static void tone_open(tone *t, double input_rate, double hertz, double drift)
{
    *t = (tone){.input_rate = input_rate, .hertz = hertz, .drift = drift};
    const rx_resampler_params params = {.format = LDPC_CF32,
                                        .input_rate = input_rate,
                                        .output_rate = rate,
                                        .occupied = occupied,
                                        .most_ppm = MOST_PPM,
                                        .most_back = MOST_BACK};
    assert_true(rx_resampler_init(&t->stream.resampler, &params));
    t->stream.resampler.imbalance.memory = 0;
    assert_true(rx_stream_init(&t->stream, RING, SPAN));
}

/* Reads up to sample `end`. */
static void tone_fetch(tone *t, uint64_t end)
{
    static float complex piece[PIECE];
    while (!rx_stream_fetch(&t->stream, end)) {
        for (int n = 0; n < PIECE; n++) {
            const double seconds = (double)(t->sent + (size_t)n) / t->input_rate;
            piece[n] = phasor((t->hertz + t->drift / 2 * seconds) * seconds);
        }
        assert_true(t->sent < INPUT);
        t->sent += rx_resampler_write(&t->stream.resampler, piece, PIECE);
    }
}

static double tone_error(const tone *t, uint64_t from, uint64_t end, double turns)
{
    const rx_stream *s = &t->stream;
    float complex mean = 0;
    double error = 0;
    const double count = (double)(end - from);
    for (uint64_t n = from; n < end; n++)
        mean += rx_mul(rx_stream_at(s, n)[0], phasor(-turns * (double)(n - from))) / (float)count;
    assert_float_equal(rx_power(mean), 1, 0.02);
    for (uint64_t n = from; n < end; n++)
        error += (double)rx_power(rx_stream_at(s, n)[0] - rx_mul(mean, phasor(turns * (double)(n - from))));
    return decibel(error / count);
}

/* Corrects the drifting carrier and the clock offset of an inaccurate radio, starting at a given sample. The
 * tone must be continuous. */
static void test_correct_from(void **state)
{
    (void)state;
    static const double rates[] = {8.2e6, 64e6 / 7, 25e6}, ppms[] = {0, 100, -100, 1000, -1000};
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
        for (size_t i = 0; i < sizeof ppms / sizeof *ppms; i++) {
            const double carrier = 777, drift = 5000, wanted = 3.7e6, ppm = ppms[i];
            const uint64_t from = 12345, there = 80000, end = 200000;
            tone t;
            tone_open(&t, rates[r], wanted + carrier, drift);
            rx_resampler_keep(&t.stream.resampler, RX_BACK); /* as in a frame */
            tone_fetch(&t, there);
            rx_stream_correct_from(&t.stream, from, carrier + drift * (double)from / rate, drift, ppm);
            assert_int_equal(rx_stream_first(&t.stream), from);
            assert_in_range(t.stream.end, there - 300, there + 300);
            tone_fetch(&t, end);
            assert_true(tone_error(&t, from + 100, end, wanted * (1 + 1e-6 * ppm) / rate) < -50);
            rx_stream_free(&t.stream);
        }
}

static void test_retune(void **state)
{
    (void)state;
    const double carrier = 500e3, wanted = 3.7e6;
    const uint64_t there = 60000, from = there - 8000, end = 70000;
    tone t;
    tone_open(&t, 20e6, wanted + carrier, 0);
    tone_fetch(&t, there);
    assert_true(rx_power(rx_stream_at(&t.stream, from)[0]) < 1e-5F);
    assert_false(rx_stream_retune(&t.stream, there / 2, carrier));
    assert_int_equal(t.stream.end, there);
    assert_true(rx_stream_retune(&t.stream, from, carrier));
    tone_fetch(&t, end);
    assert_true(tone_error(&t, from, end, wanted / rate) < -50);
    rx_stream_free(&t.stream);
    tone_open(&t, 20e6, wanted + carrier, 0);
    tone_fetch(&t, 5000);
    assert_true(rx_stream_retune(&t.stream, 0, carrier)); /* first sample of the stream */
    tone_fetch(&t, end);
    assert_true(tone_error(&t, 200, end, wanted / rate) < -50);
    rx_stream_free(&t.stream);
}

static void test_kept(void **state)
{
    (void)state;
    const double hertz = 2e6, ppms[] = {-1000, 0, 1000};
    for (size_t i = 0; i < sizeof ppms / sizeof *ppms; i++) {
        tone t;
        tone_open(&t, 10e6, hertz, 0);
        rx_resampler *r = &t.stream.resampler;
        rx_resampler_set_clock(r, ppms[i]);
        for (uint64_t end = 40000; end <= 240000; end += 40000) {
            const bool few = end / 40000 % 2 == 0;
            rx_resampler_keep(r, few ? RX_BACK : MOST_BACK);
            tone_fetch(&t, end);
            if (few)
                assert_false(rx_stream_retune(&t.stream, end - MOST_BACK - 4 * RX_CHUNK, 0));
            assert_true(rx_stream_retune(&t.stream, end - (few ? RX_BACK : MOST_BACK), 0));
            tone_fetch(&t, end);
        }
        assert_true(tone_error(&t, 1000, 240000, hertz / r->params.output_rate * (1 + 1e-6 * ppms[i])) < -50);
        rx_stream_free(&t.stream);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_correct_from),
        cmocka_unit_test(test_retune),
        cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
