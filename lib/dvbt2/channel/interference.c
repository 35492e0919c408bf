/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/interference.h"

#include <math.h>

#include "dvbt2/channel/equaliser.h"
#include "dvbt2/standard/reference_sequence.h"

/* A symbol with this many times the usual noise was hit by a burst: it does not count. */
static const float burst = 3;
/* Interference below this share of the signal harms estimates less than their being made without its pilot. */
static const float least_interference = 0.02f;
/* Share of the pilots that may have interference, one in N; where more have, all stay as they are. */
enum { MOST_EXCLUDED = 4 };
/* Interference over the mean power of the channel, from which on a pilot is not used for phase and timing. */
static const float most_interference = 0.25f;

void dvbt2_measure_interference(dvbt2_demodulator *d, uint32_t l)
{
    if (d->disturbance[l % d->ring] > burst || dvbt2_demodulator_may_be_none(d, d->tracking.coherence))
        return;
    const dvbt2_received_symbol symbol = {
        .layout = dvbt2_pilots_symbol(d->pilots, l),
        .y = d->carriers[l % d->ring],
        .h = {d->h[0], d->parameters.mode.miso ? d->h[1] : NULL},
        .sign = (float)dvbt2_pn_sign(l),
        .noise = dvbt2_noise_of(d, l)
    };
    dvbt2_carrier_noise_measure(&d->interference, &symbol);
}

/* `factor`: noise of a grid point over that of a carrier. */
static void weigh(dvbt2_demodulator *d, dvbt2_interpolator *interpolator, float factor)
{
    const float signal = fmaxf(d->channel.signal, 1e-30f);
    const float noise = fmaxf(d->channel.noise, least_interference * signal);
    dvbt2_interpolator_weigh(interpolator, d->interference.power, noise, noise / signal * factor);
}

void dvbt2_weigh_p2_pilots(dvbt2_demodulator *d)
{
    weigh(d, &d->channel.p2_interpolator, 1 / (d->parameters.a_p2 * d->parameters.a_p2));
}

void dvbt2_weigh_pilots(dvbt2_demodulator *d)
{
    const float smoothing = d->channel.smoothing, a_sp = d->parameters.a_sp;
    if (d->grid.points)
        weigh(d, &d->channel.interpolator, smoothing / (2 - smoothing) / (a_sp * a_sp));
}

void dvbt2_exclude_pilots(dvbt2_demodulator *d, const dvbt2_pilot_list *list)
{
    const float *power = d->interference.power, most = most_interference * d->channel.signal;
    uint32_t excluded = 0;
    for (uint32_t i = 0; i < list->count; i++)
        excluded += power[list->carrier[i]] > most;
    if (excluded > list->count / MOST_EXCLUDED) /* that is no interferer, but another signal, or none */
        return;
    for (uint32_t i = 0; i < list->count; i++)
        if (power[list->carrier[i]] > most)
            d->now[i] = d->before[i] = 0;
}
