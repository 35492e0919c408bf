/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pilots as grids of equidistant carriers, and continual pilots.
 *
 * Normal symbols have a grid point on every Dx-th carrier. Each grid point belongs to one of Dy classes. Class
 * c has pilots in the symbols with l mod Dy = c. Example: Dx = 3, Dy = 4, class i mod 4:
 *
 *     carrier      0  3  6  9 12 15 18 21 24
 *     symbol 0     #  .  .  .  #  .  .  .  #        # pilot of class l mod 4
 *     symbol 1     e  #  .  .  .  #  .  .  e        e edge pilot
 *     symbol 2     e  .  #  .  .  .  #  .  e
 *     symbol 3     e  .  .  #  .  .  .  #  e
 *
 * P2 and frame-closing symbols have a pilot on every grid point.
 *
 * MISO: even grid points measure the sum of the channels of both transmitter groups, odd points measure the
 * difference. */
#ifndef DVBT2_PILOT_GRID_H
#define DVBT2_PILOT_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/standard/pilots.h"

typedef struct dvbt2_pilot_list {
    uint32_t count;
    uint16_t *point; /* index of the grid point or continual pilot */
    uint16_t *carrier;
    float *inverse; /* 1 / amplitude, without PN sign */
} dvbt2_pilot_list;

typedef struct dvbt2_pilot_grid {
    uint32_t p2_distance, p2_points;
    /* normal symbols: distance of grid points in carriers (Dx), and number of points */
    uint32_t distance, points;
    uint32_t classes; /* number of classes of grid points (Dy) */
    uint32_t first_class;
    uint32_t n_continual;
    const uint16_t *continual;
    dvbt2_pilot_list p2;
    /* edge pilots come first */
    dvbt2_pilot_list normal[DVBT2_MAX_DY];
    dvbt2_pilot_list same[DVBT2_MAX_DY]; /* continual pilots of each class */
    dvbt2_pilot_list closing;
    dvbt2_pilot_list closing_near; /* pilots of the frame-closing symbol at grid points that also have a pilot
                                    * in the previous symbol */
} dvbt2_pilot_grid;

/* `pilots` must outlive the grid. Returns false if out of memory. */
bool dvbt2_pilot_grid_init(dvbt2_pilot_grid *grid, const dvbt2_parameters *parameters,
                           const dvbt2_pilots *pilots);
void dvbt2_pilot_grid_free(dvbt2_pilot_grid *grid);

#endif
