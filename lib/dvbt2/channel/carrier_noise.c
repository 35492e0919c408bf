/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/carrier_noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/complex.h"

/* Length of the running means, and minimum number of symbols for a search. */
static const float memory = 64, few = 2;
/* Significance threshold in standard deviations. Noise exceeds it on one of 300000 carriers. */
static const float chance = 4.5f;
/* Length of the running mean over the pilots of a carrier. Minimum number of pilots on three adjacent
 * carriers. */
static const float pilot_memory = 16, least_pilots = 16;
/* Interferers cause large pilot errors, so pilot errors are clipped at this multiple of their mean. */
static const float most_rest = 4;
/* Variance of the power of 256-QAM cells with mean power 1. */
static const float power_variance = 0.4f;
/* Interference below this fraction of the signal is ignored. It may be an error of the channel estimate. */
static const float least_interference = 0.003f;
/* Minimum leakage that is subtracted from a carrier, relative to the noise. */
static const float least_leak = 0.25f;
/* Factor by which squared pilot errors may differ from noise and known interference. */
static const float unusual = 4;
/* Factor by which a tone's residue decays per symbol. */
static const float tone_memory = 0.9f;

enum {
    PADDING = 16, /* kernels access up to PADDING values past the end */
    EARLY = 16,
    EVERY = 8, /* symbols between later searches */
    /* After SURPRISES + 3 Dy consecutive surprising symbols, the pilot errors count as interference. The
     * noise follows a change after 3 Dy symbols (pilot_statistics.h). */
    SURPRISES = 24,
};

bool dvbt2_carrier_noise_init(dvbt2_carrier_noise *c, const dvbt2_parameters *parameters)
{
    const uint32_t carriers = parameters->carriers;
    c->kernels = rx_kernels_best();
    c->carriers = carriers;
    c->reserved = parameters->mode.tone_reservation;
    c->most_surprises = SURPRISES + 3 * parameters->dy;
    c->surplus = ldpc_allocate(carriers + PADDING, sizeof *c->surplus);
    c->square = ldpc_allocate(carriers + PADDING, sizeof *c->square);
    c->rest = ldpc_allocate(carriers, sizeof *c->rest);
    c->pilots = ldpc_allocate(carriers, sizeof *c->pilots);
    c->tones = ldpc_allocate(carriers, sizeof *c->tones);
    c->power = ldpc_allocate(carriers, sizeof *c->power);
    return c->surplus && c->square && c->rest && c->pilots && c->tones && c->power;
}

void dvbt2_carrier_noise_free(dvbt2_carrier_noise *c)
{
    free(c->surplus);
    free(c->square);
    free(c->rest);
    free(c->pilots);
    free(c->tones);
    free(c->power);
    memset(c, 0, sizeof *c);
}

/* Forgets everything except tones. */
static void forget_interference(dvbt2_carrier_noise *c)
{
    c->symbols = 0;
    c->surprises = 0;
    c->signal = c->gain = c->usual = 0;
    memset(c->rest, 0, c->carriers * sizeof *c->rest);
    memset(c->pilots, 0, c->carriers * sizeof *c->pilots);
    memset(c->surplus, 0, c->carriers * sizeof *c->surplus);
    memset(c->square, 0, c->carriers * sizeof *c->square);
    memcpy(c->power, c->tones, c->carriers * sizeof *c->power);
}

void dvbt2_carrier_noise_forget(dvbt2_carrier_noise *c)
{
    c->any_tones = false;
    memset(c->tones, 0, c->carriers * sizeof *c->tones);
    forget_interference(c);
}

void dvbt2_carrier_noise_scale(dvbt2_carrier_noise *c, float gain)
{
    const float power = gain * gain;
    for (uint32_t k = 0; k < c->carriers; k++) {
        c->surplus[k] *= power;
        c->square[k] *= power * power;
        c->rest[k] *= power;
        c->tones[k] *= power;
        c->power[k] *= power;
    }
    c->usual *= power;
    c->signal *= power;
}

/* ---- tones */

