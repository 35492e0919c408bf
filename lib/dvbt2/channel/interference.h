/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a demodulator does about carriers with interference: they count less in the channel estimate, and not at all for phase
 * and timing. */
#ifndef DVBT2_INTERFERENCE_H
#define DVBT2_INTERFERENCE_H

#include "dvbt2/channel/demodulator.h"

/* Measure the interference on each carrier of symbol l, whose channel is in d->h. */
void dvbt2_measure_interference(dvbt2_demodulator *d, uint32_t l);

/* Weigh the pilots of P2, or of the other symbols, by the interference that is known. */
void dvbt2_weigh_p2_pilots(dvbt2_demodulator *d);
void dvbt2_weigh_pilots(dvbt2_demodulator *d);

/* Pilots with interference, where they are few, get the value 0 in d->now and d->before. */
void dvbt2_exclude_pilots(dvbt2_demodulator *d, const dvbt2_pilot_list *list);

#endif
