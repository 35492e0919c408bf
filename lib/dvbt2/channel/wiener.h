/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolates the channel over frequency from a grid to all carriers.
 *
 * Wiener filter for white noise and a uniform delay spread of +-spread/2 around time 0:
 *
 *     grid      o     o     o     o     o     o     o      grid point i is carrier offset + i * distance
 *     block                 |...........|                  width carriers
 *     window    [___________________________]              taps points: first[b] .. first[b] + taps - 1
 *
 * Blocks in the middle of the band share a bank of coefficients. Very long impulse responses need measured
 * paths and complex coefficients. */
#ifndef DVBT2_WIENER_H
#define DVBT2_WIENER_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "receiver/kernels.h"

typedef struct dvbt2_wiener {
    const rx_kernels *kernels;
    uint32_t distance, offset; /* grid spacing and position of the first grid point, carriers */
    uint32_t points;           /* number of grid points */
    uint32_t carriers;         /* carriers in the output */
    uint32_t width, blocks;
    uint32_t taps;
    uint32_t *first; /* first grid point of each window */
    uint32_t *bank;  /* bank of each block */
    uint32_t banks;
    int32_t *bank_shift;
    bool complex_taps;
    /* all real parts (banks * taps * width), then all imaginary parts */
    float *coefficients;
    /* scratch memory: (2 taps)^2 matrix; 2 taps */
    double *matrix;
    double complex *correlation;
    size_t lags;
    uint32_t n_mended; /* number of replaced grid points */
    uint32_t *mended;
    float complex *mend;
    float complex *mended_grid;
    /* mean noise power of an output divided by the noise power of a grid point */
    float noise_gain;
    /* mean squared error without noise, relative to the channel power */
    float interpolation_error;
    /* noise power of input minus output at the grid points, relative to the noise power of the input */
    float residual;
} dvbt2_wiener;

enum { DVBT2_WIENER_TAPS = 24 };

/* Returns false if out of memory. */
bool dvbt2_wiener_init(dvbt2_wiener *w, uint32_t distance, uint32_t offset, uint32_t carriers);
void dvbt2_wiener_free(dvbt2_wiener *w);

/* Designs the filters. spread: width of the impulse response as a fraction of the symbol. noise: noise of a
 * grid point relative to the mean power of the channel. */
void dvbt2_wiener_design(dvbt2_wiener *w, double spread, double noise);

/* Designs the filters for w->correlation, which must be positive semidefinite. */
void dvbt2_wiener_design_measured(dvbt2_wiener *w, double noise);

/* ratio: noise of each grid point divided by `noise` */
void dvbt2_wiener_weigh(dvbt2_wiener *w, const float *ratio, double noise);

/* valid until the next call */
const float complex *dvbt2_wiener_mend(const dvbt2_wiener *w, const float complex *grid);

/* out: array of `carriers` + `width` - 1 values */
void dvbt2_wiener_run(const dvbt2_wiener *w, const float complex *given, float complex *out);

#endif
