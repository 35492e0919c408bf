/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates the channel on every carrier of every symbol from the pilots.
 *
 *     P2:      pilots of neighbouring P2 symbols ── mean ──> grid ── Wiener filter ──> carriers
 *     normal:  scattered pilots ── smoothed, interpolated over time ──> grid ── Wiener filter ──> carriers
 *                               └─ time-varying channel: time_variation.h ──┘
 *
 * A normal symbol is estimated Dy - 1 symbols later, after the next pilot of every grid point.
 *
 * MISO: even grid points give the sum of both channels, odd points the difference. */
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

/* Grid points of class c have pilots in symbols with l mod Dy = c. */
typedef struct dvbt2_pilot_time {
    /* numbers of the symbols with the latest and the previous pilot */
    uint32_t last, before;
} dvbt2_pilot_time;

typedef struct dvbt2_channel {
    const dvbt2_parameters *parameters;
    const dvbt2_pilot_grid *grid;
    const float *interference; /* interference power on each carrier, in addition to `noise` */
    uint32_t n_channels;       /* 1 (SISO) or 2 (MISO) */
    dvbt2_impulse impulse;
    dvbt2_delays readings[DVBT2_READINGS];
    uint32_t n_readings;
    dvbt2_delays delays; /* the chosen reading */
    /* maximum length of recent impulse responses in a time-varying channel, samples */
    double widest;
    /* delay at the middle of the range that the guard interval tolerates, samples */
    double centre;
    float complex *half;

    float complex *p2_raw[DVBT2_MAX_P2];
    /* usual noise divided by the noise of each P2 symbol */
    float p2_weight[DVBT2_MAX_P2];
    float complex *p2_mean;
    dvbt2_interpolator p2_interpolator;

    float complex *last, *before;
    float complex *raw_last, *raw_before;
    /* at most 2 */
    uint8_t *received;
    dvbt2_pilot_time time[DVBT2_MAX_DY];
    float complex *now; /* channel at the grid points */
    dvbt2_interpolator interpolator;
    dvbt2_time_variation variation; /* estimator for a time-varying channel */

    dvbt2_pilot_statistics statistics;
    float smoothing; /* weight of a new pilot, 0 .. 1 */
    float p2_noise;  /* noise power of a cell in the last P2 symbol */
    /* mean squared error of the smoothed pilots of each class */
    float variance[DVBT2_MAX_DY];
    float noise;  /* noise power of a cell before equalisation */
    float signal; /* mean |H|^2 of the channel */
    float error;
} dvbt2_channel;

/* `parameters` and `grid` must outlive the channel. Returns false if out of memory. */
bool dvbt2_channel_init(dvbt2_channel *channel, const dvbt2_parameters *parameters,
                        const dvbt2_pilot_grid *grid);
void dvbt2_channel_free(dvbt2_channel *channel);

/* ---- P2 */

/* Reads the pilots of P2 symbol l. sign: PN sign. disturbance: noise of the symbol divided by the usual
 * noise. */
void dvbt2_channel_read_p2(dvbt2_channel *channel, uint32_t l, const float complex *carriers, float sign,
                           float disturbance);

/* Measures impulse response, signal and noise. Returns true if the gain has changed. */
bool dvbt2_channel_measure(dvbt2_channel *channel, uint32_t l);

void dvbt2_channel_choose(dvbt2_channel *channel, uint32_t i);

/* Designs the filters for the impulse response, which must lie around time 0. */
void dvbt2_channel_design(dvbt2_channel *channel);

/* Estimates the channel from P2 symbol l alone. h: arrays of `carriers` + 48 values. h[1] is only used in
 * MISO. */
void dvbt2_channel_first(dvbt2_channel *channel, uint32_t l, float complex *const h[2]);

/* Estimates the channel from neighbouring P2 symbols. */
void dvbt2_channel_p2(dvbt2_channel *channel, uint32_t l, float complex *const h[2]);

/* ---- normal and frame-closing symbols */

/* Starts the normal symbols of a frame with the estimate of the last P2 symbol. */
void dvbt2_channel_start(dvbt2_channel *channel, const float complex *const h[2]);

/* Reads the pilots of symbol l. Symbols must be read in order. */
void dvbt2_channel_read(dvbt2_channel *channel, uint32_t l, const float complex *carriers, float sign);

/* Call this instead of dvbt2_channel_read() if the pilots are unusable. */
void dvbt2_channel_skip(dvbt2_channel *channel, uint32_t l);

void dvbt2_channel_follow(dvbt2_channel *channel, const dvbt2_phase_sums *sums, uint32_t pilots,
                          float amplitude);

/* Scales all values after the gain changed. gain: amplitude factor. */
void dvbt2_channel_scale(dvbt2_channel *channel, float gain);

/* Restarts the statistics when a lost signal returns. */
void dvbt2_channel_forget(dvbt2_channel *channel);

/* Estimates symbol l. Pilots must have been read or skipped up to symbol l + Dy - 1, or up to the end of the
 * frame. */
void dvbt2_channel_estimate(dvbt2_channel *channel, uint32_t l, float complex *const h[2]);

#endif
