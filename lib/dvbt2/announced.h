/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a PLP announces of its next interleaving frame: in-band signalling of type A, for T2 frames whose L1-post cannot be read.
 *
 *     T2 frame     n               n + 1: L1-post cannot be read
 *     cells      [ kept as they come ]
 *                  └─ only now: first FEC block ──> type A ──> place and size of the PLP in frame n + 1
 *
 * So a signal whose L1 is read costs no decoding here.
 */
#ifndef DVBT2_ANNOUNCED_H
#define DVBT2_ANNOUNCED_H

#include <complex.h>

#include "dvbt2/fec_chain.h"
#include "dvbt2/interleaving_frame.h"

/* Of one output's PLP. */
typedef struct dvbt2_announced {
    dvbt2_interleaving_frame kept[2]; /* the last two interleaving frames */
    uint32_t last;                    /* which of the two began last */
    dvbt2_fec_chain *chain;           /* of the last format that was read; NULL: none yet */
    dvbt2_in_band_a a;                /* as read last */
} dvbt2_announced;

void dvbt2_announced_free(dvbt2_announced *announced);

/* The PLP's cells in a T2 frame come. false: out of memory, they will announce nothing. */
bool dvbt2_announced_begin(dvbt2_announced *announced, const dvbt2_plp_frame *frame);
void dvbt2_announced_add(dvbt2_announced *announced, const dvbt2_plp_frame *frame, uint32_t first,
                         const float complex *cells, const float *noise, uint32_t count);

/* What was announced for the interleaving frame whose part number `part` is in T2 frame `number`, before which `lost` were lost
 * (both as in dvbt2_plp_frame); NULL: nothing, or it cannot be read. Valid until the next call. */
const dvbt2_in_band_a *dvbt2_announced_read(dvbt2_announced *announced, uint64_t number, uint64_t lost,
                                            uint32_t part);

#endif
