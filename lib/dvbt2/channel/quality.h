/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quality of the received signal, from the channel estimate of a demodulator. */
#ifndef DVBT2_QUALITY_H
#define DVBT2_QUALITY_H

#include "dvbt2/channel/demodulator.h"

/* Returns the C/N within the occupied bandwidth in dB. */
double dvbt2_carrier_to_noise(const dvbt2_demodulator *d);

/* Returns the expected MER in dB of the cells of symbol l, the last symbol that was pulled. It is weighted
 * with the power of the cells before equalisation. Only every 16th cell is used. */
double dvbt2_expected_mer(const dvbt2_demodulator *d, uint32_t l);

#endif
