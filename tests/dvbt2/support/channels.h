/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Channel simulation between transmitter and receiver: oscillators, paths, interferers, tuner, converter,
 * lost samples.
 *
 * The comment before each function lists its parameters x[]. Steps occur after 45 % of the samples. Levels in
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

/* frequency offset, Hz; drift, Hz/s; step, Hz */
void channel_carrier(channel_signal *s, const double *x);
/* peak frequency offset, Hz; frequency of the sine, Hz */
void channel_carrier_sine(channel_signal *s, const double *x);
/* drift, ppm/s; step, ppm; peak of a sine, ppm; its frequency, Hz */
void channel_clock(channel_signal *s, const double *x);
/* new sampling rate, Hz */
void channel_rate(channel_signal *s, const double *x);
/* error of the sampling rate given to the receiver, ppm */
void channel_rate_error(channel_signal *s, const double *x);
/* level at 1 kHz, dBc/Hz, falling by 20 dB per decade; corner frequency below which it is flat, Hz, 0: none */
void channel_phase_noise(channel_signal *s, const double *x);

/* ---- paths */

/* delay, us, negative: before the main path; level, dB; Doppler shift, Hz; phase, degrees */
void channel_echo(channel_signal *s, const double *x);
/* no parameters */
void channel_three_transmitters(channel_signal *s, const double *x);
/* no parameters; DIGITALEUROPE's profile */
void channel_short_echoes(channel_signal *s, const double *x);
/* Doppler frequency, Hz */
void channel_tu6(channel_signal *s, const double *x);

/* ---- noise of the receiver */

/* C/N, dB */
void channel_noise(channel_signal *s, const double *x);

/* ---- interferers */

/* level of each tone, dBc; offset, Hz; number of tones, 400 kHz apart, 0: one */
void channel_tones(channel_signal *s, const double *x);
/* dBc; MHz/s */
void channel_sweep(channel_signal *s, const double *x);
/* dBc; offset, Hz */
void channel_fm(channel_signal *s, const double *x);
/* dBc; offset, Hz */
void channel_narrow(channel_signal *s, const double *x);
/* dBc */
void channel_pal(channel_signal *s, const double *x);
/* level, dBc; changes the sampling rate to 20 MHz */
void channel_neighbours(channel_signal *s, const double *x);

/* ---- disturbances */

/* duration, us; period, ms; level of the noise, dBc, -INFINITY: zeros */
void channel_bursts(channel_signal *s, const double *x);
/* duration, us; level as for bursts; in successive frames the burst hits P2, the symbol after it, a later
 * symbol and the last symbol */
void channel_bursts_in_symbols(channel_signal *s, const double *x);
/* value of some samples within 10 ms */
void channel_absurd(channel_signal *s, const double *x);
/* missing samples per gap; period, ms */
void channel_gaps(channel_signal *s, const double *x);

/* ---- tuner and converter */

/* step, dB, alternately up and down; period, ms, 0: a single step */
void channel_levels(channel_signal *s, const double *x);
/* peak level, dB; frequency, Hz */
void channel_level_sine(channel_signal *s, const double *x);
/* dB; degrees; DC, dBc */
void channel_imbalance(channel_signal *s, const double *x);
/* clipping level, dB above the rms */
void channel_clip(channel_signal *s, const double *x);
/* number of bits; rms, dB of full scale */
void channel_quantise(channel_signal *s, const double *x);
/* no parameters; exchanges I and Q */
void channel_mirror(channel_signal *s, const double *x);
/* number of T2 frames removed at the start; number removed at the end */
void channel_cut(channel_signal *s, const double *x);

#endif
