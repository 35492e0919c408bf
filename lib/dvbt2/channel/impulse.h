/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The channel's impulse response from its estimates on a grid of carriers: where paths are, how much noise
 * there is.
 *
 * Grid points `distance` carriers apart show delays of up to N / distance samples; longer ones fold back.
 * Time 0 is where the FFT window expects a path. */
#ifndef DVBT2_IMPULSE_H
#define DVBT2_IMPULSE_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <fftw3.h>

/* The main lobe of the window: 3 taps on each side, 6 with zero padding. */
enum { DVBT2_LOBE_TAPS = 7 };

typedef struct dvbt2_impulse {
    uint32_t fft_length;
    uint32_t points;             /* grid points */
    uint32_t length;             /* taps of the response, a power of two */
    double step;                 /* samples from tap to tap */
    float *window;               /* over the grid points */
    float window_energy;         /* sum of its squares */
    float lobe[DVBT2_LOBE_TAPS]; /* power of a single path in its tap and the next ones on each side */
    float complex *in, *out;
    fftwf_plan plan;
    float *power; /* of each tap; tap i is at delay i * step, from length / 2 on (i - length) * step */
    float *sharp,
        *ratio; /* scratch: the taps of a reading without the width of their lobes; what is still missing there */
} dvbt2_impulse;

/* What a response says; delays in samples. */
typedef struct dvbt2_delays {
    uint32_t tap, taps; /* of the response: where it begins, and its length */
    double tap_delay;   /* delay of its first tap */
    float threshold;    /* taps with more power than this are paths */
    double first, last; /* of all taps above the noise */
    double paths;       /* from the first path to the last one, without the width of their taps */
    double middle;      /* of the paths that the guard interval can cover at best */
    double inside;      /* share of the energy within the guard interval so placed */
    float noise;        /* of a grid point */
    float signal;       /* mean power of a grid point without noise */
} dvbt2_delays;

/* fft_length / distance is the range of delays. false: out of memory. */
bool dvbt2_impulse_init(dvbt2_impulse *impulse, uint32_t fft_length, uint32_t distance, uint32_t points);
void dvbt2_impulse_free(dvbt2_impulse *impulse);

/* power = response of `grid`; added to the old one where `add`, for a second transmitter. */
void dvbt2_impulse_compute(dvbt2_impulse *impulse, const float complex *grid, bool add);

/* Delays are known modulo fft_length / distance: when paths lie apart, each gap between them may be where the
 * response begins and ends. Sets the readings that are likely and returns how many there are: the one with the
 * shortest response, those whose paths all fit into the guard interval, and those of up to twice its length that
 * leave a clear gap. guard: samples; responses: how many were added. */
enum { DVBT2_READINGS = 4 };
uint32_t dvbt2_impulse_delays(const dvbt2_impulse *impulse, uint32_t guard, uint32_t responses,
                              dvbt2_delays readings[DVBT2_READINGS]);

/* Correlation of the channel on carriers d apart, d = 0 .. lags - 1, for the paths of a reading; 1 at d = 0. As the transform of
 * powers that are not negative it is positive semidefinite; 0 where the response has no path. */
void dvbt2_impulse_correlation(dvbt2_impulse *impulse, const dvbt2_delays *delays,
                               double complex *correlation, size_t lags);

#endif
