/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the impulse response of the channel from channel estimates on a grid of carriers, with the delays
 * of the paths and the noise level.
 *
 * Grid points `distance` carriers apart resolve delays modulo N / distance samples; longer delays alias. Time
 * 0 is where the FFT window expects a path. */
#ifndef DVBT2_IMPULSE_H
#define DVBT2_IMPULSE_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <fftw3.h>

/* Number of taps on one side of the window's main lobe, counted from its centre tap and including it. The
 * lobe reaches 3 taps to each side, or 6 taps with zero padding. */
enum { DVBT2_LOBE_TAPS = 7 };

typedef struct dvbt2_impulse {
    uint32_t fft_length;
    uint32_t points;             /* number of grid points */
    uint32_t length;             /* number of taps of the response, a power of two */
    double step;                 /* distance between taps in samples */
    float *window;               /* window that is applied to the grid points */
    float window_energy;         /* sum of the squared window */
    float lobe[DVBT2_LOBE_TAPS]; /* power of a single path in its own tap, and in the taps that follow */
    float complex *in, *out;
    fftwf_plan plan;
    float *power; /* power of each tap; tap i has delay i * step in the first half and (i - length) * step in
                   * the second half */
    float *sharp,
        /* scratch memory of the deconvolution: sharpened taps, and for each tap the measured power divided by
         * the modelled power */
        *ratio;
} dvbt2_impulse;

/* One interpretation (reading) of a response. Delays are in samples. */
typedef struct dvbt2_delays {
    uint32_t tap, taps; /* first tap of the response, and number of taps */
    double tap_delay;   /* delay of the first tap */
    float threshold;    /* power above which a tap is a path */
    double first, last; /* delays of the first and the last tap above the noise */
    double paths;       /* delay between the first and the last path */
    double middle;      /* middle of the guard interval at the position where it covers the most energy */
    double inside;      /* fraction of the energy that the guard interval covers at this position */
    float noise;        /* noise of a grid point */
    float signal;       /* mean power of a grid point, with the noise subtracted */
} dvbt2_delays;

/* Initialises the response; its delay range is fft_length / distance. Returns false if out of memory. */
bool dvbt2_impulse_init(dvbt2_impulse *impulse, uint32_t fft_length, uint32_t distance, uint32_t points);
void dvbt2_impulse_free(dvbt2_impulse *impulse);

/* Computes the power of the taps from `grid`. If `add` is true, adds it to the stored tap powers; this is
 * used for a second transmitter. */
void dvbt2_impulse_compute(dvbt2_impulse *impulse, const float complex *grid, bool add);

/* Delays are known only modulo fft_length / distance. Therefore each gap between paths may separate the end
 * of the response from its start:
 *
 *     taps     0         1         2         3            paths at 0.2 and 2.8 of a range of 3
 *              |.#.......|.........|.......#.|
 *     reading 1  #.........................#              one long response: 0.2 .. 2.8
 *     reading 2                            #....#         a short one across the fold: 2.8 .. 3.2
 *
 * Finds the likely readings and returns their number. Likely readings are the shortest reading, all readings
 * that fit into the guard interval, and readings up to twice as long that leave a clear gap. guard: guard
 * interval in samples. responses: number of responses whose powers were added. */
enum { DVBT2_READINGS = 4 };
uint32_t dvbt2_impulse_delays(const dvbt2_impulse *impulse, uint32_t guard, uint32_t responses,
                              dvbt2_delays readings[DVBT2_READINGS]);

/* Computes the frequency correlation of the channel for the paths of a reading, at distances of 0 .. lags - 1
 * carriers. The value at distance 0 is normalised to 1. The correlation is positive semidefinite because it
 * is the transform of non-negative powers. It is 0 if the response has no path. */
void dvbt2_impulse_correlation(dvbt2_impulse *impulse, const dvbt2_delays *delays,
                               double complex *correlation, size_t lags);

#endif
