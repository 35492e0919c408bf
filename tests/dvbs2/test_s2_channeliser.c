/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the channeliser against a direct filter. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <volk/volk.h>

#include "dvbs2/support/sender.h"
#include "receiver/channeliser.h"
#include "receiver/kaiser.h"

static const double pi = 3.14159265358979323846;

/* Returns the output of the ideal channel at a time: low-pass filter around the carrier, and its centre moved to 0 Hz. */
static double complex direct(const rx_channeliser *c, const rx_channel *channel, double frequency,
                             const float complex *samples, double time)
{
    const double half = c->fft / 16, beta = 0.1102 * (70 - 8.7), cut = channel->rate / c->rate;
    double complex sum = 0;
    for (long i = (long)ceil(time - half); i <= (long)floor(time + half); i++) {
        const double t = time - (double)i, x = t == 0 ? 1 : sin(pi * cut * t) / (pi * cut * t);
        sum += (double complex)samples[i] * cut * x * rx_kaiser(t / half, beta) / rx_kaiser(0, beta) *
               cexp(2 * pi * I * frequency / c->rate * t);
    }
    return sum * cexp(-2 * pi * I * remainder(channel->centre / c->rate * time, 1));
}

/* The outputs of a channel differ from the direct filter by a constant phase, and otherwise by less than -60 dB. */
static void check_channel(const rx_channeliser *c, const rx_channel *channel, double frequency,
                          const float complex *samples, size_t blocks)
{
    float complex *spectrum = rx_channeliser_allocate(c->fft),
                  *work = rx_channeliser_allocate(2 * (size_t)c->fft);
    const size_t outputs = rx_channel_outputs(c, channel);
    double complex phase = 0;
    double power = 0, error = 0;
    for (size_t b = 0; b < blocks; b++) {
        const float complex *block = samples + b * c->hop;
        rx_channeliser_transform(c, block, work, spectrum);
        const float complex *out = rx_channeliser_outputs(c, channel, spectrum, work);
        for (size_t i = 0; i < outputs; i += i < 4 || i + 4 >= outputs ? 1 : 13) {
            const double time = (double)(b * c->hop + c->margin) + (double)i * c->rate / channel->rate;
            const double complex ideal = direct(c, channel, frequency, samples, time),
                                 got = (double complex)out[i];
            if (phase == 0)
                phase = got / ideal / cabs(got / ideal);
            power += pow(cabs(ideal), 2);
            error += pow(cabs(got - ideal * phase), 2);
        }
    }
    assert_true(error < 1e-6 * power);
    volk_free(spectrum);
    volk_free(work);
}

static void test_channels(void **state)
{
    (void)state;
    static const rx_channel_band bands[] = {
        {0,      0.02}, /* 1 Hz is the sample rate */
        {0.1234, 0.05},
        {-0.31,  0.01},
        {0.47,   0.02}, /* near the end of the band */
        {-0.5,   0.03},
        {0.05,   0.2 },
    };
    enum { BLOCKS = 3, BANDS = sizeof bands / sizeof *bands };
    rx_channeliser c;
    assert_true(rx_channeliser_init(&c, LDPC_CF32, 1, 0.05, bands, BANDS));
    assert_int_equal(c.hop + 2 * c.margin, c.fft);
    const size_t count = (BLOCKS - 1) * (size_t)c.hop + c.fft;
    float complex *samples = malloc(count * sizeof *samples);
    assert_non_null(samples);
    for (size_t i = 0; i < count; i++)
        samples[i] = noise(0.1);
    for (size_t i = 0; i < BANDS; i++) {
        assert_true(c.channels[i].rate >= 2 * bands[i].pass);
        assert_true(fabs(c.channels[i].centre - bands[i].frequency) <= 4.01 / c.fft);
        check_channel(&c, &c.channels[i], bands[i].frequency, samples, BLOCKS);
    }
    free(samples);
    rx_channeliser_free(&c);
}

/* A channel as wide as the band passes all samples. */
static void test_a_channel_of_the_whole_band(void **state)
{
    (void)state;
    static const rx_channel_band band = {0, 0.49};
    rx_channeliser c;
    assert_true(rx_channeliser_init(&c, LDPC_CF32, 1, 1, &band, 1));
    assert_int_equal(c.channels[0].size, c.fft);
    float complex *samples = rx_channeliser_allocate(c.fft), *spectrum = rx_channeliser_allocate(c.fft),
                  *work = rx_channeliser_allocate(2 * (size_t)c.fft);
    for (size_t i = 0; i < c.fft; i++)
        samples[i] = noise(1);
    rx_channeliser_transform(&c, samples, work, spectrum);
    const float complex *out = rx_channeliser_outputs(&c, &c.channels[0], spectrum, work);
    for (size_t i = 0; i < c.hop; i++)
        assert_true(cabsf(out[i] - samples[c.margin + i]) < 1e-5f);
    volk_free(samples);
    volk_free(spectrum);
    volk_free(work);
    rx_channeliser_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_channels),
        cmocka_unit_test(test_a_channel_of_the_whole_band),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
