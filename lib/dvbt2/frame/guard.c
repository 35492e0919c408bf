/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/frame/guard.h"

#include <math.h>
#include <stdlib.h>

#include "receiver/complex.h"

enum {
    MOST_SYMBOLS = 24,
    MOST_LAG = 4,
    LAGS = 2 * MOST_LAG + 1,
    GROUP_DISTANCE = LAGS - 2 /* groups overlap */
};

/* sure: minimum drift in standard deviations. least_linear: minimum ratio of explained to unexplained squared
 * deviations. A step of the carrier reaches a ratio of 4. */
static const double sure = 6, least_linear = 6;

/* Minimum correlation of a guard interval. In short guard intervals, noise reaches 0.1. */
static const float least_correlation = 0.2f;

uint32_t dvbt2_guard_symbols(dvbt2_fft_size fft)
{
    static const uint32_t symbols[DVBT2_FFT_SIZES] = {MOST_SYMBOLS, 20, 16, 10, 6, 4};
    return symbols[fft];
}

static int longest_lag(uint32_t length)
{
    const int lag = (int)ceil(length * 1e-6 * DVBT2_MOST_PPM);
    return lag > MOST_LAG ? lag : MOST_LAG;
}

uint32_t dvbt2_guard_samples(dvbt2_fft_size fft)
{
    uint32_t length = 1024u << fft, longest = 0;
    for (uint32_t g = 0; g < DVBT2_GUARD_INTERVALS; g++) {
        uint32_t guard = dvbt2_guard_length(fft, (dvbt2_guard_interval)g);
        longest = guard > longest ? guard : longest;
    }
    const uint32_t lag = (uint32_t)(longest_lag(length) + LAGS);
    return dvbt2_guard_symbols(fft) * (length + longest + 2 * lag);
}

/* drift: real minus nominal symbol length, samples */
static float complex correlate(const float complex *samples, uint32_t length, uint32_t guard,
                               uint32_t symbols, int lag, double drift)
{
    float complex sum = 0;
    double energy = 0;
    for (uint32_t l = 0; l < symbols; l++) {
        double start = l * ((double)length + guard + drift);
        const float complex *x = samples + (size_t)fmax(0, start);
        const float complex *y = x + (int)length + lag;
        for (uint32_t n = 0; n < guard; n++) {
            sum += rx_mul_conj(y[n], x[n]);
            energy += (double)(rx_power(x[n]) + rx_power(y[n]));
        }
    }
    return energy > 0 ? sum * (float)(2 / energy) : 0;
}

/* Interpolates the band-limited correlation. */
static float complex between(const float complex *sums, double lag)
{
    float complex value = 0;
    for (int i = 0; i < LAGS; i++) {
        double x = RX_PI * (lag - (i - MOST_LAG));
        value += sums[i] * (float)(fabs(x) < 1e-9 ? 1 : sin(x) / x);
    }
    return value;
}

static double highest_near(const float complex *sums, double lag)
{
    double best = lag;
    float most = 0;
    for (int i = -100; i <= 100; i++) {
        float value = cabsf(between(sums, lag + 0.01 * i));
        if (value > most) {
            most = value;
            best = lag + 0.01 * i;
        }
    }
    return best;
}

typedef struct peak {
    float value;
    int whole;
    double lag;
    float complex sum;
} peak;

static peak best_lag(const float complex *samples, uint32_t length, uint32_t guard, uint32_t symbols,
                     int middle)
{
    float complex sums[LAGS];
    float value[LAGS];
    int best = 0;
    double share = (double)(length + guard) / length;
    for (int i = 0; i < LAGS; i++) {
        const int lag = middle + i - MOST_LAG;
        sums[i] = correlate(samples, length, guard, symbols, lag, lag * share);
        value[i] = cabsf(sums[i]);
        if (value[i] > value[best])
            best = i;
    }
    const double lag = middle + highest_near(sums, best - MOST_LAG);
    return (peak){value[best], middle + best - MOST_LAG, lag, sums[best]};
}

