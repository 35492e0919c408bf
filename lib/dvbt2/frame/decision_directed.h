/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decision-directed channel estimation. A T2 frame is kept until its codewords are decoded. If codewords
 * fail, the channel is estimated again with all cells as pilots. Cells of decoded codewords are known
 * exactly. For all other cells, soft decisions are used.
 *
 *     symbols ──> carriers, channel, kept ───────────────> reestimation.h ──> equaliser ──┐
 *            └──> cells ──> decoded_plp.h ──> known cells ──^                             │
 *                             ^                                                        new cells
 *                             └── failed codewords again, `decision_directed` - 1 times ──┘
 *     finally: cells ──> outputs
 *
 * Cells are output at the end of the frame. If all codewords are decoded, the cells are unchanged. */
#ifndef DVBT2_DECISION_DIRECTED_H
#define DVBT2_DECISION_DIRECTED_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/channel/reestimation.h"
#include "dvbt2/frame/decoded_plp.h"
#include "ldpc/dvbt2.h"

/* Noise of the carriers of one symbol, and error of the channel estimate of this symbol. */
typedef struct dvbt2_kept_noise {
    float noise, error;
} dvbt2_kept_noise;

typedef struct dvbt2_decision_directed {
    uint32_t length, symbols, carriers;
    /* [symbols][carriers] */
    float complex *received, *channel;
    dvbt2_kept_noise *noise; /* noise of each symbol */
    /* scratch memory for a symbol */
    float complex *mean, *corrected;
    float *variance; /* variance of each cell of one symbol */
    dvbt2_reestimation estimator;
    uint32_t n_plps; /* number of outputs; 0: decision-directed estimation is off */
    dvbt2_decoded_plp *plp;
    uint32_t *written;
    bool keeping; /* true: the cells of this frame are kept */
    bool leaving;
} dvbt2_decision_directed;

/* Returns false if out of memory. */
bool dvbt2_decision_directed_init(dvbt2_decision_directed *directed, uint32_t n_plps);
void dvbt2_decision_directed_free(dvbt2_decision_directed *directed);

#endif
