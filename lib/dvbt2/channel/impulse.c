/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/impulse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/complex.h"
#include "receiver/fft_plan.h"
#include "receiver/median.h"

/* Minimum power of a path relative to noise (13 dB). Noise exceeds it in one of 5e8 taps. */
static const float path_threshold = 20;
/* Grid points are clipped at this multiple of the mean power. Fading exceeds it in one of 20000 points. */
static const float outlier = 10;
/* Taps below this fraction of the highest tap may be side lobes of the window. */
static const float side_lobes = 1e-5f;
/* Half the width of the main lobe, taps. */
static const double half_lobe = 3;
/* Gaps shorter than this fraction of the delay range may lie between paths. */
static const double clear_gap = 1.0 / 64;
/* Relative rounding error of energy sums. */
static const double rounding = 1e-9;
/* Iterations of the deconvolution, and maximum increase of a tap per iteration. */
enum { SHARPENING_STEPS = 16 };
static const float most_sharpening = 100;

static void fill_lobe(dvbt2_impulse *impulse)
{
    float sum = 0;
    for (uint32_t t = 0; t < DVBT2_LOBE_TAPS; t++) {
        double re = 0, im = 0;
        for (uint32_t i = 0; i < impulse->points; i++) {
            double angle = 2 * RX_PI * t * (double)i / impulse->length;
            re += (double)impulse->window[i] * cos(angle);
            im += (double)impulse->window[i] * sin(angle);
        }
        impulse->lobe[t] = (float)(re * re + im * im);
        sum += impulse->lobe[t] * (t > 0 ? 2 : 1);
    }
    for (uint32_t t = 0; t < DVBT2_LOBE_TAPS; t++)
        impulse->lobe[t] /= sum;
}

bool dvbt2_impulse_init(dvbt2_impulse *impulse, uint32_t fft_length, uint32_t distance, uint32_t points)
{
    memset(impulse, 0, sizeof *impulse);
    impulse->fft_length = fft_length;
    impulse->points = points;
    impulse->length = 1;
    while (impulse->length < points)
        impulse->length *= 2;
    impulse->step = (double)fft_length / distance / impulse->length;
    impulse->window = ldpc_allocate(points, sizeof *impulse->window);
    impulse->power = ldpc_allocate(impulse->length, sizeof *impulse->power);
    impulse->sharp = ldpc_allocate(impulse->length, sizeof *impulse->sharp);
    impulse->ratio = ldpc_allocate(impulse->length, sizeof *impulse->ratio);
    impulse->in = fftwf_malloc(impulse->length * sizeof *impulse->in);
    impulse->out = fftwf_malloc(impulse->length * sizeof *impulse->out);
    if (!impulse->window || !impulse->power || !impulse->sharp || !impulse->ratio || !impulse->in ||
        !impulse->out)
        return false;
    impulse->plan = rx_fft_plan((int)impulse->length, impulse->in, impulse->out, FFTW_BACKWARD);
    double energy = 0;
    for (uint32_t i = 0; i < points; i++) { /* Blackman: side lobes below -58 dB */
        double x = 2 * RX_PI * (i + 0.5) / points;
        double w = 0.42 - 0.5 * cos(x) + 0.08 * cos(2 * x);
        impulse->window[i] = (float)w;
        energy += w * w;
    }
    impulse->window_energy = (float)energy;
    fill_lobe(impulse);
    return impulse->plan != NULL;
}

void dvbt2_impulse_free(dvbt2_impulse *impulse)
{
    rx_fft_destroy(impulse->plan);
    free(impulse->window);
    free(impulse->power);
    free(impulse->sharp);
    free(impulse->ratio);
    fftwf_free(impulse->in);
    fftwf_free(impulse->out);
    memset(impulse, 0, sizeof *impulse);
}

/* Limits the effect of interferers. */
static float most_power(const float complex *grid, uint32_t points)
{
    float most = HUGE_VALF;
    for (int pass = 0; pass < 3; pass++) {
        float sum = 0;
        for (uint32_t i = 0; i < points; i++)
            sum += fminf(most, rx_power(grid[i]));
        most = outlier * sum / (float)points;
    }
    return most;
}