/* Finds the guard interval and lag with the highest correlation. Updates *best if it is higher. */
static void compare_guards(const float complex *samples, dvbt2_fft_size fft, uint8_t guards, int middle,
                           peak *best, dvbt2_guard_interval *chosen)
{
    for (uint32_t g = 0; g < DVBT2_GUARD_INTERVALS; g++) {
        const uint32_t guard = dvbt2_guard_length(fft, (dvbt2_guard_interval)g);
        if (!(guards >> g & 1) || !guard)
            continue;
        const peak p = best_lag(samples, 1024u << fft, guard, dvbt2_guard_symbols(fft), middle);
        if (p.value <= best->value)
            continue;
        *best = p;
        *chosen = (dvbt2_guard_interval)g;
    }
}

/* Returns the standard deviation, in cycles, of the phase of a correlation coefficient over `count` samples. */
static double deviation_of(float complex coefficient, double count)
{
    const double alike = fmin(1, (double)rx_power(coefficient));
    return sqrt((1 - alike) / (2 * count * (alike + 1e-12))) / (2 * RX_PI);
}

/* Returns the change of the carrier offset per symbol, in cycles per `lag` samples. It is the slope of a line
 * through the offsets of all symbols. Returns 0 if noise or a step explains the slope. */
static double drift_of(const float complex *samples, uint32_t length, uint32_t guard, uint32_t symbols,
                       const peak *best)
{
    const double middle = (symbols - 1) / 2.0,
                 symbol = (double)(length + guard) * (length + best->whole) / length;
    double turn[MOST_SYMBOLS], variance = 0, mean = 0, slope = 0, weight = 0, rest = 0;
    for (uint32_t l = 0; l < symbols; l++) {
        const float complex sum = correlate(samples + (size_t)(l * symbol), length, guard, 1, best->whole, 0);
        turn[l] = (double)cargf(rx_mul_conj(sum, best->sum)) / (2 * RX_PI);
        variance += pow(deviation_of(sum, guard), 2) / symbols;
        mean += turn[l] / symbols;
        slope += (l - middle) * turn[l];
        weight += (l - middle) * (l - middle);
    }
    slope /= weight;
    for (uint32_t l = 0; l < symbols; l++)
        rest += pow(turn[l] - mean - slope * (l - middle), 2);
    return slope * slope * weight > sure * sure * variance + least_linear * rest ? slope : 0;
}

bool dvbt2_guard_find(const float complex *samples, dvbt2_fft_size fft, uint8_t guards,
                      dvbt2_guard_result *result)
{
    const uint32_t length = 1024u << fft;
    const int longest = longest_lag(length);
    peak best = {0};
    compare_guards(samples, fft, guards, 0, &best, &result->guard);
    if (best.value <= least_correlation || abs(best.whole) == MOST_LAG) {
        best.value = 0;
        for (int middle = GROUP_DISTANCE; middle - MOST_LAG <= longest; middle += GROUP_DISTANCE) {
            compare_guards(samples, fft, guards, middle, &best, &result->guard);
            compare_guards(samples, fft, guards, -middle, &best, &result->guard);
        }
    }
    result->correlation = best.value;
    result->clock_ppm = best.lag / length * 1e6;
    result->lag = (int)length + best.whole;
    result->fraction = cargf(best.sum) / (2 * RX_PI);
    if (best.value <= least_correlation)
        return false;
    result->drift =
        drift_of(samples, length, dvbt2_guard_length(fft, result->guard), dvbt2_guard_symbols(fft), &best);
    return true;
}

double dvbt2_guard_carrier(const float complex *samples, uint32_t fft_length, uint32_t guard_length,
                           double *deviation)
{
    const float complex sum = correlate(samples, fft_length, guard_length, 1, 0, 0);
    *deviation = deviation_of(sum, guard_length);
    return (double)cargf(sum) / (2 * RX_PI);
}