void dvbt2_carrier_noise_tones(dvbt2_carrier_noise *c, const dvbt2_tone *tone, uint32_t count)
{
    enum { REACH = 64 };
    if (!c->any_tones && count == 0)
        return;
    float highest = 0;
    for (uint32_t k = 0; k < c->carriers; k++) {
        c->tones[k] *= tone_memory;
        highest = fmaxf(highest, c->tones[k]);
    }
    for (uint32_t i = 0; i < count; i++) {
        const int32_t middle = (int32_t)floor(tone[i].bin), last = (int32_t)c->carriers - 1;
        const int32_t from = middle - REACH, to = middle + REACH;
        for (int32_t k = from < 0 ? 0 : from; k <= (to < last ? to : last); k++) {
            c->tones[k] = fmaxf(c->tones[k], dvbt2_tone_left(&tone[i], k - tone[i].bin));
            c->power[k] = fmaxf(c->power[k], c->tones[k]);
        }
    }
    c->any_tones = count > 0 || highest > 1e-20f;
}

/* ---- power of each carrier */

/* Returns |y - h p|^2 of pilot i. */
static float rest_of_pilot(const dvbt2_received_symbol *s, uint32_t i)
{
    const uint16_t k = s->layout->pilot[i];
    float complex rest = s->y[k] - s->h[0][k] * (s->sign * s->layout->amplitude[0][i]);
    if (s->h[1])
        rest -= s->h[1][k] * (s->sign * s->layout->amplitude[1][i]);
    return rx_power(rest);
}

/* Returns the error power that the channel estimate causes at pilot i. */
static float estimate_error(const dvbt2_received_symbol *s, uint32_t i)
{
    const float a = s->layout->amplitude[0][i], b = s->h[1] ? s->layout->amplitude[1][i] : 0;
    return s->error * (a * a + b * b);
}

/* Compares the pilot errors with noise and known interference. Forgets the interference if most errors are
 * smaller. Returns the noise of the symbol: if most errors are larger, the mean pilot error without the
 * interference, which is an upper bound, otherwise s->noise. After a step of gain or timing the channel
 * estimates of some symbols are wrong, and their errors are not interference. */
static float noise_of_pilots(dvbt2_carrier_noise *c, const dvbt2_received_symbol *s)
{
    const uint32_t pilots = s->layout->n_pilots;
    uint32_t above = 0, below = 0;
    float sum = 0;
    for (uint32_t i = 0; i < pilots; i++) {
        const float rest = rest_of_pilot(s, i), known = c->power[s->layout->pilot[i]];
        above += rest > unusual * (s->noise + estimate_error(s, i) + known);
        below += rest < known / unusual;
        sum += fmaxf(0, rest - known);
    }
    if (2 * below > pilots)
        forget_interference(c);
    c->surprises = 2 * above > pilots ? c->surprises + 1 : 0;
    if (c->surprises == 0 || c->surprises > c->most_surprises)
        return s->noise;
    return fmaxf(s->noise, sum / (float)pilots);
}

static void correct_pilots(dvbt2_carrier_noise *c, const dvbt2_received_symbol *s, float weight)
{
    for (uint32_t i = 0; i < s->layout->n_pilots; i++) {
        const uint16_t k = s->layout->pilot[i];
        const float rest = rest_of_pilot(s, i);
        const float signal = rx_power(s->h[0][k]) + (s->h[1] ? rx_power(s->h[1][k]) : 0);
        c->surplus[k] += (rest - rx_power(s->y[k]) + signal) * weight;
        c->square[k] -= signal * signal * weight;
        c->pilots[k] += 1 - c->pilots[k] / pilot_memory;
        c->rest[k] += (rest - c->rest[k]) / c->pilots[k];
    }
}

/* The transmitted value of reserved tones is unknown. */
static void skip_reserved(dvbt2_carrier_noise *c, const dvbt2_symbol_layout *layout)
{
    for (uint32_t k = 0; k < c->carriers; k++)
        if (layout->carrier[k] == DVBT2_CARRIER_RESERVED)
            c->surplus[k] = c->square[k] = 0;
}

/* Returns the variance of the mean power of a carrier with the given signal power. */
static float variance(const dvbt2_carrier_noise *c, float signal, float noise)
{
    return (power_variance * signal * signal + 2 * noise * signal + noise * noise) / c->symbols;
}

static void add_leak(dvbt2_carrier_noise *c, uint32_t k, float a, float b, float noise)
{
    const float root = sqrtf(a) + sqrtf(b), strength = a * b / (root * root);
    const float far = sqrtf(strength / (least_leak * noise));
    const uint32_t reach = far < (float)c->carriers ? (uint32_t)far : c->carriers;
    for (uint32_t d = 1; d <= reach; d++) {
        const float middle = (float)d + 0.5f, leak = strength / (middle * middle);
        if (k >= d)
            c->power[k - d] += leak;
        if (k + 1 + d < c->carriers)
            c->power[k + 1 + d] += leak;
    }
}

