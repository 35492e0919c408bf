/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/interference.h"

#include <math.h>

/* Pilots with less interference than this fraction of the signal keep their full weight. */
static const float least_interference = 0.02f;
enum { MOST_EXCLUDED = 4 };
/* Maximum interference of pilots for phase and timing, relative to the channel's mean power. */
static const float most_interference = 0.25f;

static void weigh(const dvbt2_channel *c, dvbt2_interpolator *interpolator, float factor)
{
    const float signal = fmaxf(c->signal, 1e-30f);
    const float noise = fmaxf(c->noise, least_interference * signal);
    dvbt2_interpolator_weigh(interpolator, c->interference, noise, noise / signal * factor);
}

void dvbt2_weigh_p2_pilots(dvbt2_channel *c)
{
    weigh(c, &c->p2_interpolator, 1 / (c->parameters->a_p2 * c->parameters->a_p2));
}

void dvbt2_weigh_pilots(dvbt2_channel *c)
{
    const float smoothing = c->smoothing, a_sp = c->parameters->a_sp;
    if (c->grid->points)
        weigh(c, &c->interpolator, smoothing / (2 - smoothing) / (a_sp * a_sp));
}

void dvbt2_exclude_pilots(const dvbt2_channel *c, const dvbt2_pilot_list *list, float complex *now,
                          float complex *before)
{
    const float *power = c->interference, most = most_interference * c->signal;
    uint32_t excluded = 0;
    for (uint32_t i = 0; i < list->count; i++)
        excluded += power[list->carrier[i]] > most;
    if (excluded > list->count / MOST_EXCLUDED)
        return;
    for (uint32_t i = 0; i < list->count; i++)
        if (power[list->carrier[i]] > most)
            now[i] = before[i] = 0;
}
