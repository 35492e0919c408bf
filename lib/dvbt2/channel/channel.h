/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates the channel on every carrier of every symbol from the pilots.
 *
 *     P2:      pilots of neighbouring P2 symbols ── mean ──> grid ── Wiener filter ──> carriers
 *     normal:  scattered pilots ── smoothed, interpolated over time ──> grid ── Wiener filter ──> carriers
 *                               └─ time-varying channel: time_variation.h ──┘
 *
 * Interpolation over time needs the next pilot of every grid point. A normal symbol is therefore estimated Dy
 * - 1 symbols later. At the end of a frame without a frame-closing symbol, the last value remains in use.
 * tracking.h has removed the common phase from all symbols.
 *
 * With SISO there is one channel. With MISO, the pilots give the sum of both channels on even grid points and
 * the difference of both channels on odd grid points. Sum and difference are interpolated separately. */
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

/* Times of the scattered pilots in one class of grid points. A class consists of all grid points whose pilots
 * are in the symbols l with l mod Dy = class. */
typedef struct dvbt2_pilot_time {
    uint32_t last, before; /* symbol numbers of the latest pilot and of the pilot before it */
} dvbt2_pilot_time;

typedef struct dvbt2_channel {
    const dvbt2_parameters *parameters;
    const dvbt2_pilot_grid *grid;
    const float *interference; /* interference power on each carrier, which is added to `noise` */
    uint32_t n_channels;       /* number of channels: 1 with SISO, 2 with MISO */
    /* impulse response, computed from the P2 grid; with MISO, first from its even points, then from its odd
     * points */
    dvbt2_impulse impulse;
    dvbt2_delays readings[DVBT2_READINGS]; /* possible interpretations of the impulse response */
    uint32_t n_readings;
    dvbt2_delays delays; /* the chosen reading */
    /* length of the longest response in the last frames, used in a time-varying channel */
    double widest;
    double centre;       /* delay in samples at the middle of the guard interval's tolerance */
    float complex *half; /* MISO only: either the even or the odd points of the P2 grid */

    float complex *p2_raw[DVBT2_MAX_P2]; /* pilots of each P2 symbol of this frame, on the P2 grid */
    float p2_weight[DVBT2_MAX_P2];       /* ratio of the usual noise to the noise of each P2 symbol */
    float complex *p2_mean;
    dvbt2_interpolator p2_interpolator;

    /* for each grid point, the smoothed values at its latest pilot and at the pilot before */
    float complex *last, *before;
    float complex *raw_last, *raw_before; /* the unsmoothed values of the same two pilots */
    /* number of pilots received at each grid point in this frame: 0, 1, or 2 for two or more */
    uint8_t *received;
    dvbt2_pilot_time time[DVBT2_MAX_DY];
    float complex *now; /* channel on the grid in the symbol that is being estimated */
    dvbt2_interpolator interpolator;
    dvbt2_time_variation variation; /* estimator for a time-varying channel */

    dvbt2_pilot_statistics statistics;
    float smoothing;              /* weight of a new pilot relative to the smoothed value, 0 .. 1 */
    float p2_noise;               /* value of `noise` that was measured in the last P2 symbol */
    float variance[DVBT2_MAX_DY]; /* mean squared error of the smoothed pilots of each class */
    float noise;                  /* noise power of a cell before equalisation */
    float signal;                 /* mean |H|^2 of the channel */
    float error;                  /* mean squared error of the last estimate */
} dvbt2_channel;

/* `parameters` and `grid` must outlive the channel. Returns false if out of memory. */
bool dvbt2_channel_init(dvbt2_channel *channel, const dvbt2_parameters *parameters,
                        const dvbt2_pilot_grid *grid);
void dvbt2_channel_free(dvbt2_channel *channel);

/* ---- P2 */

/* Reads the pilots of P2 symbol l. sign: PN sign of the symbol. disturbance: ratio of the symbol's noise to
 * the usual noise. */
void dvbt2_channel_read_p2(dvbt2_channel *channel, uint32_t l, const float complex *carriers, float sign,
                           float disturbance);

/* Measures the impulse response in P2 symbol l, and the noise unless the symbol is disturbed. If the response
 * can be interpreted in several ways, the reading nearest to channel->centre is chosen. */
void dvbt2_channel_measure(dvbt2_channel *channel, uint32_t l);

/* Chooses reading i of the impulse response instead of the current reading. */
void dvbt2_channel_choose(dvbt2_channel *channel, uint32_t i);

/* Designs the filters for the measured response, which must lie around time 0. */
void dvbt2_channel_design(dvbt2_channel *channel);

/* Estimates the channel from P2 symbol l alone and writes it to h[0], with MISO also to h[1]. Each array has
 * room for `carriers` + 48 values. */
void dvbt2_channel_first(dvbt2_channel *channel, uint32_t l, float complex *const h[2]);

/* Estimates the channel in P2 symbol l from all P2 symbols. h is used as in dvbt2_channel_first(). */
void dvbt2_channel_p2(dvbt2_channel *channel, uint32_t l, float complex *const h[2]);

/* ---- normal and frame-closing symbols */

/* Starts the normal symbols from the estimate of the last P2 symbol. */
void dvbt2_channel_start(dvbt2_channel *channel, const float complex *const h[2]);

/* Reads the pilots of symbol l. Symbols must be read in order. */
void dvbt2_channel_read(dvbt2_channel *channel, uint32_t l, const float complex *carriers, float sign);

/* Skips symbol l. To be called instead of dvbt2_channel_read() if the pilots of the symbol are unusable. */
void dvbt2_channel_skip(dvbt2_channel *channel, uint32_t l);

/* Updates the measured speed of the channel from the correlation between this symbol's and the previous
 * symbol's pilots. All pilots have the same amplitude. */
void dvbt2_channel_follow(dvbt2_channel *channel, const dvbt2_phase_sums *sums, uint32_t pilots,
                          float amplitude);

/* Scales the state after the receiver's amplitude gain has changed by the factor `gain`. */
void dvbt2_channel_scale(dvbt2_channel *channel, float gain);

/* Restarts the statistics when a lost signal is received again. */
void dvbt2_channel_forget(dvbt2_channel *channel);

/* Estimates the channel in symbol l. Symbol l + Dy - 1, or the last symbol of the frame, must have been read
 * or skipped before. */
void dvbt2_channel_estimate(dvbt2_channel *channel, uint32_t l, float complex *const h[2]);

#endif
