/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolates the channel from a grid of pilots to all carriers, with one Wiener filter for SISO and two for
 * MISO.
 *
 * With MISO, even points of the grid hold the sum of both transmitters' channels, and odd points hold their
 * difference. Sum and difference are interpolated separately. */
#ifndef DVBT2_INTERPOLATOR_H
#define DVBT2_INTERPOLATOR_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/channel/impulse.h"
#include "dvbt2/channel/wiener.h"

typedef struct dvbt2_interpolator {
    bool miso;
    /* SISO: filter[0]; MISO: filter[0] for the sum and filter[1] for the difference */
    dvbt2_wiener filter[2];
    float complex *half[2]; /* MISO only: even points of the grid, and odd points of the grid */
    float *ratio;           /* for each grid point, its noise divided by the median noise */
    /* spread and noise for which the filters were designed; spread is 0 if the filters were designed for a
     * measured response */
    double spread, noise;
} dvbt2_interpolator;

/* Initialises an interpolator for a grid with a point on every `distance`-th carrier. Returns false if out of
 * memory. */
bool dvbt2_interpolator_init(dvbt2_interpolator *in, uint32_t distance, uint32_t carriers, bool miso);
void dvbt2_interpolator_free(dvbt2_interpolator *in);

/* Redesigns the filters if they do not cover all delays, or if `spread` or `noise` differs much from the
 * design values. spread and noise: see dvbt2_wiener_design(). impulse and delays are only used if the
 * response is so long that its shape matters. */
void dvbt2_interpolator_design(dvbt2_interpolator *in, double spread, double noise, dvbt2_impulse *impulse,
                               const dvbt2_delays *delays);

/* If the filters were designed for a measured response, returns the mean squared error of a carrier without
 * noise, relative to the power of a grid point. Otherwise returns 0. */
float dvbt2_interpolator_error(const dvbt2_interpolator *in);

/* Reduces the weight of grid points with interference. interference[k]: power on carrier k beyond `noise`.
 * relative: noise of a grid point, as for dvbt2_wiener_design(). */
void dvbt2_interpolator_weigh(dvbt2_interpolator *in, const float *interference, float noise,
                              double relative);

/* Interpolates the grid and writes the channel to h[0]; with MISO also to h[1]. Each array needs room for 48
 * more values than there are carriers. */
void dvbt2_interpolator_run(dvbt2_interpolator *in, const float complex *grid, float complex *const h[2]);

#endif
