/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The channel on every carrier of every symbol, from pilots.
 *
 *     P2:      all pilots of neighbouring P2 symbols ── mean ──> grid ── Wiener filter ──> carriers
 *     normal:  scattered pilots ── smoothed, interpolated over time ──> grid ── Wiener filter ──> carriers
 *                               └─ while the channel moves: time_variation.h ──┘
 *
 * A normal symbol is estimated when the next pilot of every grid point has come, Dy - 1 symbols later; at the
 * end of a frame without closing symbol the last value is held. All symbols of a frame have their common
 * phase taken out before (tracking.h).
 *
 * SISO has one channel. MISO has two: the grid has their sum on even points and their difference on odd ones;
 * both are interpolated for themselves. */
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

/* Scattered pilots of one class of grid points: in symbols l with l mod Dy = class. */
typedef struct dvbt2_pilot_time {
    uint32_t last, before; /* symbols of the two latest ones */
} dvbt2_pilot_time;

typedef struct dvbt2_channel {
    const dvbt2_parameters *parameters;
    const dvbt2_pilot_grid *grid;
    const float *interference;             /* on each carrier, beside `noise` */
    uint32_t n_channels;                   /* 1, MISO: 2 */
    dvbt2_impulse impulse;                 /* of the P2 grid; MISO: of its even points, then odd */
    dvbt2_delays readings[DVBT2_READINGS]; /* what the response may mean */
    uint32_t n_readings;
    dvbt2_delays delays; /* one of them */
    double widest;       /* longest response of the last frames, while the channel moves */
    double centre;       /* delay of a path in the middle of the guard interval's tolerance */
    float complex *half; /* MISO: every other point of the P2 grid */

    float complex *p2_raw[DVBT2_MAX_P2]; /* grids of this frame's P2 symbols */
    float p2_weight[DVBT2_MAX_P2];       /* 1 / noise of each over the usual one */
    float complex *p2_mean;
    dvbt2_interpolator p2_interpolator;

    float complex *last, *before;         /* smoothed values at the last two pilots of each grid point */
    float complex *raw_last, *raw_before; /* as received */
    uint8_t *received;                    /* pilots of this frame at each grid point: 0, 1, 2 = more */
    dvbt2_pilot_time time[DVBT2_MAX_DY];
    float complex *now; /* the grid at the symbol that is being estimated */
    dvbt2_interpolator interpolator;
    dvbt2_time_variation variation; /* while the channel moves */

    dvbt2_pilot_statistics statistics;
    float smoothing;              /* weight that the last pilots were given, 0 .. 1 */
    float p2_noise;               /* as `noise`, from the last P2 symbol alone */
    float variance[DVBT2_MAX_DY]; /* error of the estimates from the smoothed pilots of each class */
    float noise;                  /* of a cell: mean power of noise, in units of a carrier */
    float signal;                 /* mean |H|^2 */
    float error;                  /* of the estimate of the last symbol, in units of a carrier */
} dvbt2_channel;

/* The other two must live as long. false: out of memory. */
bool dvbt2_channel_init(dvbt2_channel *channel, const dvbt2_parameters *parameters,
                        const dvbt2_pilot_grid *grid);
void dvbt2_channel_free(dvbt2_channel *channel);

/* ---- P2 */

/* Pilots of P2 symbol l, whose sign of PN is `sign`, and whose noise is `disturbance` times the usual one. */
void dvbt2_channel_read_p2(dvbt2_channel *channel, uint32_t l, const float complex *carriers, float sign,
                           float disturbance);

/* Impulse response and noise from P2 symbol 0; of a symbol with a disturbance only the response. Of several readings that around
 * channel->centre is chosen. */
void dvbt2_channel_measure(dvbt2_channel *channel);

/* Take the i-th reading instead. */
void dvbt2_channel_choose(dvbt2_channel *channel, uint32_t i);

/* Make the filters for what was measured. The impulse response lies around time 0. */
void dvbt2_channel_design(dvbt2_channel *channel);

/* The channel as the pilots of P2 symbol 0 alone tell it: h[0], and with MISO h[1], of `carriers` + 48 values. */
void dvbt2_channel_first(dvbt2_channel *channel, float complex *const h[2]);

/* The channel in P2 symbol l, likewise, from all P2 symbols. */
void dvbt2_channel_p2(dvbt2_channel *channel, uint32_t l, float complex *const h[2]);

/* ---- normal and frame-closing symbols */

/* Begin with the estimate of the last P2 symbol. */
void dvbt2_channel_start(dvbt2_channel *channel, const float complex *const h[2]);

/* Pilots of symbol l, in order. */
void dvbt2_channel_read(dvbt2_channel *channel, uint32_t l, const float complex *carriers, float sign);

/* Symbol l instead, when its pilots are useless. */
void dvbt2_channel_skip(dvbt2_channel *channel, uint32_t l);

/* Pilots of an amplitude against those of the symbol before, their common phase apart: how fast the channel moves. */
void dvbt2_channel_follow(dvbt2_channel *channel, const dvbt2_phase_sums *sums, uint32_t pilots,
                          float amplitude);

/* All carriers are stronger by `gain` from now on. */
void dvbt2_channel_scale(dvbt2_channel *channel, float gain);

/* A signal that was lost is there again: statistics begin anew. */
void dvbt2_channel_forget(dvbt2_channel *channel);

/* The channel in symbol l: read() or skip() has got l + Dy - 1, or the frame's last symbol. */
void dvbt2_channel_estimate(dvbt2_channel *channel, uint32_t l, float complex *const h[2]);

#endif
