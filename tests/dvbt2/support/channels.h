/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Channel simulation: oscillators, paths, interferers, tuner, converter, lost samples.
 *
 * Comments list the parameters x[0], x[1] ... Steps occur after 45 % of the samples. dBc: relative to the
 * mean power. */
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
    double rate_error;  /* ppm */
    dvbt2_parameters p; /* L1 parameters of the first frame */
} channel_signal;

typedef void (*channel)(channel_signal *s, const double *x);

/* x: offset in Hz, drift in Hz/s, step in Hz */
void channel_carrier(channel_signal *s, const double *x);
/* x: peak offset in Hz, frequency of the sine in Hz */
void channel_carrier_sine(channel_signal *s, const double *x);
/* x: drift, ppm/s; step, ppm; amplitude (ppm) and frequency (Hz) of a sine */
void channel_clock(channel_signal *s, const double *x);
/* x: new sample rate in Hz */
void channel_rate(channel_signal *s, const double *x);
/* x: error of the receiver's sample rate in ppm */
void channel_rate_error(channel_signal *s, const double *x);
/* x: phase noise at 1 kHz, dBc/Hz; corner frequency, Hz (0: none) */
void channel_phase_noise(channel_signal *s, const double *x);

/* ---- paths */

/* x: delay, us; level, dB; Doppler shift, Hz; phase, degrees */
void channel_echo(channel_signal *s, const double *x);
/* no parameters */
void channel_three_transmitters(channel_signal *s, const double *x);
/* DIGITALEUROPE's short echo profile */
void channel_short_echoes(channel_signal *s, const double *x);
/* x: Doppler frequency in Hz */
void channel_tu6(channel_signal *s, const double *x);

/* ---- noise of the receiver */

/* x: C/N in dB */
void channel_noise(channel_signal *s, const double *x);

/* ---- interferers */

/* x: level of each tone in dBc, offset of the first tone in Hz, number of tones (0: 1). The spacing is 400
 * kHz. */
void channel_tones(channel_signal *s, const double *x);
/* x: level in dBc, sweep rate in MHz/s */
void channel_sweep(channel_signal *s, const double *x);
/* x: level in dBc, offset in Hz */
void channel_fm(channel_signal *s, const double *x);
/* x: level in dBc, offset in Hz */
void channel_narrow(channel_signal *s, const double *x);
/* x: level in dBc */
void channel_pal(channel_signal *s, const double *x);
/* x: level, dBc. The sample rate becomes 20 MHz. */
void channel_neighbours(channel_signal *s, const double *x);

/* ---- disturbances */

/* x: duration, us; period, ms; level, dBc (-INFINITY: zeros) */
void channel_bursts(channel_signal *s, const double *x);
/* x: duration, us; level, dBc (-INFINITY: zeros). One burst per frame. */
void channel_bursts_in_symbols(channel_signal *s, const double *x);
/* x: sample value */
void channel_absurd(channel_signal *s, const double *x);
void channel_gaps(channel_signal *s, const double *x);

/* ---- tuner and converter */

/* x: step, dB; period, ms (0: a single step) */
void channel_levels(channel_signal *s, const double *x);
/* x: peak of a sinusoidal level in dB, frequency in Hz */
void channel_level_sine(channel_signal *s, const double *x);
/* x: gain imbalance in dB, phase imbalance in degrees, DC offset in dBc */
void channel_imbalance(channel_signal *s, const double *x);
/* x: clipping level relative to the rms, dB */
void channel_clip(channel_signal *s, const double *x);
/* x: number of bits; rms in dB relative to full scale */
void channel_quantise(channel_signal *s, const double *x);
/* no parameters; exchanges I and Q */
void channel_mirror(channel_signal *s, const double *x);
/* x: number of T2 frames removed at the start, and at the end */
void channel_cut(channel_signal *s, const double *x);

#endif
