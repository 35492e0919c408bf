/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the phases of the references of a frame by the forward-backward algorithm on a grid of phases. The
 * likelihood of the phase of cells has several maxima. The pilots on both sides decide which maximum is
 * right. The phase is a random walk around a straight line. */
#ifndef DVBS2_PHASE_GRID_H
#define DVBS2_PHASE_GRID_H

#include "dvbs2/phase/carrier.h"

enum { DVBS2_GRID_PHASES = 128 };

typedef struct dvbs2_phase_grid {
    float complex turns[DVBS2_GRID_PHASES]; /* exp(i phase) */
    float *likelihoods, *forward;           /* [references][phases], allocated when first used */
    size_t room;                            /* references */
} dvbs2_phase_grid;

/* Sets the phase of each reference. The line starts at the first reference with carrier->phase and
 * carrier->frequency. `walk` is the variance of the phase change per symbol; a measured value may be negative.
 * Afterwards, carrier->phase and carrier->frequency are those at the last reference.
 * Returns false if there is not enough memory. */
bool dvbs2_phase_grid_run(dvbs2_phase_grid *grid, dvbs2_carrier *carrier, double walk,
                          dvbs2_reference *references, size_t count);
void dvbs2_phase_grid_free(dvbs2_phase_grid *grid);

#endif
