/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/frame/survey.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/complex.h"
#include "receiver/fft_plan.h"
#include "receiver/median.h"
#include "receiver/samples.h"
#include "dvbt2/standard/parameters.h"

enum {
    LENGTH = 1 << 18, /* FFT length */
    /* length of a segment, samples; the longest lag is 89600 (32K at 25 MHz) */
    SEGMENT = LENGTH / 2,
    SEGMENTS = 16,     /* segments in the average */
    HALF_SMOOTH = 512, /* half the length of the moving average, bins */
    /* The moving average removes ripple with shorter lags. */
    SHORTEST_LAG = 512,
    CHUNK = 4096 /* samples per conversion */
};

static const double occupied_8mhz = 7.61e6, extended_8mhz = 7.77e6; /* occupied bandwidth in Hz */
/* 1/T and occupied bandwidth of ISDB-T (6 MHz), Hz. */
static const double isdbt_rate = 512e6 / 63, isdbt_width = 5.573e6;
/* Minimum ratio of (signal + noise) to noise for a detected signal. */
static const double least_contrast = 1.25;
/* Maximum width of a notch, and half the width of the middle of the channel, Hz. Both are smaller in narrow
 * channels. */
static const double widest_notch = 250e3, widest_middle = 1e6;
/* Channel bandwidths of the standard and of amateur television, MHz. */
static const double usual_bandwidths[] = {0.125, 0.25, 0.333, 0.5, 1, 1.7, 5, 6, 7, 8, 10};
/* Minimum power of a tone relative to the mean of surrounding bins. */
static const float least_tone = 30;
/* maximum fraction of the power in tones for a usable channel */
static const double most_tones = 0.4;
/* Minimum power of a reported signal outside the channel, relative to noise. */
static const double least_beside = 2;
/* The whitened spectrum is clipped at this multiple of its mean. Otherwise tones would dominate. */
static const float most_whitened = 4;
/* Minimum peak of the autocorrelation relative to the noise level. In noise, peaks reach 3.5. */
static const double least_peak = 6, median_power = 0.693;
/* Minimum correlation of pilots at twice the lag, relative to the peak. Guard intervals do not correlate
 * there. */
static const double least_double = 0.3;
/* A 1.7 MHz channel has 1/5 of the sample rate of an 8 MHz channel. */
static const double most_ratio = 5;
/* Relative tolerances of symbol lengths and bandwidths. */
static const double same_length = 0.0018, same_bandwidth = 0.004;
/* If the spectrum is wider than this fraction of the sample rate, it has no edges. */
static const double no_edges = 0.98;

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

static float least_smooth(const dvbt2_survey *survey)
{
    float least = survey->smooth[0];
    for (int i = 0; i < LENGTH; i++)
        least = fminf(least, survey->smooth[i]);
    return least;
}

static int strongest_bin(const dvbt2_survey *survey)
{
    int strongest = 0;
    for (int i = 0; i < LENGTH; i++)
        if (survey->smooth[i] > survey->smooth[strongest])
            strongest = i;
    return strongest;
}

static double narrowness(const dvbt2_survey *survey)
{
    return fmin(1, survey->bandwidth / 1.7);
}

/* Returns half the sample rate if the signal has no edge. */
static double edge_of(const dvbt2_survey *survey, int direction, float threshold)
{
    const double bin = survey->rate / LENGTH;
    const int middle = (int)floor(survey->offset / bin + 0.5),
              notch = (int)(widest_notch * narrowness(survey) / bin);
    int last = 0;
    for (int i = 0; i < LENGTH / 2; i++) {
        if (survey->smooth[(middle + direction * i) & (LENGTH - 1)] > threshold)
            last = i;
        if (i > last + notch)
            return last * bin;
    }
    return survey->rate / 2;
}

/* Returns the occupied bandwidth in Hz. Returns 0 without a signal, and the sample rate if the signal has no
 * edges. */
static double width_of(const dvbt2_survey *survey)
{
    const float least = least_smooth(survey);
    float most = 0;
    const double bin = survey->rate / LENGTH;
    const int middle = (int)floor(survey->offset / bin + 0.5),
              half = (int)(widest_middle * narrowness(survey) / bin);
    for (int i = -half; i <= half; i++)
        most = fmaxf(most, survey->smooth[(middle + i) & (LENGTH - 1)]);
    if (most < least_contrast * least)
        return 0;
    const float threshold = fmaxf(sqrtf(least * most), most / 100);
    const double width = edge_of(survey, -1, threshold) + edge_of(survey, 1, threshold);
    return fmin(width, survey->rate);
}

