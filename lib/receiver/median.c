/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "receiver/median.h"

#include <math.h>

float rx_median(const float *power, uint32_t count, uint32_t skipped)
{
    float low = 0, high = 0;
    for (uint32_t i = 0; i < count; i++)
        high = fmaxf(high, power[i]);
    const float highest = high;
    for (int step = 0; step < 60 && high - low > 1e-4f * high; step++) {
        float middle = step < 30 ? sqrtf(fmaxf(low, 1e-9f * highest) * high) : 0.5f * (low + high);
        uint32_t below = 0;
        for (uint32_t i = 0; i < count; i++)
            below += power[i] < middle;
        if (2 * below < count + skipped)
            low = middle;
        else
            high = middle;
    }
    return high;
}
