/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What samples hold in which no P1 is found. */
#include "dvbt2/frame/survey.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/complex.h"
#include "receiver/fft_plan.h"
#include "receiver/samples.h"
#include "dvbt2/standard/parameters.h"

enum {
    LENGTH = 1 << 18,     /* of the FFT */
    SEGMENT = LENGTH / 2, /* samples; the longest lag, 32K at 25 MHz, has 89600 */
    SEGMENTS = 16,        /* averaged */
    HALF_SMOOTH = 512,    /* bins of the moving average on either side */
    SHORTEST_LAG = 512,   /* ripples of longer lags survive the moving average */
    CHUNK = 4096          /* samples that are converted at a time */
};

static const double occupied_8mhz = 7.61e6, extended_8mhz = 7.77e6; /* width of the carriers */
/* Power of the signal and the noise over that of the noise from which on a signal is seen. */
static const double least_contrast = 1.25;
/* Notches of echoes within a signal are narrower than this. */
static const double widest_notch = 250e3;
/* Values over their mean that count in the whitened spectrum: a tone counts as no more. */
static const float most_whitened = 4;
/* Least peak of the autocorrelation over its root mean square; noise reaches 3.5. */
static const double least_peak = 6;
/* Stated sample rates are not further off than by this factor; the channel of 1.7 MHz has 0.2 of the rate of 8 MHz. */
static const double most_ratio = 5;
/* Relative difference between lengths that are taken for equal. P1 is found up to 0.002. */
static const double same_length = 0.0018, same_bandwidth = 0.004;

bool dvbt2_survey_init(dvbt2_survey *survey, const dvbt2_receiver_params *params)
{
    *survey = (dvbt2_survey){.format = params->format,
                             .bandwidth = params->bandwidth,
                             .rate = params->sample_rate,
                             .offset = params->offset};
    survey->work = fftwf_malloc(LENGTH * sizeof *survey->work);
    survey->power = ldpc_allocate(LENGTH, sizeof *survey->power);
    survey->smooth = ldpc_allocate(LENGTH, sizeof *survey->smooth);
    if (!survey->work || !survey->power || !survey->smooth)
        return false;
    survey->plan = rx_fft_plan(LENGTH, survey->work, survey->work, FFTW_FORWARD);
    return survey->plan != NULL;
}

void dvbt2_survey_free(dvbt2_survey *survey)
{
    rx_fft_destroy(survey->plan);
    fftwf_free(survey->work);
    free(survey->power);
    free(survey->smooth);
    memset(survey, 0, sizeof *survey);
}

void dvbt2_survey_reset(dvbt2_survey *survey)
{
    survey->filled = survey->segments = 0;
    survey->message[0] = 0;
}

/* ---- width of the signal */

/* Moving average of the power spectrum, which is a circle. */
static void smooth_spectrum(dvbt2_survey *survey)
{
    double sum = 0;
    for (int i = -HALF_SMOOTH; i <= HALF_SMOOTH; i++)
        sum += (double)survey->power[i & (LENGTH - 1)];
    for (int i = 0; i < LENGTH; i++) {
        survey->smooth[i] = (float)(sum / (2 * HALF_SMOOTH + 1));
        sum += (double)survey->power[(i + HALF_SMOOTH + 1) & (LENGTH - 1)] -
               (double)survey->power[(i - HALF_SMOOTH) & (LENGTH - 1)];
    }
}

/* Hz from the middle of the channel to the edge of the signal in one direction; half the sample rate: it has none. */
static double edge_of(const dvbt2_survey *survey, int direction, float threshold)
{
    const double bin = survey->rate / LENGTH;
    const int middle = (int)floor(survey->offset / bin + 0.5), notch = (int)(widest_notch / bin);
    int last = 0;
    for (int i = 0; i < LENGTH / 2; i++) {
        if (survey->smooth[(middle + direction * i) & (LENGTH - 1)] > threshold)
            last = i;
        if (i > last + notch)
            return last * bin;
    }
    return survey->rate / 2;
}

