/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signal quality from the channel estimate. */
#ifndef DVBT2_QUALITY_H
#define DVBT2_QUALITY_H

#include "dvbt2/channel/demodulator.h"

/* Returns the C/N in dB within the occupied bandwidth. */
double dvbt2_carrier_to_noise(const dvbt2_demodulator *d);

/* Returns the expected MER of symbol l in dB. l must be the last symbol. Cells are weighted with their power
 * before equalisation. */
double dvbt2_expected_mer(const dvbt2_demodulator *d, uint32_t l);

#endif
