/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates the carrier phase of a PL frame from references. A reference is a run of known symbols, in a
 * header or a pilot block.
 *
 *     header         pilots         pilots            next header
 *     [ref 0] ------ [ref 1] ------ [ref 2] -- ... -- [ref n - 1]
 *
 * A Kalman filter tracks phase and frequency from reference to reference, over all frames. A smoother goes
 * back from the last reference of the frame to the first one, so that each phase depends on past and future
 * references. The model assumes that the phase is a random walk (phase noise), and that the frequency drifts.
 * The variance of the walk is measured.
 *
 * If there are no pilots, a second pass uses blocks of cells as further references. It measures their phases
 * by soft decisions, relative to the phase that the filter predicts. */
#ifndef DVBS2_CARRIER_H
#define DVBS2_CARRIER_H

#include <stddef.h>

#include "dvbs2/phase/decisions.h"

enum {
    DVBS2_MOST_REFERENCES = 24
}; /* maximum number of references of a frame: header, 22 pilot blocks, next
                                      * header */

/* State of the filter at a reference: phase and frequency. variance[] contains the variance of the phase, the
 * covariance, and the variance of the frequency. */
typedef struct dvbs2_filtered {
    double phase, frequency, variance[3];
    double ahead_phase, ahead_variance[3], symbols; /* prediction for this reference; number of symbols since
                                                     * the previous reference */
} dvbs2_filtered;

/* A run of known symbols or of cells. */
typedef struct dvbs2_reference {
    const float complex *clean; /* known symbols: received symbols times the conjugates of the known symbols,
                                 * which have power 1; cells: the cells */
    const dvbs2_decisions *decisions; /* cells: table for soft decisions; NULL for known symbols */
    bool decoded;                     /* whether `halves` was computed with decoded symbols */
    uint32_t count;
    double at;               /* position of the centre, in symbols from the start of the frame */
    float complex halves[2]; /* sums of both halves of `clean`, after removal of the carrier frequency */
    float energy;            /* sum of the powers of all symbols */
    double phase;            /* smoothed carrier phase at the centre, in radians */
    dvbs2_filtered filtered;
} dvbs2_reference;

typedef struct dvbs2_carrier {
    double phase, frequency;  /* at the last reference, in radians and radians per symbol */
    double variance[3];       /* variance of the phase, covariance, variance of the frequency */
    double amplitude, noise;  /* amplitude of received symbols whose nominal power is 1; mean power of the
                               * noise */
    double noise_symbols;     /* number of symbols over which the noise is averaged */
    double walk, walk_weight; /* variance of the phase change per symbol, rad^2; number of frames in which it
                               * was measured */
    double fine_walk;         /* the same variance, measured between blocks of cells; 0: not measured yet */
    double complex slope[2];  /* average product of the second half and the conjugate first half, for pilot
                               * blocks and for headers */
    uint32_t slope_frames;    /* number of frames in this average */
} dvbs2_carrier;

/* Starts tracking at references[0], where the frequency is about `frequency`. The references of the first
 * frame are followed by those of the next frames. In noise, one frame is too short: several frequencies give
 * all pilot blocks the same phases, and the right one must be found. */
void dvbs2_carrier_start(dvbs2_carrier *carrier, dvbs2_reference *references, size_t first_frame,
                         size_t count, double frequency);

/* Changes the frequency by `aliases` cycles per pilot period. The phases of pilot blocks do not change by
 * this. */
void dvbs2_carrier_shift(dvbs2_carrier *carrier, int aliases);

/* Computes the phases of the references of a frame. references[0] is the header of the frame, and the last
 * reference is the next header. Also measures amplitude and noise. */
void dvbs2_carrier_track(dvbs2_carrier *carrier, dvbs2_reference *references, size_t count);

/* Returns whether the phase changes too much between two pilot blocks to be interpolated. */
bool dvbs2_carrier_walks(const dvbs2_carrier *carrier);

/* Performs the second pass over a frame, with its cells as further references. `before` is the state of the
 * carrier before the first pass. */
void dvbs2_carrier_refine(dvbs2_carrier *carrier, const dvbs2_carrier *before, dvbs2_reference *references,
                          size_t count);

#endif
