/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Noise of scattered pilots and motion of the channel, from the differences between pilots of the same grid
 * point.
 *
 * The noise does not depend on the time between two pilots. The squared change of a channel moving at
 * constant speed grows with the square of the time:
 *
 *     one = E|p(t) - p(t - Dy)|^2   = 2 noise +   motion
 *     two = E|p(t) - p(t - 2 Dy)|^2 = 2 noise + 4 motion
 *
 * Differences that are not significant do not count as motion. If the channel moves, the noise is taken from
 * P2; what then remains of 4 one - two is the mean square of second differences, which linear interpolation
 * over time cannot follow. */
#ifndef DVBT2_PILOT_STATISTICS_H
#define DVBT2_PILOT_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

/* Sums over `count` pilots: squared change since the previous pilot, and since the pilot before the previous
 * one. */
typedef struct dvbt2_pilot_change {
    double one, two;
    uint32_t count;
} dvbt2_pilot_change;

typedef struct dvbt2_pilot_statistics {
    double one, two;    /* decaying sums of the values in dvbt2_pilot_change */
    double weight;      /* number of pilots in these sums; 0 before the first pilot */
    float most_change;  /* a pilot's squared change is clipped here to limit the effect of interferers */
    uint32_t surprises; /* consecutive symbols with unusual changes */
    bool measured;      /* the statistics come from scattered pilots; false: from P2 */
    double noise;       /* noise of an estimate from one pilot, in units of |H|^2 */
    float motion;       /* mean squared change of the channel between pilots of a grid point */
    float curvature;    /* mean square of the second differences of the channel */
} dvbt2_pilot_statistics;

/* Initialise the statistics with the noise of P2; no effect once scattered pilots have been read. */
void dvbt2_pilot_statistics_expect(dvbt2_pilot_statistics *s, double noise);

/* Add the changes of one symbol. Its grid points have a pilot every `classes` symbols. p2_noise: `noise` as
 * measured in P2. Returns false if the changes are implausible and were not counted. */
bool dvbt2_pilot_statistics_add(dvbt2_pilot_statistics *s, const dvbt2_pilot_change *change, uint32_t classes,
                                double p2_noise);

/* Scale the statistics after the power of the pilots has changed by the factor `power`. */
void dvbt2_pilot_statistics_scale(dvbt2_pilot_statistics *s, float power);

void dvbt2_pilot_statistics_forget(dvbt2_pilot_statistics *s);

#endif
