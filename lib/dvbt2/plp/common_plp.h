/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges a data PLP and the common PLP of its group into one transport stream (EN 302 755, annex D).
 *
 *     data PLP     D1  --  D2  --  --  D3       -- is a null packet, transmitted or deleted
 *     common PLP   --  C1  --  --  C2  --
 *     output       D1  C1  D2  --  C2  D3
 *
 * The transmitter replaces packets that it moves to the common PLP by null packets. ISSY gives the time of
 * each packet in both PLPs; the receiver replaces each null packet by the common PLP packet with the same
 * time.
 *
 * A null packet of the data PLP waits until the common PLP has been received up to its time. The standard's
 * receiver shares a buffer of 2 Mbit between both PLPs; it is filled bit by bit and holds no deleted null
 * packets. In this library, whole interleaving frames arrive at once, so the queues are longer. */
#ifndef DVBT2_COMMON_PLP_H
#define DVBT2_COMMON_PLP_H

#include "dvbt2/plp/baseband.h"

/* Writes up to `most` merged packets to `ts`. Returns the number of packets. flush: true if no more packets
 * will be received. *merged: number of packets of the common PLP that were inserted. *unplaced: number of
 * packets of the common PLP that were dropped, because no null packet had the same time. */
size_t dvbt2_common_plp_take(dvbt2_baseband *data, dvbt2_baseband *common, bool flush, uint8_t *ts,
                             size_t most, uint64_t *merged, uint64_t *unplaced);

/* Drops packets of the common PLP that have waited too long because there is no data PLP or no ISSY. Adds the
 * number of dropped packets to *unplaced. */
void dvbt2_common_plp_limit(dvbt2_baseband *common, uint64_t *unplaced);

#endif
