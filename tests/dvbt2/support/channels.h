/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens to a signal between transmitter and receiver: oscillators, paths, interferers, tuner, converter, lost samples.
 *
 * The comment before each function lists the numbers x[] that it takes. Steps happen after 45 % of the samples. Levels in dBc are
 * relative to the mean power of the samples. */
#ifndef DVBT2_TEST_CHANNELS_H
#define DVBT2_TEST_CHANNELS_H

#include <complex.h>
#include <stdint.h>

#include "dvbt2/standard/parameters.h"

enum { CHANNEL_NUMBERS = 4 };

/* Samples of a channel of 8 MHz. */
typedef struct channel_signal {
    float complex *samples;
    uint32_t count;
    double rate;        /* Hz */
    double rate_error;  /* ppm, of the rate that the receiver is given */
    dvbt2_parameters p; /* of the first frame */
} channel_signal;

typedef void (*channel)(channel_signal *s, const double *x);

/* ---- carrier and clock of transmitter or tuner */

/* offset, Hz; drift, Hz/s; step, Hz */
void channel_carrier(channel_signal *s, const double *x);
/* peak, Hz; frequency of the sine, Hz */
void channel_carrier_sine(channel_signal *s, const double *x);
/* drift, ppm/s; step, ppm; peak of a sine, ppm; its frequency, Hz */
void channel_clock(channel_signal *s, const double *x);
/* another sampling rate, Hz */
void channel_rate(channel_signal *s, const double *x);
/* error of the sampling rate that the receiver is given, ppm */
void channel_rate_error(channel_signal *s, const double *x);
/* dBc/Hz at 1 kHz, from where it falls by 20 dB a decade; Hz, below which it is flat, 0: nowhere */
void channel_phase_noise(channel_signal *s, const double *x);

/* ---- paths */

/* delay, us, below 0: before the main path; level, dB; Doppler shift, Hz; phase, degrees */
void channel_echo(channel_signal *s, const double *x);
/* - */
void channel_three_transmitters(channel_signal *s, const double *x);
/* - (DIGITALEUROPE's profile) */
void channel_short_echoes(channel_signal *s, const double *x);
/* Doppler frequency, Hz */
void channel_tu6(channel_signal *s, const double *x);

/* ---- noise of the receiver */

/* C/N, dB */
void channel_noise(channel_signal *s, const double *x);

/* ---- interferers */

/* dBc of each; offset, Hz; number, 400 kHz apart, 0: one */
void channel_tones(channel_signal *s, const double *x);
/* dBc; MHz/s */
void channel_sweep(channel_signal *s, const double *x);
/* dBc; offset, Hz */
void channel_fm(channel_signal *s, const double *x);
/* dBc; offset, Hz */
void channel_narrow(channel_signal *s, const double *x);
/* dBc */
void channel_pal(channel_signal *s, const double *x);
/* dBc; makes the sampling rate 20 MHz */
void channel_neighbours(channel_signal *s, const double *x);

/* ---- disturbances */

/* us; period, ms; dBc of the noise, -INFINITY: zeros instead of the samples */
void channel_bursts(channel_signal *s, const double *x);
/* us; dBc as for the bursts; P2, the symbol after it, a later one and the last one of the frames in turn */
void channel_bursts_in_symbols(channel_signal *s, const double *x);
/* a value that some samples of 10 ms get */
void channel_absurd(channel_signal *s, const double *x);
/* number of missing samples; period, ms */
void channel_gaps(channel_signal *s, const double *x);

/* ---- tuner and converter */

/* dB, up and down again; period, ms, 0: one step */
void channel_levels(channel_signal *s, const double *x);
/* peak, dB; frequency, Hz */
void channel_level_sine(channel_signal *s, const double *x);
/* dB; degrees; DC, dBc */
void channel_imbalance(channel_signal *s, const double *x);
/* dB above the rms */
void channel_clip(channel_signal *s, const double *x);
/* bits; rms, dB of full scale */
void channel_quantise(channel_signal *s, const double *x);
/* - (I and Q are exchanged) */
void channel_mirror(channel_signal *s, const double *x);
/* T2 frames that are missing at the start; at the end */
void channel_cut(channel_signal *s, const double *x);

#endif
