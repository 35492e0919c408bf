/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Impulse response, path delays and noise from channel estimates on a grid.
 *
 * Grid points `distance` carriers apart resolve delays modulo N / distance samples. The FFT window expects a
 * path at time 0. */
#ifndef DVBT2_IMPULSE_H
#define DVBT2_IMPULSE_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <fftw3.h>

/* Taps in one half of the main lobe of the zero-padded transform. The centre is included. */
enum { DVBT2_LOBE_TAPS = 7 };

typedef struct dvbt2_impulse {
    uint32_t fft_length;
    uint32_t points;     /* number of grid points */
    uint32_t length;     /* number of taps of the response, a power of two */
    double step;         /* distance between taps in samples */
    float *window;       /* window of the grid points */
    float window_energy; /* sum of the squared window */
    /* power that a path has in its own tap and in the following taps */
    float lobe[DVBT2_LOBE_TAPS];
    float complex *in, *out;
    fftwf_plan plan;
    float *power; /* power of each tap; tap i has delay i * step, or (i - length) * step in the second half */
    float *sharp, *ratio;
} dvbt2_impulse;

/* Delays in samples. */
typedef struct dvbt2_delays {
    uint32_t tap, taps; /* index of the first tap, and number of taps */
    double tap_delay;   /* delay of the first tap */
    float threshold;    /* minimum power of a path */
    /* delays of the first and the last tap above the noise */
    double first, last;
    double paths;
    /* middle of the guard interval at the position where the interval covers the most energy */
    double middle;
    double inside; /* fraction of the energy within this guard interval */
    float noise;   /* noise of a grid point */
    float signal;  /* mean channel power at a grid point, without noise */
} dvbt2_delays;

/* The delay range is fft_length / distance. Returns false if out of memory. */
bool dvbt2_impulse_init(dvbt2_impulse *impulse, uint32_t fft_length, uint32_t distance, uint32_t points);
void dvbt2_impulse_free(dvbt2_impulse *impulse);

void dvbt2_impulse_compute(dvbt2_impulse *impulse, const float complex *grid, bool add);

/* Delays are known modulo fft_length / distance. Each gap between paths may be the end of the response:
 *
 *     taps     0         1         2         3            paths at 0.2 and 2.8 of a range of 3
 *              |.#.......|.........|.......#.|
 *     reading 1  #.........................#              one long response: 0.2 .. 2.8
 *     reading 2                            #....#         a short one across the fold: 2.8 .. 3.2
 *
 * Returns the number of likely readings: the shortest one, those within the guard interval, and those up to
 * twice as long with a clear gap. guard: guard interval, samples. responses: number of added responses. */
enum { DVBT2_READINGS = 4 };
uint32_t dvbt2_impulse_delays(const dvbt2_impulse *impulse, uint32_t guard, uint32_t responses,
                              dvbt2_delays readings[DVBT2_READINGS]);

/* Computes the correlation of the channel over frequency at distances of 0 .. lags - 1 carriers. */
void dvbt2_impulse_correlation(dvbt2_impulse *impulse, const dvbt2_delays *delays,
                               double complex *correlation, size_t lags);

#endif
