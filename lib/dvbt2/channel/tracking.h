/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the common phase error and the timing of each symbol relative to the previous symbol, and runs the
 * carrier and clock loops.
 *
 * Pilots on the same carriers of two symbols differ by a common phase (carrier offset, phase noise) and by a
 * phase that grows linearly with frequency (clock offset). The common phase of each symbol is removed from
 * the carriers of that symbol. The loops correct oscillator and resampler for later samples. */
#ifndef DVBT2_TRACKING_H
#define DVBT2_TRACKING_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "receiver/loop.h"
#include "dvbt2/standard/parameters.h"

/* Comparison of the pilots of two symbols. */
typedef struct dvbt2_phase_sums {
    double complex sum; /* sum of now * conj(before) over the pilots */
    /* phase per carrier of a timing step, which has been removed from `sum`; 0 if there was no step */
    double turn;
    double slope, weight; /* the remaining linear phase; its slope per carrier is slope / weight */
    double now, before;   /* energy of this symbol's pilots, and energy of the previous symbol's pilots */
    float untimed;        /* coherence before the timing step was removed */
} dvbt2_phase_sums;

/* Compares `count` pilots of this symbol with those of the previous symbol. Carriers are counted from the
 * middle of the band. */
dvbt2_phase_sums dvbt2_compare_pilots(const float complex *now, const float complex *before,
                                      const uint16_t *carrier, uint32_t count, uint32_t carriers);

/* Returns the coherence between the pilots of two symbols, 0 .. 1. The coherence does not depend on the
 * gain. */
float dvbt2_coherence(const dvbt2_phase_sums *sums);

/* Returns true if the difference between the pilots is mainly a timing change, as after a step of the
 * clock. */
bool dvbt2_timing_explains(const dvbt2_phase_sums *sums);

typedef struct dvbt2_tracking {
    double symbol_length; /* length of a symbol in samples */
    double fft_length;
    rx_loop carrier;    /* loop that tracks the phase in radians */
    rx_loop clock;      /* timing in samples; positive: the signal is late */
    double phase;       /* common phase of the last symbol in radians */
    double timing;      /* sum of all timing changes in this frame, in samples */
    double drift_power; /* running mean of the pilot products' power in a time-varying channel */
    uint32_t drifted;   /* number of symbols that have been averaged in drift_power */
    float coherence;    /* coherence of the last symbol, 0 .. 1 */
} dvbt2_tracking;

/* Restarts the loops with fast acquisition, for a new signal. */
void dvbt2_tracking_reset(dvbt2_tracking *tracking, const dvbt2_parameters *parameters);

/* Starts a frame. Phase and timing are counted from here. */
void dvbt2_tracking_start(dvbt2_tracking *tracking);

/* Weights, 0 .. 1, with which a symbol changes the loops. */
typedef struct dvbt2_confidence {
    /* weight for a static channel, in which phase and timing changes are due to carrier and clock */
    double still;
    /* weight for a time-varying channel, in which the mean Doppler shift is taken as the carrier offset */
    double moving;
    double rates; /* gain of the carrier and clock rates */
    /* fraction of the unexpected phase that is common to all carriers; the remainder is due to fading */
    double common;
} dvbt2_confidence;

/* Updates the loops with the next symbol. Sets `phase` and `coherence`. */
void dvbt2_tracking_update(dvbt2_tracking *tracking, const dvbt2_phase_sums *sums,
                           const dvbt2_confidence *confidence);

/* Skips an unusable symbol. Phase and timing are set to their predicted values. */
void dvbt2_tracking_coast(dvbt2_tracking *tracking);

/* Returns the timing that the clock loop predicts for the next symbol. */
double dvbt2_tracking_expected_timing(const dvbt2_tracking *tracking);

/* Returns the correction of the carrier in cycles per sample, and of the clock in samples per sample. The
 * caller must apply both corrections to later samples. */
double dvbt2_tracking_carrier(dvbt2_tracking *tracking);
double dvbt2_tracking_clock(dvbt2_tracking *tracking);

#endif
