/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "receiver/channeliser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <volk/volk.h>

#include "base/memory.h"
#include "receiver/complex.h"
#include "receiver/fft_plan.h"
#include "receiver/kaiser.h"
#include "receiver/samples.h"

enum {
    OVERLAP = 8,         /* of `fft` samples, one in OVERLAP belongs to both of two blocks */
    GRAIN = 2 * OVERLAP, /* `size` is a multiple: then the margins of a channel are whole outputs */
    LEAST_FFT = 256,
    MOST_FFT = 1 << 18,
    ALIGNMENT = 64,
};

static const double stop_band_db = 70;

/* Lengths of FFTs for which FFTW is fast: factor * 2^n. */
static const uint32_t factors[] = {1, 3, 5, 9, 15};
enum { FACTORS = sizeof factors / sizeof *factors, FORWARD_FACTORS = 3 };
/* Relative cost of FFTs with these factors, and cost of an output for the receiver of the channel, in the unit of one
 * butterfly level of one bin (0.15 ns). */
static const double factor_cost[] = {1, 1.3, 1.3, 1.5, 1.6};
static const double output_cost = 40;

/* ---- lengths */

/* Returns the width of the transition between pass band and stop band, relative to the sample rate. */
static double transition(uint32_t fft)
{
    return (stop_band_db - 7.95) / (14.36 * (fft / OVERLAP));
}

/* Returns the cost of the fastest length of at least `least` that is a multiple of GRAIN. Sets *size to it. */
static double inverse_size(double least, uint32_t *size)
{
    double lowest = INFINITY;
    for (size_t f = 0; f < FACTORS; f++) {
        uint32_t n = GRAIN * factors[f];
        while (n < least)
            n *= 2;
        const double cost = n * (factor_cost[f] * log2(n) + output_cost);
        if (cost < lowest)
            *size = n;
        lowest = fmin(lowest, cost);
    }
    return lowest;
}

/* Returns the length of the inverse FFT of a channel and the cost of its outputs. */
static uint32_t channel_size(uint32_t fft, double rate, const rx_channel_band *band, double *cost)
{
    uint32_t size = fft;
    const double least = (2 * band->pass / rate + transition(fft)) * fft;
    *cost = inverse_size(least, &size);
    return size < fft ? size : fft;
}

/* Returns the cost of an input sample for this length of the forward FFT. */
static double cost_of(uint32_t fft, double factor, double rate, const rx_channel_band *bands, size_t count)
{
    double cost = fft * factor * log2(fft), outputs;
    for (size_t i = 0; i < count; i++) {
        channel_size(fft, rate, &bands[i], &outputs);
        cost += outputs;
    }
    return cost / fft;
}

/* Returns the length of the forward FFT with the lowest cost of a sample. */
static uint32_t forward_size(double rate, double most_transition, const rx_channel_band *bands, size_t count)
{
    double lowest = INFINITY;
    uint32_t best = MOST_FFT;
    for (size_t f = 0; f < FORWARD_FACTORS; f++)
        for (uint32_t n = LEAST_FFT * factors[f]; n <= MOST_FFT; n *= 2) {
            const double cost = cost_of(n, factor_cost[f], rate, bands, count);
            if (cost < lowest && transition(n) * rate <= most_transition)
                best = n;
            lowest = best == n ? cost : lowest;
        }
    return best;
}

/* ---- filters */

/* Writes the frequency response of a low-pass filter, moved by `shift` bins. cut: half of its width in bins */
static void fill_filter(const rx_channeliser *c, rx_channel *channel, double cut, double shift,
                        float complex *work)
{
    const int32_t n = (int32_t)c->fft, half = n / OVERLAP / 2;
    const double beta = 0.1102 * (stop_band_db - 8.7);
    double sum = 0;
    memset(work, 0, c->fft * sizeof *work);
    for (int32_t t = -half; t <= half; t++) {
        const double x = RX_PI * t / n, tap = (t == 0 ? 1 : sin(2 * cut * x) / (2 * cut * x)) *
                                              rx_kaiser((double)t / half, beta);
        work[(t + n) % n] = rx_cplx((float)(tap * cos(2 * shift * x)), (float)(tap * sin(2 * shift * x)));
        sum += tap;
    }
    fftwf_execute_dft(c->forward, work, work + c->fft);
    for (int32_t k = channel->first; k < channel->last; k++)
        channel->filter[k - channel->first] =
            crealf(work[c->fft + (uint32_t)((k + 2 * n) % n)]) / (float)(sum * n);
}

