/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Receiver with perfect timing for the signals in signals/. The channel is flat.
 *
 *     station_open(&station, &signal, start, lite);
 *     while (station_next_frame(&station))
 *         use station.post and station.cells;
 *     station_close(&station);
 *
 * Asserts P1, every pilot, the CRCs of L1 and empty thinning cells. */
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
    uint32_t start;
    uint32_t frames; /* frames read */
    dvbt2_l1_post post;
    dvbt2_frame_map map;
    float complex *cells; /* cells in the order of addresses */
} station;

/* Decodes S1 and S2 of a P1. */
dvbt2_p1_info station_read_p1(const float complex *samples);

/* Finds the guard interval and the mode of the frame at `start`. */
void station_open(station *s, const test_signal *signal, uint32_t start, bool lite);

/* Returns false at the end of the super-frame. */
bool station_next_frame(station *s);

void station_close(station *s);

#endif
