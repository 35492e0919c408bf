/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/scan/band.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/complex.h"
#include "receiver/fft_plan.h"
#include "receiver/samples.h"

enum {
    LEAST_BINS = 512,
    MOST_BINS = 1 << 17,
    LEAST_SEGMENTS = 32, /* segments in the average, if there are enough samples */
    CELLS = 256,         /* of the band, in which the lowest power is searched */
};

static const float most_amplitude = 1e9f; /* larger numbers and NaN are not samples */
/* Maximum width of a bin of the spectrum: in Hz, and relative to the lowest symbol rate. */
static const double widest_bin = 500, widest_share = 1.0 / 60;

/* ---- spectrum */

static size_t bins_for(double rate, double least_rate, size_t count)
{
    const double widest = fmin(widest_bin, widest_share * least_rate);
    size_t bins = LEAST_BINS;
    while (bins < MOST_BINS && rate / (double)bins > widest && bins * LEAST_SEGMENTS <= count)
        bins *= 2;
    return bins;
}

static size_t add_segments(dvbs2_band *band, fftwf_plan plan, float complex *work, const float *window)
{
    const size_t bins = band->bins;
    size_t segments = 0;
    for (size_t at = 0; at + bins <= band->count; at += bins / 2, segments++) {
        for (size_t i = 0; i < bins; i++)
            work[i] = window[i] * band->samples[at + i];
        fftwf_execute(plan);
        for (size_t i = 0; i < bins; i++)
            band->power[(i + bins / 2) % bins] += rx_power(work[i]);
    }
    return segments;
}

static bool measure(dvbs2_band *band, double least_rate)
{
    band->bins = bins_for(band->rate, least_rate, band->count);
    band->power = ldpc_allocate(band->bins, sizeof *band->power);
    band->before = ldpc_allocate(band->bins, sizeof *band->before);
    float *window = ldpc_allocate(band->bins, sizeof *window);
    float complex *work = fftwf_alloc_complex(band->bins);
    fftwf_plan plan = work ? rx_fft_plan((int)band->bins, work, work, FFTW_FORWARD) : NULL;
    const bool made = band->power && band->before && window && plan;
    if (made) {
        for (size_t i = 0; i < band->bins; i++) /* Hann */
            window[i] = 0.5f - 0.5f * (float)cos(2 * RX_PI * ((double)i + 0.5) / (double)band->bins);
        const size_t segments = add_segments(band, plan, work, window);
        band->spread = 1 / sqrt(fmax(1, 0.95 * (double)segments)); /* segments overlap by half */
        for (size_t i = 0; i < band->bins; i++)
            band->power[i] /= (float)(0.375 * (double)(segments * band->bins));
        memcpy(band->before, band->power, band->bins * sizeof *band->before);
        band->floor = INFINITY;
        for (int i = 0; i < CELLS; i++) {
            const double cell = band->rate / CELLS, from = i * cell - band->rate / 2;
            band->floor = fmin(band->floor, dvbs2_band_power(band, from, from + cell));
        }
    }
    rx_fft_destroy(plan);
    fftwf_free(work);
    free(window);
    return made;
}

/* Removes DC and invalid samples, and sets the mean power to 1. */
static void normalise(dvbs2_band *band)
{
    double re = 0, im = 0, power = 0;
    for (size_t i = 0; i < band->count; i++) {
        float complex *x = &band->samples[i];
        if (!(fabsf(crealf(*x)) < most_amplitude && fabsf(cimagf(*x)) < most_amplitude))
            *x = 0;
        re += (double)crealf(*x);
        im += (double)cimagf(*x);
        power += (double)rx_power(*x);
    }
    const double count = (double)band->count;
    band->level = power / count;
    const float complex mean = rx_cplx((float)(re / count), (float)(im / count));
    const float scale = power > 0 ? (float)sqrt(count / power) : 1;
    for (size_t i = 0; i < band->count; i++)
        band->samples[i] = scale * (band->samples[i] - mean);
}

bool dvbs2_band_init(dvbs2_band *band, double rate, double least_rate, ldpc_sample_format format,
                     const void *samples, size_t count)
{
    band->rate = rate;
    band->count = count;
    band->samples = fftwf_alloc_complex(count);
    if (!band->samples)
        return false;
    rx_samples_to_float(format, samples, count, (float *)band->samples);
    normalise(band);
    return measure(band, least_rate);
}

