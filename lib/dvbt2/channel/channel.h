/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates the channel on every carrier of every symbol from the pilots.
 *
 *     P2:      pilots of neighbouring P2 symbols ── mean ──> grid ── Wiener filter ──> carriers
 *     normal:  scattered pilots ── smoothed, interpolated over time ──> grid ── Wiener filter ──> carriers
 *                               └─ time-varying channel: time_variation.h ──┘
 *
 * Interpolation over time needs the next pilot of every grid point. A normal symbol is therefore estimated Dy
 * - 1 symbols later. At the end of a frame without frame-closing symbol the last value is held. tracking.h
 * has removed the common phase from all symbols.
 *
 * With SISO there is one channel. With MISO the pilots give the sum of both channels on even grid points and
 * the difference on odd ones; sum and difference are interpolated separately. */
#ifndef DVBT2_CHANNEL_H
#define DVBT2_CHANNEL_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "dvbt2/channel/impulse.h"
#include "dvbt2/channel/interpolator.h"
#include "dvbt2/channel/pilot_grid.h"
#include "dvbt2/channel/pilot_statistics.h"
#include "dvbt2/channel/tracking.h"
#include "dvbt2/channel/time_variation.h"
#include "dvbt2/standard/parameters.h"

/* Times of the scattered pilots in one class of grid points: the grid points whose pilots are in symbols l
 * with l mod Dy = class. */
typedef struct dvbt2_pilot_time {
    uint32_t last, before; /* symbols of the latest pilot and of the one before it */
} dvbt2_pilot_time;

typedef struct dvbt2_channel {
    const dvbt2_parameters *parameters;
    const dvbt2_pilot_grid *grid;
    const float *interference;             /* interference on each carrier, added to `noise` */
    uint32_t n_channels;                   /* 1 (SISO) or 2 (MISO) */
    dvbt2_impulse impulse;                 /* response of the P2 grid; MISO: of the even points, then odd */
    dvbt2_delays readings[DVBT2_READINGS]; /* candidate interpretations of the response */
    uint32_t n_readings;
    dvbt2_delays delays; /* the chosen one */
    double widest;       /* longest response of the last frames in a time-varying channel */
    double centre;       /* delay at the middle of the guard interval's tolerance, samples */
    float complex *half; /* MISO: the even or the odd points of the P2 grid */

    float complex *p2_raw[DVBT2_MAX_P2]; /* pilots of each P2 symbol in this frame, on the grid */
    float p2_weight[DVBT2_MAX_P2];       /* ratio of the usual noise to the noise of each P2 symbol */
    float complex *p2_mean;
    dvbt2_interpolator p2_interpolator;

    float complex *last, *before;         /* smoothed values at the latest two pilots of each point */
    float complex *raw_last, *raw_before; /* the values at the same two pilots before smoothing */
    uint8_t *received;                    /* pilots received in this frame at each point: 0, 1, 2 = more */
    dvbt2_pilot_time time[DVBT2_MAX_DY];
    float complex *now; /* grid of the symbol being estimated */
    dvbt2_interpolator interpolator;
    dvbt2_time_variation variation; /* used in a time-varying channel */

    dvbt2_pilot_statistics statistics;
    float smoothing;              /* weight of the latest pilots relative to the smoothed value, 0 .. 1 */
    float p2_noise;               /* `noise` as measured in the last P2 symbol */
    float variance[DVBT2_MAX_DY]; /* mean squared error of the smoothed pilots of each class */
    float noise;                  /* noise power of a cell before equalisation */
    float signal;                 /* mean |H|^2 */
    float error;                  /* mean squared error of the last estimate */
} dvbt2_channel;

/* `parameters` and `grid` must outlive the channel. Returns false if out of memory. */
bool dvbt2_channel_init(dvbt2_channel *channel, const dvbt2_parameters *parameters,
                        const dvbt2_pilot_grid *grid);
void dvbt2_channel_free(dvbt2_channel *channel);

/* ---- P2 */

/* Read the pilots of P2 symbol l. sign: PN sign of the symbol. disturbance: ratio of the symbol's noise to
 * the usual noise. */
void dvbt2_channel_read_p2(dvbt2_channel *channel, uint32_t l, const float complex *carriers, float sign,
                           float disturbance);

/* Measure the impulse response and the noise in P2 symbol l; if the symbol is disturbed, measure only the
 * impulse response. If the response has several candidate readings, choose the reading nearest to
 * channel->centre. */
void dvbt2_channel_measure(dvbt2_channel *channel, uint32_t l);

/* Choose candidate reading i of the response instead of the current one. */
void dvbt2_channel_choose(dvbt2_channel *channel, uint32_t i);

/* Design the filters for the measured response, which must lie around time 0. */
void dvbt2_channel_design(dvbt2_channel *channel);

/* Estimate the channel from P2 symbol l alone: h[0], with MISO also h[1], each with room for `carriers` + 48
 * values. */
void dvbt2_channel_first(dvbt2_channel *channel, uint32_t l, float complex *const h[2]);

/* Estimate the channel in P2 symbol l from all P2 symbols; h as in dvbt2_channel_first(). */
void dvbt2_channel_p2(dvbt2_channel *channel, uint32_t l, float complex *const h[2]);

/* ---- normal and frame-closing symbols */

/* Start the normal symbols from the estimate of the last P2 symbol. */
void dvbt2_channel_start(dvbt2_channel *channel, const float complex *const h[2]);

/* Read the pilots of symbol l. Symbols are read in order. */
void dvbt2_channel_read(dvbt2_channel *channel, uint32_t l, const float complex *carriers, float sign);

/* Replaces dvbt2_channel_read() for symbol l if its pilots are unusable. */
void dvbt2_channel_skip(dvbt2_channel *channel, uint32_t l);

/* Update the speed of the channel from the correlation of pilots of one amplitude with the pilots of the
 * previous symbol. */
void dvbt2_channel_follow(dvbt2_channel *channel, const dvbt2_phase_sums *sums, uint32_t pilots,
                          float amplitude);

/* Scale the state after the receiver gain has changed by `gain` (amplitude). */
void dvbt2_channel_scale(dvbt2_channel *channel, float gain);

/* Restart the statistics when a lost signal is received again. */
void dvbt2_channel_forget(dvbt2_channel *channel);

/* Estimate the channel in symbol l, after symbol l + Dy - 1 or the last symbol of the frame has been read or
 * skipped. */
void dvbt2_channel_estimate(dvbt2_channel *channel, uint32_t l, float complex *const h[2]);

#endif
