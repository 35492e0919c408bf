/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Noise of scattered pilots and motion of the channel, from the changes between pilots of the same grid point.
 *
 * Noise does not depend on the time between two pilots; what the channel does in it, at constant speed, grows
 * with the square: one = 2 noise + motion, two = 2 noise + 4 motion. Differences that chance explains are not taken
 * for motion. Of a channel in motion P2 gives the noise; the rest of 4 one - two is the mean square of second
 * differences, which interpolation over time does not follow. */
#ifndef DVBT2_PILOT_STATISTICS_H
#define DVBT2_PILOT_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

/* Sums over `count` pilots of the squared change against the pilot before, and against the one before that. */
typedef struct dvbt2_pilot_change {
    double one, two;
    uint32_t count;
} dvbt2_pilot_change;

typedef struct dvbt2_pilot_statistics {
    double one, two;    /* sums as in dvbt2_pilot_change, older ones with less weight */
    double weight;      /* pilots in these sums; 0: nothing is known */
    float most_change;  /* limit of the squared change of one pilot: a larger one is due to an interferer */
    uint32_t surprises; /* consecutive symbols with unusual changes */
    bool measured;      /* by scattered pilots; else by P2 */
    double noise;       /* of the estimate from one pilot, in units of |H|^2 */
    float motion;       /* mean squared change of the channel from one pilot of a grid point to the next */
    float curvature;    /* mean square of the second differences of that */
} dvbt2_pilot_statistics;

/* Before any scattered pilot the noise of P2 stands for the statistics. Without effect once these have begun. */
void dvbt2_pilot_statistics_expect(dvbt2_pilot_statistics *s, double noise);

/* The changes of one symbol, whose pilots come again after `classes` symbols. p2_noise: as `noise`, measured in P2. false: they are
 * unusual and do not count. */
bool dvbt2_pilot_statistics_add(dvbt2_pilot_statistics *s, const dvbt2_pilot_change *change, uint32_t classes,
                                double p2_noise);

/* The power of all pilots changes by this factor. */
void dvbt2_pilot_statistics_scale(dvbt2_pilot_statistics *s, float power);

void dvbt2_pilot_statistics_forget(dvbt2_pilot_statistics *s);

#endif
