/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed of a time-varying channel and its Wiener filter over time.
 *
 * The correlation between pilots of consecutive symbols gives the Doppler spread. The filter assumes a flat
 * Doppler spectrum wide enough to contain that of a Rayleigh channel. */
#ifndef DVBT2_TIME_FILTER_H
#define DVBT2_TIME_FILTER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dvbt2_speed {
    double symbols; /* effective number of symbols in the sums, which decay */
    double power;   /* sum of the mean channel power per symbol */
    double product; /* sum of the mean correlation with the next symbol */
} dvbt2_speed;

/* One estimate of the channel over time. */
typedef struct dvbt2_time_point {
    double time;  /* symbols after the time of interest; negative: before */
    double noise; /* mean squared error */
} dvbt2_time_point;

enum { DVBT2_TIME_POINTS = 8 };

/* Add the noise-free power of the channel and the correlation between two consecutive symbols. */
void dvbt2_speed_add(dvbt2_speed *speed, double power, double product);

bool dvbt2_speed_known(const dvbt2_speed *speed);

/* Compute the weights of n <= DVBT2_TIME_POINTS points; returns the mean squared error of the weighted sum. */
double dvbt2_time_filter(const dvbt2_speed *speed, const dvbt2_time_point *point, uint32_t n, float *weight);

#endif