static bool init_channel(rx_channeliser *c, rx_channel *channel, const rx_channel_band *band,
                         float complex *work)
{
    double cost;
    const double bin = c->rate / c->fft, middle = OVERLAP * round(band->frequency / bin / OVERLAP);
    channel->size = channel_size(c->fft, c->rate, band, &cost);
    channel->rate = c->rate * channel->size / c->fft;
    channel->middle = (int32_t)middle;
    channel->centre = middle * bin;
    const bool whole = channel->size == c->fft;
    const double shift = band->frequency / bin - middle,
                 stop = channel->size / 2.0 + transition(c->fft) * c->fft / 2;
    channel->first = whole ? -(int32_t)(c->fft / 2) : (int32_t)floor(shift - stop);
    channel->last = whole ? (int32_t)(c->fft / 2) : (int32_t)ceil(shift + stop);
    if (channel->last - channel->first > (int32_t)c->fft)
        channel->last = channel->first + (int32_t)c->fft;
    channel->filter =
        volk_malloc((size_t)(channel->last - channel->first) * sizeof *channel->filter, ALIGNMENT);
    channel->inverse = rx_fft_plan_fast((int)channel->size, work, work + channel->size, FFTW_BACKWARD);
    if (!channel->filter || !channel->inverse)
        return false;
    if (!whole)
        fill_filter(c, channel, channel->size / 2.0, shift, work);
    for (int32_t k = channel->first; whole && k < channel->last; k++)
        channel->filter[k - channel->first] = 1 / (float)c->fft;
    return true;
}

bool rx_channeliser_init(rx_channeliser *c, ldpc_sample_format format, double rate, double most_transition,
                         const rx_channel_band *bands, size_t count)
{
    *c = (rx_channeliser){.format = format,
                          .rate = rate,
                          .fft = forward_size(rate, most_transition, bands, count),
                          .count = count};
    c->margin = c->fft / GRAIN;
    c->hop = c->fft - 2 * c->margin;
    float complex *work = rx_channeliser_allocate(2 * (size_t)c->fft);
    c->channels = ldpc_allocate(count, sizeof *c->channels);
    if (work)
        c->forward = rx_fft_plan_fast((int)c->fft, work, work + c->fft, FFTW_FORWARD);
    bool good = c->forward && c->channels;
    for (size_t i = 0; good && i < count; i++)
        good = init_channel(c, &c->channels[i], &bands[i], work);
    volk_free(work);
    return good;
}

void rx_channeliser_free(rx_channeliser *c)
{
    for (size_t i = 0; c->channels && i < c->count; i++) {
        volk_free(c->channels[i].filter);
        rx_fft_destroy(c->channels[i].inverse);
    }
    free(c->channels);
    rx_fft_destroy(c->forward);
    *c = (rx_channeliser){0};
}

/* ---- blocks */

float complex *rx_channeliser_allocate(size_t count)
{
    return count < SIZE_MAX / sizeof(float complex) ? volk_malloc(count * sizeof(float complex), ALIGNMENT)
                                                    : NULL;
}

void rx_channeliser_transform(const rx_channeliser *c, const void *samples, float complex *work,
                              float complex *spectrum)
{
    rx_samples_to_float(c->format, samples, c->fft, (float *)work);
    fftwf_execute_dft(c->forward, work, spectrum);
}

const float complex *rx_channeliser_outputs(const rx_channeliser *c, const rx_channel *channel,
                                            const float complex *spectrum, float complex *work)
{
    const int32_t n = (int32_t)c->fft, size = (int32_t)channel->size, whole = channel->first + size;
    float complex *out = work + channel->size;
    for (int32_t k = channel->first, count; k < channel->last; k += count) {
        const int32_t bin = (channel->middle + k + 2 * n) % n, place = (k + 2 * size) % size;
        const float *filter = channel->filter + (k - channel->first);
        count = (k < whole ? whole : channel->last) - k;
        count = count < n - bin ? count : n - bin;
        count = count < size - place ? count : size - place;
        if (k < whole)
            volk_32fc_32f_multiply_32fc(work + place, spectrum + bin, filter, (unsigned)count);
        else /* aliases, outside of the pass band */
            for (int32_t i = 0; i < count; i++)
                work[place + i] += spectrum[bin + i] * filter[i];
    }
    fftwf_execute_dft(channel->inverse, work, out);
    return out + channel->size / GRAIN;
}
