/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/channel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/complex.h"

enum {
    /* number of P2 symbols averaged on each side of a P2 symbol */
    P2_AROUND = 2,
};

/* The statistics ignore pilots with more interference than this fraction of the signal. */
static const float little_interference = 0.003f;
/* Minimum weight of a new pilot, because the channel may begin to move. */
static const float least_smoothing = 0.1f;
/* Weight of a new pilot before the motion of the channel is measured. */
static const float unknown_smoothing = 0.9f;
/* If the ratio of the P2 noise of two frames is higher, the statistics are forgotten. */
static const float noise_step = 1.5f;
/* If the signal changes by this factor too, the gain has changed. A burst changes only the noise. */
static const float gain_step = 1.25f;
/* In a time-varying channel, intercarrier interference changes the noise. */
static const float moving_noise_step = 5;
/* Width of a path in taps, caused by window and limited bandwidth. */
static const double blur = 4;
/* Clock error after the guard-interval measurement, samples per symbol. */
static const double guard_drift = 0.04;
/* width_memory: factor by which the maximum response length decays per frame. most_unseen: limit of the
 * spread when P2 may not show all paths, as a fraction of the delay range. */
static const double width_memory = 0.95, most_unseen = 0.5;

/* ---- memory */

static bool p2_init(dvbt2_channel *c)
{
    const uint32_t points = c->grid->p2_points, step = c->n_channels;
    for (uint32_t l = 0; l < c->parameters->n_p2; l++) {
        c->p2_raw[l] = ldpc_allocate(points, sizeof *c->p2_raw[l]);
        if (!c->p2_raw[l])
            return false;
    }
    c->p2_mean = ldpc_allocate(points, sizeof *c->p2_mean);
    c->half = ldpc_allocate(points, sizeof *c->half);
    return c->p2_mean && c->half &&
           dvbt2_impulse_init(&c->impulse, c->parameters->fft_length, step * c->grid->p2_distance,
                              points / step) &&
           dvbt2_interpolator_init(&c->p2_interpolator, c->grid->p2_distance, c->parameters->carriers,
                                   step == 2);
}

static bool normal_init(dvbt2_channel *c)
{
    const uint32_t points = c->grid->points;
    c->last = ldpc_allocate(points, sizeof *c->last);
    c->before = ldpc_allocate(points, sizeof *c->before);
    c->raw_last = ldpc_allocate(points, sizeof *c->raw_last);
    c->raw_before = ldpc_allocate(points, sizeof *c->raw_before);
    c->received = ldpc_allocate(points, sizeof *c->received);
    c->now = ldpc_allocate(points, sizeof *c->now);
    return c->last && c->before && c->raw_last && c->raw_before && c->received && c->now &&
           dvbt2_interpolator_init(&c->interpolator, c->grid->distance, c->parameters->carriers,
                                   c->n_channels == 2);
}

bool dvbt2_channel_init(dvbt2_channel *channel, const dvbt2_parameters *parameters,
                        const dvbt2_pilot_grid *grid)
{
    memset(channel, 0, sizeof *channel);
    channel->parameters = parameters;
    channel->grid = grid;
    channel->n_channels = parameters->mode.miso ? 2 : 1;
    channel->smoothing = 1;
    return p2_init(channel) && dvbt2_time_variation_init(&channel->variation, parameters, grid) &&
           (!grid->points || normal_init(channel));
}

void dvbt2_channel_free(dvbt2_channel *channel)
{
    dvbt2_impulse_free(&channel->impulse);
    dvbt2_interpolator_free(&channel->p2_interpolator);
    dvbt2_interpolator_free(&channel->interpolator);
    dvbt2_time_variation_free(&channel->variation);
    for (int l = 0; l < DVBT2_MAX_P2; l++)
        free(channel->p2_raw[l]);
    free(channel->p2_mean);
    free(channel->half);
    free(channel->last);
    free(channel->before);
    free(channel->raw_last);
    free(channel->raw_before);
    free(channel->received);
    free(channel->now);
    memset(channel, 0, sizeof *channel);
}

