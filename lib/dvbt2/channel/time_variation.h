/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates a time-varying channel at the grid points, in one of two orders:
 *
 *     over time first:       latest pilots of each point, every Dy symbols ── filter over time ──> grid
 *     over frequency first:  pilots of one symbol, every Dx Dy-th carrier ── Wiener filter ──> row
 *                            rows around the symbol ── filter over time ──> grid
 *
 *     order                  Doppler          delays
 *     over time first        1 / (2 Dy Ts)    Tu / Dx
 *     over frequency first   1 / (2 Ts)       Tu / (Dx Dy)       Ts: symbol length
 *
 * The order with the lower expected error is used. In MISO, the order is always over time first. */
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
    DVBT2_PILOTS_KEPT = 5,
    DVBT2_ROWS_AROUND = 3,
    DVBT2_ROWS = DVBT2_ROWS_AROUND + 1 + DVBT2_MAX_DY, /* number of rows stored */
};

typedef struct dvbt2_class_history {
    uint32_t count; /* number of pilots; the latest is in slot (count - 1) % DVBT2_PILOTS_KEPT */
    uint32_t symbol[DVBT2_PILOTS_KEPT];
    float noise[DVBT2_PILOTS_KEPT];
    float weight[DVBT2_PILOTS_KEPT]; /* weight of each slot */
} dvbt2_class_history;

/* The channel at all grid points in one symbol. */
typedef struct dvbt2_row {
    float complex *value;
    uint32_t symbol;
    float noise;
    float pilot_noise; /* 0: unknown */
    bool valid;
    float weight; /* weight of the row */
} dvbt2_row;

typedef struct dvbt2_time_variation {
    const dvbt2_pilot_grid *grid;
    dvbt2_speed speed;
    float complex *slot[DVBT2_PILOTS_KEPT];
    dvbt2_class_history history[DVBT2_MAX_DY];
    uint32_t n_filters; /* 0: no rows */
    dvbt2_wiener filter[DVBT2_MAX_DY];
    double spread, noise;      /* design values of the filters */
    float complex *pilots;     /* pilots of one symbol */
    dvbt2_row row[DVBT2_ROWS]; /* row[l % DVBT2_ROWS] belongs to symbol l */
} dvbt2_time_variation;

typedef struct dvbt2_pilot_noise {
    float alone;               /* noise of a single pilot */
    float filtered;            /* noise of a grid point after the Wiener filter */
    float power;               /* mean power of the channel */
    const float *interference; /* interference on each carrier */
    float little;              /* pilots with more interference than this do not measure the noise */
} dvbt2_pilot_noise;

/* `parameters` and `grid` must outlive the estimator. Returns false if out of memory. */
bool dvbt2_time_variation_init(dvbt2_time_variation *m, const dvbt2_parameters *parameters,
                               const dvbt2_pilot_grid *grid);
void dvbt2_time_variation_free(dvbt2_time_variation *m);

/* Designs the filters. spread: width of the impulse response as a fraction of the symbol. noise: noise of a
 * pilot relative to the mean power of the channel. */
void dvbt2_time_variation_design(dvbt2_time_variation *m, double spread, double noise);

void dvbt2_time_variation_start(dvbt2_time_variation *m);

void dvbt2_time_variation_take(dvbt2_time_variation *m, uint32_t l, const float complex *grid, float error);

void dvbt2_time_variation_read(dvbt2_time_variation *m, uint32_t l, const dvbt2_pilot_list *list,
                               const float complex *carriers, float sign, const dvbt2_pilot_noise *noise);

/* gain: amplitude factor */
void dvbt2_time_variation_scale(dvbt2_time_variation *m, float gain);

/* Restarts when a lost signal returns. */
void dvbt2_time_variation_forget(dvbt2_time_variation *m);

float dvbt2_time_variation_noise(const dvbt2_time_variation *m, uint32_t l);

/* Returns true and sets `grid` if the estimate is better than *error. Updates *error. */
bool dvbt2_time_variation_estimate(dvbt2_time_variation *m, uint32_t l, float *error, float complex *grid);

#endif
