/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quality of the received signal, from the channel estimate of a demodulator. */
#ifndef DVBT2_QUALITY_H
#define DVBT2_QUALITY_H

#include "dvbt2/channel/demodulator.h"

/* Returns the carrier-to-noise ratio (C/N) in dB, within the occupied bandwidth. */
double dvbt2_carrier_to_noise(const dvbt2_demodulator *d);

/* Returns the expected MER in dB for the cells of symbol l, the last symbol that was pulled. Cells are
 * weighted with their power before equalisation. Only every 16th cell is used. */
double dvbt2_expected_mer(const dvbt2_demodulator *d, uint32_t l);

#endif
