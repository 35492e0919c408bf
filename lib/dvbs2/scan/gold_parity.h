/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the gold code of the PL scrambling from data frames without pilots, by the parity checks of their LDPC codes.
 *
 * Descrambling rotates a cell by quarter turns, so a bit of its label is the sum (modulo 2) of a constant and elements of the
 * sequence x, shifted by the gold code. The sum of the bits of a check, which is 0, is then a linear equation for the 18 bits of the shift
 * register of x. Each received check gives one uncertain equation. A Walsh-Hadamard transform counts for each content of the register how
 * many equations it fulfils. */
#ifndef DVBS2_GOLD_PARITY_H
#define DVBS2_GOLD_PARITY_H

#include <stdbool.h>
#include <stdint.h>

#include "dvbs2/sync/synchroniser.h"

enum { DVBS2_GOLD_PARITY_FRAMES = 32 /* maximum number of frames that are used */ };

typedef struct dvbs2_gold_parity {
    uint8_t *x, *y;   /* one period of each */
    uint32_t *masks;  /* x(i + gold) is the sum of the elements x(k + gold) for which bit k is set; k < 18 */
    float *equations; /* [1 << 18]: sum of the signs of the equations with these coefficients */
    uint32_t frames;  /* number of frames that were added */
} dvbs2_gold_parity;

/* Returns false if there is not enough memory. */
bool dvbs2_gold_parity_init(dvbs2_gold_parity *parity);
void dvbs2_gold_parity_free(dvbs2_gold_parity *parity);

/* Adds the checks of a data frame that was descrambled with gold code 0. Returns false if there is not enough memory. */
bool dvbs2_gold_parity_add(dvbs2_gold_parity *parity, const dvbs2_pl_frame *frame);

/* Returns the gold code, or -1 if no code is significant; with noise, one is in 10^6 searches. Overwrites the equations. */
int32_t dvbs2_gold_parity_run(dvbs2_gold_parity *parity);

#endif
