/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/sync/centring.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "dvbs2/sync/cyclic_spectrum.h"
#include "receiver/complex.h"
#include "receiver/fft_plan.h"

enum {
    BINS_PER_SYMBOL_RATE = 128,
    LEAST_BINS = 128,
    MOST_BINS = 1 << 16,
    /* 1 / FLOOR_SHARE of the bins are assumed to contain only noise. */
    FLOOR_SHARE = 10,
};

/* Minimum misfits of a spectrum with other signals. Echoes and amplifiers give up to 0.06, adjacent carriers within
 * the band of the samples 0.2 and more. */
static const double other_signals = 0.05, strong_signals = 0.4;
static const double most_occupied = 0.6; /* symbols per sample up to which a flat spectrum has no carrier */

const double dvbs2_roll_offs[DVBS2_ROLL_OFFS] = {0.35, 0.25, 0.20, 0.15, 0.10, 0.05};

/* ---- spectrum */

static bool measure(const float *re, const float *im, size_t count, size_t bins, double *power)
{
    float complex *in = fftwf_alloc_complex(bins), *out = fftwf_alloc_complex(bins);
    fftwf_plan plan = in && out ? rx_fft_plan((int)bins, in, out, FFTW_FORWARD) : NULL;
    for (size_t at = 0; plan && at + bins <= count; at += bins / 2) {
        for (size_t i = 0; i < bins; i++) {
            const float window = 0.5f - 0.5f * (float)cos(2 * RX_PI * ((double)i + 0.5) / (double)bins);
            in[i] = rx_cplx(window * re[at + i], window * im[at + i]);
        }
        fftwf_execute(plan);
        for (size_t i = 0; i < bins; i++)
            power[i] += (double)rx_power(out[i]);
    }
    rx_fft_destroy(plan);
    fftwf_free(in);
    fftwf_free(out);
    return plan;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double noise_floor(const double *power, double *sorted, size_t bins)
{
    double sum = 0;
    for (size_t i = 0; i < bins; i++)
        sorted[i] = power[i];
    qsort(sorted, bins, sizeof *sorted, ascending);
    for (size_t i = 0; i < bins / FLOOR_SHARE; i++)
        sum += sorted[i];
    return sum / (double)(bins / FLOOR_SHARE);
}

/* ---- fit */

static double raised_cosine(double frequency, double roll_off)
{
    const double edge = (fabs(frequency) - 0.5) / roll_off;
    return edge <= -0.5 ? 1 : edge >= 0.5 ? 0 : 0.5 - 0.5 * sin(RX_PI * edge);
}

typedef struct fit {
    const double *power;
    double *inverse, constant; /* 1 / S for each bin; sum of log S */
    size_t bins;
} fit;

static void set_model(fit *f, double symbols_per_sample, double roll_off, double noise, double signal)
{
    f->constant = 0;
    for (size_t i = 0; i < f->bins; i++) {
        const double cycles = remainder((double)i / (double)f->bins, 1);
        const double expected = noise + signal * raised_cosine(cycles / symbols_per_sample, roll_off);
        f->inverse[i] = 1 / expected;
        f->constant += log(expected);
    }
}

static double cost(const fit *f, size_t bin)
{
    double sum = f->constant;
    const size_t wrap = f->bins - bin;
    for (size_t i = 0; i < wrap; i++)
        sum += f->power[i + bin] * f->inverse[i];
    for (size_t i = wrap; i < f->bins; i++)
        sum += f->power[i - wrap] * f->inverse[i];
    return sum;
}

static size_t bin_of(const fit *f, long bin)
{
    const long bins = (long)f->bins;
    return (size_t)(bin < 0 ? bin + bins : bin < bins ? bin : bin - bins);
}

static long best_bin(const fit *f, long first, long last, double *least)
{
    long best = first;
    *least = INFINITY;
    for (long bin = first; bin <= last; bin++) {
        const double here = cost(f, bin_of(f, bin));
        best = here < *least ? bin : best;
        *least = fmin(here, *least);
    }
    return best;
}

static double between_bins(const fit *f, long bin, double least)
{
    const double before = cost(f, bin_of(f, bin - 1)), after = cost(f, bin_of(f, bin + 1));
    const double bend = before - 2 * least + after;
    const double peak = bend > 0 ? fmax(-1, fmin(1, (before - after) / (2 * bend))) : 0;
    return ((double)bin + peak) / (double)f->bins;
}

/* A centre and its cost. */
typedef struct candidate {
    dvbs2_centre centre;
    double cost;
} candidate;

/* Fits frequency and noise jointly, near the bin `start`. */
static candidate fit_roll_off(fit *f, double symbols_per_sample, double floor, double roll_off, long start)
{
    /* The weakest bins have less power than the average noise. */
    static const double floors[] = {1, 1.02, 1.04, 1.06, 1.08, 1.12, 1.16, 1.24, 1.32};
    enum { NEAR = 3 };
    candidate best = {.cost = INFINITY};
    for (size_t i = 0; i < sizeof floors / sizeof *floors; i++) {
        const double noise = fmin(floor * floors[i], 1);
        double least;
        set_model(f, symbols_per_sample, roll_off, noise, fmax(1 - noise, 0.02) / symbols_per_sample);
        const long bin = best_bin(f, start - NEAR, start + NEAR, &least);
        if (least < best.cost)
            best = (candidate){
                {between_bins(f, bin, least), roll_off, false},
                least
            };
    }
    return best;
}

static long first_bin(fit *f, double symbols_per_sample, double floor, double roll_off)
{
    const double noise = fmin(floor, 1);
    const long edge = (long)(fmax(0, 0.5 - (1 + roll_off) / 2 * symbols_per_sample) * (double)f->bins);
    double least;
    set_model(f, symbols_per_sample, roll_off, noise, fmax(1 - noise, 0.02) / symbols_per_sample);
    return best_bin(f, -edge, edge, &least);
}

/* Fits frequency, roll-off and noise jointly. segments: number of averaged spectra. */
static dvbs2_centre fit_all(fit *f, double symbols_per_sample, double floor, const double *roll_offs,
                            size_t n, double segments)
{
    /* The matched filter for this roll-off loses at most 0.1 dB with any other one. It is used if the difference of the
     * log-likelihoods is less than least_evidence. */
    static const double neutral_roll_off = 0.15, least_evidence = 4;
    const long start = first_bin(f, symbols_per_sample, floor, roll_offs[0]);
    candidate best = {.cost = INFINITY}, neutral = best;
    for (size_t i = 0; i < n; i++) {
        const candidate here = fit_roll_off(f, symbols_per_sample, floor, roll_offs[i], start);
        best = here.cost < best.cost ? here : best;
        neutral = roll_offs[i] == neutral_roll_off ? here : neutral;
    }
    if ((neutral.cost - best.cost) * segments < least_evidence)
        best.centre = neutral.centre;
    best.centre.empty = best.cost >= (double)f->bins; /* cost of a flat spectrum */
    return best.centre;
}

/* ---- a spectrum with other signals */

typedef struct model {
    const double *shape; /* raised cosine, indexed by distance from the carrier */
    double noise, signal;
} model;

/* Overwrites f->inverse. */
static const double *make_shape(const fit *f, double symbols_per_sample, double roll_off, long reach)
{
    for (long i = 0; i <= reach; i++)
        f->inverse[i] = raised_cosine((double)i / (double)f->bins / symbols_per_sample, roll_off);
    return f->inverse;
}

/* Returns the mean deviation of the spectrum from the model, within `reach` bins of the carrier. 0 is a perfect fit.
 * If the deviation exceeds `limit`, any value above `limit` is returned. */
static double misfit(const fit *f, long carrier, long reach, const model *m, double limit)
{
    /* limits the effect of single bins, e.g. of a DC offset */
    static const double most = 3;
    const double count = (double)(2 * reach + 1);
    double sum = 0;
    for (long i = -reach; i <= reach && sum <= limit * count; i++) {
        const double ratio = f->power[bin_of(f, carrier + i)] / (m->noise + m->signal * m->shape[labs(i)]);
        sum += fmin(ratio - log(fmax(ratio, 1e-9)) - 1, most);
    }
    return sum / count;
}

/* Returns the mean power of the bins within `reach` bins of the carrier. */
static double mean_power(const fit *f, long carrier, long reach)
{
    double sum = 0;
    for (long i = -reach; i <= reach; i++)
        sum += f->power[bin_of(f, carrier + i)];
    return sum / (double)(2 * reach + 1);
}

static double misfit_of(const fit *f, double symbols_per_sample, double floor, const dvbs2_centre *centre)
{
    const double noise = fmin(floor, 1);
    const long carrier = lround(centre->frequency * (double)f->bins), reach = (long)f->bins / 2 - 1;
    const model m = {make_shape(f, symbols_per_sample, centre->roll_off, reach), noise,
                     fmax(1 - noise, 0.05) / symbols_per_sample};
    return misfit(f, carrier, reach, &m, INFINITY);
}

/* Finds the carrier whose band has the shape of a raised cosine. */
static void fit_band(const fit *f, double symbols_per_sample, double floor, const double *roll_offs, size_t n,
                     dvbs2_centre *centre)
{
    static const double least_ratio = 0.25; /* of signal to noise */
    /* increase of the misfit with the distance from 0 Hz, per symbol rate */
    static const double by_distance = 0.2;
    static const double guard = 0.01; /* in symbol rates */
    const double rate = symbols_per_sample * (double)f->bins;
    double least = INFINITY;
    for (size_t r = 0; r < n; r++) {
        const double half = (1 + roll_offs[r]) / 2 * rate;
        const long edge = (long)fmax(0, (double)f->bins / 2 - half), reach = (long)(half + guard * rate);
        const double *shape = make_shape(f, symbols_per_sample, roll_offs[r], reach);
        for (long bin = -edge; bin <= edge; bin++) {
            const double signal = mean_power(f, bin, (long)((1 - roll_offs[r]) / 2 * rate)) - floor;
            const model m = {shape, floor, signal};
            if (signal < least_ratio * floor)
                continue;
            const double here = misfit(f, bin, reach, &m, least) + by_distance * fabs((double)bin) / rate;
            if (here < least)
                *centre = (dvbs2_centre){(double)bin / (double)f->bins, roll_offs[r], false};
            least = fmin(least, here);
        }
    }
}

static size_t bins_for(double symbols_per_sample)
{
    size_t bins = LEAST_BINS;
    while ((double)bins * symbols_per_sample < BINS_PER_SYMBOL_RATE && bins < MOST_BINS)
        bins *= 2;
    return bins;
}

/* Returns whether all bins have the same power. Each is the mean of `segments` spectra. */
static bool is_flat(const fit *f, double segments)
{
    const model m = {make_shape(f, 1, 1, (long)f->bins / 2), 1, 0};
    return misfit(f, 0, (long)f->bins / 2 - 1, &m, INFINITY) < 1 / segments;
}

bool dvbs2_find_centre(const float *re, const float *im, size_t count, double symbols_per_sample,
                       const double *roll_offs, size_t n, dvbs2_centre *centre)
{
    const size_t bins = bins_for(symbols_per_sample);
    double *power = ldpc_allocate(3 * bins, sizeof *power), total = 0;
    bool made = power && count >= bins && measure(re, im, count, bins, power);
    if (made) {
        fit f = {.power = power, .inverse = power + bins, .bins = bins};
        const double segments = 2 * (double)count / (double)bins;
        for (size_t i = 0; i < bins; i++)
            total += power[i];
        for (size_t i = 0; i < bins; i++)
            power[i] *= (double)bins / fmax(total, 1e-300); /* mean 1 */
        const double floor = fmax(noise_floor(power, power + 2 * bins, bins), 1e-4);
        *centre = fit_all(&f, symbols_per_sample, floor, roll_offs, n, segments);
        const double misfit = misfit_of(&f, symbols_per_sample, floor, centre);
        bool found = false;
        if (misfit > other_signals)
            made = dvbs2_find_cyclic(re, im, count, symbols_per_sample, roll_offs, n, centre, &found);
        if (!found && misfit > strong_signals)
            fit_band(&f, symbols_per_sample, floor, roll_offs, n, centre);
        centre->empty =
            !(total > 0) || (centre->empty && symbols_per_sample < most_occupied && is_flat(&f, segments));
    }
    free(power);
    return made;
}
