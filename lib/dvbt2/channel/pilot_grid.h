/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pilots as the channel estimate reads them: grids of carriers at equal distances, and the continual pilots.
 *
 * P2 symbols have a pilot on every point of their grid (every 3rd or 6th carrier). Normal symbols have one on
 * every Dy-th point of a grid of every Dx-th carrier: point i in symbols l with l mod Dy = class of i. The
 * outermost points have one in every symbol, and the frame-closing symbol has one on every point.
 *
 * With MISO, even points have the sum of both groups' channels, odd ones the difference. */
#ifndef DVBT2_PILOT_GRID_H
#define DVBT2_PILOT_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/standard/pilots.h"

/* Some pilots of a kind of symbol. */
typedef struct dvbt2_pilot_list {
    uint32_t count;
    uint16_t *point; /* grid point, or number of the continual pilot */
    uint16_t *carrier;
    float *inverse; /* 1 / amplitude, sign of PN apart */
} dvbt2_pilot_list;

typedef struct dvbt2_pilot_grid {
    uint32_t p2_distance, p2_points;
    uint32_t distance, points; /* normal symbols: Dx */
    uint32_t classes;          /* Dy */
    uint32_t first_class; /* class of point 0 were it no edge: class of i is (first_class + i) % classes */
    uint32_t n_continual;
    const uint16_t *continual;
    dvbt2_pilot_list p2;
    dvbt2_pilot_list normal[DVBT2_MAX_DY]; /* edges, then the others */
    dvbt2_pilot_list same[DVBT2_MAX_DY];   /* continual pilots of those symbols */
    dvbt2_pilot_list closing;
    dvbt2_pilot_list closing_near; /* those of `closing` on points with a pilot in the symbol before */
} dvbt2_pilot_grid;

/* The layouts must live as long as the grid. false: out of memory. */
bool dvbt2_pilot_grid_init(dvbt2_pilot_grid *grid, const dvbt2_parameters *parameters,
                           const dvbt2_pilots *pilots);
void dvbt2_pilot_grid_free(dvbt2_pilot_grid *grid);

#endif
