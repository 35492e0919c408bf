/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolates the channel from a grid of pilots to all carriers: one Wiener filter with SISO, two with MISO.
 *
 * With MISO the grid holds the sum of both transmitters' channels on even points and the difference on odd
 * ones. They are interpolated separately. */
#ifndef DVBT2_INTERPOLATOR_H
#define DVBT2_INTERPOLATOR_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/channel/impulse.h"
#include "dvbt2/channel/wiener.h"

typedef struct dvbt2_interpolator {
    bool miso;
    dvbt2_wiener filter[2]; /* SISO: filter[0]; MISO: filters of the sum and of the difference */
    float complex *half[2]; /* MISO: even and odd points of the grid */
    float *ratio;           /* ratio of the noise of each grid point to the median noise */
    double spread, noise;   /* design parameters of the filters; spread is 0 if the filters were designed for
                             * a measured response */
} dvbt2_interpolator;

/* The grid has a point on every `distance`-th carrier. Returns false if out of memory. */
bool dvbt2_interpolator_init(dvbt2_interpolator *in, uint32_t distance, uint32_t carriers, bool miso);
void dvbt2_interpolator_free(dvbt2_interpolator *in);

/* Redesign the filters if they do not cover all delays, or if their spread or noise is far from the given
 * values. spread and noise: see dvbt2_wiener_design(). impulse and delays are used if the response is so long
 * that its shape matters. */
void dvbt2_interpolator_design(dvbt2_interpolator *in, double spread, double noise, dvbt2_impulse *impulse,
                               const dvbt2_delays *delays);

/* Returns the mean squared error of a carrier without noise, relative to the power of a grid point, if the
 * filters were made for a measured response; else 0. */
float dvbt2_interpolator_error(const dvbt2_interpolator *in);

/* Reduce the weight of grid points with interference. interference[k]: power on carrier k beyond `noise`.
 * relative: noise of a grid point, as for dvbt2_wiener_design(). */
void dvbt2_interpolator_weigh(dvbt2_interpolator *in, const float *interference, float noise,
                              double relative);

/* h[0], with MISO also h[1], need room for 48 values beyond the carriers. */
void dvbt2_interpolator_run(dvbt2_interpolator *in, const float complex *grid, float complex *const h[2]);

#endif
