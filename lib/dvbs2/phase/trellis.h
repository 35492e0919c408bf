/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes LLRs of cells whose phase is a random walk around a straight line, by the forward-backward algorithm
 * on a circle of phases (Peleg, Shamai, Galan 2000). The states are the phases of one symbol:
 *
 *     symbol 0     symbol 1            symbol n - 1
 *     phase 0  --  phase 0  -- ... --  phase 0
 *     phase 1  \/  phase 1  -- ... --  phase 1
 *       ...    /\    ...                 ...
 *
 * A known symbol has the likelihood of its received value given the phase. That of a cell is the mean over the
 * constellation points, weighted with their prior probabilities. The LLRs of a cell are averaged over the phases,
 * with the probabilities that follow from all other symbols. The phases between two pilot blocks may have several
 * likely values, which no single estimate can represent. */
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
    const dvbs2_reference *references; /* all symbols of the frame without gaps */
    size_t count;                      /* number of references */
    const dvbs2_carrier
        *carrier;       /* amplitude and noise of known symbols; phase and frequency of the line, which
                                   * begins at the centre of the first reference */
    double walk;        /* variance of the phase change per symbol, rad^2; a measured value may be
                                   * negative, and is then taken as 0 */
    float noise;        /* mean noise power of the cells */
    const float *prior; /* LLRs of the label bits of all cells before decoding; NULL: all 0 */
} dvbs2_trellis_frame;

/* Writes the LLRs of the label bits of all cells, without the prior LLR of the same bit. Returns false if there is
 * not enough memory. */
bool dvbs2_trellis_run(dvbs2_trellis *trellis, const dvbs2_trellis_frame *frame, float *llr);
void dvbs2_trellis_free(dvbs2_trellis *trellis);

#endif
