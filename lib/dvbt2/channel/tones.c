/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/tones.h"

#include <math.h>
#include <stdbool.h>

#include "receiver/complex.h"
#include "receiver/kernels.h"
#include "dvbt2/standard/parameters.h"

enum {
    /* bins per block; the surroundings of a peak are three blocks */
    BLOCK = 64,
    /* number of bins on each side of a peak that do not belong to its surroundings */
    AROUND = 4,
    FITTED = 6, /* number of bins on each side of a peak that are used for the fit */
    STEPS = 12,
};

/* Minimum power of a tone relative to its surroundings. */
static const float least_peak = 50;
/* Minimum leakage that is subtracted, relative to the surrounding power. */
static const float least_leak = 1e-4f;
/* A tone within this distance of a bin does not leak into other bins. */
static const double on_bin = 1e-4;

typedef struct blocks {
    uint32_t count;
    float sum[DVBT2_MAX_FFT / BLOCK], highest[DVBT2_MAX_FFT / BLOCK];
    float mean; /* mean power of a bin */
} blocks;

static void measure(blocks *b, const float complex *bins, uint32_t length)
{
    b->count = length / BLOCK;
    b->mean = 0;
    rx_kernels_best()->peaks(bins, b->count, b->sum, b->highest);
    for (uint32_t i = 0; i < b->count; i++)
        b->mean += b->sum[i] / (float)length;
}

static float power_around(const blocks *b, const float complex *bins, uint32_t peak)
{
    const uint32_t n = b->count, length = n * BLOCK, block = peak / BLOCK;
    float sum = b->sum[(block + n - 1) % n] + b->sum[block] + b->sum[(block + 1) % n];
    for (uint32_t i = 0; i <= 2 * AROUND; i++)
        sum -= rx_power(bins[(peak + length - AROUND + i) % length]);
    return fmaxf(sum, 0) / (3 * BLOCK - 2 * AROUND - 1);
}

static bool find_peak(blocks *b, const float complex *bins, uint32_t *peak, float *around)
{
    for (;;) {
        uint32_t block = 0;
        for (uint32_t i = 1; i < b->count; i++)
            if (b->highest[i] > b->highest[block])
                block = i;
        const float highest = b->highest[block];
        if (!(highest > least_peak * b->mean))
            return false;
        *peak = block * BLOCK;
        for (uint32_t k = 1; k < BLOCK; k++)
            if (rx_power(bins[block * BLOCK + k]) > rx_power(bins[*peak]))
                *peak = block * BLOCK + k;
        *around = power_around(b, bins, *peak);
        if (highest > least_peak * *around)
            return true;
        b->highest[block] = 0;
    }
}

/* Returns exp(2 pi i turns). */
static float complex phasor(double turns)
{
    return rx_cplx((float)cos(2 * RX_PI * turns), (float)sin(2 * RX_PI * turns));
}

/* energy: energy of the fitted tone */
static float complex fit(const float complex near[2 * FITTED + 1], double t, double *energy)
{
    double complex sum = near[FITTED];
    double weight = 1;
    for (int i = -FITTED; i <= FITTED; i++) {
        const double share = i == 0 ? 0 : t / (t - i);
        sum += share * (double complex)near[FITTED + i];
        weight += share * share;
    }
    *energy = (creal(sum) * creal(sum) + cimag(sum) * cimag(sum)) / weight;
    return (float complex)(sum / weight);
}

/* Returns the distance of the tone from the peak bin. */
static double place(const float complex near[2 * FITTED + 1])
{
    double best = 0, most = 0, energy;
    for (double step = 0.5 / STEPS, middle = 0; step > 1e-6; step /= STEPS, middle = best)
        for (int i = -STEPS - 1; i <= STEPS + 1; i++) {
            fit(near, middle + i * step, &energy);
            if (energy > most) {
                most = energy;
                best = middle + i * step;
            }
        }
    return best;
}

static float complex leak(double d, double length)
{
    const double x = RX_PI / length;
    return rx_cplx((float)(1 / d - x * x * d / 3 - x * x * x * x * d * d * d / 45), (float)x);
}

static void subtract(float complex *bins, uint32_t length, uint32_t rotation, uint32_t peak, double t,
                     float complex amplitude, float around)
{
    if (fabs(t) < on_bin) {
        bins[peak] -= rx_mul(amplitude, phasor((double)peak * rotation / length));
        return;
    }
    const float complex at_peak = leak(-t, length);
    const float complex whole = rx_mul_conj(amplitude, at_peak) / rx_power(at_peak);
    const double far = sqrt((double)(rx_power(whole) / (least_leak * around + 1e-30f)));
    const int32_t half = (int32_t)length / 2, reach = far + FITTED < half ? (int32_t)far + FITTED : half;
    const double complex step = (double complex)phasor((double)rotation / length);
    double complex turn = 1;
    for (int32_t i = -reach; i < reach; i++, turn *= step) {
        const uint32_t k = (peak + length + (uint32_t)i) % length;
        /* avoids accumulated rounding errors */
        if (i == -reach || i % BLOCK == 0)
            turn = (double complex)phasor(fmod((double)k * rotation, length) / length);
        bins[k] -= rx_mul(rx_mul(whole, leak(i - t, length)), (float complex)turn);
    }
}

static dvbt2_tone describe(double bin, double t, float around)
{
    double slow = 0, steep = 0;
    for (int i = -FITTED; i <= FITTED; i++) {
        const double d = fmax(fabs(i - t), on_bin), square = 1 / (d * d);
        slow += square;
        steep += square * square;
    }
    return (dvbt2_tone){bin, around, (float)(1 / slow), (float)(1 / steep)};
}

uint32_t dvbt2_remove_tones(float complex *bins, uint32_t length, uint32_t rotation,
                            dvbt2_tone tone[DVBT2_MOST_TONES])
{
    blocks b;
    uint32_t peak, count = 0;
    float around;
    for (measure(&b, bins, length); count < DVBT2_MOST_TONES && find_peak(&b, bins, &peak, &around);
         measure(&b, bins, length)) {
        float complex near[2 * FITTED + 1];
        double energy;
        for (int i = -FITTED; i <= FITTED; i++) {
            const uint32_t k = (peak + length + (uint32_t)i) % length;
            near[FITTED + i] = rx_mul(bins[k], phasor(-fmod((double)k * rotation, length) / length));
        }
        const double t = place(near);
        const float complex amplitude = fit(near, t, &energy);
        subtract(bins, length, rotation, peak, t, amplitude, around);
        tone[count++] = describe(peak + t, t, around);
    }
    return count;
}

float dvbt2_tone_left(const dvbt2_tone *tone, double distance)
{
    const float square = 1 / (float)fmax(distance * distance, 1e-6);
    return tone->power * fminf(1, tone->slow * square + tone->steep * square * square);
}
