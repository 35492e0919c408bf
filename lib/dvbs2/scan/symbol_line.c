/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/scan/symbol_line.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "receiver/complex.h"
#include "receiver/fft_plan.h"
#include "receiver/median.h"

enum {
    SYMBOLS = 1 << 15,
    NEAR = 64, /* bins */
};

/* Maximum difference of symbol rate and width of the span, relative to the width. */
static const double tolerance = 0.08;
/* At more samples per symbol, the line has no alias near the symbol rate. At least 0.8 of it is used. */
static const double samples_per_symbol = 3.2;
/* Widths of the edges that are compared, in symbol rates: with wide edges, more of a carrier with a large roll-off is
 * used, and more of its neighbours. */
static const double edges[] = {0.3, 0.1};
/* Distance in symbol rates from the centre of a carrier at which its spectrum does not correlate, with roll-offs up to 0.35. */
static const double outside = 0.28;
/* Power of the strongest line of a signal that repeats, relative to the mean of its lines. */
static const double strongest_line = 6;
/* Power of rounding errors relative to the power at 0 Hz. */
static const double rounding = 1e-11;
static const double median_power = 0.693; /* of noise with mean power 1 */

/* Returns the frequency of a line from its highest bin and the two bins beside it (Jacobsen and Kootsookos 2007). */
static double between_bins(const float complex *bins, size_t highest)
{
    const double complex before = bins[highest - 1], here = bins[highest], after = bins[highest + 1];
    const double beside = creal((before - after) / (2 * here - before - after));
    return (double)highest + (isfinite(beside) ? fmax(-0.5, fmin(0.5, beside)) : 0);
}

static void find_peak(const float *power, const dvbs2_part *part, const dvbs2_span *span, dvbs2_line *line)
{
    const double bin = part->rate / (double)part->count;
    const size_t first = (size_t)(span->width * (1 - tolerance) / bin),
                 last = (size_t)(span->width * (1 + tolerance) / bin);
    if (last + 2 * NEAR >= part->count / 2 || first < NEAR)
        return;
    for (size_t from = first; from <= last; from += NEAR) {
        /* The noise falls with the frequency. */
        const float before = rx_median(power + from - NEAR, NEAR, 0),
                    after = rx_median(power + from, 2 * NEAR, 0);
        const double level = fmax((double)fmaxf(before, after) / median_power, rounding * (double)power[0]);
        for (size_t i = from; i < from + NEAR && level > 0; i++)
            if ((double)power[i] > line->strength * level) {
                line->symbol_rate = between_bins(part->samples, i) * bin;
                line->strength = (double)power[i] / level;
            }
    }
}

/* Overwrites the samples by the FFT of their power. */
static bool transform_power(dvbs2_part *part)
{
    fftwf_plan plan = rx_fft_plan((int)part->count, part->samples, part->samples, FFTW_FORWARD);
    if (!plan)
        return false;
    for (size_t i = 0; i < part->count; i++)
        part->samples[i] = rx_power(part->samples[i]);
    fftwf_execute(plan);
    rx_fft_destroy(plan);
    return true;
}

/* Finds the strongest line in `seconds` of signal. edge: width of the edges, relative to the width of the span. */
static bool find_strongest(dvbs2_spectrum *spectrum, const dvbs2_span *span, double edge, double seconds,
                           dvbs2_line *line)
{
    dvbs2_part part;
    bool made = dvbs2_spectrum_part(spectrum, span->centre, samples_per_symbol * span->width, span->width / 2,
                                    edge * span->width, seconds, &part);
    float *power = made ? ldpc_allocate(part.count / 2, sizeof *power) : NULL;
    made = power && transform_power(&part);
    for (size_t i = 0; made && i < part.count / 2; i++)
        power[i] = rx_power(part.samples[i]);
    if (made)
        find_peak(power, &part, span, line);
    free(power);
    fftwf_free(part.samples);
    return made;
}

/* Reduces the strength of a line if there are lines beside the centre of the span too. The spectrum of a carrier correlates only at
 * its edges. That of a signal that repeats, and those of two carriers with the same symbols, correlate everywhere. */
static bool compare_beside(dvbs2_spectrum *spectrum, const dvbs2_span *span, dvbs2_line *line)
{
    dvbs2_line other = {0}; /* the strongest one on both sides */
    bool made = true;
    for (int side = -1; made && side <= 1; side += 2) {
        const double width = line->symbol_rate;
        const dvbs2_span beside = {.centre = span->centre + side * outside * width, .width = width};
        made = find_strongest(spectrum, &beside, edges[1], SYMBOLS / span->width, &other);
    }
    if (other.strength >= dvbs2_least_strength)
        line->strength *= strongest_line / other.strength;
    return made;
}

bool dvbs2_find_line(dvbs2_spectrum *spectrum, const dvbs2_span *span, dvbs2_line *line)
{
    *line = (dvbs2_line){0};
    bool made = true;
    for (size_t e = 0; made && e < sizeof edges / sizeof *edges && line->strength < dvbs2_least_strength; e++)
        made = find_strongest(spectrum, span, edges[e], SYMBOLS / span->width, line);
    return made && (line->strength < dvbs2_least_strength || compare_beside(spectrum, span, line));
}