static float around(const dvbt2_carrier_noise *c, uint32_t before, uint32_t k, uint32_t after, float least)
{
    const float a = c->pilots[before], b = c->pilots[k], d = c->pilots[after], count = a + b + d;
    const float mean = (c->rest[before] * a + c->rest[k] * b + c->rest[after] * d) / count;
    const float more = mean - c->usual;
    return count >= least_pilots && more > least && more > c->usual * chance / sqrtf(count) ? more : 0;
}

static void add_between(dvbt2_carrier_noise *c, uint32_t from, uint32_t to, float a, float b)
{
    for (uint32_t k = from; k < to && (a > 0 || b > 0); k++) {
        const float power = a + (b - a) * (float)(k - from) / (float)(to - from);
        c->power[k] = fmaxf(c->power[k], power);
    }
}

static void find_wide_interference(dvbt2_carrier_noise *c, float least)
{
    const float most = most_rest * c->usual;
    double sum = 0, count = 0;
    uint32_t last[3] = {0}, n = 0; /* carriers of the last three pilots */
    float before = 0;
    for (uint32_t k = 0; k < c->carriers; k++) {
        if (c->pilots[k] <= 0)
            continue;
        sum += (double)(c->usual > 0 && !(c->rest[k] < most) ? most : c->rest[k]);
        count++;
        last[0] = last[1];
        last[1] = last[2];
        last[2] = k;
        if (++n < 3 || c->usual <= 0)
            continue;
        const float now = around(c, last[0], last[1], k, least);
        add_between(c, last[0], last[1], n == 3 ? now : before, now);
        before = now;
    }
    if (n >= 3 && c->usual > 0)
        add_between(c, last[1], last[2] + 1, before, before);
    c->usual = count > 0 ? (float)(sum / count) : 0;
}

/* Finds carriers whose power significantly exceeds signal and noise. */
static void find_interference(dvbt2_carrier_noise *c, float least_noise)
{
    const float noise = fmaxf(least_noise, least_interference * c->signal);
    double all = 0, signal = 0;
    float last = 0;
    bool last_hit = false;
    memcpy(c->power, c->tones, c->carriers * sizeof *c->power);
    if (c->symbols < few)
        return;
    for (uint32_t k = 0; k < c->carriers; k++) {
        const float power = c->square[k] > 0 ? sqrtf(c->square[k]) : 0;
        const float more = c->surplus[k] - (c->gain - 1) * power, positive = more > 0 ? more : 0;
        const float limit = chance * chance * variance(c, power, noise);
        const bool usual = more * more <= limit, hit = !usual && more > 0;
        all += (double)(usual ? more : copysignf(sqrtf(limit), more));
        signal += (double)power;
        if (hit)
            c->power[k] = fmaxf(c->power[k], more);
        if ((hit || last_hit) && last > 0 && positive > 0)
            add_leak(c, k - 1, last, positive, noise);
        last = positive;
        last_hit = hit;
    }
    if (signal > 0)
        c->gain += (float)(all / signal);
    c->signal = (float)signal / (float)c->carriers;
    find_wide_interference(c, least_interference * c->signal);
    if (!isfinite(c->gain) || !isfinite(c->usual))
        dvbt2_carrier_noise_forget(c);
}

float dvbt2_carrier_noise_measure(dvbt2_carrier_noise *c, const dvbt2_received_symbol *symbol)
{
    if (symbol->layout->kind != DVBT2_SYMBOL_NORMAL)
        return symbol->noise;
    const float noise = noise_of_pilots(c, symbol);
    if (noise > symbol->noise)
        return noise;
    if (c->symbols == 0)
        c->gain = 1;
    c->symbols += 1 - c->symbols / memory;
    const float weight = 1 / c->symbols;
    c->kernels->surplus(symbol->y, symbol->h, symbol->noise, weight, c->carriers, c->surplus, c->square);
    correct_pilots(c, symbol, weight);
    if (c->reserved)
        skip_reserved(c, symbol->layout);
    if (c->symbols < EARLY || ++c->waited >= EVERY) {
        c->waited = 0;
        find_interference(c, symbol->noise);
    }
    return symbol->noise;
}
