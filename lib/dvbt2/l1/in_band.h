/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In-band signalling: L1 of the next interleaving frame inside a PLP's own data (EN 302 755, clause 5.2.3).
 *
 * It stands behind the data field of the first baseband frame of an interleaving frame, type A before type B:
 *
 *     header (80 bits) | data field (DFL bits) | type A: 36 + 77 P_I + 48 N bits | type B: 102 bits | padding
 */
#ifndef DVBT2_IN_BAND_H
#define DVBT2_IN_BAND_H

#include "ldpc/dvbt2_l1.h"

enum { DVBT2_IN_BAND_B_BITS = 102 };

/* What L1 says about the PLP decides what is there: IN_BAND_A_FLAG with P_I, IN_BAND_B_FLAG. A type that is
 * absent is left alone, as is its struct; NULL: not wanted. False when the bits, one per byte, are too few or
 * their PADDING_TYPE is another one. */
bool dvbt2_in_band_parse(const dvbt2_l1_plp *plp, const uint8_t *bits, size_t count, dvbt2_in_band_a *a,
                         dvbt2_in_band_b *b);

#endif
