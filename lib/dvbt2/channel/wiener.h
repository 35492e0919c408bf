/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolates over frequency: computes the channel on all carriers from estimates on a grid of carriers.
 *
 * The interpolator is a Wiener filter for white noise on the grid and a channel with a uniform delay spread
 * of +-spread/2 around time 0. Carriers are computed in blocks of `width`. Each block uses the `taps` grid
 * points around it; at the band edges it uses the outermost grid points:
 *
 *     grid      o     o     o     o     o     o     o      grid point i is carrier offset + i * distance
 *     block                 |...........|                  width carriers
 *     window    [___________________________]              taps points: first[b] .. first[b] + taps - 1
 *
 * All blocks in the middle of the band share one bank of coefficients; blocks near the edges have their own
 * banks.
 *
 * An impulse response nearly as long as the unambiguous range of N / distance samples also needs the
 * positions of its paths. Filters for such a measured response have complex coefficients. */
#ifndef DVBT2_WIENER_H
#define DVBT2_WIENER_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "receiver/kernels.h"

typedef struct dvbt2_wiener {
    const rx_kernels *kernels;
    uint32_t distance, offset; /* grid spacing in carriers, and carrier of the first grid point */
    uint32_t points;           /* number of grid points */
    uint32_t carriers;         /* number of carriers in the output */
    uint32_t width, blocks;
    uint32_t taps;
    uint32_t *first; /* first grid point of each block's window */
    uint32_t *bank;  /* index of each block's bank of coefficients */
    uint32_t banks;
    int32_t *bank_shift; /* first carrier of a block, relative to the first carrier of the block's window */
    bool complex_taps;
    /* array of banks * taps * width real parts, then the same number of imaginary parts */
    float *coefficients;
    /* scratch memory of the design: a matrix of (2 taps)^2 values, then a right-hand side of 2 taps values */
    double *matrix;
    /* correlation between the channel on two carriers that are 0 .. lags - 1 carriers apart */
    double complex *correlation;
    size_t lags;
    uint32_t n_mended; /* number of noisy grid points that are replaced; the new values are estimates from
                        * neighbouring points */
    uint32_t *mended;
    float complex *mend; /* for each replaced point, `taps` coefficients; the first belongs to the point
                          * mended_from() */
    float complex *mended_grid;
    /* noise of an output divided by the noise of a grid point, averaged over the carriers */
    float noise_gain;
    /* mean squared error without noise, relative to the channel power, averaged over the carriers */
    float interpolation_error;
    /* at grid points: the noise of (input - output) relative to the noise of the input */
    float residual;
} dvbt2_wiener;

enum { DVBT2_WIENER_TAPS = 24 };

/* Returns false if out of memory. */
bool dvbt2_wiener_init(dvbt2_wiener *w, uint32_t distance, uint32_t offset, uint32_t carriers);
void dvbt2_wiener_free(dvbt2_wiener *w);

/* Designs the filters. spread: width of the impulse response as a fraction of the symbol, 0 .. 1. noise:
 * noise of a grid point relative to the mean power of the channel. */
void dvbt2_wiener_design(dvbt2_wiener *w, double spread, double noise);

/* Designs the filters for the correlation that the caller has written to w->correlation. The correlation must
 * be positive semidefinite. */
void dvbt2_wiener_design_measured(dvbt2_wiener *w, double noise);

/* Selects all grid points whose noise is far above the usual noise. These points are then replaced by
 * estimates from their neighbours. ratio[i]: noise of point i divided by the usual noise. noise: the usual
 * noise, as for dvbt2_wiener_design(). */
void dvbt2_wiener_weigh(dvbt2_wiener *w, const float *ratio, double noise);

/* Returns a copy of the grid with the selected points replaced. The copy is valid until the next call. */
const float complex *dvbt2_wiener_mend(const dvbt2_wiener *w, const float complex *grid);

/* Interpolates the grid. `out` must have room for `carriers` + `width` - 1 values. */
void dvbt2_wiener_run(const dvbt2_wiener *w, const float complex *given, float complex *out);

#endif
