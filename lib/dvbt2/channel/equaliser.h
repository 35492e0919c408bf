/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From carriers and channel to cells and their noise. */
#ifndef DVBT2_EQUALISER_H
#define DVBT2_EQUALISER_H

#include "dvbt2/channel/demodulator.h"

/* Noise that all carriers of symbol l have. */
float dvbt2_noise_of(const dvbt2_demodulator *d, uint32_t l);

/* Symbol l, whose channel is in d->h, to d->cells and d->noise in the order of the frame map. */
void dvbt2_equalise(dvbt2_demodulator *d, uint32_t l);

#endif
