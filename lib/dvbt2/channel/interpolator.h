/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The channel on all carriers from a grid of pilots: one Wiener filter, or with MISO two.
 *
 * The grid of MISO has the sum of both transmitters' channels on even points and the difference on odd ones. Both
 * are interpolated for themselves. */
#ifndef DVBT2_INTERPOLATOR_H
#define DVBT2_INTERPOLATOR_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/channel/impulse.h"
#include "dvbt2/channel/wiener.h"

typedef struct dvbt2_interpolator {
    bool miso;
    dvbt2_wiener filter[2]; /* SISO: [0]; MISO: sum and difference */
    float complex *half[2]; /* MISO: the grid taken apart */
    float *ratio;           /* noise of each grid point over that of most */
    double spread, noise;   /* that the filters are made for; spread 0: for a measured response */
} dvbt2_interpolator;

/* The grid has a point on every `distance`-th carrier. false: out of memory. */
bool dvbt2_interpolator_init(dvbt2_interpolator *in, uint32_t distance, uint32_t carriers, bool miso);
void dvbt2_interpolator_free(dvbt2_interpolator *in);

/* Make new filters when those there are do not cover all delays, or cover or smooth too much or too little. spread
 * and noise as for dvbt2_wiener_design(); impulse and delays: for an impulse response so long that its shape counts. */
void dvbt2_interpolator_design(dvbt2_interpolator *in, double spread, double noise, dvbt2_impulse *impulse,
                               const dvbt2_delays *delays);

/* Mean squared error of a carrier without noise, over the power of a grid point, where filters are made for a measured response;
 * else 0. */
float dvbt2_interpolator_error(const dvbt2_interpolator *in);

/* Grid points with interference count less: carrier k has interference[k] beside the noise of all carriers. relative: that of a
 * grid point, as for dvbt2_wiener_design(). */
void dvbt2_interpolator_weigh(dvbt2_interpolator *in, const float *interference, float noise,
                              double relative);

/* h[0], and with MISO h[1], have room for 48 values more than there are carriers. */
void dvbt2_interpolator_run(dvbt2_interpolator *in, const float complex *grid, float complex *const h[2]);

#endif