/* ---- P2 */

void dvbt2_channel_read_p2(dvbt2_channel *channel, uint32_t l, const float complex *carriers, float sign,
                           float disturbance)
{
    const dvbt2_pilot_list *list = &channel->grid->p2;
    channel->p2_weight[l] = 1 / disturbance;
    for (uint32_t i = 0; i < list->count; i++)
        channel->p2_raw[l][list->point[i]] = carriers[list->carrier[i]] * (list->inverse[i] * sign);
}

void dvbt2_channel_choose(dvbt2_channel *channel, uint32_t i)
{
    channel->delays = channel->readings[i];
}

static uint32_t nearest_reading(const dvbt2_channel *c)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < c->n_readings; i++)
        if (fabs(c->readings[i].middle - c->centre) < fabs(c->readings[best].middle - c->centre))
            best = i;
    return best;
}

bool dvbt2_channel_measure(dvbt2_channel *channel, uint32_t l)
{
    const uint32_t n = channel->n_channels;
    const float before = channel->signal;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t p = 0; p < channel->p2_interpolator.filter[i].points; p++)
            channel->half[p] = channel->p2_raw[l][n * p + i];
        dvbt2_impulse_compute(&channel->impulse,
                              dvbt2_wiener_mend(&channel->p2_interpolator.filter[i], channel->half), i > 0);
    }
    channel->n_readings =
        dvbt2_impulse_delays(&channel->impulse, channel->parameters->guard_length, n, channel->readings);
    dvbt2_channel_choose(channel, nearest_reading(channel));
    channel->signal = channel->delays.signal;
    if (channel->p2_weight[l] < 1)
        return false;
    float pilot = channel->parameters->a_p2 * channel->parameters->a_p2;
    float ratio = channel->p2_noise > 0 ? channel->delays.noise * pilot / channel->p2_noise : 1;
    const float step = channel->statistics.motion > 0 ? moving_noise_step : noise_step;
    const bool changed = ratio > step || ratio < 1 / step;
    if (changed)
        dvbt2_channel_forget(channel);
    channel->p2_noise = channel->delays.noise * pilot;
    /* scattered pilots measure the noise more accurately */
    if (channel->statistics.weight == 0 || channel->statistics.motion > 0)
        channel->noise = channel->p2_noise;
    return changed && (channel->signal > before * gain_step || channel->signal < before / gain_step);
}

static double unseen(dvbt2_channel *c)
{
    const double width = c->delays.last - c->delays.first;
    c->widest = c->statistics.motion > 0 ? fmax(width, width_memory * c->widest) : width;
    return c->widest - width + (c->statistics.measured ? 0 : guard_drift * c->parameters->n_symbols);
}

/* Returns the width of the impulse response as a fraction of the symbol. distance: pilot spacing,
 * carriers. */
static double spread_of(const dvbt2_channel *c, double more, uint32_t distance)
{
    const double side = fmax(fabs(c->delays.first), fabs(c->delays.last)), n = c->parameters->fft_length;
    const double spread = (2 * side + blur * c->impulse.step) / n;
    return fmax(spread, fmin(spread + 2 * more / n, most_unseen / distance));
}

static double pilot_noise(const dvbt2_channel *c, float noise)
{
    return (double)noise / (double)(c->parameters->a_sp * c->parameters->a_sp);
}

static float smoothed_noise(const dvbt2_channel *c)
{
    return c->smoothing / (2 - c->smoothing);
}

void dvbt2_channel_design(dvbt2_channel *channel)
{
    const dvbt2_parameters *p = channel->parameters;
    const dvbt2_pilot_grid *grid = channel->grid;
    const double more = unseen(channel);
    double relative = channel->noise / fmax(channel->signal, 1e-30f);
    uint32_t around = p->n_p2 > P2_AROUND ? P2_AROUND + 1 : p->n_p2;
    dvbt2_interpolator_design(&channel->p2_interpolator, spread_of(channel, more, grid->p2_distance),
                              relative / (p->a_p2 * p->a_p2) / around, &channel->impulse, &channel->delays);
    if (!grid->points)
        return;
    relative /= p->a_sp * p->a_sp;
    dvbt2_interpolator_design(&channel->interpolator, spread_of(channel, more, grid->distance),
                              relative * smoothed_noise(channel), &channel->impulse, &channel->delays);
    dvbt2_time_variation_design(&channel->variation, spread_of(channel, more, grid->distance * grid->classes),
                                relative);
}

