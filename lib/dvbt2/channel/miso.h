/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MISO decoding: modified Alamouti code over pairs of carriers (EN 302 755, clause 9.1).
 *
 * Data cells 2p and 2p + 1 are a pair a0, a1. Group 1 sends a0, a1; group 2 sends -conj(a1), conj(a0). */
#ifndef DVBT2_MISO_H
#define DVBT2_MISO_H

#include <complex.h>

/* A received pair of cells and its channels. */
typedef struct dvbt2_miso_pair {
    float complex y[2];
    float complex h1[2], h2[2]; /* channels of group 1 and of group 2 */
    float noise[2];             /* mean noise power of each of the two carriers */
} dvbt2_miso_pair;

/* If the channel is zero, cells are 0 and their noise is infinite. */
void dvbt2_miso_decode(const dvbt2_miso_pair *pair, float complex cell[2], float noise[2]);

#endif
