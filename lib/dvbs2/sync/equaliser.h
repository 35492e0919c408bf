/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A linear equaliser with one tap per symbol. Its taps minimise the mean square error for a channel that is
 * estimated by least squares from known symbols: headers, pilots and decoded cells. It is used only if it reduces
 * the error significantly.
 *
 * One tap per symbol suffices: with roll-offs up to 0.35 and Gardner timing, an echo of -6 dB costs at most
 * 0.06 dB more than with several taps per symbol. */
#ifndef DVBS2_EQUALISER_H
#define DVBS2_EQUALISER_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    DVBS2_EQUALISER_SIDE = 12, /* taps on each side of the middle one, of the equaliser and of the channel */
    DVBS2_EQUALISER_TAPS = 2 * DVBS2_EQUALISER_SIDE + 1,
};

/* All members are 0 before training. */
typedef struct dvbs2_equaliser {
    /* sums over received symbols y all of whose neighbours x[0] ... x[TAPS - 1] are known */
    double complex covariance[DVBS2_EQUALISER_TAPS][DVBS2_EQUALISER_TAPS]; /* conj(x[k]) x[l], for k <= l */
    double complex correlation[DVBS2_EQUALISER_TAPS];                      /* conj(x[k]) y */
    double energy;                                                         /* |y|^2 */
    double symbols,
        solved;  /* number of these symbols; the number that were learned after the last solution */
    bool active; /* true: the equaliser improves the symbols */
    float complex taps[DVBS2_EQUALISER_TAPS]; /* taps[k] weights y[k] */
    float noise;
} dvbs2_equaliser;

/* Learns from `count` received symbols. expected: the known symbols, with power 1 and the received phase. Values
 * that are not finite are ignored. */
void dvbs2_equaliser_learn(dvbs2_equaliser *equaliser, const float complex *received,
                           const float complex *expected, uint32_t count, float amplitude);

/* Computes the taps, if the known symbols have increased enough. */
void dvbs2_equaliser_solve(dvbs2_equaliser *equaliser);

/* Returns whether more symbols only replace older ones. */
bool dvbs2_equaliser_is_full(const dvbs2_equaliser *equaliser);

#endif