static double share_of_tones(const dvbt2_survey *survey)
{
    double tones = 0, all = 0;
    for (int i = 0; i < LENGTH; i++) {
        tones += survey->power[i] > least_tone * survey->smooth[i] ? (double)survey->power[i] : 0;
        all += (double)survey->power[i];
    }
    return all > 0 ? tones / all : 0;
}

/* ---- length of the symbols */

/* Computes the autocorrelation of the whitened samples, survey->work[lag]. */
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

static void weigh_lags(dvbt2_survey *survey)
{
    for (uint32_t lag = 0; lag < SEGMENT; lag++) {
        const float share = 1 - (float)lag / SEGMENT;
        survey->power[lag] = rx_power(survey->work[lag]) / (share * share);
    }
}

/* Returns the squared autocorrelation above which a peak is significant. */
static float peak_above(const dvbt2_survey *survey, uint32_t first, uint32_t count)
{
    return (float)(least_peak * least_peak / median_power) * rx_median(survey->power + first, count, 0);
}

static bool is_peak(const dvbt2_survey *survey, double lag, float least)
{
    const uint32_t last = (uint32_t)(1.001 * lag + 1);
    bool found = false;
    for (uint32_t i = (uint32_t)(0.999 * lag); i <= last && last < SEGMENT; i++)
        found |= survey->power[i] > least;
    return found;
}

/* OFDM modes with equal 1/T and equal occupied bandwidth, in Hz. */
typedef struct family {
    double rate, narrowest, widest;
} family;

typedef struct symbols {
    dvbt2_fft_size fft;
    double ratio;
    bool isdbt;
    bool t2_pilots;
    bool dvbt_pilots;
} symbols;

/* Returns true if pilots repeat after four symbols of this length with a guard interval of DVB-T. */
static bool repeats_every_fourth(const dvbt2_survey *survey, double length, float least)
{
    bool found = false;
    for (int guard = 4; guard <= 32; guard *= 2)
        found |= is_peak(survey, 4 * (length + length / guard), least);
    return found;
}

/* Of the symbol lengths that fit FFT size and bandwidth, finds the one with the highest peak. */
static bool find_size(const dvbt2_survey *survey, const family *f, uint32_t fft, double width, float least,
                      symbols *found)
{
    const bool limited = width > 0 && width < no_edges * survey->rate;
    const double from = limited ? fmax(0.985 * f->narrowest / width, 1 / most_ratio) : 0.98;
    const double to = limited ? fmin(1.015 * f->widest / width, most_ratio) : 1.02;
    const double nominal = (1024u << fft) * survey->rate / f->rate;
    const uint32_t first = (uint32_t)fmax(nominal * from, SHORTEST_LAG),
                   last = (uint32_t)fmin(nominal * to, 0.8 * SEGMENT);
    uint32_t best = first;
    for (uint32_t lag = first; lag <= last; lag++)
        if (survey->power[lag] > survey->power[best])
            best = lag;
    if (last <= first || survey->power[best] <= fmaxf(least, peak_above(survey, first, last - first)))
        return false;
    const float twice = fmaxf(least, (float)(least_double * least_double) * survey->power[best]);
    *found = (symbols){.fft = (dvbt2_fft_size)fft,
                       .ratio = best / nominal,
                       .t2_pilots = is_peak(survey, 2.0 * best, twice),
                       .dvbt_pilots = repeats_every_fourth(survey, best, least)};
    return true;
}

/* The shortest symbol length is taken, because pilots also repeat after several symbols. */
static symbols find_symbols(dvbt2_survey *survey, double width)
{
    const double channel = dvbt2_sample_rate(survey->bandwidth), share = channel / dvbt2_sample_rate(8);
    const family t2 = {channel, occupied_8mhz * share, extended_8mhz * share};
    const family isdbt = {isdbt_rate, isdbt_width, isdbt_width};
    const bool limited = width > 0 && width < no_edges * survey->rate;
    const float least = peak_above(survey, SHORTEST_LAG, SEGMENT / 2);
    symbols found = {0};
    for (uint32_t fft = DVBT2_FFT_1K; fft < DVBT2_FFT_SIZES; fft++) {
        if (find_size(survey, &t2, fft, width, least, &found))
            return found;
        found.isdbt =
            limited && fft < DVBT2_FFT_8K && find_size(survey, &isdbt, fft + 1, width, least, &found);
        if (found.isdbt)
            return found;
    }
    return found;
}

/* ---- message */

static bool near(double a, double b, double tolerance)
{
    return fabs(a / b - 1) < tolerance;
}

