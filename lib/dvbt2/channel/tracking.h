/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common phase and timing of each symbol against the one before, and the loops that follow them.
 *
 * Pilots that stand on the same carriers in both symbols differ by the common phase (carrier offset, phase
 * noise) and by a phase that grows with the carrier (clock offset). The common phase of every symbol is taken
 * out of its carriers; the loops correct oscillator and resampler for the samples to come. */
#ifndef DVBT2_TRACKING_H
#define DVBT2_TRACKING_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "receiver/loop.h"
#include "dvbt2/standard/parameters.h"

/* Pilots of one symbol against those of another. */
typedef struct dvbt2_phase_sums {
    double complex sum; /* of the products */
    double turn; /* phase from carrier to carrier that was taken out: of a step of the timing, else 0 */
    double slope, weight; /* of the phase that remains over the carriers */
    double now, before;   /* energies */
} dvbt2_phase_sums;

/* count pilots: values now and before; carriers are counted from the middle of the band. */
dvbt2_phase_sums dvbt2_compare_pilots(const float complex *now, const float complex *before,
                                      const uint16_t *carrier, uint32_t count, uint32_t carriers);

/* How much they are alike, 0 .. 1, whatever the gain. */
float dvbt2_coherence(const dvbt2_phase_sums *sums);

typedef struct dvbt2_tracking {
    double symbol_length; /* samples */
    double fft_length;
    rx_loop carrier;    /* phase in radians */
    rx_loop clock;      /* timing in samples: positive when the signal comes later than expected */
    double phase;       /* common phase of the last symbol */
    double timing;      /* sum of all changes measured in this frame */
    double drift_power; /* mean of the products of pilots with those before, while the channel moves */
    uint32_t drifted;   /* symbols in it */
    float coherence;    /* 0 .. 1: how much the last symbol's pilots were like those before */
} dvbt2_tracking;

/* A new signal: the loops begin quickly. */
void dvbt2_tracking_reset(dvbt2_tracking *tracking, const dvbt2_parameters *parameters);

/* A new frame: phase and timing count from here. */
void dvbt2_tracking_start(dvbt2_tracking *tracking);

/* How the loops take a symbol, each 0 .. 1. */
typedef struct dvbt2_confidence {
    double still; /* the channel stands still: changes of phase and timing come from carrier and clock */
    double
        moving; /* it moves: changes of phase follow from Doppler shifts, whose mean is the carrier offset */
    double rates; /* how much carrier and clock offset learn */
    double
        common; /* share of the phase that differs from the expected one and is common to all carriers; the rest is due to
                    * paths that fade */
} dvbt2_confidence;

/* The next symbol. Sets phase and coherence. */
void dvbt2_tracking_update(dvbt2_tracking *tracking, const dvbt2_phase_sums *sums,
                           const dvbt2_confidence *confidence);

/* A symbol that says nothing: phase and timing are those expected. */
void dvbt2_tracking_coast(dvbt2_tracking *tracking);

/* Timing that the clock's loop expects of the next symbol. */
double dvbt2_tracking_expected_timing(const dvbt2_tracking *tracking);

/* The correction of the carrier in turns per sample, that of the clock in samples per sample. They count as
 * made: the loops expect their effect. */
double dvbt2_tracking_carrier(dvbt2_tracking *tracking);
double dvbt2_tracking_clock(dvbt2_tracking *tracking);

#endif
