/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/sync/cyclic_spectrum.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "receiver/complex.h"
#include "receiver/fft_plan.h"

enum { PER_SYMBOL_RATE = 128 /* frequencies per symbol rate at which carriers are searched */ };

static const double most_clock = 250e-6; /* maximum relative clock offset */
/* Minimum correlation. Without a carrier, the correlation is exponentially distributed with mean 1. */
static const double least_correlation = 18;
static const double exclusion = 0.25; /* minimum distance of two carriers, in symbol rates */
static const double window = 0.8;     /* width of the search window, in roll-offs */

/* Frequencies are in bins, -bins / 2 .. bins / 2 - 1. */
typedef struct spectrum {
    float complex *x; /* divided by the square root of the mean power */
    float *power;     /* mean power near the frequency */
    long bins;
    double rate;              /* symbol rate in bins */
    double complex *products; /* sums of x(k + shift) conj(x(k)) over all frequencies below k */
    double *powers;           /* sums of |x(k + shift)|^2 |x(k)|^2 */
} spectrum;

static bool transform(spectrum *s, const float *re, const float *im, size_t count)
{
    fftwf_plan plan = rx_fft_plan((int)s->bins, s->x, s->x, FFTW_FORWARD);
    for (long i = 0; plan && i < s->bins; i++)
        s->x[i] = i < (long)count ? rx_cplx(re[i], im[i]) : 0;
    if (plan)
        fftwf_execute(plan);
    rx_fft_destroy(plan);
    return plan;
}

static long index_of(const spectrum *s, long frequency)
{
    return frequency & (s->bins - 1);
}

/* Divides the spectrum by the square root of its mean power near each frequency. */
static void whiten(spectrum *s)
{
    const long half = lround(s->rate / PER_SYMBOL_RATE);
    double sum = 0;
    for (long k = -half; k < half; k++)
        sum += (double)rx_power(s->x[index_of(s, k)]);
    for (long k = 0; k < s->bins; k++) {
        sum += (double)rx_power(s->x[index_of(s, k + half)]);
        s->power[k] = (float)fmax(sum / (double)(2 * half + 1), 1e-30);
        sum -= (double)rx_power(s->x[index_of(s, k - half)]);
    }
    for (long k = 0; k < s->bins; k++)
        s->x[k] /= sqrtf(s->power[k]);
}

/* Sums begin at the frequency -bins / 2. */
static void add_up(spectrum *s, long shift)
{
    double complex product = 0;
    double power = 0;
    for (long i = 0; i < s->bins; i++) {
        s->products[i] = product;
        s->powers[i] = power;
        const long low = i - s->bins / 2;
        if (low + shift >= s->bins / 2)
            continue; /* outside the band of the samples */
        const float complex upper = s->x[index_of(s, low + shift)], lower = s->x[index_of(s, low)];
        product += (double complex)rx_mul_conj(upper, lower);
        power += (double)(rx_power(upper) * rx_power(lower));
    }
}

/* Returns the correlation of the band edges of a carrier, over a window of `width` bins. */
static double correlation(const spectrum *s, double carrier, long shift, double width)
{
    const long middle = lround(carrier - (double)shift / 2) + s->bins / 2, half = lround(width / 2);
    const long from = middle - half > 0 ? middle - half : 0;
    const long to = middle + half < s->bins - 1 ? middle + half : s->bins - 1;
    if (from >= to)
        return 0;
    const double complex sum = s->products[to] - s->products[from];
    const double power = s->powers[to] - s->powers[from];
    return power > 0 ? creal(sum * conj(sum)) / power : 0;
}

/* As correlation(), with the weights of the maximum likelihood estimate. */
static double matched_correlation(const spectrum *s, double carrier, long shift, double roll_off)
{
    const long middle = lround(carrier - (double)shift / 2), half = (long)(roll_off / 2 * s->rate);
    double complex sum = 0;
    double power = 0;
    for (long i = -half; i <= half; i++) {
        const long low = middle + i;
        if (low < -s->bins / 2 || low + shift >= s->bins / 2)
            continue;
        const long k = index_of(s, low + shift), l = index_of(s, low);
        const double weight =
            cos(RX_PI * (double)i / (roll_off * s->rate)) / sqrt((double)s->power[k] * (double)s->power[l]);
        const float complex upper = s->x[k], lower = s->x[l];
        sum += weight * (double complex)rx_mul_conj(upper, lower);
        power += weight * weight * (double)(rx_power(upper) * rx_power(lower));
    }
    return power > 0 ? creal(sum * conj(sum)) / power : 0;
}

