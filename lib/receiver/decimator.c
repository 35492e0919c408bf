/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "receiver/decimator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/complex.h"
#include "receiver/kaiser.h"
#include "receiver/samples.h"

/* Half of a half-band filter with 23 taps: the tap in the middle is 1/2, and those at even distances from it are 0.
 * Ideal low-pass filter, Kaiser window. */
enum { EVENS = RX_HALF_BAND_TAPS, MIDDLE = EVENS / 2 - 1 };

static const double power_memory = 1 << 18; /* samples */

static const double beta = 6.5;

/* Returns the taps at even positions. */
static void make_taps(float taps[EVENS])
{
    double sum = 0, values[EVENS];
    for (int t = 0; t < EVENS; t++) {
        const double x = 2 * t - EVENS + 1; /* distance from the middle */
        values[t] = sin(RX_PI / 2 * x) / x * rx_kaiser(x / EVENS, beta);
        sum += values[t];
    }
    for (int t = 0; t < EVENS; t++)
        taps[t] = (float)(0.5 * values[t] / sum);
}

bool rx_decimator_init(rx_decimator *d, ldpc_sample_format format, double frequency, uint32_t stages)
{
    memset(d, 0, sizeof *d);
    d->kernels = rx_kernels_best();
    d->format = format;
    d->stages = stages < RX_DECIMATOR_STAGES ? stages : RX_DECIMATOR_STAGES;
    d->step = -frequency;
    make_taps(d->taps);
    d->iq = ldpc_allocate(2 * (size_t)RX_DECIMATOR_MOST, sizeof *d->iq);
    d->re = ldpc_allocate(RX_DECIMATOR_MOST, sizeof *d->re);
    d->im = ldpc_allocate(RX_DECIMATOR_MOST, sizeof *d->im);
    bool made = d->iq && d->re && d->im;
    for (uint32_t s = 0; made && s < d->stages; s++) {
        const size_t room = 2 * (RX_DECIMATOR_MOST / 2 + EVENS + 2);
        d->stage[s].even = ldpc_allocate(room, sizeof *d->iq);
        d->stage[s].odd = ldpc_allocate(room, sizeof *d->iq);
        made = d->stage[s].even && d->stage[s].odd;
    }
    return made;
}

void rx_decimator_free(rx_decimator *d)
{
    free(d->iq);
    free(d->re);
    free(d->im);
    for (uint32_t s = 0; s < d->stages; s++) {
        free(d->stage[s].even);
        free(d->stage[s].odd);
    }
    memset(d, 0, sizeof *d);
}

static void append(rx_half_band *stage, const float *iq, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const bool odd = stage->evens > stage->odds;
        float *to = odd ? stage->odd + 2 * stage->odds++ : stage->even + 2 * stage->evens++;
        to[0] = iq[2 * i];
        to[1] = iq[2 * i + 1];
    }
}

static void drop(float *samples, size_t *held, size_t count)
{
    *held -= count;
    memmove(samples, samples + 2 * count, 2 * *held * sizeof *samples);
}

/* Halves the rate of `count` samples in place. Returns the number of outputs. */
static size_t halve(rx_half_band *stage, const float *taps, float *iq, size_t count)
{
    append(stage, iq, count);
    const size_t by_even = stage->evens >= EVENS ? stage->evens - EVENS + 1 : 0;
    const size_t by_odd = stage->odds > MIDDLE ? stage->odds - MIDDLE : 0;
    const size_t outputs = by_even < by_odd ? by_even : by_odd;
    for (size_t i = 0; i < 2 * outputs; i++) {
        float sum = 0.5f * stage->odd[i + 2 * MIDDLE];
        for (size_t t = 0; t < EVENS; t++)
            sum += taps[t] * stage->even[i + 2 * t];
        iq[i] = sum;
    }
    drop(stage->even, &stage->evens, outputs);
    drop(stage->odd, &stage->odds, outputs);
    return outputs;
}

size_t rx_decimator_run(rx_decimator *d, const void *samples, size_t count, const float **out)
{
    double power = 0;
    rx_samples_to_float(d->format, samples, count, d->iq);
    d->kernels->mix(d->iq, count, 2 * RX_PI * d->phase, 2 * RX_PI * d->step, d->re, d->im);
    d->phase += d->step * (double)count;
    d->phase -= floor(d->phase);
    for (size_t i = 0; i < count; i++) {
        power += (double)(d->re[i] * d->re[i] + d->im[i] * d->im[i]);
        d->iq[2 * i] = d->re[i];
        d->iq[2 * i + 1] = d->im[i];
    }
    d->weight = fmin(d->weight + (double)count, power_memory);
    d->power += (power - (double)count * d->power) / fmax(d->weight, 1);
    for (uint32_t s = 0; s < d->stages; s++)
        count = halve(&d->stage[s], d->taps, d->iq, count);
    *out = d->iq;
    return count;
}
