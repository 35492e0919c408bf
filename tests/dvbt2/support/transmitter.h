/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T2 frames with any L1 and any cells, for what no transmitter at hand sends: common PLPs, auxiliary streams,
 * L1 that changes. It uses the library's tables, which other tests compare with two transmitters. */
#ifndef DVBT2_TEST_TRANSMITTER_H
#define DVBT2_TEST_TRANSMITTER_H

#include <complex.h>

#include "dvbt2/standard/frequency_deinterleaver.h"
#include "dvbt2/standard/pilots.h"

typedef struct transmitter {
    dvbt2_l1_pre pre; /* as given, with the sizes of L1-post */
    dvbt2_parameters p;
    dvbt2_pilots *pilots;
    dvbt2_frequency_deinterleaver *deint;
    const dvbt2_l1_post *told; /* what L1-post says instead of the truth, or NULL */
    double l1_post_noise;      /* power of the noise on the cells of L1-post */
} transmitter;

/* The mode is that of L1-pre. */
void transmitter_open(transmitter *t, const dvbt2_l1_pre *pre);
void transmitter_close(transmitter *t);

/* One frame: t->p.frame_length samples of mean power about 1.
 *
 * L1-post says where the PLPs are; cells[i] holds the cells of the i-th one in this frame. Where auxiliary
 * streams would be, and in all other cells, are dummy cells of random sign. */
void transmitter_send(transmitter *t, const dvbt2_l1_post *post, const float complex *const *cells,
                      float complex *samples);

#endif
