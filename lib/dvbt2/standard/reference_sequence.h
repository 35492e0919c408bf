/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signs of the pilots (EN 302 755, clause 9.2.2).
 *
 * The pilot on carrier k of symbol l has the sign (1 - 2 w_k)(1 - 2 pn_l); w: PRBS, pn: PN sequence. */
#ifndef DVBT2_REFERENCE_SEQUENCE_H
#define DVBT2_REFERENCE_SEQUENCE_H

#include "dvbt2/standard/parameters.h"

enum { DVBT2_PN_CHIPS = 2624 };

/* Computes the signs (+1, -1) of the PRBS on all active carriers. */
void dvbt2_prbs_signs(const dvbt2_parameters *parameters, int8_t *signs);

/* Returns the sign (+1, -1) of symbol l. In longer frames, the PN sequence repeats. */
int dvbt2_pn_sign(uint32_t l);

#endif
