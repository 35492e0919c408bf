/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In-band signalling: L1 of the next interleaving frame within a PLP's own data (EN 302 755, clause 5.2.3).
 *
 * It follows the data field of the first baseband frame of an interleaving frame; type A comes before type B:
 *
 *     header (80 bits) | data field (DFL bits) | type A: 36 + 77 P_I + 48 N bits | type B: 102 bits | padding
 */
#ifndef DVBT2_IN_BAND_H
#define DVBT2_IN_BAND_H

#include "ldpc/dvbt2_l1.h"

enum { DVBT2_IN_BAND_B_BITS = 102 };

/* Parses the in-band signalling of a PLP. L1 signals which types are present (IN_BAND_A_FLAG with P_I,
 * IN_BAND_B_FLAG). The struct of an absent type is not changed. A struct pointer may be NULL if its type is
 * not needed. Returns false if there are too few bits (stored one per byte) or a PADDING_TYPE is wrong. */
bool dvbt2_in_band_parse(const dvbt2_l1_plp *plp, const uint8_t *bits, size_t count, dvbt2_in_band_a *a,
                         dvbt2_in_band_b *b);

#endif
