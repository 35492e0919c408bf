/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/interpolator.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* If the response is longer than this fraction of the delay range, the filters are designed from the measured
 * paths. */
static const double crowded = 0.8;

bool dvbt2_interpolator_init(dvbt2_interpolator *in, uint32_t distance, uint32_t carriers, bool miso)
{
    in->miso = miso;
    in->ratio = ldpc_allocate((carriers - 1) / distance + 1, sizeof *in->ratio);
    if (!in->ratio)
        return false;
    if (!miso)
        return dvbt2_wiener_init(&in->filter[0], distance, 0, carriers);
    for (uint32_t i = 0; i < 2; i++) {
        if (!dvbt2_wiener_init(&in->filter[i], 2 * distance, i * distance, carriers))
            return false;
        in->half[i] = ldpc_allocate(in->filter[i].points, sizeof *in->half[i]);
        if (!in->half[i])
            return false;
    }
    return true;
}

void dvbt2_interpolator_free(dvbt2_interpolator *in)
{
    for (int i = 0; i < 2; i++) {
        dvbt2_wiener_free(&in->filter[i]);
        free(in->half[i]);
    }
    free(in->ratio);
}

static void design_measured(dvbt2_interpolator *in, double noise, dvbt2_impulse *impulse,
                            const dvbt2_delays *delays)
{
    in->spread = 0;
    for (int i = 0; i <= (int)in->miso; i++) {
        dvbt2_wiener *filter = &in->filter[i];
        dvbt2_impulse_correlation(impulse, delays, filter->correlation, filter->lags);
        dvbt2_wiener_design_measured(filter, noise);
    }
}

void dvbt2_interpolator_design(dvbt2_interpolator *in, double spread, double noise, dvbt2_impulse *impulse,
                               const dvbt2_delays *delays)
{
    if (spread * in->filter[0].distance > crowded) {
        design_measured(in, noise, impulse, delays);
        return;
    }
    if (in->noise > 0 && spread <= in->spread && spread > 0.8 * in->spread &&
        fabs(noise / in->noise - 1) < 0.3)
        return;
    in->spread = spread * 1.05;
    in->noise = noise;
    for (int i = 0; i <= (int)in->miso; i++)
        dvbt2_wiener_design(&in->filter[i], in->spread, noise);
}

float dvbt2_interpolator_error(const dvbt2_interpolator *in)
{
    const dvbt2_wiener *filter = &in->filter[0];
    return filter->complex_taps ? filter->interpolation_error * (in->miso ? 0.5f : 1) : 0;
}

void dvbt2_interpolator_weigh(dvbt2_interpolator *in, const float *interference, float noise, double relative)
{
    for (int i = 0; i <= (int)in->miso; i++) {
        dvbt2_wiener *filter = &in->filter[i];
        for (uint32_t p = 0; p < filter->points; p++)
            in->ratio[p] = 1 + interference[filter->offset + p * filter->distance] / noise;
        dvbt2_wiener_weigh(filter, in->ratio, relative);
    }
}

void dvbt2_interpolator_run(dvbt2_interpolator *in, const float complex *grid, float complex *const h[2])
{
    if (!in->miso) {
        dvbt2_wiener_run(&in->filter[0], grid, h[0]);
        return;
    }
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t p = 0; p < in->filter[i].points; p++)
            in->half[i][p] = grid[2 * p + i];
        dvbt2_wiener_run(&in->filter[i], in->half[i], h[i]);
    }
    for (uint32_t k = 0; k < in->filter[0].carriers; k++) {
        float complex sum = h[0][k], difference = h[1][k];
        h[0][k] = (sum + difference) * 0.5f;
        h[1][k] = (sum - difference) * 0.5f;
    }
}
