/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The P1 symbol: carriers, modulation sequences, scrambling, meaning of its fields (EN 302 755, clauses 7.2.1
 * and 9.8).
 *
 * P1 is C (542 samples) A (1024) B (482): A is the symbol, C and B are its beginning and end shifted up by
 * one carrier (1 / 1024 T). The 384 active carriers hold S1 (64 bits), S2 (256 bits), S1 once more, modulated
 * differentially along the carriers and then scrambled.
 */
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
    DVBT2_P1_MIDDLE = 426, /* the carrier of 0 Hz in the numbering of dvbt2_p1_carrier: 0 .. 852 */
};

/* Active carriers 0 .. 852, ascending. Carrier k is at bin (k - DVBT2_P1_MIDDLE) mod 1024. */
extern const uint16_t dvbt2_p1_carrier[DVBT2_P1_CARRIERS];

/* Signs of the scrambling sequence on the active carriers: multiply to undo it. */
void dvbt2_p1_scrambling(int8_t signs[DVBT2_P1_CARRIERS]);

/* Bit i (0 or 1) of the sequences of S1 (0 .. 7) and S2 (0 .. 15). Bit 1: the phase changes from the carrier
 * before to this one. */
int dvbt2_p1_s1_bit(uint8_t s1, uint32_t i);
int dvbt2_p1_s2_bit(uint8_t s2, uint32_t i);

/* +1 and -1 as they are sent on the active carriers. */
void dvbt2_p1_modulation(uint8_t s1, uint8_t s2, int8_t sequence[DVBT2_P1_CARRIERS]);

/* What S1 and S2 mean; false (info is set as far as it goes) where they are reserved. */
bool dvbt2_p1_fields(uint8_t s1, uint8_t s2, dvbt2_p1_info *info);

#endif
