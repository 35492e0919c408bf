/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A linear equaliser with one tap per symbol, trained with headers and pilots (least squares). It is used
 * only if it reduces the error significantly.
 *
 * One tap per symbol suffices: with roll-offs up to 0.35 and Gardner timing, an echo of -6 dB costs at most
 * 0.06 dB more than with several taps per symbol. */
#ifndef DVBS2_EQUALISER_H
#define DVBS2_EQUALISER_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    DVBS2_EQUALISER_SIDE = 12, /* taps on each side of the middle one */
    DVBS2_EQUALISER_TAPS = 2 * DVBS2_EQUALISER_SIDE + 1,
};

/* All members are 0 before training. */
typedef struct dvbs2_equaliser {
    /* relative to the amplitude */
    double complex covariance[DVBS2_EQUALISER_TAPS][DVBS2_EQUALISER_TAPS]; /* conj(y[k]) y[l], for k <= l */
    double complex correlation[DVBS2_EQUALISER_TAPS]; /* conj(y[k]) times the known symbol */
    double symbols;
    bool active;                              /* true: the equaliser improves the symbols */
    float complex taps[DVBS2_EQUALISER_TAPS]; /* taps[k] weights y[k] */
    float noise;
} dvbs2_equaliser;

/* Trains with `count` known symbols. Also reads SIDE symbols before and after `received`. `expected`: symbols
 * with power 1 and the received phase. Values that are not finite are ignored. */
void dvbs2_equaliser_learn(dvbs2_equaliser *equaliser, const float complex *received,
                           const float complex *expected, uint32_t count, float amplitude);

void dvbs2_equaliser_solve(dvbs2_equaliser *equaliser, uint32_t known);

#endif
