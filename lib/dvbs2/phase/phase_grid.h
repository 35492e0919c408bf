/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the phases of the references by the forward-backward algorithm, on a grid of phases around a line.
 * The phase is a random walk around this line. */
#ifndef DVBS2_PHASE_GRID_H
#define DVBS2_PHASE_GRID_H

#include "dvbs2/phase/carrier.h"

enum { DVBS2_GRID_PHASES = 128 };

typedef struct dvbs2_phase_grid {
    float complex turns[DVBS2_GRID_PHASES]; /* exp(i phase) */
    float *likelihoods, *forward;           /* [references][phases], allocated when first used */
    size_t room;                            /* references */
} dvbs2_phase_grid;

/* Sets the phase of each reference and moves `carrier` to the last reference. `walk`: variance of the phase
 * change per symbol, may be negative. Returns false if out of memory. */
bool dvbs2_phase_grid_run(dvbs2_phase_grid *grid, dvbs2_carrier *carrier, double walk,
                          dvbs2_reference *references, size_t count);
void dvbs2_phase_grid_free(dvbs2_phase_grid *grid);

#endif
