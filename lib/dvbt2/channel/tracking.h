/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures common phase and timing between symbols, and runs the carrier and clock loops.
 *
 * Pilots of two symbols differ by a common phase (carrier offset, phase noise) and a linear phase (clock
 * offset). The common phase is removed from this symbol; the loops correct later samples. */
#ifndef DVBT2_TRACKING_H
#define DVBT2_TRACKING_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "receiver/loop.h"
#include "dvbt2/standard/parameters.h"

/* Comparison of two symbols' pilots. */
typedef struct dvbt2_phase_sums {
    double complex sum; /* sum of now * conj(before) */
    /* phase per carrier of a timing step, removed from `sum`; 0 without a step */
    double turn;
    double slope, weight; /* slope / weight is the phase per carrier that remains */
    double now, before;
    float untimed; /* coherence without the timing step */
} dvbt2_phase_sums;

/* Carriers are counted from the middle of the band. */
dvbt2_phase_sums dvbt2_compare_pilots(const float complex *now, const float complex *before,
                                      const uint16_t *carrier, uint32_t count, uint32_t carriers);

/* Returns the coherence of two symbols' pilots, 0 .. 1. A change of gain does not affect it. */
float dvbt2_coherence(const dvbt2_phase_sums *sums);

typedef struct dvbt2_tracking {
    double symbol_length; /* length of a symbol in samples */
    double fft_length;
    rx_loop carrier; /* phase, radians */
    rx_loop clock;   /* timing in samples; positive if the signal is late */
    double phase;    /* of the last symbol, radians */
    /* sum of timing changes in this frame, samples */
    double timing;
    double drift_power;
    uint32_t drifted;   /* symbols in drift_power */
    float coherence;    /* coherence of the last symbol, 0 .. 1 */
    uint32_t explained; /* consecutive symbols whose pilots differ mainly by a timing change */
} dvbt2_tracking;

/* Restarts with fast acquisition of a new signal. */
void dvbt2_tracking_reset(dvbt2_tracking *tracking, const dvbt2_parameters *parameters);

/* drift: rate at which the carrier correction changes, cycles per squared sample. */
void dvbt2_tracking_start(dvbt2_tracking *tracking, double drift);

/* Weights of a symbol in the loops, 0 .. 1. */
typedef struct dvbt2_confidence {
    /* weight if the channel is static, so that only carrier and clock change phase and timing */
    double still;
    /* weight if the channel varies; the mean Doppler shift is then part of the carrier offset */
    double moving;
    double rates; /* gain for the rates of carrier and clock */
    /* fraction of the unexpected phase change that all carriers share */
    double common;
} dvbt2_confidence;

/* Call this once per symbol. Returns true if the pilots of this and of the previous symbol differ mainly by a
 * timing change. */
bool dvbt2_timing_explains(dvbt2_tracking *tracking, const dvbt2_phase_sums *sums);

void dvbt2_tracking_update(dvbt2_tracking *tracking, const dvbt2_phase_sums *sums,
                           const dvbt2_confidence *confidence);

/* Predicts phase and timing of an unusable symbol. */
void dvbt2_tracking_coast(dvbt2_tracking *tracking);

double dvbt2_tracking_expected_timing(const dvbt2_tracking *tracking);

/* Return the carrier correction (cycles per sample) and the clock correction (samples per sample). The caller
 * must apply them to later samples. *drift: rate at which the carrier correction changes, cycles per squared
 * sample. */
double dvbt2_tracking_carrier(dvbt2_tracking *tracking, double *drift);
double dvbt2_tracking_clock(dvbt2_tracking *tracking);

#endif
