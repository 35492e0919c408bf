/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates a time-varying channel at the grid points of a symbol, in one of two orders:
 *
 *     over time first:       latest pilots of each point, every Dy symbols ── filter over time ──> grid
 *     over frequency first:  pilots of one symbol, every Dx Dy-th carrier ── Wiener filter ──> row of that symbol
 *                            rows around the symbol ── filter over time ──> grid
 *
 * The first order follows Doppler frequencies up to 1 / (2 Dy Ts) and delays up to Tu / Dx, where Ts is the
 * symbol length. The second order follows Doppler frequencies up to 1 / (2 Ts) and delays up to Tu / (Dx Dy).
 * The order with the lower expected error is used. With MISO, only the first order is available, because rows
 * would need the pilots of both grids. */
#ifndef DVBT2_TIME_VARIATION_H
#define DVBT2_TIME_VARIATION_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/channel/pilot_grid.h"
#include "dvbt2/standard/parameters.h"
#include "dvbt2/channel/time_filter.h"
#include "dvbt2/channel/wiener.h"

enum {
    DVBT2_PILOTS_KEPT = 5, /* number of pilots stored for each grid point */
    /* number of rows before, and after, the estimated symbol that are used */
    DVBT2_ROWS_AROUND = 3,
    DVBT2_ROWS = DVBT2_ROWS_AROUND + 1 + DVBT2_MAX_DY, /* number of rows stored */
};

/* The latest pilots of one class of grid points. */
typedef struct dvbt2_class_history {
    uint32_t count; /* number of pilots stored; the latest pilot is in slot (count - 1) % DVBT2_PILOTS_KEPT */
    uint32_t symbol[DVBT2_PILOTS_KEPT];
    float noise[DVBT2_PILOTS_KEPT];
    float weight[DVBT2_PILOTS_KEPT]; /* for each slot, the weight of its pilot in the estimate */
} dvbt2_class_history;

/* The channel in one symbol. */
typedef struct dvbt2_row {
    float complex *value;
    uint32_t symbol;
    float noise;       /* mean squared error of the values in the row */
    float pilot_noise; /* noise of a single pilot, measured in this symbol; 0 if it was not measured */
    bool valid;
    float weight; /* weight of the row in the estimate */
} dvbt2_row;

typedef struct dvbt2_time_variation {
    const dvbt2_pilot_grid *grid;
    dvbt2_speed speed;
    float complex *slot[DVBT2_PILOTS_KEPT]; /* pilots of all grid points, one array for each slot */
    dvbt2_class_history history[DVBT2_MAX_DY];
    uint32_t n_filters;                /* number of filters; 0 if rows are not used */
    dvbt2_wiener filter[DVBT2_MAX_DY]; /* for each class, the filter from its pilots to all grid points */
    double spread, noise;              /* spread and noise for which the filters were designed */
    float complex *pilots;             /* pilots of one symbol */
    dvbt2_row row[DVBT2_ROWS];         /* The row of symbol l is row[l % DVBT2_ROWS]. */
} dvbt2_time_variation;

/* Noise of the pilots of a normal symbol. */
typedef struct dvbt2_pilot_noise {
    float alone;               /* noise of a single pilot */
    float filtered;            /* noise of a grid point after the Wiener filter over frequency */
    float power;               /* mean power of the channel */
    const float *interference; /* interference on each carrier */
    float little;              /* if a pilot has more interference than this, it is not used to measure the
                                * noise */
} dvbt2_pilot_noise;

/* `parameters` and `grid` must outlive the estimator. Returns false if out of memory. */
bool dvbt2_time_variation_init(dvbt2_time_variation *m, const dvbt2_parameters *parameters,
                               const dvbt2_pilot_grid *grid);
void dvbt2_time_variation_free(dvbt2_time_variation *m);

/* Designs the filters. spread: width of the impulse response as a fraction of the symbol. noise: noise of a
 * pilot relative to the mean power of the channel. */
void dvbt2_time_variation_design(dvbt2_time_variation *m, double spread, double noise);

/* Starts a frame. Only the measured speed is kept from the previous frame. */
void dvbt2_time_variation_start(dvbt2_time_variation *m);

/* Stores the channel at the grid points in P2 symbol l, and the mean squared error of these values. */
void dvbt2_time_variation_take(dvbt2_time_variation *m, uint32_t l, const float complex *grid, float error);

/* Reads the pilots of symbol l. list: the pilots of the symbol's class, or the pilots of the frame-closing
 * symbol. */
void dvbt2_time_variation_read(dvbt2_time_variation *m, uint32_t l, const dvbt2_pilot_list *list,
                               const float complex *carriers, float sign, const dvbt2_pilot_noise *noise);

/* Scales the state after the receiver's amplitude gain has changed by the factor `gain`. */
void dvbt2_time_variation_scale(dvbt2_time_variation *m, float gain);

/* Restarts when a lost signal is received again. */
void dvbt2_time_variation_forget(dvbt2_time_variation *m);

/* Returns the noise of a pilot near symbol l. It includes the inter-carrier interference, which varies over
 * time. Returns 0 if the noise was not measured. */
float dvbt2_time_variation_noise(const dvbt2_time_variation *m, uint32_t l);

/* Estimates the channel at the grid points in symbol l. If the expected error is below *error, sets *error to
 * the expected error and returns true. Otherwise leaves `grid` and *error unchanged and returns false. */
bool dvbt2_time_variation_estimate(dvbt2_time_variation *m, uint32_t l, float *error, float complex *grid);

#endif
