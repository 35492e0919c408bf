/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A channel that moves, at the grid points of a symbol, in two ways:
 *
 *     over time first:       the latest pilots of each point, every Dy symbols ── filter over time ──> grid
 *     over frequency first:  pilots of one symbol, every Dx Dy-th carrier ── Wiener filter ──> row of that symbol
 *                            rows around the symbol ── filter over time ──> grid
 *
 * The first follows Doppler frequencies up to 1 / (2 Dy Ts), where Ts is the length of a symbol, and delays up to Tu / Dx;
 * the second frequencies up to 1 / (2 Ts) and delays up to Tu / (Dx Dy). Both tell the error that is expected. MISO has
 * the first only: rows would need the pilots of both grids. */
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
    DVBT2_PILOTS_KEPT = 5, /* of each grid point */
    DVBT2_ROWS_AROUND = 3, /* symbols on each side of an estimate's whose rows it takes in */
    DVBT2_ROWS = DVBT2_ROWS_AROUND + 1 + DVBT2_MAX_DY, /* that are kept */
};

/* The latest pilots of one class of grid points. */
typedef struct dvbt2_class_history {
    uint32_t count; /* that there are, the latest one in slot (count - 1) % DVBT2_PILOTS_KEPT */
    uint32_t symbol[DVBT2_PILOTS_KEPT];
    float noise[DVBT2_PILOTS_KEPT];
    float weight[DVBT2_PILOTS_KEPT]; /* of each slot in the estimate */
} dvbt2_class_history;

/* The channel in one symbol. */
typedef struct dvbt2_row {
    float complex *value;
    uint32_t symbol;
    float noise;       /* mean squared error */
    float pilot_noise; /* of a pilot of this symbol alone, as measured; 0: not known */
    bool valid;
    float weight; /* in the estimate */
} dvbt2_row;

typedef struct dvbt2_time_variation {
    const dvbt2_pilot_grid *grid;
    dvbt2_speed speed;
    float complex *slot[DVBT2_PILOTS_KEPT]; /* pilots of all points */
    dvbt2_class_history history[DVBT2_MAX_DY];
    uint32_t n_filters;                /* 0: there are no rows */
    dvbt2_wiener filter[DVBT2_MAX_DY]; /* from the pilots of each class to the grid */
    double spread, noise;              /* that they are made for */
    float complex *pilots;             /* of one symbol */
    dvbt2_row row[DVBT2_ROWS];         /* of symbol l: row[l % DVBT2_ROWS] */
} dvbt2_time_variation;

/* What a pilot of a normal symbol is worth. */
typedef struct dvbt2_pilot_noise {
    float alone;               /* of one pilot */
    float filtered;            /* after the filter over frequency that follows */
    float power;               /* of the channel */
    const float *interference; /* on each carrier */
    float little;              /* pilots with more interference do not count in the noise */
} dvbt2_pilot_noise;

/* The others must live as long. false: out of memory. */
bool dvbt2_time_variation_init(dvbt2_time_variation *m, const dvbt2_parameters *parameters,
                               const dvbt2_pilot_grid *grid);
void dvbt2_time_variation_free(dvbt2_time_variation *m);

/* Filters for delays within `spread` of a symbol, and `noise` of a pilot over the mean power of the channel. */
void dvbt2_time_variation_design(dvbt2_time_variation *m, double spread, double noise);

/* A frame begins: what is left is the speed. */
void dvbt2_time_variation_start(dvbt2_time_variation *m);

/* Symbol l, a P2 symbol, has this grid, with a mean squared error. */
void dvbt2_time_variation_take(dvbt2_time_variation *m, uint32_t l, const float complex *grid, float error);

/* Pilots of symbol l, which are the list of its class or that of the frame-closing symbol. */
void dvbt2_time_variation_read(dvbt2_time_variation *m, uint32_t l, const dvbt2_pilot_list *list,
                               const float complex *carriers, float sign, const dvbt2_pilot_noise *noise);

/* All carriers are stronger by `gain` from now on. */
void dvbt2_time_variation_scale(dvbt2_time_variation *m, float gain);

/* A signal that was lost is there again. */
void dvbt2_time_variation_forget(dvbt2_time_variation *m);

/* Noise of a pilot around symbol l, interference between carriers included, which changes from symbol to symbol. 0: not
 * known. */
float dvbt2_time_variation_noise(const dvbt2_time_variation *m, uint32_t l);

/* The grid at symbol l, where the error that is expected is below `*error`; then that is returned there. */
bool dvbt2_time_variation_estimate(dvbt2_time_variation *m, uint32_t l, float *error, float complex *grid);

#endif
