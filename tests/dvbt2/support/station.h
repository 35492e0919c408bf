/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A receiver with perfect timing for the signals of signals/: a flat channel whose gain the pilots of each
 * symbol tell.
 *
 *     station_open(&station, &signal, start, lite);
 *     while (station_next_frame(&station))
 *         use station.post and station.cells;
 *     station_close(&station);
 *
 * Everything is asserted on the way: P1, every pilot, CRCs of L1, empty thinning cells.
 */
#ifndef DVBT2_TEST_STATION_H
#define DVBT2_TEST_STATION_H

#include "dvbt2/standard/frequency_deinterleaver.h"
#include "dvbt2/l1/l1_decoder.h"
#include "dvbt2/standard/pilots.h"
#include "dvbt2/support/signals.h"

typedef struct station {
    const test_signal *signal;
    dvbt2_parameters p;
    dvbt2_pilots *pilots;
    dvbt2_frequency_deinterleaver *deint;
    dvbt2_l1_decoder *decoder;
    dvbt2_l1_pre pre;
    uint32_t start;  /* of the next frame */
    uint32_t frames; /* read so far */
    dvbt2_l1_post post;
    dvbt2_frame_map map;
    float complex *cells; /* of the frame, by address */
} station;

/* P1 of the frame that begins at `samples`: the value whose sequence fits best. */
dvbt2_p1_info station_read_p1(const float complex *samples);

/* Finds guard interval and mode in the first frame, which begins at `start`. */
void station_open(station *s, const test_signal *signal, uint32_t start, bool lite);

/* L1-post and cells of the next frame; false at the end of the super-frame. */
bool station_next_frame(station *s);

void station_close(station *s);

#endif