/* left: fraction of the noise after smoothing */
static float error_of(const dvbt2_channel *c, const dvbt2_interpolator *in, float amplitude, float left)
{
    float gain = in->filter[0].noise_gain * (in->miso ? 0.5f : 1);
    return c->noise / (amplitude * amplitude) * left * gain;
}

static uint32_t p2_around(const dvbt2_channel *c)
{
    const float dy = (float)(c->grid->classes > 0 ? c->grid->classes : 1),
                motion = c->statistics.motion / (dy * dy);
    const float noise = error_of(c, &c->p2_interpolator, c->parameters->a_p2, 1);
    uint32_t around = P2_AROUND;
    while (around > 0 && motion * (float)(around * around) > noise / (float)(2 * around + 1))
        around--;
    return around;
}

void dvbt2_channel_first(dvbt2_channel *channel, uint32_t l, float complex *const h[2])
{
    dvbt2_interpolator_run(&channel->p2_interpolator, channel->p2_raw[l], h);
    channel->error =
        error_of(channel, &channel->p2_interpolator, channel->parameters->a_p2, 1 / channel->p2_weight[l]) +
        channel->signal * dvbt2_interpolator_error(&channel->p2_interpolator);
}

void dvbt2_channel_p2(dvbt2_channel *channel, uint32_t l, float complex *const h[2])
{
    const uint32_t n_p2 = channel->parameters->n_p2, around = p2_around(channel);
    uint32_t from = l > around ? l - around : 0, to = l + around < n_p2 ? l + around : n_p2 - 1;
    float weights = 0;
    memset(channel->p2_mean, 0, channel->grid->p2_points * sizeof *channel->p2_mean);
    for (uint32_t i = from; i <= to; i++) {
        weights += channel->p2_weight[i];
        for (uint32_t p = 0; p < channel->grid->p2_points; p++)
            channel->p2_mean[p] +=
                (channel->p2_raw[i][p] - channel->p2_mean[p]) * (channel->p2_weight[i] / weights);
    }
    dvbt2_interpolator_run(&channel->p2_interpolator, channel->p2_mean, h);
    channel->error = error_of(channel, &channel->p2_interpolator, channel->parameters->a_p2, 1 / weights) +
                     channel->signal * dvbt2_interpolator_error(&channel->p2_interpolator);
}

/* ---- normal and frame-closing symbols */

void dvbt2_channel_start(dvbt2_channel *channel, const float complex *const h[2])
{
    const dvbt2_pilot_grid *grid = channel->grid;
    const uint32_t last_p2 = channel->parameters->n_p2 - 1;
    for (uint32_t i = 0; i < grid->points; i++) {
        uint32_t k = i * grid->distance;
        float complex value = h[0][k];
        if (channel->n_channels == 2)
            value = i % 2 ? value - h[1][k] : value + h[1][k];
        channel->last[i] = channel->before[i] = value;
    }
    dvbt2_time_variation_start(&channel->variation);
    dvbt2_time_variation_take(&channel->variation, last_p2, channel->last, channel->error);
    memset(channel->received, 0, grid->points);
    dvbt2_pilot_statistics_expect(&channel->statistics, pilot_noise(channel, channel->noise));
    for (uint32_t c = 0; c < grid->classes; c++) {
        channel->time[c] = (dvbt2_pilot_time){last_p2, last_p2};
        channel->variance[c] = channel->error;
    }
}

