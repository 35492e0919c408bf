/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MISO decoding: the modified Alamouti code over pairs of carriers (EN 302 755, clause 9.1).
 *
 * Before the pilots are inserted, the data cells 2p and 2p + 1 of a symbol (in the order of the data
 * carriers) are a pair a0, a1. Group 1 sends a0, a1; group 2 sends -conj(a1), conj(a0).
 */
#ifndef DVBT2_MISO_H
#define DVBT2_MISO_H

#include <complex.h>

/* A pair of received cells, and their channels from both transmitter groups. */
typedef struct dvbt2_miso_pair {
    float complex y[2];
    float complex h1[2], h2[2]; /* channels of transmitter groups 1 and 2 at the two carriers */
    float noise[2];             /* mean noise power at the two carriers */
} dvbt2_miso_pair;

/* Decodes the two cells and computes the noise of each cell, scaled to cells of unit power. If the channel is
 * zero, the cell is 0 and its noise is infinite. */
void dvbt2_miso_decode(const dvbt2_miso_pair *pair, float complex cell[2], float noise[2]);

#endif
