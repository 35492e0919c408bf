/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates the carrier phase of a PL frame from references. A reference is a run of known symbols, in a
 * header or a pilot block.
 *
 *     header         pilots         pilots            next header
 *     [ref 0] ------ [ref 1] ------ [ref 2] -- ... -- [ref n - 1]
 *
 * In VL-SNR frames, reference 1 is the second header.
 *
 * A Kalman filter tracks phase and frequency from reference to reference, over all frames. A backward
 * smoother then corrects the phases of each frame. The phase is modelled as a random walk (phase noise) of
 * measured variance.
 *
 * Without pilots, a second pass uses blocks of cells as references. Their phases are measured with soft
 * decisions. */
#ifndef DVBS2_CARRIER_H
#define DVBS2_CARRIER_H

#include <stddef.h>

#include "dvbs2/phase/decisions.h"

enum { DVBS2_MOST_REFERENCES = 46 }; /* of a VL-SNR frame: 2 headers, 43 pilot blocks, next header */

typedef struct dvbs2_filtered {
    double phase, frequency, variance[3];
    /* predicted phase and its variance; number of symbols since the previous reference */
    double ahead_phase, ahead_variance[3], symbols;
} dvbs2_filtered;

/* A run of known symbols or of cells. */
typedef struct dvbs2_reference {
    const float complex *clean; /* received symbols times the conjugates of the known symbols */
    const dvbs2_decisions *decisions;
    uint32_t count;
    /* position of the centre, symbols from the start of the frame */
    double at;
    float complex halves[2];
    float energy;
    double phase;
    dvbs2_filtered filtered;
} dvbs2_reference;

typedef struct dvbs2_carrier {
    double phase, frequency; /* radians, radians per symbol */
    double variance[3];      /* var(phase), cov(phase, frequency), var(frequency) */
    /* amplitude of symbols with nominal power 1; mean power of the noise */
    double amplitude, noise;
    /* number of symbols over which the noise is averaged */
    double noise_symbols;
    /* variance of the phase change per symbol, rad^2; number of measured frames */
    double walk, walk_weight;
    /* like `walk`, but measured between blocks of cells; 0: not measured */
    double fine_walk;
    double complex slope[2]; /* mean of (second half * conj(first half)) of the pilot blocks, and of the
                              * headers */
    uint32_t slope_frames;
    double start_error; /* maximum error of the first frequency, radians per symbol */
} dvbs2_carrier;

void dvbs2_carrier_start(dvbs2_carrier *carrier, dvbs2_reference *references, size_t first_frame,
                         size_t count, double frequency);

/* Returns the frequency ambiguity of the references of a frame, in radians per symbol. length: number of
 * symbols of a frame without pilots; 0 if the frame has pilots. */
double dvbs2_carrier_alias(uint32_t length);

/* Adds `change` to the frequency, in radians per symbol. */
void dvbs2_carrier_shift(dvbs2_carrier *carrier, double change);

/* Computes the phases of the references: header, pilot blocks, next header. Also measures amplitude and
 * noise. */
void dvbs2_carrier_track(dvbs2_carrier *carrier, dvbs2_reference *references, size_t count);

/* Sets phase and frequency at the second header to the values that the two headers give. */
void dvbs2_carrier_use_headers(dvbs2_carrier *carrier, const dvbs2_carrier *before,
                               const dvbs2_reference headers[2]);

/* Returns whether phase noise is too strong to interpolate phases between pilot blocks. */
bool dvbs2_carrier_walks(const dvbs2_carrier *carrier);

/* Second pass. Blocks of cells serve as references. */
void dvbs2_carrier_refine(dvbs2_carrier *carrier, const dvbs2_carrier *before, dvbs2_reference *references,
                          size_t count);

#endif
