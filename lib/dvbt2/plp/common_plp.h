/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges a data PLP and the common PLP of its group into one transport stream (EN 302 755, annex D).
 *
 *     data PLP     D1  --  D2  --  --  D3       -- is a null packet, transmitted or deleted
 *     common PLP   --  C1  --  --  C2  --
 *     output       D1  C1  D2  --  C2  D3
 *
 * Each null packet is replaced by the common PLP packet with the same time (ISSY). A null packet waits until
 * the common PLP has been received up to its time. */
#ifndef DVBT2_COMMON_PLP_H
#define DVBT2_COMMON_PLP_H

#include "dvbt2/plp/baseband.h"

/* Writes up to `most` merged packets to `ts`. Returns the number of packets.
 * flush:     no more packets will be received
 * *merged:   number of inserted common PLP packets
 * *unplaced: number of dropped common PLP packets (no null packet had their time) */
size_t dvbt2_common_plp_take(dvbt2_baseband *data, dvbt2_baseband *common, bool flush, uint8_t *ts,
                             size_t most, uint64_t *merged, uint64_t *unplaced);

/* Adds the number of dropped packets to *unplaced. */
void dvbt2_common_plp_limit(dvbt2_baseband *common, uint64_t *unplaced);

#endif
