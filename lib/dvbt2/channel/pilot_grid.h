/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the pilots in the form that the channel estimate uses: grids of equidistant carriers, and the
 * continual pilots.
 *
 * P2 symbols have a pilot on every point of their grid (every 3rd or 6th carrier). The grid of normal symbols
 * has a point on every Dx-th carrier. Point i has a pilot in symbols l with l mod Dy = class of i. Here Dx =
 * 3, Dy = 4, class of i = i mod 4:
 *
 *     carrier      0  3  6  9 12 15 18 21 24
 *     symbol 0     #  .  .  .  #  .  .  .  #        # pilot of class l mod 4
 *     symbol 1     e  #  .  .  .  #  .  .  e        e edge pilot
 *     symbol 2     e  .  #  .  .  .  #  .  e
 *     symbol 3     e  .  .  #  .  .  .  #  e
 *
 * The outermost points have a pilot in every symbol. The frame-closing symbol has a pilot on every point.
 *
 * With MISO, even points hold the sum of both transmitter groups' channels, and odd points hold their
 * difference. */
#ifndef DVBT2_PILOT_GRID_H
#define DVBT2_PILOT_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/standard/pilots.h"

/* Pilots of one kind of symbol. */
typedef struct dvbt2_pilot_list {
    uint32_t count;
    uint16_t *point; /* index of the grid point, or of the continual pilot */
    uint16_t *carrier;
    float *inverse; /* 1 / amplitude of the pilot; the PN sign is not included */
} dvbt2_pilot_list;

typedef struct dvbt2_pilot_grid {
    uint32_t p2_distance, p2_points;
    /* grid of normal symbols: number of carriers between neighbouring points (Dx), and number of points */
    uint32_t distance, points;
    uint32_t classes; /* number of classes of grid points (Dy) */
    /* class of point 0 if edge pilots are ignored; point i has class (first_class + i) % classes */
    uint32_t first_class;
    uint32_t n_continual;
    const uint16_t *continual;
    dvbt2_pilot_list p2;
    /* for each class, the edge pilots and then the scattered pilots of a symbol */
    dvbt2_pilot_list normal[DVBT2_MAX_DY];
    dvbt2_pilot_list same[DVBT2_MAX_DY]; /* for each class, the continual pilots of a symbol */
    dvbt2_pilot_list closing;
    dvbt2_pilot_list
        closing_near; /* the pilots of `closing` at points that also have a pilot in the previous symbol */
} dvbt2_pilot_grid;

/* `pilots` must outlive the grid. Returns false if out of memory. */
bool dvbt2_pilot_grid_init(dvbt2_pilot_grid *grid, const dvbt2_parameters *parameters,
                           const dvbt2_pilots *pilots);
void dvbt2_pilot_grid_free(dvbt2_pilot_grid *grid);

#endif
