/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation over frequency: the channel on all carriers from its estimates on a grid of carriers.
 *
 * A Wiener filter for a channel whose impulse response lies evenly within +-spread/2 of time 0, and white
 * noise on the grid. Carriers are computed in blocks of `width`; every block has the `taps` grid points
 * around it, at the ends of the band those that there are:
 *
 *     grid      o     o     o     o     o     o     o      grid point i is carrier offset + i * distance
 *     block                 |...........|                  width carriers
 *     window    [___________________________]              taps points: first[b] .. first[b] + taps - 1
 *
 * In the middle of the band all blocks have the same coefficients; at its ends each has its own.
 *
 * An impulse response nearly as long as the grid can tell, N / distance samples, needs more than that: where exactly
 * the paths are. Filters made for a measured response have complex coefficients. */
#ifndef DVBT2_WIENER_H
#define DVBT2_WIENER_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "receiver/kernels.h"

typedef struct dvbt2_wiener {
    const rx_kernels *kernels;
    uint32_t distance, offset; /* carriers from grid point to grid point, carrier of the first one */
    uint32_t points;           /* of the grid */
    uint32_t carriers;         /* outputs */
    uint32_t width, blocks;
    uint32_t taps;
    uint32_t *first; /* first grid point of each block's window */
    uint32_t *bank;  /* of each block */
    uint32_t banks;
    int32_t *bank_shift; /* carrier of a block's first output minus that of its window's first point */
    bool complex_taps;   /* coefficients are complex */
    float *coefficients; /* banks * taps * width: real parts, then as many imaginary parts */
    double *matrix;      /* scratch of the design: (2 taps)^2, then a right side of 2 taps */
    double complex *correlation; /* of the channel on carriers 0 .. lags - 1 apart */
    size_t lags;
    uint32_t
        n_mended; /* grid points with more noise than others: the filter sees the others' values for them */
    uint32_t *mended;
    float complex *mend; /* coefficients of each: taps, from mended_from() on */
    float complex *mended_grid;
    float noise_gain;          /* mean over carriers: error of an output / noise of a grid point */
    float interpolation_error; /* likewise: mean squared error without noise, over the power of the channel */
    float
        residual; /* at grid points: mean square of input minus output, where both are noise, over that noise */
} dvbt2_wiener;

enum { DVBT2_WIENER_TAPS = 24 };

/* false: out of memory. */
bool dvbt2_wiener_init(dvbt2_wiener *w, uint32_t distance, uint32_t offset, uint32_t carriers);
void dvbt2_wiener_free(dvbt2_wiener *w);

/* spread: width of the impulse response as a share of the symbol, 0 .. 1. noise: that of a grid point over
 * the mean power of the channel. */
void dvbt2_wiener_design(dvbt2_wiener *w, double spread, double noise);

/* For the impulse response whose correlation the caller has written to w->correlation: positive semidefinite. */
void dvbt2_wiener_design_measured(dvbt2_wiener *w, double noise);

/* Some grid points may have more noise than the filters are made for. ratio[i]: noise of point i over that of most points, which
 * is `noise` as for dvbt2_wiener_design(). Points with much more are estimated from those around. */
void dvbt2_wiener_weigh(dvbt2_wiener *w, const float *ratio, double noise);

/* The grid with estimates instead of those points, until the next call. */
const float complex *dvbt2_wiener_mend(const dvbt2_wiener *w, const float complex *grid);

/* out: `carriers` values and up to `width` - 1 more. */
void dvbt2_wiener_run(const dvbt2_wiener *w, const float complex *given, float complex *out);

#endif
