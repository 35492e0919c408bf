/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Channel simulation between transmitter and receiver: oscillators, paths, interferers, tuner, converter,
 * lost samples.
 *
 * The comment before each function lists its parameters x[0], x[1] .... Steps occur after 45 % of the samples. Levels in
 * dBc are relative to the mean power of the samples. */
#ifndef DVBT2_TEST_CHANNELS_H
#define DVBT2_TEST_CHANNELS_H

#include <complex.h>
#include <stdint.h>

#include "dvbt2/standard/parameters.h"

enum { CHANNEL_NUMBERS = 4 };

/* A signal of an 8 MHz channel. */
typedef struct channel_signal {
    float complex *samples;
    uint32_t count;
    double rate;        /* sampling rate, Hz */
    double rate_error;  /* error in ppm of the sample rate that the receiver is given */
    dvbt2_parameters p; /* L1 parameters of the first frame */
} channel_signal;

typedef void (*channel)(channel_signal *s, const double *x);

/* ---- carrier and clock of transmitter or tuner */

/* x: frequency offset in Hz, drift in Hz/s, step in Hz */
void channel_carrier(channel_signal *s, const double *x);
/* x: peak frequency offset in Hz, frequency of the sine in Hz */
void channel_carrier_sine(channel_signal *s, const double *x);
/* x: drift in ppm/s, step in ppm, peak of a sine in ppm, frequency of the sine in Hz */
void channel_clock(channel_signal *s, const double *x);
/* x: new sample rate in Hz */
void channel_rate(channel_signal *s, const double *x);
/* x: error in ppm of the sample rate that the receiver is given */
void channel_rate_error(channel_signal *s, const double *x);
/* x: phase noise at 1 kHz in dBc/Hz, which falls by 20 dB per decade; corner frequency in Hz, below which the
 * phase noise is constant (0: no corner) */
void channel_phase_noise(channel_signal *s, const double *x);

/* ---- paths */

/* x: delay in us (negative if the path arrives before the main path), level in dB, Doppler shift in Hz, phase
 * in degrees */
void channel_echo(channel_signal *s, const double *x);
/* no parameters */
void channel_three_transmitters(channel_signal *s, const double *x);
/* no parameters; adds the paths of DIGITALEUROPE's short echo profile */
void channel_short_echoes(channel_signal *s, const double *x);
/* x: Doppler frequency in Hz */
void channel_tu6(channel_signal *s, const double *x);

/* ---- noise of the receiver */

/* x: C/N in dB */
void channel_noise(channel_signal *s, const double *x);

/* ---- interferers */

/* x: level of each tone in dBc, offset of the first tone in Hz, number of tones (0: one tone); tones are 400
 * kHz apart */
void channel_tones(channel_signal *s, const double *x);
/* x: level of the swept tone in dBc, rate of the sweep in MHz/s */
void channel_sweep(channel_signal *s, const double *x);
/* x: level in dBc, offset in Hz */
void channel_fm(channel_signal *s, const double *x);
/* x: level in dBc, offset in Hz */
void channel_narrow(channel_signal *s, const double *x);
/* x: level in dBc */
void channel_pal(channel_signal *s, const double *x);
/* x: level in dBc; the sample rate becomes 20 MHz */
void channel_neighbours(channel_signal *s, const double *x);

/* ---- disturbances */

/* x: duration in us, period in ms, level of the noise in dBc (-INFINITY: zeros replace the samples) */
void channel_bursts(channel_signal *s, const double *x);
/* x: duration in us, level as for channel_bursts(). Each frame has one burst: in P2, in the symbol after P2,
 * in a later symbol, and in the last symbol, in this order from frame to frame. */
void channel_bursts_in_symbols(channel_signal *s, const double *x);
/* x: value that replaces some samples during 10 ms */
void channel_absurd(channel_signal *s, const double *x);
/* x: number of missing samples in each gap, period of the gaps in ms */
void channel_gaps(channel_signal *s, const double *x);

/* ---- tuner and converter */

/* x: level step in dB, period of the steps in ms; the level goes up and down in turn (period 0: a single
 * step) */
void channel_levels(channel_signal *s, const double *x);
/* x: peak of a sinusoidal level in dB, its frequency in Hz */
void channel_level_sine(channel_signal *s, const double *x);
/* x: gain imbalance in dB, phase imbalance in degrees, DC offset in dBc */
void channel_imbalance(channel_signal *s, const double *x);
/* x: clipping level in dB relative to the rms value */
void channel_clip(channel_signal *s, const double *x);
/* x: number of bits, rms value in dB relative to full scale */
void channel_quantise(channel_signal *s, const double *x);
/* no parameters; exchanges I and Q */
void channel_mirror(channel_signal *s, const double *x);
/* x: number of T2 frames that are removed at the start, number that are removed at the end */
void channel_cut(channel_signal *s, const double *x);

#endif
