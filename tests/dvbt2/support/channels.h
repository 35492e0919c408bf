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

/* Samples of an 8 MHz channel. */
typedef struct channel_signal {
    float complex *samples;
    uint32_t count;
    double rate;        /* sampling rate, Hz */
    double rate_error;  /* error of the sampling rate given to the receiver, ppm */
    dvbt2_parameters p; /* parameters of the first frame */
} channel_signal;

typedef void (*channel)(channel_signal *s, const double *x);

/* ---- carrier and clock of transmitter or tuner */

/* x: frequency offset in Hz, drift in Hz/s, step in Hz */
void channel_carrier(channel_signal *s, const double *x);
/* x: peak frequency offset in Hz, frequency of the sine in Hz */
void channel_carrier_sine(channel_signal *s, const double *x);
/* x: drift in ppm/s, step in ppm, peak of a sine in ppm, frequency of the sine in Hz */
void channel_clock(channel_signal *s, const double *x);
/* x: new sampling rate in Hz */
void channel_rate(channel_signal *s, const double *x);
/* x: error of the sampling rate given to the receiver, in ppm */
void channel_rate_error(channel_signal *s, const double *x);
/* x: level at 1 kHz in dBc/Hz (it falls by 20 dB per decade), corner frequency in Hz, below which the level
 * is flat (0 = no corner) */
void channel_phase_noise(channel_signal *s, const double *x);

/* ---- paths */

/* x: delay in us (negative: before the main path), level in dB, Doppler shift in Hz, phase in degrees */
void channel_echo(channel_signal *s, const double *x);
/* no parameters */
void channel_three_transmitters(channel_signal *s, const double *x);
/* no parameters; the paths are DIGITALEUROPE's profile */
void channel_short_echoes(channel_signal *s, const double *x);
/* x: Doppler frequency in Hz */
void channel_tu6(channel_signal *s, const double *x);

/* ---- noise of the receiver */

/* x: C/N in dB */
void channel_noise(channel_signal *s, const double *x);

/* ---- interferers */

/* x: level of each tone in dBc, offset in Hz, number of tones, 400 kHz apart (0 = one tone) */
void channel_tones(channel_signal *s, const double *x);
/* x: level in dBc, rate of the sweep in MHz/s */
void channel_sweep(channel_signal *s, const double *x);
/* x: level in dBc, offset in Hz */
void channel_fm(channel_signal *s, const double *x);
/* x: level in dBc, offset in Hz */
void channel_narrow(channel_signal *s, const double *x);
/* x: level in dBc */
void channel_pal(channel_signal *s, const double *x);
/* x: level in dBc; changes the sampling rate to 20 MHz */
void channel_neighbours(channel_signal *s, const double *x);

/* ---- disturbances */

/* x: duration in us, period in ms, level of the noise in dBc (-INFINITY: zeros instead of samples) */
void channel_bursts(channel_signal *s, const double *x);
/* x: duration in us, level as for channel_bursts(). In successive frames the burst hits P2, the symbol after
 * P2, a later symbol and the last symbol. */
void channel_bursts_in_symbols(channel_signal *s, const double *x);
/* x: value of some samples within 10 ms */
void channel_absurd(channel_signal *s, const double *x);
/* x: missing samples per gap, period in ms */
void channel_gaps(channel_signal *s, const double *x);

/* ---- tuner and converter */

/* x: step in dB, alternately up and down, period in ms (0 = a single step) */
void channel_levels(channel_signal *s, const double *x);
/* x: peak level in dB, frequency in Hz */
void channel_level_sine(channel_signal *s, const double *x);
/* x: imbalance of gain in dB, imbalance of phase in degrees, DC in dBc */
void channel_imbalance(channel_signal *s, const double *x);
/* x: clipping level in dB above the rms */
void channel_clip(channel_signal *s, const double *x);
/* x: number of bits, rms in dB of full scale */
void channel_quantise(channel_signal *s, const double *x);
/* no parameters; exchanges I and Q */
void channel_mirror(channel_signal *s, const double *x);
/* x: number of T2 frames removed at the start, number of T2 frames removed at the end */
void channel_cut(channel_signal *s, const double *x);

#endif
