/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "receiver/limiter.h"

#include <math.h>

enum { BLOCK = 64 }; /* number of samples after which the mean power is updated */

/* Maximum / mean power of a sample. Gaussian samples exceed 15 dB once in 1e13 samples, OFDM symbols of
 * similar cells reach 25 dB. */
static const float most_power = 600;
/* memory: averaging length, blocks. Blocks below `pause` times the mean power are pauses, with pause_memory
 * times the length. */
static const float memory = 32, pause = 0.01f, pause_memory = 256;

/* Returns the mean power of the samples. Sets *highest to the largest value of I^2 and Q^2. */
static float measure(const float *iq, size_t count, float *highest)
{
    enum { LANES = 8 };
    float sum[LANES] = {0}, high[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= 2 * count; i += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            const float power = iq[i + (size_t)lane] * iq[i + (size_t)lane];
            sum[lane] += power;
            high[lane] = power > high[lane] ? power : high[lane];
        }
    for (; i < 2 * count; i++) {
        sum[0] += iq[i] * iq[i];
        high[0] = fmaxf(high[0], iq[i] * iq[i]);
    }
    *highest = 0;
    float all = 0;
    for (int lane = 0; lane < LANES; lane++) {
        *highest = fmaxf(*highest, high[lane]);
        all += sum[lane];
    }
    return all / (float)count;
}

static void limit_samples(float *iq, size_t count, float most)
{
    for (size_t i = 0; i < count; i++) {
        const float power = iq[2 * i] * iq[2 * i] + iq[2 * i + 1] * iq[2 * i + 1];
        const float gain = power > most ? sqrtf(most / power) : 1;
        iq[2 * i] *= gain;
        iq[2 * i + 1] *= gain;
    }
}

static void limit_block(rx_limiter *limiter, float *iq, size_t count)
{
    const float most = most_power * limiter->level;
    float highest, mean = measure(iq, count, &highest);
    if (limiter->level <= 0) {
        limiter->level = mean;
        return;
    }
    if (highest > most / 2) { /* below this value, I^2 + Q^2 cannot exceed the limit */
        limit_samples(iq, count, most);
        mean = measure(iq, count, &highest);
    }
    const float slow = mean > pause * limiter->level ? 1 : pause_memory;
    limiter->level += (mean - limiter->level) * (float)count / (BLOCK * memory * slow);
}

void rx_limiter_run(rx_limiter *limiter, float *iq, size_t count)
{
    for (size_t i = 0; i < count; i += BLOCK)
        limit_block(limiter, iq + 2 * i, count - i < BLOCK ? count - i : BLOCK);
}
