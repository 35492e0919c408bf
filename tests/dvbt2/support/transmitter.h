/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A transmitter of T2 frames with any L1 signalling and any cells. The tests use it for signals that the
 * available transmitters cannot send: common PLPs, auxiliary streams, changes of L1. It uses the library's
 * tables, which other tests compare with two transmitters. */
#ifndef DVBT2_TEST_TRANSMITTER_H
#define DVBT2_TEST_TRANSMITTER_H

#include <complex.h>

#include "dvbt2/standard/frequency_deinterleaver.h"
#include "dvbt2/standard/pilots.h"

typedef struct transmitter {
    dvbt2_l1_pre pre; /* L1-pre as given by the caller, but with the sizes of L1-post set */
    dvbt2_parameters p;
    dvbt2_pilots *pilots;
    dvbt2_frequency_deinterleaver *deint;
    const dvbt2_l1_post *told; /* L1-post that is sent instead of the true one, or NULL */
    double l1_post_noise;      /* power of the noise that is added to the L1-post cells */
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