static double mean_power(const dvbs2_band *band, const float *power, double from, double to)
{
    const double bin = band->rate / (double)band->bins, middle = (double)band->bins / 2;
    const double first = floor(fmax(0, from / bin + middle)),
                 last = fmin((double)band->bins, to / bin + middle);
    double sum = 0;
    size_t count = 0;
    for (size_t i = (size_t)first; (double)i < last; i++, count++)
        sum += (double)power[i];
    return count ? sum / (double)count : 0;
}

double dvbs2_band_power(const dvbs2_band *band, double from, double to)
{
    return mean_power(band, band->power, from, to);
}

double dvbs2_band_left(const dvbs2_band *band, double from, double to)
{
    const double before = mean_power(band, band->before, from, to);
    return before > 0 ? dvbs2_band_power(band, from, to) / before : 1;
}

/* In one of 1000 bins, more than this many standard deviations of the carrier are left. */
static const double removed_deviations = 3;

void dvbs2_band_remove(dvbs2_band *band, double frequency, double symbol_rate, double roll_off, double signal)
{
    const double most = signal * (1 + removed_deviations * band->spread);
    for (size_t i = 0; i < band->bins; i++) {
        const double f = ((double)i - (double)band->bins / 2) * band->rate / (double)band->bins - frequency;
        const double edge = (fabs(f) / symbol_rate - 0.5) / roll_off; /* raised cosine */
        const double shape = edge <= -0.5 ? 1 : edge >= 0.5 ? 0 : 0.5 - 0.5 * sin(RX_PI * edge);
        const double left = shape < 1 ? (double)band->power[i] - shape * most : 0;
        if (shape > 0)
            band->power[i] = (float)fmax(left, band->floor);
    }
}

void dvbs2_band_free(dvbs2_band *band)
{
    fftwf_free(band->samples);
    fftwf_free(band->spectrum);
    free(band->power);
    free(band->before);
    memset(band, 0, sizeof *band);
}

/* ---- parts */

/* Returns the largest product of 4, 5, 6 or 7 and a power of two that is not above `most`; at least 8. */
static size_t fft_length(double most)
{
    size_t quarter = 2;
    while (8.0 * (double)quarter <= most)
        quarter *= 2;
    return quarter * (size_t)fmax(4, floor(most / (double)quarter));
}

/* Computes the FFT of the first samples, of at least `seconds` if there are enough. */
static bool transform(dvbs2_band *band, double seconds)
{
    size_t length = fft_length((double)band->count);
    while ((double)(length / 2) > seconds * band->rate && length % 2 == 0)
        length /= 2;
    if (length == band->length)
        return true;
    if (length > band->room) {
        fftwf_free(band->spectrum);
        band->spectrum = fftwf_alloc_complex(length);
        band->room = band->spectrum ? length : 0;
    }
    band->length = 0;
    fftwf_plan plan =
        band->spectrum ? rx_fft_plan((int)length, band->samples, band->spectrum, FFTW_FORWARD) : NULL;
    if (!plan)
        return false;
    fftwf_execute(plan);
    rx_fft_destroy(plan);
    band->length = length;
    return true;
}

static void copy_bins(const dvbs2_band *band, long centre, double half_width, double edge, dvbs2_part *part)
{
    const long length = (long)band->length, half = (long)part->count / 2;
    const float scale = 1 / (float)length;
    for (long i = -half; i < half; i++) {
        const double beyond = (fabs((double)i) - half_width) / fmax(edge, 1) + 0.5;
        const bool outside = beyond >= 1 || 2 * i < -length || 2 * i >= length;
        const float gain = outside ? 0 : beyond <= 0 ? scale : scale * (float)cos(RX_PI / 2 * beyond);
        const long from = ((centre + i) % length + length) % length;
        part->samples[(i + 2 * half) % (2 * half)] = outside ? 0 : gain * band->spectrum[from];
    }
}

bool dvbs2_band_part(dvbs2_band *band, double centre, double rate, double half_width, double edge,
                     double seconds, dvbs2_part *part)
{
    memset(part, 0, sizeof *part);
    if (!transform(band, seconds))
        return false;
    const double bin = band->rate / (double)band->length;
    part->count = fft_length(rate / bin);
    part->rate = bin * (double)part->count;
    const long middle = lround(centre / bin);
    part->centre = bin * (double)middle;
    part->samples = fftwf_alloc_complex(part->count);
    fftwf_plan plan =
        part->samples ? rx_fft_plan((int)part->count, part->samples, part->samples, FFTW_BACKWARD) : NULL;
    if (!plan) {
        fftwf_free(part->samples);
        part->samples = NULL;
        return false;
    }
    copy_bins(band, middle, half_width / bin, edge / bin, part);
    fftwf_execute(plan);
    rx_fft_destroy(plan);
    return true;
}
