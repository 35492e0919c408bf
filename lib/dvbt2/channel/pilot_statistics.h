/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates the noise of scattered pilots and the motion of the channel from the differences between pilots
 * of the same grid point.
 *
 * The noise does not depend on the time between two pilots. The squared change of a channel moving at
 * constant speed grows with the square of the time:
 *
 *     one = E|p(t) - p(t - Dy)|^2   = 2 noise +   motion
 *     two = E|p(t) - p(t - 2 Dy)|^2 = 2 noise + 4 motion
 *
 * Differences that are not significant are not treated as motion. If the channel moves, the noise measured in
 * P2 is used. The part of 4 one - two that this noise does not explain is the mean square of the second
 * differences, which linear interpolation over time cannot follow. */
#ifndef DVBT2_PILOT_STATISTICS_H
#define DVBT2_PILOT_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

/* Sums over `count` pilots. one: squared change since the previous pilot. two: squared change since the pilot
 * before the previous pilot. */
typedef struct dvbt2_pilot_change {
    double one, two;
    uint32_t count;
} dvbt2_pilot_change;

typedef struct dvbt2_pilot_statistics {
    double one, two; /* decaying sums of `one` and `two` of dvbt2_pilot_change */
    double weight;   /* number of pilots in the decaying sums; 0 before the first pilot */
    /* the squared change of one pilot is clipped at this value, so that interferers have little effect */
    float most_change;
    uint32_t surprises; /* number of consecutive symbols with unusual changes */
    bool measured;      /* true: the statistics come from scattered pilots; false: from P2 */
    double noise;       /* noise of an estimate from one pilot, in units of |H|^2 */
    float motion;       /* mean squared change of the channel between consecutive pilots of a grid point */
    float curvature;    /* mean square of the second differences of the channel */
} dvbt2_pilot_statistics;

/* Initialises the statistics with the noise of P2. Has no effect after scattered pilots have been read. */
void dvbt2_pilot_statistics_expect(dvbt2_pilot_statistics *s, double noise);

/* Adds the changes of one symbol. The grid points of the symbol have one pilot per `classes` symbols.
 * p2_noise: `noise` as measured in P2. Returns false if the changes are implausible; then they are not
 * counted. */
bool dvbt2_pilot_statistics_add(dvbt2_pilot_statistics *s, const dvbt2_pilot_change *change, uint32_t classes,
                                double p2_noise);

/* Scales the statistics. Call this function after the power of the pilots has changed by the factor
 * `power`. */
void dvbt2_pilot_statistics_scale(dvbt2_pilot_statistics *s, float power);

void dvbt2_pilot_statistics_forget(dvbt2_pilot_statistics *s);

#endif
