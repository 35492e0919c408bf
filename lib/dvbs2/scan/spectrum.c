/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/scan/spectrum.h"

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

static size_t add_segments(dvbs2_spectrum *spectrum, fftwf_plan plan, float complex *work,
                           const float *window)
{
    const size_t bins = spectrum->bins;
    size_t segments = 0;
    for (size_t at = 0; at + bins <= spectrum->count; at += bins / 2, segments++) {
        for (size_t i = 0; i < bins; i++)
            work[i] = window[i] * spectrum->samples[at + i];
        fftwf_execute(plan);
        for (size_t i = 0; i < bins; i++)
            spectrum->power[(i + bins / 2) % bins] += rx_power(work[i]);
    }
    return segments;
}

static bool measure(dvbs2_spectrum *spectrum, double least_rate)
{
    spectrum->bins = bins_for(spectrum->rate, least_rate, spectrum->count);
    spectrum->power = ldpc_allocate(spectrum->bins, sizeof *spectrum->power);
    spectrum->before = ldpc_allocate(spectrum->bins, sizeof *spectrum->before);
    float *window = ldpc_allocate(spectrum->bins, sizeof *window);
    float complex *work = fftwf_alloc_complex(spectrum->bins);
    fftwf_plan plan = work ? rx_fft_plan((int)spectrum->bins, work, work, FFTW_FORWARD) : NULL;
    const bool made = spectrum->power && spectrum->before && window && plan;
    if (made) {
        for (size_t i = 0; i < spectrum->bins; i++) /* Hann */
            window[i] = 0.5f - 0.5f * (float)cos(2 * RX_PI * ((double)i + 0.5) / (double)spectrum->bins);
        const size_t segments = add_segments(spectrum, plan, work, window);
        spectrum->spread = 1 / sqrt(fmax(1, 0.95 * (double)segments)); /* segments overlap by half */
        for (size_t i = 0; i < spectrum->bins; i++)
            spectrum->power[i] /= (float)(0.375 * (double)(segments * spectrum->bins));
        memcpy(spectrum->before, spectrum->power, spectrum->bins * sizeof *spectrum->before);
        spectrum->floor = INFINITY;
        for (int i = 0; i < CELLS; i++) {
            const double cell = spectrum->rate / CELLS, from = i * cell - spectrum->rate / 2;
            spectrum->floor = fmin(spectrum->floor, dvbs2_spectrum_power(spectrum, from, from + cell));
        }
    }
    rx_fft_destroy(plan);
    fftwf_free(work);
    free(window);
    return made;
}

/* Removes DC and invalid samples, and sets the mean power to 1. */
static void normalise(dvbs2_spectrum *spectrum)
{
    double re = 0, im = 0, power = 0;
    for (size_t i = 0; i < spectrum->count; i++) {
        float complex *x = &spectrum->samples[i];
        if (!(fabsf(crealf(*x)) < most_amplitude && fabsf(cimagf(*x)) < most_amplitude))
            *x = 0;
        re += (double)crealf(*x);
        im += (double)cimagf(*x);
        power += (double)rx_power(*x);
    }
    const double count = (double)spectrum->count;
    spectrum->level = power / count;
    const float complex mean = rx_cplx((float)(re / count), (float)(im / count));
    const float scale = power > 0 ? (float)sqrt(count / power) : 1;
    for (size_t i = 0; i < spectrum->count; i++)
        spectrum->samples[i] = scale * (spectrum->samples[i] - mean);
}

bool dvbs2_spectrum_init(dvbs2_spectrum *spectrum, double rate, double least_rate, ldpc_sample_format format,
                         const void *samples, size_t count)
{
    spectrum->rate = rate;
    spectrum->count = count;
    spectrum->samples = fftwf_alloc_complex(count);
    if (!spectrum->samples)
        return false;
    rx_samples_to_float(format, samples, count, (float *)spectrum->samples);
    normalise(spectrum);
    return measure(spectrum, least_rate);
}

