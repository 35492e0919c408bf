/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weights or excludes pilots with interference. */
#ifndef DVBT2_INTERFERENCE_H
#define DVBT2_INTERFERENCE_H

#include "dvbt2/channel/channel.h"

void dvbt2_weigh_p2_pilots(dvbt2_channel *c);
void dvbt2_weigh_pilots(dvbt2_channel *c);

/* Sets pilots with interference to 0 in this and the previous symbol, unless there are too many. */
void dvbt2_exclude_pilots(const dvbt2_channel *c, const dvbt2_pilot_list *list, float complex *now,
                          float complex *before);

#endif
