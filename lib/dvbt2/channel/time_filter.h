/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast a channel changes, and its Wiener filter over time.
 *
 * The correlation of pilots with those of the next symbol tells the spread of Doppler frequencies. The filter is for
 * frequencies spread evenly so far that those of a Rayleigh channel lie within. */
#ifndef DVBT2_TIME_FILTER_H
#define DVBT2_TIME_FILTER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dvbt2_speed {
    double symbols; /* in the sums below; old ones count less */
    double power;   /* sum of the channel's mean power */
    double product; /* sum of its mean correlation with the next symbol */
} dvbt2_speed;

/* Estimates of the channel at several times. */
typedef struct dvbt2_time_point {
    double time;  /* symbols after the one that is wanted; negative: before */
    double noise; /* mean squared error */
} dvbt2_time_point;

enum { DVBT2_TIME_POINTS = 8 };

/* Power of the channel without noise, and correlation, of two symbols that follow one another. */
void dvbt2_speed_add(dvbt2_speed *speed, double power, double product);

bool dvbt2_speed_known(const dvbt2_speed *speed);

/* Weights of n <= DVBT2_TIME_POINTS points; returns the mean squared error of their sum. */
double dvbt2_time_filter(const dvbt2_speed *speed, const dvbt2_time_point *point, uint32_t n, float *weight);

#endif
