/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decision-directed channel estimation: a T2 frame is kept until its codewords are decoded. Where some of them cannot be decoded,
 * cells serve as pilots: those of the decoded codewords, which are known, and the others as far as the decoder knows them.
 *
 *     symbols ──> carriers, channel, kept ───────────────> reestimation.h ──> equaliser ──┐
 *            └──> cells ──> decoded_plp.h ──> known cells ──^                             │
 *                             ^                                                        new cells
 *                             └── failed codewords again, `decision_directed` - 1 times ──┘
 *     in the end: cells ──> outputs
 *
 * So cells leave when the frame is at its end. Where all codewords are decoded they leave as they came. */
#ifndef DVBT2_DECISION_DIRECTED_H
#define DVBT2_DECISION_DIRECTED_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/channel/reestimation.h"
#include "dvbt2/frame/decoded_plp.h"
#include "ldpc/dvbt2.h"

/* Noise of a symbol's carriers, and the error that is expected of its channel. */
typedef struct dvbt2_kept_noise {
    float noise, error;
} dvbt2_kept_noise;

typedef struct dvbt2_decision_directed {
    uint32_t length, symbols, carriers; /* of the mode that there is memory for; 0: none */
    float complex *received, *channel;  /* symbols times carriers */
    dvbt2_kept_noise *noise;            /* of each symbol */
    float complex *mean, *corrected;    /* of one symbol: its cells, channel */
    float *variance;                    /* of its cells */
    dvbt2_reestimation estimator;
    uint32_t n_plps; /* outputs of the receiver; 0: the option is off */
    dvbt2_decoded_plp *plp;
    uint32_t *written; /* cells that have left */
    bool keeping;      /* a frame's cells, instead of writing them */
    bool leaving;      /* they are being written */
} dvbt2_decision_directed;

/* For so many outputs. false: out of memory. */
bool dvbt2_decision_directed_init(dvbt2_decision_directed *directed, uint32_t n_plps);
void dvbt2_decision_directed_free(dvbt2_decision_directed *directed);

#endif