/* Occupied bandwidth around the middle of the channel, Hz; 0: no signal is seen, the sample rate: it has no edges. */
static double width_of(const dvbt2_survey *survey)
{
    float least = survey->smooth[0], most = 0;
    const double bin = survey->rate / LENGTH;
    const int middle = (int)floor(survey->offset / bin + 0.5), half = (int)(1e6 / bin);
    for (int i = 0; i < LENGTH; i++)
        least = fminf(least, survey->smooth[i]);
    for (int i = -half; i <= half; i++)
        most = fmaxf(most, survey->smooth[(middle + i) & (LENGTH - 1)]);
    if (most < least_contrast * least)
        return 0;
    const float threshold =
        fmaxf(sqrtf(least * most), most / 100); /* skirts of OFDM symbols are not the signal */
    const double width = edge_of(survey, -1, threshold) + edge_of(survey, 1, threshold);
    return fmin(width, survey->rate);
}

/* ---- length of the symbols */

/* Autocorrelation of the whitened samples: survey->work[lag]. */
static void correlate(dvbt2_survey *survey)
{
    float most = 0;
    for (int i = 0; i < LENGTH; i++)
        most = fmaxf(most, survey->smooth[i]);
    for (int i = 0; i < LENGTH; i++) {
        const float level = survey->smooth[i];
        const float ratio = level > 1e-3f * most ? survey->power[i] / level : 1;
        survey->work[i] = fminf(ratio, most_whitened) - 1;
    }
    fftwf_execute(survey->plan);
}

/* Magnitude at a lag, as if all samples of a segment took part. */
static double magnitude_at(const dvbt2_survey *survey, uint32_t lag)
{
    return (double)cabsf(survey->work[lag]) / (1 - (double)lag / SEGMENT);
}

static double root_mean_square(const dvbt2_survey *survey)
{
    double sum = 0;
    for (uint32_t lag = SHORTEST_LAG; lag < SEGMENT / 2; lag++)
        sum += (double)rx_power(survey->work[lag]);
    return sqrt(sum / (SEGMENT / 2 - SHORTEST_LAG));
}

typedef struct symbol_length {
    dvbt2_fft_size fft;
    double
        ratio; /* measured length over the one at the stated rate and bandwidth; 0: no symbols were found */
} symbol_length;

/* The highest peak among all FFT sizes whose length is off by the factors `from` .. `to`. */
static symbol_length find_symbols(const dvbt2_survey *survey, double from, double to)
{
    symbol_length found = {0};
    double highest = least_peak * root_mean_square(survey);
    for (int fft = 0; fft < DVBT2_FFT_SIZES; fft++) {
        const double nominal = (1024u << fft) * survey->rate / dvbt2_sample_rate(survey->bandwidth);
        const uint32_t last = (uint32_t)fmin(nominal * to, 0.8 * SEGMENT);
        for (uint32_t lag = (uint32_t)fmax(nominal * from, SHORTEST_LAG); lag <= last; lag++) {
            const double value = magnitude_at(survey, lag);
            if (value <= highest)
                continue;
            highest = value;
            found = (symbol_length){(dvbt2_fft_size)fft, lag / nominal};
        }
    }
    return found;
}

/* ---- the sentence */

static bool near(double a, double b, double tolerance)
{
    return fabs(a / b - 1) < tolerance;
}

/* Symbols have the right length, and there is no P1. */
static void say_right_length(dvbt2_survey *survey, dvbt2_fft_size fft)
{
    const bool dvbt = fft == DVBT2_FFT_2K || fft == DVBT2_FFT_8K;
    if (dvbt)
        snprintf(survey->message, sizeof survey->message,
                 "no P1 symbol was found: this is a DVB-T signal (%s), not DVB-T2", dvbt2_fft_size_name(fft));
    else
        snprintf(
            survey->message, sizeof survey->message,
            "no P1 symbol was found, although symbols of %s were: the signal is too weak or too disturbed",
            dvbt2_fft_size_name(fft));
}

