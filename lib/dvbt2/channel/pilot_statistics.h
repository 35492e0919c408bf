/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures noise and motion of the channel from differences between the pilots of a grid point.
 *
 * The squared change of a channel with constant speed grows with the square of time, noise does not:
 *
 *     one = E|p(t) - p(t - Dy)|^2   = 2 noise +   motion
 *     two = E|p(t) - p(t - 2 Dy)|^2 = 2 noise + 4 motion
 *
 * A difference counts as motion only if it is significant. Under motion, the noise measured in P2 is used. */
#ifndef DVBT2_PILOT_STATISTICS_H
#define DVBT2_PILOT_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

/* Sums of squared changes over `count` pilots. */
typedef struct dvbt2_pilot_change {
    double one, two;
    uint32_t count;
} dvbt2_pilot_change;

typedef struct dvbt2_pilot_statistics {
    double one, two; /* decaying sums of the squared changes in dvbt2_pilot_change */
    double weight;   /* pilots in the sums */
    /* maximum squared change of a pilot */
    float most_change;
    uint32_t surprises; /* consecutive symbols with unusual changes */
    bool measured;      /* true: measured with scattered pilots; false: with P2 */
    double noise;       /* of a single pilot */
    float motion;       /* mean squared change between consecutive pilots */
    float curvature;    /* mean squared second difference */
} dvbt2_pilot_statistics;

/* Has no effect after scattered pilots have been read. */
void dvbt2_pilot_statistics_expect(dvbt2_pilot_statistics *s, double noise);

/* Returns false if the changes are implausible; then they are ignored. */
bool dvbt2_pilot_statistics_add(dvbt2_pilot_statistics *s, const dvbt2_pilot_change *change, uint32_t classes,
                                double p2_noise);

void dvbt2_pilot_statistics_scale(dvbt2_pilot_statistics *s, float power);

void dvbt2_pilot_statistics_forget(dvbt2_pilot_statistics *s);

#endif
