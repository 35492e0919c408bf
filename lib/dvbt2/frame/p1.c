/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/frame/p1.h"

#include <math.h>
#include <string.h>

#include "receiver/complex.h"
#include "receiver/fft_plan.h"

enum {
    MASK = DVBT2_P1_HISTORY - 1,
    LAG_FRONT = DVBT2_P1_C,
    LAG_BACK = DVBT2_P1_B,
    /* A maximum is final after this number of samples without a higher correlation. */
    PEAK_WAIT = 600,
    BACK_AFTER_FRONT = 964,
};

/* Minimum correlation of a P1. Noise exceeds 0.17 less than once in 10^10 samples. Two equal paths at 0 dB
 * C/N give 0.25. */
static const float threshold = 0.17f;
/* Minimum concentration of the impulse response. A signal at -10 dB C/N gives 0.006; noise gives at most
 * 0.0026. */
static const float least_concentration = 0.0032f;
/* Minimum ratio of the best to the second best metric. */
static const float least_margin = 1.08f;
/* Maximum carrier offset in Hz, and maximum relative to 1/T; the lower limit applies. Both limits are equal
 * in 1.7 MHz channels. */
static const double most_offset = 500e3, most_relative_offset = 0.271;
/* Carrier powers are clipped at this multiple of their mean. */
static const float most_carrier = 3;

double dvbt2_most_offset(double rate)
{
    return fmin(most_offset, most_relative_offset * rate);
}

bool dvbt2_p1_search_init(dvbt2_p1_search *p1, double rate)
{
    memset(p1, 0, sizeof *p1);
    p1->rate = rate;
    /* In 1.7 MHz channels, the low-pass filter removes up to a third of P1 at the largest offset. */
    p1->max_carriers = (uint32_t)ceil(dvbt2_most_offset(rate) * DVBT2_P1_A / rate) + 1;
    for (int n = 0; n < 1024; n++)
        p1->wave[n] = rx_cplx((float)cos(2 * RX_PI * n / 1024), (float)-sin(2 * RX_PI * n / 1024));
    p1->time = fftwf_malloc(DVBT2_P1_A * sizeof *p1->time);
    p1->frequency = fftwf_malloc(DVBT2_P1_A * sizeof *p1->frequency);
    if (!p1->time || !p1->frequency)
        return false;
    p1->plan = rx_fft_plan(DVBT2_P1_A, p1->time, p1->frequency, FFTW_FORWARD);
    return p1->plan != NULL;
}

void dvbt2_p1_search_free(dvbt2_p1_search *p1)
{
    rx_fft_destroy(p1->plan);
    fftwf_free(p1->time);
    fftwf_free(p1->frequency);
    memset(p1, 0, sizeof *p1);
}

void dvbt2_p1_search_reset(dvbt2_p1_search *p1, uint64_t next)
{
    p1->next = p1->first = next;
    p1->energy = 0;
    p1->best = 0;
    memset(p1->history, 0, sizeof p1->history);
    memset(p1->sums, 0, sizeof p1->sums);
}

/* ---- carriers and fields */

static inline float magnitude(float complex a)
{
    return sqrtf(rx_power(a));
}

static float energy_at(const float *energy, int shift)
{
    float sum = 0;
    for (int i = 0; i < DVBT2_P1_CARRIERS; i++)
        sum += energy[(dvbt2_p1_carrier[i] - DVBT2_P1_MIDDLE + shift) & 1023];
    return sum;
}

static int find_shift(const dvbt2_p1_search *p1, const float *energy)
{
    int best = 0, most = (int)p1->max_carriers;
    float best_energy = 0;
    for (int shift = -most; shift <= most; shift++) {
        float e = energy_at(energy, shift);
        if (e > best_energy) {
            best_energy = e;
            best = shift;
        }
    }
    return best;
}

static void read_carriers(const dvbt2_p1_search *p1, int shift, float complex *carrier)
{
    float mean = 0;
    for (int i = 0; i < DVBT2_P1_CARRIERS; i++) {
        carrier[i] = p1->frequency[(dvbt2_p1_carrier[i] - DVBT2_P1_MIDDLE + shift) & 1023];
        mean += magnitude(carrier[i]) / DVBT2_P1_CARRIERS;
    }
    for (int i = 0; i < DVBT2_P1_CARRIERS; i++) {
        float size = magnitude(carrier[i]);
        if (size > most_carrier * mean)
            carrier[i] *= most_carrier * mean / size;
    }
}

