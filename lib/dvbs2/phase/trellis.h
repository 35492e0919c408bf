/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes LLRs of cells with phase noise by the forward-backward algorithm on a trellis of phases and frequencies
 * (Peleg, Shamai, Galan 2000). The states are the phase and the frequency of one block of symbols, relative to a
 * straight line:
 *
 *     block 0                     block 1                           block n - 1
 *     phase 0, frequency 0   --   phase 0, frequency 0   -- ... --  phase 0, frequency 0
 *     phase 1, frequency 0   \/   phase 1, frequency 0   -- ... --  phase 1, frequency 0
 *       ...                  /\     ...                               ...
 *
 * The phase changes by the frequency and by white frequency noise. The frequency changes slowly. A received symbol has a
 * likelihood for each phase. The likelihood of a cell is the mean over the constellation points, weighted with their
 * prior probabilities. The likelihoods of all other symbols give the probabilities of a cell's phases. With these
 * probabilities, the likelihoods of a bit's two values are averaged over the phases. Their ratio gives the LLR. Between
 * two pilot blocks, several phases may be likely, which no single estimate can represent. */
#ifndef DVBS2_TRELLIS_H
#define DVBS2_TRELLIS_H

#include "dvbs2/phase/carrier.h"

typedef struct dvbs2_trellis {
    float *shapes;    /* likelihoods of one point as functions of the phase */
    float *forward;   /* [blocks][frequencies][phases] */
    size_t room;      /* number of floats in `forward` */
    double frequency; /* mean frequency of the last frame relative to the line, radians per symbol */
    const char *isa;  /* name of the instruction set (rx_kernels.name); NULL: the best one */
} dvbs2_trellis;

/* Variances of the phase change relative to the measured variance, by white frequency noise and by slow frequency
 * changes. */
typedef struct dvbs2_phase_model {
    double white, slow;
} dvbs2_phase_model;

/* A frame for the trellis. */
typedef struct dvbs2_trellis_frame {
    const dvbs2_reference *references; /* references, which together contain all symbols of the frame */
    size_t count;                      /* number of references */
    /* amplitude and noise of the known symbols, phase and frequency of the line; the line begins at the centre of the
     * first reference */
    const dvbs2_carrier *carrier;
    dvbs2_phase_model walk; /* variances of the phase change per symbol, rad^2 */
    float noise;            /* mean noise power of the cells */
    const float *prior;     /* LLRs of all label bits before decoding; NULL: all are 0 */
} dvbs2_trellis_frame;

/* Returns the variances that the trellis can represent. Measured variances may be negative, which is treated as 0. */
dvbs2_phase_model dvbs2_trellis_limit(dvbs2_phase_model walk);

/* Writes the LLRs of the label bits of all cells. The LLR of a bit does not include its prior LLR. Returns false if
 * there is not enough memory. */
bool dvbs2_trellis_run(dvbs2_trellis *trellis, const dvbs2_trellis_frame *frame, float *llr);
void dvbs2_trellis_free(dvbs2_trellis *trellis);

#endif
