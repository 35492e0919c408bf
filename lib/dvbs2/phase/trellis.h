/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes LLRs of cells whose phase is a random walk around a straight line, by the forward-backward algorithm
 * on a circle of phases (Peleg, Shamai, Galan 2000). The states are the phases of one symbol:
 *
 *     symbol 0     symbol 1            symbol n - 1
 *     phase 0  --  phase 0  -- ... --  phase 0
 *     phase 1  \/  phase 1  -- ... --  phase 1
 *       ...    /\    ...                 ...
 *
 * A received symbol has a likelihood for each phase. The likelihood of a cell is the mean over the constellation
 * points, weighted with their prior probabilities. The likelihoods of all other symbols give the probabilities of
 * a cell's phases. With these probabilities, the likelihoods of a bit's two values are averaged over the phases.
 * Their ratio gives the LLR. Between two pilot blocks, several phases may be likely, which no single estimate can
 * represent. */
#ifndef DVBS2_TRELLIS_H
#define DVBS2_TRELLIS_H

#include "dvbs2/phase/carrier.h"

typedef struct dvbs2_trellis {
    float *shapes;  /* likelihoods of one point as functions of the phase */
    float *forward; /* [symbols][phases] */
    size_t room;    /* symbols */
} dvbs2_trellis;

/* A frame for the trellis. */
typedef struct dvbs2_trellis_frame {
    const dvbs2_reference *references; /* references, which together contain all symbols of the frame */
    size_t count;                      /* number of references */
    const dvbs2_carrier
        *carrier;       /* amplitude and noise of the known symbols, phase and frequency of the line; the line
                         * begins at the centre of the first reference */
    double walk;        /* variance of the phase change per symbol, rad^2; a measured value may be
                                   * negative, and is then taken as 0 */
    float noise;        /* mean noise power of the cells */
    const float *prior; /* LLRs of all label bits before decoding; NULL: all are 0 */
} dvbs2_trellis_frame;

/* Writes the LLRs of the label bits of all cells. The LLR of a bit does not include its prior LLR. Returns false if
 * there is not enough memory. */
bool dvbs2_trellis_run(dvbs2_trellis *trellis, const dvbs2_trellis_frame *frame, float *llr);
void dvbs2_trellis_free(dvbs2_trellis *trellis);

#endif
