/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/limiter.h"

#include <math.h>
#include <stdbool.h>

enum { BLOCK = 64 }; /* samples whose mean power is followed together */

/* Power over the mean that no signal with many carriers has: one sample in 1e13 does. */
static const float most_power = 30;
/* Blocks that the mean remembers; those with less than a share of it are pauses, and not taken in. */
static const float memory = 32, pause = 0.01f;

static void limit_block(dvbt2_limiter *limiter, float *iq, size_t count)
{
    float power[BLOCK], sum = 0;
    const float most = limiter->level > 0 ? most_power * limiter->level : INFINITY;
    bool over = false;
    for (size_t i = 0; i < count; i++) {
        power[i] = iq[2 * i] * iq[2 * i] + iq[2 * i + 1] * iq[2 * i + 1];
        over |= power[i] > most;
    }
    for (size_t i = 0; i < count && over; i++)
        if (power[i] > most) {
            const float gain = sqrtf(most / power[i]);
            iq[2 * i] *= gain;
            iq[2 * i + 1] *= gain;
            power[i] = most;
        }
    for (size_t i = 0; i < count; i++)
        sum += power[i];
    const float mean = sum / (float)count;
    if (limiter->level <= 0)
        limiter->level = mean;
    else if (mean > pause * limiter->level)
        limiter->level += (mean - limiter->level) * (float)count / (BLOCK * memory);
}

void dvbt2_limiter_run(dvbt2_limiter *limiter, float *iq, size_t count)
{
    for (size_t i = 0; i < count; i += BLOCK)
        limit_block(limiter, iq + 2 * i, count - i < BLOCK ? count - i : BLOCK);
}
