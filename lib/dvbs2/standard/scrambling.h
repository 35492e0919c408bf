/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PL scrambling (EN 302 307-1, 5.5.4): multiplies symbol i after the header by j^R(i). */
#ifndef DVBS2_SCRAMBLING_H
#define DVBS2_SCRAMBLING_H

#include <stdint.h>

enum {
    DVBS2_GOLD_CODES = 262142,  /* number of gold codes, 0 .. 262141 */
    DVBS2_GOLD_PERIOD = 262143, /* period of the sequences x and y */
    DVBS2_GOLD_DELAY = 131072,  /* R(i) = 2 z(i + delay) + z(i), z(i) = x(i + gold) + y(i) modulo 2 */
};

/* Writes R(0) .. R(count - 1) of a gold code. The values are 0 .. 3. */
void dvbs2_scrambling(uint32_t gold, uint8_t *turns, uint32_t count);

/* Writes one period of the sequences x and y. The values are 0 and 1. */
void dvbs2_gold_sequences(uint8_t x[DVBS2_GOLD_PERIOD], uint8_t y[DVBS2_GOLD_PERIOD]);

#endif