static double mean_power(const dvbs2_spectrum *spectrum, const float *power, double from, double to)
{
    const double bin = spectrum->rate / (double)spectrum->bins, middle = (double)spectrum->bins / 2;
    const double first = floor(fmax(0, from / bin + middle)),
                 last = fmin((double)spectrum->bins, to / bin + middle);
    double sum = 0;
    size_t count = 0;
    for (size_t i = (size_t)first; (double)i < last; i++, count++)
        sum += (double)power[i];
    return count ? sum / (double)count : 0;
}

double dvbs2_spectrum_power(const dvbs2_spectrum *spectrum, double from, double to)
{
    return mean_power(spectrum, spectrum->power, from, to);
}

double dvbs2_spectrum_left(const dvbs2_spectrum *spectrum, double from, double to)
{
    const double before = mean_power(spectrum, spectrum->before, from, to);
    return before > 0 ? dvbs2_spectrum_power(spectrum, from, to) / before : 1;
}

/* In one of 1000 bins, more than this many standard deviations of the carrier are left. */
static const double removed_deviations = 3;

void dvbs2_spectrum_remove(dvbs2_spectrum *spectrum, double frequency, double symbol_rate, double roll_off,
                           double signal)
{
    const double most = signal * (1 + removed_deviations * spectrum->spread);
    for (size_t i = 0; i < spectrum->bins; i++) {
        const double f =
            ((double)i - (double)spectrum->bins / 2) * spectrum->rate / (double)spectrum->bins - frequency;
        const double edge = (fabs(f) / symbol_rate - 0.5) / roll_off; /* raised cosine */
        const double shape = edge <= -0.5 ? 1 : edge >= 0.5 ? 0 : 0.5 - 0.5 * sin(RX_PI * edge);
        const double left = shape < 1 ? (double)spectrum->power[i] - shape * most : 0;
        if (shape > 0)
            spectrum->power[i] = (float)fmax(left, spectrum->floor);
    }
}

void dvbs2_spectrum_free(dvbs2_spectrum *spectrum)
{
    fftwf_free(spectrum->samples);
    fftwf_free(spectrum->fft);
    free(spectrum->power);
    free(spectrum->before);
    memset(spectrum, 0, sizeof *spectrum);
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
static bool transform(dvbs2_spectrum *spectrum, double seconds)
{
    size_t length = fft_length((double)spectrum->count);
    while ((double)(length / 2) > seconds * spectrum->rate && length % 2 == 0)
        length /= 2;
    if (length == spectrum->length)
        return true;
    if (length > spectrum->room) {
        fftwf_free(spectrum->fft);
        spectrum->fft = fftwf_alloc_complex(length);
        spectrum->room = spectrum->fft ? length : 0;
    }
    spectrum->length = 0;
    fftwf_plan plan =
        spectrum->fft ? rx_fft_plan((int)length, spectrum->samples, spectrum->fft, FFTW_FORWARD) : NULL;
    if (!plan)
        return false;
    fftwf_execute(plan);
    rx_fft_destroy(plan);
    spectrum->length = length;
    return true;
}

static void copy_bins(const dvbs2_spectrum *spectrum, long centre, double half_width, double edge,
                      dvbs2_part *part)
{
    const long length = (long)spectrum->length, half = (long)part->count / 2;
    const float scale = 1 / (float)length;
    for (long i = -half; i < half; i++) {
        const double beyond = (fabs((double)i) - half_width) / fmax(edge, 1) + 0.5;
        const bool outside = beyond >= 1 || 2 * i < -length || 2 * i >= length;
        const float gain = outside ? 0 : beyond <= 0 ? scale : scale * (float)cos(RX_PI / 2 * beyond);
        const long from = ((centre + i) % length + length) % length;
        part->samples[(i + 2 * half) % (2 * half)] = outside ? 0 : gain * spectrum->fft[from];
    }
}

bool dvbs2_spectrum_part(dvbs2_spectrum *spectrum, double centre, double rate, double half_width, double edge,
                         double seconds, dvbs2_part *part)
{
    memset(part, 0, sizeof *part);
    if (!transform(spectrum, seconds))
        return false;
    const double bin = spectrum->rate / (double)spectrum->length;
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
    copy_bins(spectrum, middle, half_width / bin, edge / bin, part);
    fftwf_execute(plan);
    rx_fft_destroy(plan);
    return true;
}
