/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pilots with interference count less in the channel estimate, and not at all for phase and timing. */
#ifndef DVBT2_INTERFERENCE_H
#define DVBT2_INTERFERENCE_H

#include "dvbt2/channel/channel.h"

/* Weigh the pilots of P2, or of the other symbols, in the channel estimate by the interference that was measured. */
void dvbt2_weigh_p2_pilots(dvbt2_channel *c);
void dvbt2_weigh_pilots(dvbt2_channel *c);

/* Of the pilots of a symbol and of those of the symbol before, set the ones with interference to 0, if they are few. */
void dvbt2_exclude_pilots(const dvbt2_channel *c, const dvbt2_pilot_list *list, float complex *now,
                          float complex *before);

#endif
