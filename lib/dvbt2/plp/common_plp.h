/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A data PLP and the common PLP of its group as one transport stream (EN 302 755, annex D).
 *
 *     data PLP     D1  --  D2  --  --  D3       -- is a null packet, sent or deleted
 *     common PLP   --  C1  --  --  C2  --
 *     output       D1  C1  D2  --  C2  D3
 *
 * The transmitter has put null packets where packets went to the common PLP. The receiver knows by ISSY which packets
 * of the two belong to the same time, and puts those of the common PLP back.
 *
 * A null packet of the data PLP waits until the common PLP has come as far. The standard's receiver has a buffer of 2
 * Mbit for both, which interleaving frames fill bit by bit and where deleted null packets take no room; here they come at once, so that
 * more has to wait.
 */
#ifndef DVBT2_COMMON_PLP_H
#define DVBT2_COMMON_PLP_H

#include "dvbt2/plp/baseband.h"

/* Takes up to `most` packets of both. flush: nothing more will come. *merged and *unplaced count packets of the
 * common PLP that were put in, and that found no null packet in their place. */
size_t dvbt2_common_plp_take(dvbt2_baseband *data, dvbt2_baseband *common, bool flush, uint8_t *ts,
                             size_t most, uint64_t *merged, uint64_t *unplaced);

/* Drops packets of the common PLP that have waited for too long: where there is no data PLP, or no ISSY. They count as unplaced. */
void dvbt2_common_plp_limit(dvbt2_baseband *common, uint64_t *unplaced);

#endif