/* The sum is valid for any delay spread, unlike a differential metric. */
static float concentration(dvbt2_p1_search *p1, const float complex *carrier, uint8_t s1, uint8_t s2)
{
    int8_t sequence[DVBT2_P1_CARRIERS];
    dvbt2_p1_modulation(s1, s2, sequence);
    memset(p1->time, 0, DVBT2_P1_A * sizeof *p1->time);
    for (int i = 0; i < DVBT2_P1_CARRIERS; i++)
        p1->time[dvbt2_p1_carrier[i]] = carrier[i] * sequence[i];
    fftwf_execute(p1->plan);
    float sum = 0;
    for (int n = 0; n < DVBT2_P1_A; n++) {
        float power = rx_power(p1->frequency[n]);
        sum += power * power;
    }
    return sum;
}

/* Finds the most likely S1 and S2. */
static bool read_fields(dvbt2_p1_search *p1, int shift, dvbt2_p1_result *result)
{
    enum { S1 = 8, S2 = 16 };
    float complex carrier[DVBT2_P1_CARRIERS];
    float best = 0, second = 0, energy = 0;
    uint8_t chosen = 0;
    read_carriers(p1, shift, carrier);
    for (int i = 0; i < DVBT2_P1_CARRIERS; i++)
        energy += rx_power(carrier[i]) * DVBT2_P1_A; /* energy of all taps */
    for (uint8_t v = 0; v < S1 * S2; v++) {
        float c = concentration(p1, carrier, v / S2, v % S2);
        second = fmaxf(second, fminf(c, best));
        if (c > best) {
            best = c;
            chosen = v;
        }
    }
    result->margin = second > 0 ? best / second : 0;
    return dvbt2_p1_fields(chosen / S2, chosen % S2, &result->info) && result->margin > least_margin &&
           best > least_concentration * energy * energy;
}

/* Indices are wrapped with `mask`. fraction: carrier offset, cycles per sample. */
static bool read_symbol(dvbt2_p1_search *p1, const float complex *samples, uint64_t start, uint64_t mask,
                        double fraction, dvbt2_p1_result *result)
{
    for (int n = 0; n < DVBT2_P1_A; n++) {
        const double angle = -2 * RX_PI * fraction * n;
        const float complex x = samples[(start + (uint64_t)n) & mask];
        p1->time[n] = rx_mul(result->mirrored ? conjf(x) : x, rx_cplx((float)cos(angle), (float)sin(angle)));
    }
    fftwf_execute(p1->plan);
    float energy[DVBT2_P1_A];
    for (int k = 0; k < DVBT2_P1_A; k++)
        energy[k] = rx_power(p1->frequency[k]);
    int shift = find_shift(p1, energy);
    result->carrier = (fraction + shift / 1024.0) * p1->rate;
    return read_fields(p1, shift, result);
}

/* ---- correlation */

static float correlation_of(float complex front, float complex back, double energy)
{
    if (energy <= 0)
        return 0;
    /* `energy` includes both factors of each product. */
    return (float)(2 * (magnitude(front) + magnitude(back)) / energy);
}

/* Returns the carrier offset in cycles per sample. The angle of conj(front) * back is the carrier phase over
 * 1024 samples. */
static double fraction_of(float complex front, float complex back)
{
    return cargf(rx_mul_conj(back, front)) / (2 * RX_PI * 1024);
}

/* Returns the energy of the DVBT2_P1_LENGTH samples up to sample n. */
static double energy_of_history(const dvbt2_p1_search *p1, uint64_t n)
{
    double sum = 0;
    for (uint64_t i = 0; i < DVBT2_P1_LENGTH; i++)
        sum += (double)rx_power(p1->history[(n - i) & MASK]);
    return sum;
}

static void add_terms(dvbt2_p1_sums *sums, uint64_t n, float complex front, float complex back)
{
    sums->front_sum += front - sums->front[(n - DVBT2_P1_C) & MASK];
    sums->back_sum += back - sums->back[(n - DVBT2_P1_B) & MASK];
    sums->front[n & MASK] = front;
    sums->back[n & MASK] = back;
    sums->front_sums[n & MASK] = (float complex)sums->front_sum;
}

/* Removes rounding errors that remain in running sums after strong glitches. n: latest sample */
static void sum_again(dvbt2_p1_search *p1, uint64_t n)
{
    p1->energy = energy_of_history(p1, n);
    for (dvbt2_p1_sums *sums = p1->sums; sums < p1->sums + 2; sums++) {
        sums->front_sum = sums->back_sum = 0;
        for (uint64_t i = 0; i < DVBT2_P1_C; i++)
            sums->front_sum += sums->front[(n - i) & MASK];
        for (uint64_t i = 0; i < DVBT2_P1_B; i++)
            sums->back_sum += sums->back[(n - i) & MASK];
    }
}

