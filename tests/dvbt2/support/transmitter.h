/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transmitter of T2 frames with any L1 and any cells, for what the available transmitters do not send: common
 * PLPs, auxiliary streams, changing L1. It uses the library's tables, which other tests verify against two
 * transmitters. */
#ifndef DVBT2_TEST_TRANSMITTER_H
#define DVBT2_TEST_TRANSMITTER_H

#include <complex.h>

#include "dvbt2/standard/frequency_deinterleaver.h"
#include "dvbt2/standard/pilots.h"

typedef struct transmitter {
    dvbt2_l1_pre pre; /* the caller's L1-pre, with the sizes of L1-post set */
    dvbt2_parameters p;
    dvbt2_pilots *pilots;
    dvbt2_frequency_deinterleaver *deint;
    const dvbt2_l1_post *told; /* L1-post to send instead of the true L1-post, or NULL */
    double l1_post_noise;      /* noise power on the L1-post cells */
} transmitter;

/* Initialises a transmitter for the mode that L1-pre signals. */
void transmitter_open(transmitter *t, const dvbt2_l1_pre *pre);
void transmitter_close(transmitter *t);

/* Send one frame: t->p.frame_length samples of mean power about 1.
 *
 * L1-post positions the PLPs; cells[i] holds the cells of the i-th PLP in this frame. All other cells,
 * including those of auxiliary streams, are dummy cells of random sign. */
void transmitter_send(transmitter *t, const dvbt2_l1_post *post, const float complex *const *cells,
                      float complex *samples);

#endif