/* Appends text to the message. */
static void append(dvbt2_survey *survey, const char *format, ...)
{
    const size_t length = strlen(survey->message);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(survey->message + length, sizeof survey->message - length, format, arguments);
    va_end(arguments);
}

static void describe_length(dvbt2_survey *survey, double ratio)
{
    const double channel = dvbt2_sample_rate(survey->bandwidth);
    for (size_t b = 0; b < sizeof usual_bandwidths / sizeof *usual_bandwidths; b++)
        if (near(channel / dvbt2_sample_rate(usual_bandwidths[b]), ratio, same_bandwidth)) {
            append(survey,
                   "the signal has the symbol length of a channel of %g MHz, not %.4g MHz; or the sample "
                   "rate is near %.4g MHz, not %.10g MHz",
                   usual_bandwidths[b], survey->bandwidth, 1e-6 * survey->rate * ratio, 1e-6 * survey->rate);
            return;
        }
    append(survey,
           "judging by its symbol length, a signal in a channel of %.4g MHz has a sample rate near %.4g MHz, "
           "not %.10g MHz",
           survey->bandwidth, 1e-6 * survey->rate * ratio, 1e-6 * survey->rate);
}

static void describe_symbols(dvbt2_survey *survey, const symbols *found)
{
    const char *size = dvbt2_fft_size_name(found->fft);
    const bool right = near(found->ratio, 1, same_length);
    const bool dvbt = (found->fft == DVBT2_FFT_2K || found->fft == DVBT2_FFT_8K) && !found->t2_pilots;
    if (found->isdbt) {
        append(survey, "this is an ISDB-T signal (%s), not DVB-T2", size);
        if (!right)
            append(survey, "; in a channel of 6 MHz its sample rate is near %.4g MHz, not %.10g MHz",
                   1e-6 * survey->rate * found->ratio, 1e-6 * survey->rate);
    } else if (right && dvbt) {
        append(survey, "this is a DVB-T signal (%s), not DVB-T2", size);
    } else if (right && found->t2_pilots) {
        append(survey,
               "symbols with pilots of DVB-T2 were found, but the signal is too weak or too disturbed");
    } else if (right) {
        append(survey, "symbols of %s were found, but the signal is too weak or too disturbed", size);
    } else {
        if (dvbt && found->dvbt_pilots)
            append(survey, "judging by its pilots, this is a DVB-T signal (%s), or DVB-T2 with PP1; ", size);
        describe_length(survey, found->ratio);
    }
}

static void describe_flat(dvbt2_survey *survey)
{
    const int strongest = strongest_bin(survey);
    const double beside = (strongest < LENGTH / 2 ? strongest : strongest - LENGTH) * survey->rate / LENGTH;
    if (survey->smooth[strongest] >= (float)least_beside * least_smooth(survey))
        append(survey,
               "no signal in the channel, but there is one near %+.2f MHz from the centre of the samples; "
               "check frequency and offset",
               1e-6 * beside);
    else
        append(survey, "the spectrum is flat like noise; check antenna, frequency and gain");
}

static void describe_width(dvbt2_survey *survey, double width)
{
    const double share = dvbt2_sample_rate(survey->bandwidth) / dvbt2_sample_rate(8);
    const double ratio = occupied_8mhz * share / width;
    append(survey, "a signal %.3g MHz wide without OFDM symbols of DVB-T2: ", 1e-6 * width);
    if (ratio > most_ratio)
        append(survey, "it is too narrow for a channel of %.4g MHz; check the frequency", survey->bandwidth);
    else
        append(survey, "the signal has another standard, or is too weak");
    if (ratio <= most_ratio && !near(ratio, 1, 0.04))
        append(survey, "; DVB-T2 in a channel of %.4g MHz is %.3g MHz wide", survey->bandwidth,
               1e-6 * occupied_8mhz * share);
}

static void analyse(dvbt2_survey *survey)
{
    smooth_spectrum(survey);
    const double width = width_of(survey), tones = share_of_tones(survey);
    const bool silent = survey->smooth[0] == 0;
    correlate(survey);
    weigh_lags(survey);
    const symbols found = find_symbols(survey, width);
    survey->message[0] = 0;
    append(survey, "no P1 symbol was found: ");
    if (silent)
        append(survey, "all samples are 0; check the radio or the recording");
    else if (found.ratio > 0)
        describe_symbols(survey, &found);
    else if (tones > most_tones)
        append(survey, "most of the power is in tones; check frequency and gain");
    else if (width == 0 || width >= no_edges * survey->rate)
        describe_flat(survey);
    else
        describe_width(survey, width);
}

/* ---- samples */

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
