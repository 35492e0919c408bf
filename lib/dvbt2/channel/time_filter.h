/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the speed of a time-varying channel and computes its Wiener filter over time.
 *
 * The correlation between pilots of consecutive symbols gives the Doppler spread. The filter assumes a flat
 * Doppler spectrum wide enough to contain that of a Rayleigh channel. */
#ifndef DVBT2_TIME_FILTER_H
#define DVBT2_TIME_FILTER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dvbt2_speed {
    double symbols; /* effective number of symbols in the following decaying sums */
    double power;   /* decaying sum, over the symbols, of the mean channel power */
    double product; /* decaying sum, over the symbols, of the mean correlation between a symbol and the next
                     * symbol */
} dvbt2_speed;

/* An estimate of the channel at one point in time. */
typedef struct dvbt2_time_point {
    /* time of the estimate relative to the time of interest, in symbols; negative values are earlier */
    double time;
    double noise; /* mean squared error of the estimate */
} dvbt2_time_point;

enum { DVBT2_TIME_POINTS = 8 };

/* Adds one symbol. power: power of the channel without noise. product: correlation with the next symbol. */
void dvbt2_speed_add(dvbt2_speed *speed, double power, double product);

bool dvbt2_speed_known(const dvbt2_speed *speed);

/* Computes the weights of n <= DVBT2_TIME_POINTS points. Returns the mean squared error of the weighted sum
 * of their estimates. */
double dvbt2_time_filter(const dvbt2_speed *speed, const dvbt2_time_point *point, uint32_t n, float *weight);

#endif
