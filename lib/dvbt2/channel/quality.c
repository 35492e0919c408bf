/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/quality.h"

#include <math.h>

static double decibel(double ratio)
{
    return ratio > 0 && isfinite(ratio) ? 10 * log10(ratio) : 0;
}

/* Exceeds 1, because pilots are boosted. */
static double pilot_boost(const dvbt2_parameters *p)
{
    double pilots = p->dx > 0 ? 1.0 / (p->dx * p->dy) : 0;
    return 1 + pilots * ((double)(p->a_sp * p->a_sp) - 1);
}

double dvbt2_carrier_to_noise(const dvbt2_demodulator *d)
{
    const double ratio = (double)(d->channel.signal / fmaxf(d->channel.noise, 1e-30f));
    return decibel(ratio * pilot_boost(&d->parameters));
}

double dvbt2_expected_mer(const dvbt2_demodulator *d, uint32_t l)
{
    enum { EACH = 16 };
    const uint32_t cells = dvbt2_pilots_symbol(d->pilots, l)->n_data;
    double sum = 0, count = 0;
    for (uint32_t c = 0; c < cells; c += EACH, count++)
        sum += d->noise[c] > 0 ? 1 / (double)d->noise[c] : 0;
    return decibel(sum / count);
}
