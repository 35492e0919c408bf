/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises the punctured convolutional code of DVB-S (EN 300 421, 4.4.3: K = 7, generators 171 and 133 octal) in QPSK
 * symbols: counts how many of its parity checks the hard decisions fulfil. */
#ifndef DVBS2_CONVOLUTIONAL_H
#define DVBS2_CONVOLUTIONAL_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

/* Sets *rate to the rate of the code, such as "3/4", or to NULL. The symbols may have any phase and a carrier offset of up
 * to 0.1 cycles per symbol. Returns false if there is not enough memory. */
bool dvbs2_convolutional_rate(const float complex *symbols, size_t count, const char **rate);

#endif
