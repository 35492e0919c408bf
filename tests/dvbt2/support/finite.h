/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DVBT2_TEST_FINITE_H
#define DVBT2_TEST_FINITE_H

#include <math.h>
#include <stdbool.h>

#include "ldpc/dvbt2.h"

static inline bool all_finite(const dvbt2_receiver *rx)
{
    enum { POINTS = 512 };
    static float power[2 * POINTS];
    double first_us = 0, step_us = 0, sum = 0;
    dvbt2_status status;
    dvbt2_receiver_status(rx, &status);
    size_t count = dvbt2_receiver_impulse_response(rx, POINTS, power, &first_us, &step_us);
    count += dvbt2_receiver_frequency_response(rx, POINTS, power + count);
    for (size_t i = 0; i < count; i++)
        sum += (double)power[i];
    return isfinite(sum + first_us + step_us) &&
           isfinite(status.level_db + status.carrier_hz + status.clock_ppm + status.cn_db +
                    status.expected_mer_db + status.delay_spread_us);
}

#endif