void dvbt2_impulse_compute(dvbt2_impulse *impulse, const float complex *grid, bool add)
{
    const float most = most_power(grid, impulse->points);
    for (uint32_t i = 0; i < impulse->points; i++) {
        const float power = rx_power(grid[i]), limit = power > most ? sqrtf(most / power) : 1;
        impulse->in[i] = grid[i] * (impulse->window[i] * limit);
    }
    memset(impulse->in + impulse->points, 0, (impulse->length - impulse->points) * sizeof *impulse->in);
    fftwf_execute(impulse->plan);
    for (uint32_t i = 0; i < impulse->length; i++)
        impulse->power[i] = rx_power(impulse->out[i]) + (add ? impulse->power[i] : 0);
}

/* Returns the mean noise of a tap. It is computed from the median, because fewer than half of the taps
 * contain paths. */
static float noise_of_taps(const dvbt2_impulse *impulse, uint32_t responses)
{
    return rx_median(impulse->power, impulse->length, 0) / (responses > 1 ? 0.839f : 0.693f);
}

/* Consecutive taps, cyclic. */
typedef struct arc {
    uint32_t first, taps;
} arc;

/* Each arc excludes one of the largest gaps. The shortest arc comes first. */
static uint32_t find_arcs(const dvbt2_impulse *impulse, float threshold, arc arcs[DVBT2_READINGS])
{
    const uint32_t n = impulse->length;
    uint32_t strongest = 0, count = 0, last_path = 0;
    for (uint32_t i = 0; i < n; i++)
        if (impulse->power[i] > impulse->power[strongest])
            strongest = i;
    for (uint32_t d = 1; d <= n; d++) {
        if (impulse->power[(strongest + d) % n] <= threshold && d < n)
            continue;
        arc new = {(strongest + d) % n, n - (d - last_path) + 1};
        last_path = d;
        uint32_t place = count < DVBT2_READINGS ? count++ : DVBT2_READINGS;
        while (place > 0 && arcs[place - 1].taps > new.taps) {
            if (place < DVBT2_READINGS)
                arcs[place] = arcs[place - 1];
            place--;
        }
        if (place < DVBT2_READINGS)
            arcs[place] = new;
    }
    return count;
}

/* Returns the power of a tap with a path, otherwise 0. */
static double path_power(const dvbt2_impulse *impulse, uint32_t tap, float threshold)
{
    const float power = impulse->power[tap % impulse->length];
    return power > threshold ? (double)power : 0;
}

static uint32_t best_window(const dvbt2_impulse *impulse, arc a, uint32_t width, float threshold,
                            double *energy)
{
    double sum = 0;
    uint32_t best = 0;
    for (uint32_t i = 0; i < width; i++)
        sum += path_power(impulse, a.first + i, threshold);
    *energy = sum;
    for (uint32_t i = 0; i + width < a.taps; i++) {
        sum +=
            path_power(impulse, a.first + i + width, threshold) - path_power(impulse, a.first + i, threshold);
        if (sum > *energy * (1 + rounding)) {
            *energy = sum;
            best = i + 1;
        }
    }
    return best;
}

/* Returns the delay of a tap. Delays are negative in the second half of the taps. */
static double delay_of(const dvbt2_impulse *impulse, double tap)
{
    double n = impulse->length;
    tap = fmod(tap, n);
    return (tap < n / 2 ? tap : tap - n) * impulse->step;
}

/* Returns true if the tap is a local maximum. */
static bool is_path(const dvbt2_impulse *impulse, uint32_t tap, uint32_t around)
{
    const uint32_t n = impulse->length;
    for (uint32_t i = 1; i <= around; i++)
        if (impulse->power[(tap + i) % n] > impulse->power[tap] ||
            impulse->power[(tap + n - i) % n] > impulse->power[tap])
            return false;
    return true;
}

static uint32_t between_paths(const dvbt2_impulse *impulse, arc a)
{
    const uint32_t n = impulse->length, around = (uint32_t)(half_lobe * n / impulse->points);
    uint32_t first = 0, last = a.taps - 1;
    while (first < last && !is_path(impulse, (a.first + first) % n, around))
        first++;
    while (last > first && !is_path(impulse, (a.first + last) % n, around))
        last--;
    return last - first;
}

