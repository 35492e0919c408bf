/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reduces the weight of pilots with interference in the channel estimate, and excludes these pilots from the
 * measurement of phase and timing. */
#ifndef DVBT2_INTERFERENCE_H
#define DVBT2_INTERFERENCE_H

#include "dvbt2/channel/channel.h"

/* Weight pilots in the channel estimate by the measured interference: the first function weights P2 pilots,
 * the second function all other pilots. */
void dvbt2_weigh_p2_pilots(dvbt2_channel *c);
void dvbt2_weigh_pilots(dvbt2_channel *c);

/* Sets pilots with interference to 0, both in this symbol and in the previous symbol. Has no effect if too
 * many pilots have interference. */
void dvbt2_exclude_pilots(const dvbt2_channel *c, const dvbt2_pilot_list *list, float complex *now,
                          float complex *before);

#endif
