/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forward-backward algorithm on a grid of phases. */
#ifndef DVBS2_PHASE_GRID_H
#define DVBS2_PHASE_GRID_H

#include "dvbs2/phase/carrier.h"

enum { DVBS2_GRID_PHASES = 128 };

typedef struct dvbs2_phase_grid {
    float complex turns[DVBS2_GRID_PHASES]; /* exp(i phase) */
    float *likelihoods, *forward;           /* [references][phases], allocated when first used */
    size_t room;                            /* references */
} dvbs2_phase_grid;

/* Sets the phases of the references. walk: variance of the phase change per symbol; may be negative. Returns
 * false if out of memory. */
bool dvbs2_phase_grid_run(dvbs2_phase_grid *grid, dvbs2_carrier *carrier, double walk,
                          dvbs2_reference *references, size_t count);
void dvbs2_phase_grid_free(dvbs2_phase_grid *grid);

#endif
