/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The P1 symbol (EN 302 755, clauses 7.2.1 and 9.8).
 *
 *     C (542 samples) | A (1024 samples) | B (482 samples)
 *
 * A is the OFDM symbol. C and B repeat its beginning and end, shifted up by one carrier (1 / 1024 T). The 384
 * active carriers hold S1 (64 bits), S2 (256 bits) and S1 with differential modulation, scrambled. */
#ifndef DVBT2_P1_TABLE_H
#define DVBT2_P1_TABLE_H

#include "ldpc/dvbt2_l1.h"

enum {
    DVBT2_P1_C = 542,
    DVBT2_P1_A = 1024,
    DVBT2_P1_B = 482,
    DVBT2_P1_CARRIERS = 384,
    DVBT2_P1_S1_BITS = 64,
    DVBT2_P1_S2_BITS = 256,
    DVBT2_P1_MIDDLE = 426, /* index of the carrier at 0 Hz */
};

/* Active carriers, 0 .. 852 ascending. Carrier k is in bin (k - DVBT2_P1_MIDDLE) mod 1024. */
extern const uint16_t dvbt2_p1_carrier[DVBT2_P1_CARRIERS];

/* Computes the signs of the scrambling sequence. To descramble, multiply by the signs. */
void dvbt2_p1_scrambling(int8_t signs[DVBT2_P1_CARRIERS]);

/* Returns bit i of the modulation sequence of an S1 (0 .. 7) or S2 (0 .. 15) value. A 1 inverts the phase. */
int dvbt2_p1_s1_bit(uint8_t s1, uint32_t i);
int dvbt2_p1_s2_bit(uint8_t s2, uint32_t i);

/* Computes the transmitted signs of the active carriers. */
void dvbt2_p1_modulation(uint8_t s1, uint8_t s2, int8_t sequence[DVBT2_P1_CARRIERS]);

/* Decodes S1 and S2. If a value is reserved, returns false and leaves undefined members unchanged. */
bool dvbt2_p1_fields(uint8_t s1, uint8_t s2, dvbt2_p1_info *info);

#endif
