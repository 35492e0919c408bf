/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DVBT2_INTERFERENCE_H
#define DVBT2_INTERFERENCE_H

#include "dvbt2/channel/channel.h"

void dvbt2_weigh_p2_pilots(dvbt2_channel *c);
void dvbt2_weigh_pilots(dvbt2_channel *c);

void dvbt2_exclude_pilots(const dvbt2_channel *c, const dvbt2_pilot_list *list, float complex *now,
                          float complex *before);

#endif