/* Symbols are `ratio` times as long as they should be. */
static void say_wrong_length(dvbt2_survey *survey, double ratio)
{
    const double rate = survey->rate * ratio, channel = dvbt2_sample_rate(survey->bandwidth);
    for (int b = 0; b < DVBT2_BANDWIDTHS; b++) {
        if (!near(channel / dvbt2_sample_rate((dvbt2_bandwidth)b), ratio, same_bandwidth))
            continue;
        snprintf(survey->message, sizeof survey->message,
                 "no P1 symbol was found: the signal has the symbol length of a channel of %s, not %s; or "
                 "the sample "
                 "rate is near %.4g MHz, not %.10g MHz",
                 dvbt2_bandwidth_name((dvbt2_bandwidth)b), dvbt2_bandwidth_name(survey->bandwidth),
                 1e-6 * rate, 1e-6 * survey->rate);
        return;
    }
    snprintf(survey->message, sizeof survey->message,
             "no P1 symbol was found: by the length of its symbols, a signal in a channel of %s has a sample "
             "rate near "
             "%.4g MHz, not %.10g MHz",
             dvbt2_bandwidth_name(survey->bandwidth), 1e-6 * rate, 1e-6 * survey->rate);
}

static void say_no_symbols(dvbt2_survey *survey, double width)
{
    if (width == 0 || width >= 0.98 * survey->rate)
        snprintf(survey->message, sizeof survey->message,
                 "no P1 symbol was found: the spectrum is flat as that of noise; check antenna, frequency "
                 "and gain");
    else
        snprintf(
            survey->message, sizeof survey->message,
            "no P1 symbol was found: the spectrum has something %.3g MHz wide without OFDM symbols of DVB-T2",
            1e-6 * width);
}

static void analyse(dvbt2_survey *survey)
{
    smooth_spectrum(survey);
    const double width = width_of(survey);
    const double channel = dvbt2_sample_rate(survey->bandwidth) / dvbt2_sample_rate(DVBT2_BANDWIDTH_8);
    double from = 1 - 0.02, to = 1 + 0.02;
    if (width > 0 && width < 0.98 * survey->rate) { /* the width limits what the length can be */
        from = fmax(0.985 * occupied_8mhz * channel / width, 1 / most_ratio);
        to = fmin(1.015 * extended_8mhz * channel / width, most_ratio);
    }
    correlate(survey);
    const symbol_length symbols = find_symbols(survey, from, to);
    if (survey->smooth[0] == 0)
        snprintf(survey->message, sizeof survey->message, "no P1 symbol was found: all samples are 0");
    else if (symbols.ratio == 0)
        say_no_symbols(survey, width);
    else if (near(symbols.ratio, 1, same_length))
        say_right_length(survey, symbols.fft);
    else
        say_wrong_length(survey, symbols.ratio);
}

/* ---- samples */

/* The segment is full: its power spectrum is added. */
static void add_segment(dvbt2_survey *survey)
{
    if (survey->segments == 0)
        memset(survey->power, 0, LENGTH * sizeof *survey->power);
    memset(survey->work + SEGMENT, 0, (LENGTH - SEGMENT) * sizeof *survey->work);
    fftwf_execute(survey->plan);
    for (int i = 0; i < LENGTH; i++)
        survey->power[i] += rx_power(survey->work[i]);
    survey->filled = 0;
    if (++survey->segments < SEGMENTS)
        return;
    analyse(survey);
    survey->segments = 0;
}

void dvbt2_survey_add(dvbt2_survey *survey, const void *samples, size_t count)
{
    const size_t bytes = rx_format_bytes(survey->format);
    for (size_t done = 0; done < count;) {
        size_t n = count - done < CHUNK ? count - done : CHUNK;
        if (n > SEGMENT - survey->filled)
            n = SEGMENT - survey->filled;
        rx_samples_to_float(survey->format, (const char *)samples + done * bytes, n,
                            (float *)(survey->work + survey->filled));
        survey->filled += (uint32_t)n;
        done += n;
        if (survey->filled == SEGMENT)
            add_segment(survey);
    }
}
