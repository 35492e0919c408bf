/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates a time-varying channel at the grid points of a symbol, in one of two orders:
 *
 *     over time first:       latest pilots of each point, every Dy symbols ── filter over time ──> grid
 *     over frequency first:  pilots of one symbol, every Dx Dy-th carrier ── Wiener filter ──> row of that symbol
 *                            rows around the symbol ── filter over time ──> grid
 *
 * The first follows Doppler frequencies up to 1 / (2 Dy Ts) and delays up to Tu / Dx, where Ts is the symbol
 * length. The second follows Doppler frequencies up to 1 / (2 Ts) and delays up to Tu / (Dx Dy). The one with
 * the lower expected error is used. With MISO only the first is available: rows would need the pilots of both
 * grids. */
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
    DVBT2_PILOTS_KEPT = 5,                             /* pilots stored for each grid point */
    DVBT2_ROWS_AROUND = 3,                             /* rows used on each side of the estimated symbol */
    DVBT2_ROWS = DVBT2_ROWS_AROUND + 1 + DVBT2_MAX_DY, /* rows stored */
};

/* The latest pilots of one class of grid points. */
typedef struct dvbt2_class_history {
    uint32_t count; /* pilots stored; the latest is in slot (count - 1) % DVBT2_PILOTS_KEPT */
    uint32_t symbol[DVBT2_PILOTS_KEPT];
    float noise[DVBT2_PILOTS_KEPT];
    float weight[DVBT2_PILOTS_KEPT]; /* weight of the pilot in each slot in the estimate */
} dvbt2_class_history;

/* The channel in one symbol. */
typedef struct dvbt2_row {
    float complex *value;
    uint32_t symbol;
    float noise;       /* mean squared error */
    float pilot_noise; /* noise of a single pilot as measured in this symbol; 0 if it was not measured */
    bool valid;
    float weight; /* weight of the row in the estimate */
} dvbt2_row;

typedef struct dvbt2_time_variation {
    const dvbt2_pilot_grid *grid;
    dvbt2_speed speed;
    float complex *slot[DVBT2_PILOTS_KEPT]; /* pilots of all grid points */
    dvbt2_class_history history[DVBT2_MAX_DY];
    uint32_t n_filters;                /* number of filters; 0 if rows are not used */
    dvbt2_wiener filter[DVBT2_MAX_DY]; /* filters from the pilots of each class to all grid points */
    double spread, noise;              /* design parameters of the filters */
    float complex *pilots;             /* pilots of one symbol */
    dvbt2_row row[DVBT2_ROWS];         /* row of symbol l is row[l % DVBT2_ROWS] */
} dvbt2_time_variation;

/* Noise of the pilots of a normal symbol. */
typedef struct dvbt2_pilot_noise {
    float alone;               /* noise of one pilot */
    float filtered;            /* noise after the Wiener filter over frequency */
    float power;               /* mean power of the channel */
    const float *interference; /* interference on each carrier */
    float little;              /* pilots with more interference than this are not used to measure noise */
} dvbt2_pilot_noise;

/* `parameters` and `grid` must outlive the estimator. Returns false if out of memory. */
bool dvbt2_time_variation_init(dvbt2_time_variation *m, const dvbt2_parameters *parameters,
                               const dvbt2_pilot_grid *grid);
void dvbt2_time_variation_free(dvbt2_time_variation *m);

/* Design the filters. spread: width of the impulse response, fraction of the symbol. noise: noise of a pilot,
 * relative to the mean power of the channel. */
void dvbt2_time_variation_design(dvbt2_time_variation *m, double spread, double noise);

/* Start a frame: only the measured speed is kept. */
void dvbt2_time_variation_start(dvbt2_time_variation *m);

/* Store the channel on the grid in P2 symbol l, with its mean squared error. */
void dvbt2_time_variation_take(dvbt2_time_variation *m, uint32_t l, const float complex *grid, float error);

/* Read the pilots of symbol l. list: the pilots of its class, or those of the frame-closing symbol. */
void dvbt2_time_variation_read(dvbt2_time_variation *m, uint32_t l, const dvbt2_pilot_list *list,
                               const float complex *carriers, float sign, const dvbt2_pilot_noise *noise);

/* Scale the state after the receiver gain has changed by `gain` (amplitude). */
void dvbt2_time_variation_scale(dvbt2_time_variation *m, float gain);

/* Restart when a lost signal is received again. */
void dvbt2_time_variation_forget(dvbt2_time_variation *m);

/* Returns the noise of a pilot around symbol l, including inter-carrier interference, which varies over time;
 * 0: not measured. */
float dvbt2_time_variation_noise(const dvbt2_time_variation *m, uint32_t l);

/* Estimate the channel on the grid in symbol l. If the expected error is not below *error, returns false and
 * leaves grid and *error unchanged; else sets *error to the expected error. */
bool dvbt2_time_variation_estimate(dvbt2_time_variation *m, uint32_t l, float *error, float complex *grid);

#endif
