/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolates the channel from a pilot grid to all carriers with Wiener filters.
 *
 * MISO: even points contain the sum of both channels, odd points the difference. Sum and difference
 * have separate filters. */
#ifndef DVBT2_INTERPOLATOR_H
#define DVBT2_INTERPOLATOR_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/channel/impulse.h"
#include "dvbt2/channel/wiener.h"

typedef struct dvbt2_interpolator {
    bool miso;
    /* SISO: [0]; MISO: [0] sum, [1] difference */
    dvbt2_wiener filter[2];
    float complex *half[2]; /* MISO: even points, odd points */
    float *ratio;
    /* design parameters; spread = 0: measured response */
    double spread, noise;
} dvbt2_interpolator;

/* Initialises an interpolator for a grid with a point on every `distance`-th carrier. Returns false if out of
 * memory. */
bool dvbt2_interpolator_init(dvbt2_interpolator *in, uint32_t distance, uint32_t carriers, bool miso);
void dvbt2_interpolator_free(dvbt2_interpolator *in);

/* impulse, delays: measured paths, for very long responses */
void dvbt2_interpolator_design(dvbt2_interpolator *in, double spread, double noise, dvbt2_impulse *impulse,
                               const dvbt2_delays *delays);

/* Returns the mean squared interpolation error if the filters use measured paths, otherwise 0. */
float dvbt2_interpolator_error(const dvbt2_interpolator *in);

/* relative: noise power of a grid point divided by the mean power of the channel */
void dvbt2_interpolator_weigh(dvbt2_interpolator *in, const float *interference, float noise,
                              double relative);

/* Interpolates the grid to all carriers. h: arrays of `carriers` + 48 values. h[1] is only used in MISO. */
void dvbt2_interpolator_run(dvbt2_interpolator *in, const float complex *grid, float complex *const h[2]);

#endif
