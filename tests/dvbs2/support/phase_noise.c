/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/support/phase_noise.h"

#include <math.h>

#include "dvbs2/support/sender.h"

static const double pi = 3.14159265358979323846;
static const double reference_hz = 500, reference_db = -42.5; /* a point of the mask, dBc/Hz */
static const double lowest_hz = 10;

/* Slopes of the mask in addition to -20 dB per decade. */
static const struct {
    double from_hz, slope_db;
} bands[] = {
    {10,  -5},
    {1e3, -3},
    {1e4, 0 },
    {1e5, 10},
    {1e6, 9 },
    {1e7, 20},
    {1e8, 0 }
};

static double coefficient(double hz, double symbol_rate)
{
    return exp(-2 * pi * hz / symbol_rate);
}

static void add(phase_noise *p, double pole, double zero)
{
    p->pole[p->count] = pole;
    p->zero[p->count] = zero;
    p->last[p->count++] = 0;
}

/* Returns the power gain of all filters. */
static double gain_at(const phase_noise *p, double cycles)
{
    double gain = 1;
    const double complex back = cexp(-2 * pi * cycles * I);
    for (size_t i = 0; i < p->count; i++)
        gain *= pow(cabs(1 - p->zero[i] * back) / cabs(1 - p->pole[i] * back), 2);
    return gain;
}

/* A pole and a zero change the level within each half decade. */
void phase_noise_start(phase_noise *p, double symbol_rate)
{
    const double step = sqrt(10);
    *p = (phase_noise){0};
    add(p, coefficient(lowest_hz, symbol_rate), 0);
    for (size_t band = 0; bands[band].from_hz < 1e8; band++)
        for (double hz = bands[band].from_hz; hz < 0.99 * bands[band + 1].from_hz && hz < symbol_rate / 2;
             hz *= step) {
            const double share = bands[band].slope_db / 20;
            add(p, coefficient(hz * pow(step, (1 + share) / 2), symbol_rate),
                coefficient(hz * pow(step, (1 - share) / 2), symbol_rate));
        }
    /* The density is 2 scale^2 / symbol_rate times the gain, and also 2 L. */
    p->scale = sqrt(pow(10, reference_db / 10) * symbol_rate / gain_at(p, reference_hz / symbol_rate));
    for (double n = 0; n < 0.2 * symbol_rate; n++) /* several times the period of the lowest frequency */
        phase_noise_next(p);
}

double phase_noise_next(phase_noise *p)
{
    double value = p->scale * (double)crealf(noise(2));
    for (size_t i = 0; i < p->count; i++) {
        const double state = value + p->pole[i] * p->last[i];
        value = state - p->zero[i] * p->last[i];
        p->last[i] = state;
    }
    return value;
}

void phase_noise_apply(phase_noise *p, float complex *symbols, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double phase = phase_noise_next(p);
        symbols[i] *= (float)cos(phase) + (float)sin(phase) * I;
    }
}
