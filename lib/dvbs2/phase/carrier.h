/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carrier phase of a PL frame from its references: symbols that are known, in headers and pilot blocks.
 *
 *     header         pilots         pilots            next header
 *     [ref 0] ------ [ref 1] ------ [ref 2] -- ... -- [ref n - 1]
 *
 * A Kalman filter tracks phase and frequency from reference to reference, over all frames. A smoother goes
 * back from the last reference of the frame to the first one, so that each phase depends on past and future
 * references. In the model the phase walks at random (phase noise) and the frequency drifts; the variance of
 * the walk is measured.
 *
 * Without pilots, blocks of cells are further references: a second pass takes their phases from soft decisions
 * at the phase that the filter predicts. */
#ifndef DVBS2_CARRIER_H
#define DVBS2_CARRIER_H

#include <stddef.h>

#include "dvbs2/phase/decisions.h"

enum { DVBS2_MOST_REFERENCES = 24 }; /* of a frame: header, 22 pilot blocks, next header */

/* State of the filter at a reference: phase and frequency; variance of the phase, covariance, variance of the
 * frequency. */
typedef struct dvbs2_filtered {
    double phase, frequency, variance[3];
    double ahead_phase, ahead_variance[3], symbols; /* predicted before it; symbols since the last one */
} dvbs2_filtered;

/* Consecutive known symbols, or cells. */
typedef struct dvbs2_reference {
    const float complex *clean; /* received symbols times conjugate known symbols of power 1; or cells */
    const dvbs2_decisions *decisions; /* of the cells; NULL: known symbols */
    bool decoded;                     /* the sums of these cells are those with decoded symbols */
    uint32_t count;
    double at;               /* centre, symbols from the start of the frame */
    float complex halves[2]; /* sums of both halves of `clean`, without the frequency of the carrier */
    float energy;            /* sum of the power */
    double phase;            /* smoothed phase of the carrier at the centre, radians */
    dvbs2_filtered filtered;
} dvbs2_reference;

typedef struct dvbs2_carrier {
    double phase, frequency;  /* at the last reference: radians; radians per symbol */
    double variance[3];       /* of the phase, covariance, of the frequency */
    double amplitude, noise;  /* of the received symbols: amplitude of power 1; mean power of the noise */
    double noise_symbols;     /* symbols averaged in the noise */
    double walk, walk_weight; /* variance of the change of the phase, rad^2 per symbol; frames measured */
    double fine_walk;         /* the same from cell to cell; 0: not measured yet */
    double complex slope[2];  /* mean product of second and first half of pilot blocks and headers */
    uint32_t slope_frames;    /* frames in this mean */
} dvbs2_carrier;

/* Starts at references[0], whose carrier has about this frequency. The references are those of the first
 * frame, then those of the next ones: in noise, one frame is too short to find the
 * frequency among those that give all pilot blocks the same phases. */
void dvbs2_carrier_start(dvbs2_carrier *carrier, dvbs2_reference *references, size_t first_frame,
                         size_t count, double frequency);

/* Moves the frequency by whole cycles per period of the pilots, which leave their phases unchanged. */
void dvbs2_carrier_shift(dvbs2_carrier *carrier, int aliases);

/* Computes the phases of the references of a frame. references[0] is the header, at which
 * the previous frame ended; the last one is the next header. Measures amplitude and noise. */
void dvbs2_carrier_track(dvbs2_carrier *carrier, dvbs2_reference *references, size_t count);

/* Does the phase walk too far from pilot block to pilot block to be interpolated? */
bool dvbs2_carrier_walks(const dvbs2_carrier *carrier);

/* Second pass over a frame, with its cells as further references. `before`: the carrier before the first
 * pass. */
void dvbs2_carrier_refine(dvbs2_carrier *carrier, const dvbs2_carrier *before, dvbs2_reference *references,
                          size_t count);

#endif
