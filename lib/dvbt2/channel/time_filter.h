/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the Doppler spread of a time-varying channel and computes Wiener filters over time.
 *
 * The correlation between pilots of consecutive symbols gives the spread. The filter assumes a flat Doppler
 * spectrum that is as wide as the spectrum of a Rayleigh channel. */
#ifndef DVBT2_TIME_FILTER_H
#define DVBT2_TIME_FILTER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dvbt2_speed {
    double symbols;
    double power;
    double product;
} dvbt2_speed;

/* A channel estimate at one time. */
typedef struct dvbt2_time_point {
    /* time from the estimated symbol to this estimate, symbols */
    double time;
    double noise; /* mean squared error */
} dvbt2_time_point;

enum { DVBT2_TIME_POINTS = 8 };

void dvbt2_speed_add(dvbt2_speed *speed, double power, double product);

bool dvbt2_speed_known(const dvbt2_speed *speed);

/* Returns the mean squared error of the weighted sum. */
double dvbt2_time_filter(const dvbt2_speed *speed, const dvbt2_time_point *point, uint32_t n, float *weight);

#endif