typedef struct candidate {
    double correlation;
    long shift; /* symbol rate in bins */
} candidate;

static void search(spectrum *s, const double *roll_offs, size_t n, candidate *candidates, long side)
{
    const long reach = (long)ceil(s->rate * most_clock) + 1;
    for (long shift = lround(s->rate) - reach; shift <= lround(s->rate) + reach; shift++) {
        add_up(s, shift);
        for (size_t r = 0; r < n; r++)
            for (long c = -side; c <= side; c++) {
                const double here = correlation(s, (double)c * s->rate / PER_SYMBOL_RATE, shift,
                                                window * roll_offs[r] * s->rate);
                if (here > candidates[c + side].correlation)
                    candidates[c + side] = (candidate){here, shift};
            }
    }
}

/* Returns whether no stronger carrier is near. */
static bool is_peak(const candidate *candidates, long count, long c)
{
    const long near = (long)(exclusion * PER_SYMBOL_RATE);
    for (long i = c - near; i <= c + near; i++)
        if (i >= 0 && i < count && candidates[i].correlation > candidates[c].correlation)
            return false;
    return candidates[c].correlation > least_correlation;
}

static void refine(const spectrum *s, double carrier, long shift, const double *roll_offs, size_t n,
                   dvbs2_centre *centre)
{
    enum { NEAR = 16 };
    const double step = s->rate / PER_SYMBOL_RATE / 4;
    double highest = 0;
    for (size_t r = 0; r < n; r++)
        for (int i = -NEAR; i <= NEAR; i++) {
            const double here = matched_correlation(s, carrier + i * step, shift, roll_offs[r]);
            if (here > highest)
                *centre = (dvbs2_centre){(carrier + i * step) / (double)s->bins, roll_offs[r], false};
            highest = fmax(here, highest);
        }
}

static bool find(spectrum *s, const double *roll_offs, size_t n, dvbs2_centre *centre, bool *found)
{
    /* Half of the band edges must be inside the band of the samples. */
    const long side = (long)fmax(0, ((double)s->bins - s->rate) / 2 / s->rate * PER_SYMBOL_RATE);
    candidate *candidates = ldpc_allocate((size_t)(2 * side + 1), sizeof *candidates);
    if (!candidates)
        return false;
    search(s, roll_offs, n, candidates, side);
    long best = -1;
    for (long c = 0; c <= 2 * side; c++)
        if (is_peak(candidates, 2 * side + 1, c) && (best < 0 || labs(c - side) < labs(best - side)))
            best = c;
    if (best >= 0)
        refine(s, (double)(best - side) * s->rate / PER_SYMBOL_RATE, candidates[best].shift, roll_offs, n,
               centre);
    free(candidates);
    *found = best >= 0;
    return true;
}

bool dvbs2_find_cyclic(const float *re, const float *im, size_t count, double symbols_per_sample,
                       const double *roll_offs, size_t n, dvbs2_centre *centre, bool *found)
{
    spectrum s = {.bins = 1};
    *found = false;
    while (s.bins < (long)(count + count / 4))
        s.bins *= 2;
    s.rate = symbols_per_sample * (double)s.bins;
    s.x = fftwf_alloc_complex((size_t)s.bins);
    s.products = ldpc_allocate((size_t)s.bins, sizeof *s.products);
    s.powers = ldpc_allocate((size_t)s.bins, sizeof *s.powers);
    s.power = ldpc_allocate((size_t)s.bins, sizeof *s.power);
    bool made = s.x && s.products && s.powers && s.power && transform(&s, re, im, count);
    if (made)
        whiten(&s);
    made = made && find(&s, roll_offs, n, centre, found);
    fftwf_free(s.x);
    free(s.products);
    free(s.powers);
    free(s.power);
    return made;
}
