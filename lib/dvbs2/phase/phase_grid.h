/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phases of the references of a frame by the forward-backward algorithm on a grid of phases. The probability of
 * each phase may have several maxima, as that of cells has, so that pilots on both sides decide which one is
 * right. The phase walks at random around a straight line. */
#ifndef DVBS2_PHASE_GRID_H
#define DVBS2_PHASE_GRID_H

#include "dvbs2/phase/carrier.h"

enum { DVBS2_GRID_PHASES = 128 };

typedef struct dvbs2_phase_grid {
    float complex turns[DVBS2_GRID_PHASES]; /* exp(i phase) */
    float *likelihoods, *forward;           /* [references][phases], allocated at the first use */
    size_t room;                            /* references */
} dvbs2_phase_grid;

/* Sets the phase of each reference. The line begins with carrier->phase and carrier->frequency at the first
 * one, and the variance of the walk is carrier->walk; phase and frequency are then those at the last one.
 * Returns false if out of memory. */
bool dvbs2_phase_grid_run(dvbs2_phase_grid *grid, dvbs2_carrier *carrier, dvbs2_reference *references,
                          size_t count);
void dvbs2_phase_grid_free(dvbs2_phase_grid *grid);

#endif