static inline void read_pilot(dvbt2_channel *c, uint32_t i, float complex raw, float w,
                              dvbt2_pilot_change *change)
{
    if (c->received[i] > 1) {
        change->one += (double)fminf(c->statistics.most_change, rx_power(raw - c->raw_last[i]));
        change->two += (double)fminf(c->statistics.most_change, rx_power(raw - c->raw_before[i]));
    } else {
        c->received[i]++;
    }
    c->raw_before[i] = c->raw_last[i];
    c->raw_last[i] = raw;
    c->before[i] = c->last[i];
    c->last[i] += (raw - c->last[i]) * w;
}

static float single_noise(const dvbt2_channel *c)
{
    return error_of(c, &c->interpolator, c->parameters->a_sp, 1);
}

static float next_weight(dvbt2_channel *c, uint32_t class)
{
    float noise = single_noise(c), before = c->variance[class] + c->statistics.motion;
    float weight = before / (before + noise + 1e-30f);
    float least = c->statistics.measured ? least_smoothing : unknown_smoothing;
    weight = weight > least ? weight : least;
    c->variance[class] = (1 - weight) * (1 - weight) * before + weight * weight * noise;
    return c->smoothing = weight;
}

static void read_normal(dvbt2_channel *c, uint32_t l, const float complex *carriers, float sign)
{
    const uint32_t class = l % c->grid->classes;
    const dvbt2_pilot_list *list = &c->grid->normal[class];
    const float weight = next_weight(c, class);
    dvbt2_pilot_change change = {0}, ignored = {0};
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t point = list->point[i];
        float complex raw = carriers[list->carrier[i]] * (list->inverse[i] * sign);
        /* every symbol has edge pilots */
        const bool edge = point == 0 || point == c->grid->points - 1;
        const bool usual = !edge && c->interference[list->carrier[i]] <= little_interference * c->signal;
        change.count += usual && c->received[point] > 1;
        read_pilot(c, point, raw, weight, usual ? &change : &ignored);
    }
    c->time[class] = (dvbt2_pilot_time){l, c->time[class].last};
    if (change.count > 0 &&
        dvbt2_pilot_statistics_add(&c->statistics, &change, c->grid->classes, pilot_noise(c, c->p2_noise)))
        c->noise = (float)(c->statistics.noise * (double)(c->parameters->a_sp * c->parameters->a_sp));
}

static void read_closing(dvbt2_channel *c, uint32_t l, const float complex *carriers, float sign)
{
    const dvbt2_pilot_list *list = &c->grid->closing;
    const uint32_t classes = c->grid->classes;
    float weight[DVBT2_MAX_DY];
    dvbt2_pilot_change ignored = {0};
    for (uint32_t k = 0; k < classes; k++) {
        weight[k] = next_weight(c, k);
        c->time[k] = (dvbt2_pilot_time){l, c->time[k].last};
    }
    for (uint32_t i = 0; i < list->count; i++)
        read_pilot(c, list->point[i], carriers[list->carrier[i]] * (list->inverse[i] * sign),
                   weight[(c->grid->first_class + list->point[i]) % classes], &ignored);
}

static bool may_move(const dvbt2_channel *c)
{
    return c->statistics.motion > 0 || !c->statistics.measured;
}

void dvbt2_channel_read(dvbt2_channel *channel, uint32_t l, const float complex *carriers, float sign)
{
    const bool closing = channel->parameters->closing && l == channel->parameters->n_symbols - 1;
    if (closing)
        read_closing(channel, l, carriers, sign);
    else
        read_normal(channel, l, carriers, sign);
    if (!may_move(channel))
        return;
    const dvbt2_pilot_grid *grid = channel->grid;
    const float amplitude = channel->parameters->a_sp;
    const dvbt2_pilot_noise noise = {channel->noise / (amplitude * amplitude), single_noise(channel),
                                     channel->signal, channel->interference,
                                     little_interference * channel->signal};
    dvbt2_time_variation_read(&channel->variation, l,
                              closing ? &grid->closing : &grid->normal[l % grid->classes], carriers, sign,
                              &noise);
}

