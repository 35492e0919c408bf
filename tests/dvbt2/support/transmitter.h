/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transmitter of T2 frames with any L1 and cells. */
#ifndef DVBT2_TEST_TRANSMITTER_H
#define DVBT2_TEST_TRANSMITTER_H

#include <complex.h>

#include "dvbt2/standard/frequency_deinterleaver.h"
#include "dvbt2/standard/pilots.h"

typedef struct transmitter {
    dvbt2_l1_pre pre; /* L1-pre, including the sizes of L1-post */
    dvbt2_parameters p;
    dvbt2_pilots *pilots;
    dvbt2_frequency_deinterleaver *deint;
    const dvbt2_l1_post *told; /* L1-post to send instead of the real one, or NULL */
    double l1_post_noise;
} transmitter;

void transmitter_open(transmitter *t, const dvbt2_l1_pre *pre);
void transmitter_close(transmitter *t);

/* Sends t->p.frame_length samples of mean power about 1.
 *
 * L1-post gives the positions of the PLPs. cells[i]: cells of PLP i in this frame. All other cells are dummy
 * cells. */
void transmitter_send(transmitter *t, const dvbt2_l1_post *post, const float complex *const *cells,
                      float complex *samples);

#endif
