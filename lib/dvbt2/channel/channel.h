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

/* Times of the scattered pilots in one class of grid points. All points of a class have their pilots in the
 * symbols l with l mod Dy = class. */
typedef struct dvbt2_pilot_time {
    uint32_t last, before; /* number of the symbol with the latest pilot, and of the symbol with the previous
                            * pilot */
} dvbt2_pilot_time;

typedef struct dvbt2_channel {
    const dvbt2_parameters *parameters;
    const dvbt2_pilot_grid *grid;
    const float *interference; /* interference power on each carrier, which is added to `noise` */
    uint32_t n_channels;       /* number of channels: 1 with SISO, 2 with MISO */
    /* impulse response, computed from the P2 grid; with MISO, a response of the even points and then one of
     * the odd points */
    dvbt2_impulse impulse;
    dvbt2_delays readings[DVBT2_READINGS]; /* possible interpretations of the impulse response */
    uint32_t n_readings;
    dvbt2_delays delays; /* the chosen reading */
    /* maximum length of the responses in recent frames, used in a time-varying channel */
    double widest;
    double centre;       /* delay in the middle of the range that the guard interval tolerates, in samples */
    float complex *half; /* MISO only: the even points or the odd points of the P2 grid */

    float complex *p2_raw[DVBT2_MAX_P2]; /* for each P2 symbol of this frame, the pilots on the P2 grid */
    float p2_weight[DVBT2_MAX_P2];       /* for each P2 symbol, the usual noise divided by the noise of the
                                          * symbol */
    float complex *p2_mean;
    dvbt2_interpolator p2_interpolator;

    /* for each grid point, the smoothed value at the latest pilot, and at the previous pilot */
    float complex *last, *before;
    float complex *raw_last, *raw_before; /* for each grid point, the unsmoothed values of the same two
                                           * pilots */
    /* for each grid point, the number of pilots received in this frame, counted up to 2 */
    uint8_t *received;
    dvbt2_pilot_time time[DVBT2_MAX_DY];
    float complex *now; /* channel at the grid points in the symbol that is being estimated */
    dvbt2_interpolator interpolator;
    dvbt2_time_variation variation; /* estimator for a time-varying channel */

    dvbt2_pilot_statistics statistics;
    float smoothing;              /* weight of a new pilot relative to the smoothed value, 0 .. 1 */
    float p2_noise;               /* `noise` as measured in the last P2 symbol */
    float variance[DVBT2_MAX_DY]; /* for each class, the mean squared error of the smoothed pilots */
    float noise;                  /* noise power of a cell before equalisation */
    float signal;                 /* mean |H|^2 of the channel */
    float error;                  /* mean squared error of the last estimate */
} dvbt2_channel;

/* `parameters` and `grid` must outlive the channel. Returns false if out of memory. */
bool dvbt2_channel_init(dvbt2_channel *channel, const dvbt2_parameters *parameters,
                        const dvbt2_pilot_grid *grid);
void dvbt2_channel_free(dvbt2_channel *channel);

/* ---- P2 */

/* Reads the pilots of P2 symbol l. sign: PN sign of the symbol. disturbance: noise of the symbol divided by
 * the usual noise. */
void dvbt2_channel_read_p2(dvbt2_channel *channel, uint32_t l, const float complex *carriers, float sign,
                           float disturbance);

/* Measures the impulse response in P2 symbol l. Also measures the noise if the symbol is not disturbed. If
 * several readings of the response are possible, chooses the reading nearest to channel->centre. */
void dvbt2_channel_measure(dvbt2_channel *channel, uint32_t l);

/* Chooses reading i of the impulse response instead of the current reading. */
void dvbt2_channel_choose(dvbt2_channel *channel, uint32_t i);

/* Designs the filters for the measured response. The response must lie around time 0. */
void dvbt2_channel_design(dvbt2_channel *channel);

/* Estimates the channel from P2 symbol l alone. Writes it to h[0]; with MISO also to h[1]. Each array has
 * room for `carriers` + 48 values. */
void dvbt2_channel_first(dvbt2_channel *channel, uint32_t l, float complex *const h[2]);

/* Estimates the channel in P2 symbol l from several P2 symbols. h: see dvbt2_channel_first(). */
void dvbt2_channel_p2(dvbt2_channel *channel, uint32_t l, float complex *const h[2]);

/* ---- normal and frame-closing symbols */

/* Begins the normal symbols. The estimate of the last P2 symbol is their initial value. */
void dvbt2_channel_start(dvbt2_channel *channel, const float complex *const h[2]);

/* Reads the pilots of symbol l. Symbols must be read in order. */
void dvbt2_channel_read(dvbt2_channel *channel, uint32_t l, const float complex *carriers, float sign);

/* Skips symbol l. To be called instead of dvbt2_channel_read() if the pilots of the symbol are unusable. */
void dvbt2_channel_skip(dvbt2_channel *channel, uint32_t l);

/* Updates the measured speed of the channel. `sums` compares the pilots of this symbol with those of the
 * previous symbol; all pilots have the same amplitude. */
void dvbt2_channel_follow(dvbt2_channel *channel, const dvbt2_phase_sums *sums, uint32_t pilots,
                          float amplitude);

/* Scales all stored values. Call this function after the receiver's amplitude gain has changed by the factor
 * `gain`. */
void dvbt2_channel_scale(dvbt2_channel *channel, float gain);

/* Restarts the statistics when a lost signal is received again. */
void dvbt2_channel_forget(dvbt2_channel *channel);

/* Estimates the channel in symbol l. Symbol l + Dy - 1, or the last symbol of the frame, must have been read
 * or skipped before. */
void dvbt2_channel_estimate(dvbt2_channel *channel, uint32_t l, float complex *const h[2]);

#endif