static void step(dvbt2_p1_search *p1, float complex x)
{
    const uint64_t n = p1->next++;
    float complex *h = p1->history;
    float complex old = h[(n - DVBT2_P1_LENGTH) & MASK];
    h[n & MASK] = x;
    p1->energy += (double)rx_power(x) - (double)rx_power(old);
    /* C and B are shifted in frequency */
    const float complex front = rx_mul_conj(h[(n - LAG_FRONT) & MASK], x),
                        front_wave = p1->wave[(n - LAG_FRONT) & 1023];
    const float complex back = rx_mul_conj(x, h[(n - LAG_BACK) & MASK]), back_wave = p1->wave[n & 1023];
    add_terms(&p1->sums[0], n, rx_mul(front, front_wave), rx_mul(back, back_wave));
    add_terms(&p1->sums[1], n, rx_mul_conj(front_wave, front), rx_mul_conj(back_wave, back));
    if ((n & MASK) == 0)
        sum_again(p1, n);
}

static void compare_with_best(dvbt2_p1_search *p1, bool mirrored)
{
    const uint64_t n = p1->next - 1;
    const dvbt2_p1_sums *sums = &p1->sums[mirrored];
    const float complex front = sums->front_sums[(n - BACK_AFTER_FRONT) & MASK];
    const float complex back = (float complex)sums->back_sum;
    const float c = correlation_of(front, back, p1->energy);
    if (c <= fmaxf(p1->best, threshold) ||
        fminf(magnitude(front), magnitude(back)) <= 0.25f * fmaxf(magnitude(front), magnitude(back)))
        return;
    p1->best = c;
    p1->best_mirrored = mirrored;
    p1->best_start = n + 1 - DVBT2_P1_LENGTH;
    p1->best_front = front;
    p1->best_back = back;
}

static bool follow_peak(dvbt2_p1_search *p1)
{
    const uint64_t n = p1->next - 1;
    if (n + 1 >= p1->first + DVBT2_P1_LENGTH) {
        compare_with_best(p1, false);
        compare_with_best(p1, true);
    }
    return p1->best > 0 && n > p1->best_start + DVBT2_P1_LENGTH + PEAK_WAIT;
}

bool dvbt2_p1_search_push(dvbt2_p1_search *p1, const float complex *samples, uint32_t count, uint32_t *used,
                          dvbt2_p1_result *result)
{
    for (uint32_t i = 0; i < count; i++) {
        step(p1, samples[i]);
        if (!follow_peak(p1))
            continue;
        result->start = p1->best_start;
        result->correlation = p1->best;
        result->mirrored = p1->best_mirrored;
        p1->best = 0;
        double fraction = fraction_of(p1->best_front, p1->best_back);
        if (read_symbol(p1, p1->history, result->start + DVBT2_P1_C, MASK, fraction, result)) {
            *used = i + 1;
            return true;
        }
    }
    *used = count;
    return false;
}

static float correlate_at(const dvbt2_p1_search *p1, const float complex *s, float complex *front,
                          float complex *back)
{
    double energy = 0;
    *front = *back = 0;
    for (int n = 0; n < DVBT2_P1_C; n++)
        *front += rx_mul(rx_mul_conj(s[n], s[n + LAG_FRONT]), p1->wave[n & 1023]);
    for (int n = DVBT2_P1_C + DVBT2_P1_A; n < DVBT2_P1_LENGTH; n++)
        *back += rx_mul(rx_mul_conj(s[n], s[n - LAG_BACK]), p1->wave[n & 1023]);
    for (int n = 0; n < DVBT2_P1_LENGTH; n++)
        energy += rx_power(s[n]);
    return correlation_of(*front, *back, energy);
}

bool dvbt2_p1_check(dvbt2_p1_search *p1, const float complex *samples, uint32_t tolerance,
                    dvbt2_p1_result *result)
{
    const uint32_t coarse = 8;
    float complex front, back, best_front = 0, best_back = 0;
    result->mirrored = false;
    result->correlation = 0;
    result->start = 0;
    for (uint32_t s = 0; s <= 2 * tolerance; s += coarse) {
        float c = correlate_at(p1, samples + s, &front, &back);
        if (c > result->correlation) {
            result->correlation = c;
            result->start = s;
            best_front = front;
            best_back = back;
        }
    }
    const bool inside = result->start > 0 && result->start + coarse <= 2 * tolerance;
    if (result->correlation < 0.5f * threshold || !inside)
        return false;
    return read_symbol(p1, samples + result->start + DVBT2_P1_C, 0, UINT64_MAX,
                       fraction_of(best_front, best_back), result);
}
