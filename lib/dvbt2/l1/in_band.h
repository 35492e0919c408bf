/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In-band signalling: L1 of the next interleaving frame (EN 302 755, clause 5.2.3).
 *
 *     header (80 bits) | data field (DFL bits) | type A: 36 + 77 P_I + 48 N bits | type B: 102 bits | padding
 *
 * The first baseband frame of an interleaving frame contains it. */
#ifndef DVBT2_IN_BAND_H
#define DVBT2_IN_BAND_H

#include "ldpc/dvbt2_l1.h"

enum { DVBT2_IN_BAND_B_BITS = 102 };

/* Parses the in-band signalling of a PLP. IN_BAND_A_FLAG and IN_BAND_B_FLAG in L1 give the types. The struct
 * of an absent type is not changed. Pointers that are not needed may be NULL. Returns false if bits are
 * missing or a PADDING_TYPE is wrong. */
bool dvbt2_in_band_parse(const dvbt2_l1_plp *plp, const uint8_t *bits, size_t count, dvbt2_in_band_a *a,
                         dvbt2_in_band_b *b);

#endif