/* Converts an arc to a reading. */
static dvbt2_delays read_arc(const dvbt2_impulse *impulse, arc a, uint32_t width, float threshold)
{
    dvbt2_delays delays = {.tap = a.first, .taps = a.taps};
    double inside, all;
    uint32_t covered = a.taps < width ? a.taps : width;
    uint32_t start = best_window(impulse, a, covered, threshold, &inside);
    best_window(impulse, a, a.taps, threshold, &all);
    double from_first = (start + (covered - 1) / 2.0) * impulse->step;
    delays.middle = delay_of(impulse, a.first + start + (covered - 1) / 2.0);
    delays.first = delays.tap_delay = delays.middle - from_first;
    delays.last = delays.first + (a.taps - 1) * impulse->step;
    delays.paths = between_paths(impulse, a) * impulse->step;
    delays.inside = all > 0 ? inside / all : 0;
    return delays;
}

static bool is_reading(const dvbt2_impulse *impulse, arc a, uint32_t width)
{
    const uint32_t n = impulse->length;
    return a.taps <= width || (a.taps <= 2 * width && n - a.taps >= clear_gap * n);
}

uint32_t dvbt2_impulse_delays(const dvbt2_impulse *impulse, uint32_t guard, uint32_t responses,
                              dvbt2_delays readings[DVBT2_READINGS])
{
    const float noise = noise_of_taps(impulse, responses);
    float highest = 0;
    double total = 0;
    for (uint32_t i = 0; i < impulse->length; i++) {
        highest = fmaxf(highest, impulse->power[i]);
        total += (double)impulse->power[i] - (double)noise;
    }
    arc arcs[DVBT2_READINGS];
    uint32_t width = (uint32_t)(guard / impulse->step) + 1;
    const float threshold = fmaxf(path_threshold * noise, side_lobes * highest);
    uint32_t count = find_arcs(impulse, threshold, arcs), fit = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && !is_reading(impulse, arcs[i], width))
            continue;
        dvbt2_delays *reading = &readings[fit++];
        *reading = read_arc(impulse, arcs[i], width, threshold);
        reading->threshold = threshold;
        reading->noise = noise / impulse->window_energy / (float)responses;
        reading->signal = (float)(fmax(total, 0) / impulse->length / impulse->window_energy / responses);
    }
    return fit;
}

static float under_lobe(const dvbt2_impulse *impulse, const float *taps, uint32_t count, uint32_t t)
{
    float sum = impulse->lobe[0] * taps[t];
    for (uint32_t i = 1; i < DVBT2_LOBE_TAPS; i++) {
        sum += impulse->lobe[i] * (t >= i ? taps[t - i] : 0);
        sum += impulse->lobe[i] * (t + i < count ? taps[t + i] : 0);
    }
    return sum;
}

/* Deconvolves the taps by the window's lobe into impulse->sharp. The Richardson-Lucy algorithm keeps powers
 * positive. */
static void sharpen(dvbt2_impulse *impulse, const dvbt2_delays *delays)
{
    const uint32_t count = delays->taps;
    float *sharp = impulse->sharp, *ratio = impulse->ratio;
    for (uint32_t t = 0; t < count; t++) {
        const float power = impulse->power[(delays->tap + t) % impulse->length];
        sharp[t] = power > delays->threshold ? power : 0;
        ratio[t] = 0;
    }
    for (uint32_t step = 0; step < SHARPENING_STEPS; step++) {
        for (uint32_t t = 0; t < count; t++) {
            const float power = impulse->power[(delays->tap + t) % impulse->length];
            if (power > delays->threshold)
                ratio[t] = fminf(power / under_lobe(impulse, sharp, count, t), most_sharpening);
        }
        for (uint32_t t = 0; t < count; t++)
            if (sharp[t] > 0)
                sharp[t] *= under_lobe(impulse, ratio, count, t);
    }
}

void dvbt2_impulse_correlation(dvbt2_impulse *impulse, const dvbt2_delays *delays,
                               double complex *correlation, size_t lags)
{
    double sum = 0;
    memset(correlation, 0, lags * sizeof *correlation);
    sharpen(impulse, delays);
    for (uint32_t t = 0; t < delays->taps; t++) {
        const double power = (double)impulse->sharp[t];
        if (power <= 0)
            continue;
        const double angle = -2 * RX_PI * (delays->tap_delay + t * impulse->step) / impulse->fft_length;
        const double complex turn = cos(angle) + I * sin(angle);
        double complex term = power;
        for (size_t d = 0; d < lags; d++) {
            correlation[d] += term;
            term *= turn;
        }
        sum += power;
    }
    for (size_t d = 0; d < lags && sum > 0; d++)
        correlation[d] /= sum;
}