void dvbt2_channel_skip(dvbt2_channel *channel, uint32_t l)
{
    const dvbt2_pilot_list *list = &channel->grid->normal[l % channel->grid->classes];
    dvbt2_pilot_time *time = &channel->time[l % channel->grid->classes];
    for (uint32_t i = 0; i < list->count; i++)
        channel->before[list->point[i]] = channel->last[list->point[i]];
    *time = (dvbt2_pilot_time){l, time->last};
    channel->variance[l % channel->grid->classes] += channel->statistics.motion;
}

void dvbt2_channel_follow(dvbt2_channel *channel, const dvbt2_phase_sums *sums, uint32_t pilots,
                          float amplitude)
{
    const double noise = (double)(channel->noise / (amplitude * amplitude));
    const double power = (sums->now + sums->before) / 2 / pilots - noise;
    dvbt2_speed_add(&channel->variation.speed, fmax(power, noise), cabs(sums->sum) / pilots);
}

void dvbt2_channel_scale(dvbt2_channel *channel, float gain)
{
    const float power = gain * gain;
    dvbt2_time_variation_scale(&channel->variation, gain);
    for (uint32_t i = 0; i < channel->grid->points; i++) {
        channel->last[i] *= gain;
        channel->before[i] *= gain;
        channel->raw_last[i] *= gain;
        channel->raw_before[i] *= gain;
    }
    for (uint32_t i = 0; i < channel->grid->classes; i++)
        channel->variance[i] *= power;
    dvbt2_pilot_statistics_scale(&channel->statistics, power);
    channel->noise *= power;
    channel->p2_noise *= power;
    channel->signal *= power;
}

void dvbt2_channel_forget(dvbt2_channel *channel)
{
    dvbt2_pilot_statistics_forget(&channel->statistics);
    channel->smoothing = 1;
    channel->widest = 0;
    dvbt2_time_variation_forget(&channel->variation);
}

static float weight_of(const dvbt2_channel *c, dvbt2_pilot_time time, uint32_t l)
{
    if (time.last == time.before) /* only P2 symbols have been received */
        return 1;
    if (time.before >= l)
        return 0;
    float weight = (float)(l - time.before) / (float)(time.last - time.before);
    float trust = c->statistics.motion / (c->statistics.motion + 4 * single_noise(c) + 1e-30f);
    return weight <= 1 ? weight : 1 + (weight - 1) * trust;
}

static float error_between(const dvbt2_channel *c, uint32_t class, float w)
{
    float common = 1 - c->smoothing, bend = w * (1 - w) / 2, missed = w > 1 ? w - 1 : 0;
    return c->variance[class] * (w * w + (1 - w) * (1 - w) + 2 * w * (1 - w) * common) +
           c->statistics.curvature * bend * bend + c->statistics.motion * missed * missed / 4;
}

static void combine_pilots(dvbt2_channel *c, const float weight[DVBT2_MAX_DY])
{
    for (uint32_t i = 0, class = 0; i < c->grid->points; i++) {
        c->now[i] = c->before[i] + (c->last[i] - c->before[i]) * weight[class];
        class = class + 1 < c->grid->classes ? class + 1 : 0;
    }
}

void dvbt2_channel_estimate(dvbt2_channel *channel, uint32_t l, float complex *const h[2])
{
    const dvbt2_pilot_grid *grid = channel->grid;
    float weight[DVBT2_MAX_DY], error = 0;
    for (uint32_t i = 0; i < grid->classes; i++) {
        uint32_t class = (grid->first_class + i) % grid->classes;
        weight[i] = weight_of(channel, channel->time[class], l);
        error += error_between(channel, class, weight[i]) / (float)grid->classes;
    }
    if (channel->statistics.motion <= 0 ||
        !dvbt2_time_variation_estimate(&channel->variation, l, &error, channel->now))
        combine_pilots(channel, weight);
    const float noise =
        channel->statistics.motion > 0 ? dvbt2_time_variation_noise(&channel->variation, l) : 0;
    if (noise > 0)
        channel->noise = noise * channel->parameters->a_sp * channel->parameters->a_sp;
    dvbt2_interpolator_run(&channel->interpolator, channel->now, h);
    channel->error = error + channel->signal * dvbt2_interpolator_error(&channel->interpolator);
}
