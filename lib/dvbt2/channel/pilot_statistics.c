/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/pilot_statistics.h"

#include <math.h>

/* Minimum squared change in a fast channel, relative to the P2 noise. */
enum { FAST = 3 };

/* averaging length, pilots */
static const double pilots_remembered = 4000, least_memory = 0.9, prior_pilots = 300;
/* A change above this multiple of the usual change is not caused by noise or motion. */
static const double unusual_change = 3;
/* The change of a single pilot is clipped at this multiple of the usual change. */
static const float most_change = 12;

void dvbt2_pilot_statistics_expect(dvbt2_pilot_statistics *s, double noise)
{
    if (s->weight > 0)
        return;
    const double change = 2 * noise;
    s->weight = prior_pilots;
    s->most_change = 2 * (float)change * most_change; /* the loops have not settled */
    s->one = s->two = change * prior_pilots;
}

static bool surprising(dvbt2_pilot_statistics *s, const dvbt2_pilot_change *change, uint32_t classes)
{
    const double usual = unusual_change * change->count / s->weight;
    if (!s->measured || (change->one <= usual * s->one && change->two <= usual * s->two)) {
        s->surprises = 0;
        return false;
    }
    if (++s->surprises > 3 * classes)
        s->one = s->two = s->weight = 0;
    return s->weight > 0;
}

/* P2 may have different noise. The first scattered pilots replace it if they are many, or have clearly less
 * noise. */
static bool replaces_p2(const dvbt2_pilot_statistics *s, const dvbt2_pilot_change *change)
{
    return !s->measured && (change->count > prior_pilots ||
                            unusual_change * change->one * s->weight < s->one * change->count);
}

static void accumulate(dvbt2_pilot_statistics *s, const dvbt2_pilot_change *change)
{
    if (replaces_p2(s, change))
        s->one = s->two = s->weight = 0;
    const double memory = fmax(least_memory, 1 - change->count / pilots_remembered);
    s->one = s->one * memory + change->one;
    s->two = s->two * memory + change->two;
    s->weight = s->weight * memory + change->count;
    s->measured = true;
    s->most_change = (float)(s->two / s->weight) * most_change;
}

bool dvbt2_pilot_statistics_add(dvbt2_pilot_statistics *s, const dvbt2_pilot_change *change, uint32_t classes,
                                double p2_noise)
{
    if (surprising(s, change, classes))
        return false;
    accumulate(s, change);
    const double one = s->one / s->weight, two = s->two / s->weight;
    double motion = fmax(0, two - one - one * sqrt(2 / s->weight)) / 3;
    s->noise = (one + two) / 4;
    if (one > FAST * 2 * p2_noise) /* consecutive pilots are uncorrelated */
        motion = fmax(motion, one - 2 * p2_noise);
    s->curvature = 0;
    if (motion > 0) {
        s->noise = p2_noise;
        s->curvature = (float)fmax(0, 4 * one - two - 6 * s->noise);
    }
    s->motion = (float)motion;
    return true;
}

void dvbt2_pilot_statistics_scale(dvbt2_pilot_statistics *s, float power)
{
    s->one *= (double)power;
    s->two *= (double)power;
    s->most_change *= power;
    s->noise *= (double)power;
    s->motion *= power;
    s->curvature *= power;
}

void dvbt2_pilot_statistics_forget(dvbt2_pilot_statistics *s)
{
    s->one = s->two = s->weight = 0;
    s->measured = false;
    s->motion = s->curvature = 0;
}
