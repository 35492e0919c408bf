/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "receiver/limiter.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { BLOCK = RX_PEAK_BLOCK };

/* Maximum power of a sample relative to the mean. OFDM symbols with similar cells reach 25 dB. */
static const float most_power = 600;
/* memory: averaging length in blocks. If the power is below `pause` times the mean power, the length is
 * multiplied by pause_memory. */
static const float memory = 32, pause = 0.01f, pause_memory = 256;

/* Returns the mean power. *highest: largest power. */
static float measure(const rx_kernels *kernels, const float *iq, size_t count, float *highest)
{
    float sum;
    if (count == BLOCK) {
        kernels->peaks((const float complex *)iq, 1, &sum, highest);
    } else {
        float complex block[BLOCK] = {0};
        memcpy(block, iq, count * sizeof *block);
        kernels->peaks(block, 1, &sum, highest);
    }
    return sum / (float)count;
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

static void limit_block(rx_limiter *limiter, const rx_kernels *kernels, float *iq, size_t count)
{
    const float most = most_power * limiter->level;
    float highest, mean = measure(kernels, iq, count, &highest);
    if (limiter->level <= 0) {
        limiter->level = mean;
        return;
    }
    if (highest > most) {
        limit_samples(iq, count, most);
        mean = measure(kernels, iq, count, &highest);
    }
    const float slow = mean > pause * limiter->level ? 1 : pause_memory;
    limiter->level += (mean - limiter->level) * (float)count / (BLOCK * memory * slow);
}

void rx_limiter_run(rx_limiter *limiter, const rx_kernels *kernels, float *iq, size_t count)
{
    for (size_t i = 0; i < count; i += BLOCK)
        limit_block(limiter, kernels, iq + 2 * i, count - i < BLOCK ? count - i : BLOCK);
}
