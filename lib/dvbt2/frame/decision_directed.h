/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decision-directed channel estimation. A T2 frame is kept until its codewords have been decoded. If some
 * codewords fail, the cells serve as additional pilots: cells of decoded codewords are known exactly; for all
 * other cells, the posteriors of the LDPC decoder give soft decisions.
 *
 *     symbols ──> carriers, channel, kept ───────────────> reestimation.h ──> equaliser ──┐
 *            └──> cells ──> decoded_plp.h ──> known cells ──^                             │
 *                             ^                                                        new cells
 *                             └── failed codewords again, `decision_directed` - 1 times ──┘
 *     finally: cells ──> outputs
 *
 * Cells are therefore output at the end of the frame. If all codewords are decoded, the cells are output as
 * received. */
#ifndef DVBT2_DECISION_DIRECTED_H
#define DVBT2_DECISION_DIRECTED_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/channel/reestimation.h"
#include "dvbt2/frame/decoded_plp.h"
#include "ldpc/dvbt2.h"

/* Noise of a symbol's carriers, and expected error of its channel estimate. */
typedef struct dvbt2_kept_noise {
    float noise, error;
} dvbt2_kept_noise;

typedef struct dvbt2_decision_directed {
    /* sizes of the mode for which memory was allocated; 0 before the allocation */
    uint32_t length, symbols, carriers;
    /* received carriers, and channel estimates; `symbols` * `carriers` values each */
    float complex *received, *channel;
    dvbt2_kept_noise *noise; /* noise of each symbol */
    /* for one symbol: the mean of each cell, and the corrected channel */
    float complex *mean, *corrected;
    float *variance; /* for one symbol: the variance of each cell */
    dvbt2_reestimation estimator;
    uint32_t n_plps; /* number of outputs of the receiver; 0 if decision-directed estimation is off */
    dvbt2_decoded_plp *plp;
    uint32_t *written; /* for each output, the number of cells that have been written */
    bool keeping;      /* true: the cells of the frame are kept instead of written to the outputs */
    bool leaving;      /* true: the kept cells are being written to the outputs */
} dvbt2_decision_directed;

/* Allocates the state for n_plps outputs. Returns false if out of memory. */
bool dvbt2_decision_directed_init(dvbt2_decision_directed *directed, uint32_t n_plps);
void dvbt2_decision_directed_free(dvbt2_decision_directed *directed);

#endif
