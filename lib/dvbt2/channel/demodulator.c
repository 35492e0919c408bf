/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/demodulator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status_internal.h"
#include "receiver/complex.h"
#include "dvbt2/channel/equaliser.h"
#include "dvbt2/channel/interference.h"
#include "dvbt2/standard/frame_map.h"
#include "dvbt2/standard/reference_sequence.h"

enum {
    PADDING = 64,
    /* A channel change is a gain step if its square exceeds FADING times the mean squared change. */
    FADING = 10,
    /* minimum noise of a burst relative to the usual noise */
    BURST = 3,
    MOST_DISTURBED = 3, /* maximum burst, symbols */
    WEIGHED_SYMBOLS = 16,
    /* with fewer pilots, noise may exceed the limit of a gain step */
    FEW_PILOTS = 50,
};

/* Channel changes below this limit (per symbol) do not disturb tracking. */
static const double little_motion = 0.002;
/* If successive symbols decorrelate by this amount, fading causes half of a phase change. */
static const double fading_phase = 0.05;
/* A channel change is significant if it exceeds this number of standard deviations. */
static const double chance_alike = 6;

/* ---- memory */

static bool allocate_symbols(dvbt2_demodulator *d)
{
    const size_t n = d->parameters.carriers + PADDING;
    d->ring = (d->parameters.dy > d->parameters.n_p2 ? d->parameters.dy : d->parameters.n_p2) + 1;
    d->carriers = ldpc_allocate(d->ring, sizeof *d->carriers);
    for (uint32_t i = 0; d->carriers && i < d->ring; i++) {
        d->carriers[i] = ldpc_allocate(n, sizeof **d->carriers);
        if (!d->carriers[i])
            return false;
    }
    d->now = ldpc_allocate(n, sizeof *d->now);
    d->before = ldpc_allocate(n, sizeof *d->before);
    d->h[0] = ldpc_allocate(n, sizeof *d->h[0]);
    d->h[1] = ldpc_allocate(d->parameters.mode.miso ? n : 1, sizeof *d->h[1]);
    d->cells = ldpc_allocate(n, sizeof *d->cells);
    d->noise = ldpc_allocate(n, sizeof *d->noise);
    return d->carriers && d->now && d->before && d->h[0] && d->h[1] && d->cells && d->noise;
}

static uint32_t kind_of(const dvbt2_demodulator *d, uint32_t l)
{
    const dvbt2_parameters *p = &d->parameters;
    if (l < p->n_p2)
        return l % 2;
    if (p->closing && l == p->n_symbols - 1)
        return DVBT2_KINDS - 1;
    return 2 + l % p->dy;
}

const uint16_t *dvbt2_demodulator_sources(const dvbt2_demodulator *d, uint32_t l)
{
    return d->source[kind_of(d, l)];
}

static bool make_sources(dvbt2_demodulator *d)
{
    const uint32_t last_p2 = d->parameters.n_p2, symbols = d->parameters.n_symbols;
    for (uint32_t l = 0; l < (symbols > last_p2 ? symbols : last_p2); l++) {
        const dvbt2_symbol_layout *layout = dvbt2_pilots_symbol(d->pilots, l);
        const uint16_t *order = dvbt2_frequency_order(d->order, l);
        uint16_t **source = &d->source[kind_of(d, l)];
        if (*source)
            continue;
        *source = ldpc_allocate(layout->n_data, sizeof **source);
        if (!*source)
            return false;
        for (uint32_t q = 0; q < layout->n_data; q++)
            (*source)[order[q]] = layout->data[q];
    }
    return true;
}

static ldpc_status fill(dvbt2_demodulator *d, const dvbt2_mode *mode, ldpc_error *err)
{
    d->kernels = rx_kernels_best();
    ldpc_status status = dvbt2_parameters_derive(mode, &d->parameters, err);
    if (status != LDPC_OK)
        return status;
    status = dvbt2_pilots_create(&d->parameters, &d->pilots, err);
    if (status != LDPC_OK)
        return status;
    status = dvbt2_frequency_deinterleaver_create(&d->parameters, &d->order, err);
    if (status != LDPC_OK)
        return status;
    bool made = allocate_symbols(d) && make_sources(d) &&
                dvbt2_pilot_grid_init(&d->grid, &d->parameters, d->pilots) &&
                dvbt2_ofdm_init(&d->ofdm, &d->parameters) &&
                dvbt2_channel_init(&d->channel, &d->parameters, &d->grid) &&
                dvbt2_carrier_noise_init(&d->interference, &d->parameters);
    d->channel.interference = d->interference.power;
    if (!made)
        return ldpc_fail_memory(err);
    dvbt2_tracking_reset(&d->tracking, &d->parameters);
    dvbt2_demodulator_start(d, 0);
    return LDPC_OK;
}

ldpc_status dvbt2_demodulator_create(const dvbt2_mode *mode, dvbt2_demodulator **demodulator, ldpc_error *err)
{
    *demodulator = NULL;
    dvbt2_demodulator *d = ldpc_allocate(1, sizeof *d);
    if (!d)
        return ldpc_fail_memory(err);
    ldpc_status status = fill(d, mode, err);
    if (status == LDPC_OK)
        *demodulator = d;
    else
        dvbt2_demodulator_destroy(d);
    return status;
}

void dvbt2_demodulator_destroy(dvbt2_demodulator *d)
{
    if (!d)
        return;
    dvbt2_channel_free(&d->channel);
    dvbt2_carrier_noise_free(&d->interference);
    dvbt2_ofdm_free(&d->ofdm);
    dvbt2_pilot_grid_free(&d->grid);
    dvbt2_frequency_deinterleaver_destroy(d->order);
    dvbt2_pilots_destroy(d->pilots);
    for (uint32_t i = 0; d->carriers && i < d->ring; i++)
        free(d->carriers[i]);
    free(d->carriers);
    free(d->now);
    free(d->before);
    free(d->h[0]);
    free(d->h[1]);
    for (uint32_t kind = 0; kind < DVBT2_KINDS; kind++)
        free(d->source[kind]);
    free(d->cells);
    free(d->noise);
    free(d);
}

/* ---- symbols in */

void dvbt2_demodulator_forget(dvbt2_demodulator *d)
{
    dvbt2_channel_forget(&d->channel);
    dvbt2_carrier_noise_forget(&d->interference);
    d->outside = 0;
}

void dvbt2_demodulator_retune(dvbt2_demodulator *d)
{
    dvbt2_demodulator_forget(d);
    d->incoherence = 0;
    d->disturbed = 0;
}

void dvbt2_demodulator_start(dvbt2_demodulator *d, double drift)
{
    d->received = d->handed = 0;
    d->incoherence_at_start = d->incoherence;
    dvbt2_tracking_start(&d->tracking, drift);
}

void dvbt2_demodulator_set_origin(dvbt2_demodulator *d, int32_t origin)
{
    d->origin = origin;
    d->ofdm.time_zero = (int32_t)(d->parameters.guard_length / 2) + origin;
    d->channel.centre = -origin;
}

/* ---- equaliser */

float dvbt2_demodulator_noise(const dvbt2_demodulator *d, uint32_t l)
{
    return d->channel.noise * d->disturbance[l % d->ring];
}

/* Equalises symbol l into d->cells and d->noise, in frame-map order. */
static void equalise(dvbt2_demodulator *d, uint32_t l)
{
    const dvbt2_symbol_layout *layout = dvbt2_pilots_symbol(d->pilots, l);
    const float complex *received = d->carriers[l % d->ring];
    const float noise = dvbt2_demodulator_noise(d, l), error = d->channel.error;
    if (d->parameters.mode.miso) {
        const dvbt2_equaliser_input symbol = {.received = received,
                                              .h1 = d->h[0],
                                              .h2 = d->h[1],
                                              .interference = d->interference.power,
                                              .noise = noise + 2 * error};
        dvbt2_equalise_miso(&symbol, layout, dvbt2_frequency_order(d->order, l), d->cells, d->noise);
    } else {
        d->kernels->equalise(received, d->h[0], noise + error, d->interference.power,
                             dvbt2_demodulator_sources(d, l), layout->n_data, d->cells, d->noise);
    }
}

/* ---- readings of the impulse response */

/* Returns the fraction of the L1-pre energy orthogonal to the BPSK axis. */
static double energy_off_axis(dvbt2_demodulator *d)
{
    const dvbt2_parameters *p = &d->parameters;
    double off = 0, all = 0;
    dvbt2_channel_design(&d->channel);
    dvbt2_channel_first(&d->channel, d->reference, d->h);
    d->disturbance[d->reference] = 1;
    equalise(d, d->reference);
    for (uint32_t i = 0; i < DVBT2_L1_PRE_CELLS; i++) {
        if (dvbt2_l1_symbol(p, i) != d->reference)
            continue;
        const uint32_t c = dvbt2_l1_cell(p, i);
        const double weight = 1 / (double)d->noise[c], q = (double)cimagf(d->cells[c]);
        off += q * q * weight;
        all += (double)rx_power(d->cells[c]) * weight;
    }
    return all > 0 ? off / all : 1;
}

static void choose_reading(dvbt2_demodulator *d)
{
    uint32_t best = 0;
    double least = 1;
    for (uint32_t i = 0; i < d->channel.n_readings; i++) {
        dvbt2_channel_choose(&d->channel, i);
        const double off = energy_off_axis(d);
        if (off < least) {
            least = off;
            best = i;
        }
    }
    dvbt2_channel_choose(&d->channel, best);
}

static float noise_of_blanks(const dvbt2_demodulator *d)
{
    const dvbt2_channel *c = &d->channel;
    return c->noise > 0 ? 1 + d->ofdm.lost * c->signal / c->noise : 1;
}

/* Returns false if the mean power outside the carriers is unknown, or too high: the gain has fallen, or an
 * interferer has ended. */
static bool outside_known(const dvbt2_demodulator *d)
{
    return d->outside > 0 && d->ofdm.outside > d->outside / 2;
}

static float noise_outside(const dvbt2_demodulator *d)
{
    return outside_known(d) ? d->ofdm.outside / d->outside : 1;
}

/* Returns noise_outside() if significant, otherwise 1. Also returns 1 in a time-varying channel, where pilots
 * measure noise more accurately. */
static float noise_beside(const dvbt2_demodulator *d)
{
    const float bins = (float)(d->ofdm.length - d->ofdm.carriers) / 2, chance = 5 / sqrtf(bins);
    const float ratio = noise_outside(d);
    return d->channel.statistics.motion > 0 || fabsf(ratio - 1) < chance ? 1 : ratio;
}

/* Returns the last symbol's noise divided by the usual noise. */
static float noise_of_symbol(const dvbt2_demodulator *d)
{
    const float blanks = noise_of_blanks(d), beside = noise_beside(d);
    return blanks > 1 ? fmaxf(blanks, beside) : beside;
}

static float drowning_noise(const dvbt2_demodulator *d)
{
    const float noise = fmaxf(noise_of_blanks(d), noise_outside(d));
    return noise > BURST && noise * d->channel.noise > d->channel.signal ? noise : 0;
}

bool dvbt2_demodulator_hit(dvbt2_demodulator *d, const float complex *window)
{
    dvbt2_ofdm_transform(&d->ofdm, window, 0, d->carriers[0]);
    return drowning_noise(d) > 0;
}

static void measure_channel(dvbt2_demodulator *d, uint32_t l)
{
    if (dvbt2_channel_measure(&d->channel, l))
        d->outside = 0;
}

float dvbt2_demodulator_measure(dvbt2_demodulator *d, const float complex *window, int shift, bool search)
{
    const uint32_t l = d->reference;
    float complex *carriers = d->carriers[l % d->ring];
    dvbt2_ofdm_transform(&d->ofdm, window, shift, carriers);
    dvbt2_channel_read_p2(&d->channel, l, carriers, (float)dvbt2_pn_sign(l), noise_of_blanks(d));
    measure_channel(d, l);
    if (search && d->channel.n_readings > 1)
        choose_reading(d);
    const dvbt2_impulse *impulse = &d->channel.impulse;
    float highest = 0, sum = 0;
    for (uint32_t i = 0; i < impulse->length; i++) {
        highest = fmaxf(highest, impulse->power[i]);
        sum += impulse->power[i];
    }
    return sum > 0 ? highest / sum * (float)impulse->length : 0;
}

static void load(const dvbt2_pilot_list *list, const float complex *carriers, float sign, float complex *out)
{
    for (uint32_t i = 0; i < list->count; i++)
        out[i] = carriers[list->carrier[i]] * (list->inverse[i] * sign);
}

/* Removes the common phase and timing offset of symbol l. */
static void straighten(dvbt2_demodulator *d, uint32_t l)
{
    const dvbt2_parameters *p = &d->parameters;
    double slope = 2 * RX_PI * d->tracking.clock.value / p->fft_length;
    d->kernels->straighten(d->carriers[l % d->ring], p->carriers,
                           -d->tracking.phase - slope * (p->carriers - 1) / 2.0, slope);
}

static dvbt2_phase_sums compare(dvbt2_demodulator *d, const dvbt2_pilot_list *list, uint32_t l)
{
    load(list, d->carriers[l % d->ring], (float)dvbt2_pn_sign(l), d->now);
    dvbt2_exclude_pilots(&d->channel, list, d->now, d->before);
    return dvbt2_compare_pilots(d->now, d->before, list->carrier, list->count, d->parameters.carriers);
}

/* Returns the relative mean squared change of the channel per symbol. */
static double motion_of(const dvbt2_demodulator *d)
{
    const dvbt2_channel *c = &d->channel;
    const double dy = c->grid->classes > 0 ? c->grid->classes : 1;
    return (double)c->statistics.motion / (dy * dy * (double)fmaxf(c->signal, 1e-30f));
}

bool dvbt2_demodulator_moves(const dvbt2_demodulator *d)
{
    return motion_of(d) > little_motion;
}

bool dvbt2_demodulator_may_be_none(const dvbt2_demodulator *d, float coherence)
{
    return d->incoherence_at_start > 0 && 1 - coherence > 4 * d->incoherence_at_start + 0.1f;
}

static double common_phase(const dvbt2_demodulator *d)
{
    const dvbt2_speed *speed = &d->channel.variation.speed;
    if (d->channel.statistics.motion <= 0 || speed->power <= 0)
        return 1;
    const double unlike = fmax(0, 1 - speed->product / speed->power);
    return fading_phase / (fading_phase + unlike);
}

/* Returns the relative squared change of the channel since the previous symbol, or 0 if noise or a clock
 * offset explains it. */
static double change_of(const dvbt2_demodulator *d, const dvbt2_phase_sums *sums, uint32_t pilots,
                        float amplitude)
{
    const double noise = (double)(d->channel.noise / (amplitude * amplitude));
    const double power = (sums->now + sums->before) / 2 / pilots - noise;
    const double turned = sums->weight > 0 ? sums->slope * sums->slope / (2 * sums->weight) : 0;
    if (power <= 0)
        return 0;
    return fmax(0, 2 * (1 - (cabs(sums->sum) + turned) / pilots / power) -
                       chance_alike * sqrt(2 * noise / power / pilots));
}

static void track(dvbt2_demodulator *d, const dvbt2_pilot_list *list, const dvbt2_phase_sums *sums,
                  uint32_t l, float amplitude)
{
    /* a clock offset also rotates the pilots */
    const double motion = dvbt2_timing_explains(&d->tracking, sums) ? 0
                          : d->channel.statistics.measured          ? motion_of(d)
                                                           : change_of(d, sums, list->count, amplitude);
    const double known = dvbt2_demodulator_may_be_none(d, dvbt2_coherence(sums)) ? 0 : 1;
    const dvbt2_confidence confidence = {.still = little_motion / (little_motion + motion),
                                         .moving = known * motion / (little_motion + motion),
                                         .rates = known,
                                         .common = common_phase(d)};
    dvbt2_tracking_update(&d->tracking, sums, &confidence);
    double phase = d->tracking.phase;
    float complex turn = rx_cplx((float)cos(phase), (float)-sin(phase));
    for (uint32_t i = 0; i < list->count; i++)
        d->before[i] = rx_mul(d->now[i], turn);
    straighten(d, l);
}

static void track_p2(dvbt2_demodulator *d, uint32_t l)
{
    if (l == d->reference) {
        load(&d->grid.p2, d->carriers[l % d->ring], (float)dvbt2_pn_sign(l), d->before);
        return;
    }
    dvbt2_phase_sums sums = compare(d, &d->grid.p2, l);
    dvbt2_channel_follow(&d->channel, &sums, d->grid.p2.count, d->parameters.a_p2);
    track(d, &d->grid.p2, &sums, l, d->parameters.a_p2);
}

static void push_p2(dvbt2_demodulator *d, uint32_t l)
{
    const float burst = l != d->reference ? drowning_noise(d) : 0;
    d->disturbance[l % d->ring] = burst > 0 ? burst : noise_of_symbol(d);
    if (burst > 0 && l > d->reference) {
        dvbt2_tracking_coast(&d->tracking);
        straighten(d, l);
    } else if (l >= d->reference) {
        track_p2(d, l);
    }
    dvbt2_channel_read_p2(&d->channel, l, d->carriers[l % d->ring], (float)dvbt2_pn_sign(l),
                          burst > 0 ? burst : noise_of_blanks(d));
    if (l == d->reference) {
        measure_channel(d, l);
        /* channel.noise was measured in this symbol, so it already contains a burst */
        if (d->channel.statistics.weight <= 0 && d->channel.p2_weight[l] >= 1)
            d->disturbance[l % d->ring] = 1;
        dvbt2_channel_design(&d->channel);
        dvbt2_weigh_p2_pilots(&d->channel);
        dvbt2_weigh_pilots(&d->channel);
    }
}

static void expect_continual(dvbt2_demodulator *d, const dvbt2_pilot_list *list, uint32_t l)
{
    const dvbt2_symbol_layout *layout = dvbt2_pilots_symbol(d->pilots, l);
    for (uint32_t i = 0, p = 0; i < list->count; i++) {
        uint16_t k = list->carrier[i];
        d->before[i] = d->h[0][k];
        if (!d->parameters.mode.miso)
            continue;
        while (layout->pilot[p] < k)
            p++;
        d->before[i] += d->h[1][k] * (layout->amplitude[1][p] / layout->amplitude[0][p]);
    }
}

/* Maximum fraction of a symbol that may be blanked if its pilots are used. */
static const float few_lost = 0.02f;

/* Returns the noise power of a burst relative to the average noise, or 1 if there is no burst. */
static float disturbance_of(dvbt2_demodulator *d, const dvbt2_phase_sums *sums)
{
    const float unlike = 1 - dvbt2_coherence(sums);
    const float ratio = noise_outside(d);
    const bool still = d->channel.statistics.measured && motion_of(d) < little_motion;
    const bool noisy = ratio > BURST || still;
    const float blanks = noise_of_blanks(d);
    const bool hit = (d->incoherence > 0 && unlike > 4 * d->incoherence + 0.02f && noisy) ||
                     (blanks > BURST && d->ofdm.lost > few_lost);
    if (hit && d->disturbed < MOST_DISTURBED) {
        d->disturbed++;
        const float changed = d->incoherence > 0 ? unlike / d->incoherence : 1;
        return fmaxf(fmaxf(ratio, blanks), changed * (float)fmax(1, sums->now / sums->before));
    }
    const bool known = d->incoherence > 0 && d->disturbed < MOST_DISTURBED;
    d->incoherence = known ? 0.9f * d->incoherence + 0.1f * unlike : unlike;
    d->outside = known && outside_known(d) ? 0.97f * d->outside + 0.03f * d->ofdm.outside : d->ofdm.outside;
    d->disturbed = 0;
    return 1;
}

/* A gain step changes all pilots alike, fading does not. outside: d->outside before this symbol */
static void follow_gain(dvbt2_demodulator *d, const dvbt2_phase_sums *sums, uint32_t pilots, float outside)
{
    const double step = pilots < FEW_PILOTS ? 2 : 1.25;
    double ratio = sums->before > 0 ? sums->now / sums->before : 1, change = 0.5 * log(ratio);
    double motion = d->channel.statistics.measured ? motion_of(d) : 1 - (double)dvbt2_coherence(sums);
    if ((ratio > step || ratio < 1 / step) && change * change > FADING * motion) {
        dvbt2_channel_scale(&d->channel, (float)sqrt(ratio));
        dvbt2_carrier_noise_scale(&d->interference, (float)sqrt(ratio));
        d->outside = outside * (float)ratio;
    }
}

static void skip_pilots(dvbt2_demodulator *d, uint32_t l)
{
    dvbt2_tracking_coast(&d->tracking);
    straighten(d, l);
    dvbt2_channel_skip(&d->channel, l);
}

/* Compares a normal symbol with the previous symbol. */
static void push_next(dvbt2_demodulator *d, const dvbt2_pilot_list *list, uint32_t l)
{
    dvbt2_phase_sums sums = compare(d, list, l);
    const float outside = d->outside, disturbance = disturbance_of(d, &sums);
    d->tracking.coherence = dvbt2_coherence(&sums);
    if (disturbance > 1) {
        d->disturbance[l % d->ring] = disturbance;
        skip_pilots(d, l);
        return;
    }
    follow_gain(d, &sums, list->count, outside);
    d->disturbance[l % d->ring] = noise_of_symbol(d);
    dvbt2_channel_follow(&d->channel, &sums, list->count, d->parameters.a_cp);
    track(d, list, &sums, l, d->parameters.a_cp);
    dvbt2_channel_read(&d->channel, l, d->carriers[l % d->ring], (float)dvbt2_pn_sign(l));
}

/* Predicts the timing, because measured phases may wrap within the band. */
static void expect_timing(dvbt2_demodulator *d, const dvbt2_pilot_list *list)
{
    const dvbt2_parameters *p = &d->parameters;
    const double timing = dvbt2_tracking_expected_timing(&d->tracking);
    for (uint32_t i = 0; i < list->count; i++) {
        double angle = -2 * RX_PI * timing * (list->carrier[i] - (p->carriers - 1) / 2.0) / p->fft_length;
        d->before[i] = rx_mul(d->before[i], rx_cplx((float)cos(angle), (float)sin(angle)));
    }
    d->tracking.timing = timing;
}

static void push_estimated(dvbt2_demodulator *d, const dvbt2_pilot_list *list, uint32_t l, float amplitude)
{
    expect_timing(d, list);
    dvbt2_phase_sums sums = compare(d, list, l);
    d->disturbance[l % d->ring] = noise_of_symbol(d);
    if (d->disturbance[l % d->ring] > BURST) {
        skip_pilots(d, l);
        return;
    }
    track(d, list, &sums, l, amplitude);
    dvbt2_channel_read(&d->channel, l, d->carriers[l % d->ring], (float)dvbt2_pn_sign(l));
}

static void push_normal(dvbt2_demodulator *d, uint32_t l)
{
    const dvbt2_pilot_list *list = &d->grid.same[l % d->grid.classes];
    if (d->parameters.closing && l == d->parameters.n_symbols - 1) {
        list = &d->grid.closing_near;
        for (uint32_t i = 0; i < list->count; i++)
            d->before[i] = d->channel.last[list->point[i]];
        push_estimated(d, list, l, d->parameters.a_sp);
    } else if (l == d->parameters.n_p2) {
        expect_continual(d, list, l);
        push_estimated(d, list, l, d->parameters.a_cp);
    } else {
        push_next(d, list, l);
    }
}

static bool is_finite(const dvbt2_demodulator *d)
{
    const dvbt2_tracking *t = &d->tracking;
    const dvbt2_channel *c = &d->channel;
    const double loops = t->phase + t->timing + t->carrier.value + t->carrier.rate + t->carrier.drift +
                         t->clock.value + t->clock.rate + t->clock.drift + t->drift_power;
    const double levels = (double)(c->noise + c->signal + c->statistics.motion + c->p2_noise + d->outside) +
                          (double)(d->incoherence + t->coherence);
    return isfinite(loops) && isfinite(levels);
}

static void begin_again(dvbt2_demodulator *d)
{
    dvbt2_tracking_reset(&d->tracking, &d->parameters);
    dvbt2_demodulator_retune(d);
    d->channel.noise = d->channel.signal = d->channel.p2_noise = 0;
    for (int i = 0; i < 2; i++)
        d->channel.p2_interpolator.filter[i].n_mended = d->channel.interpolator.filter[i].n_mended = 0;
    d->tracking.coherence = 0;
}

void dvbt2_demodulator_push(dvbt2_demodulator *d, const float complex *window)
{
    uint32_t l = d->received++;
    dvbt2_ofdm_transform(&d->ofdm, window, 0, d->carriers[l % d->ring]);
    dvbt2_carrier_noise_tones(&d->interference, d->ofdm.tone, d->ofdm.n_tones);
    if (l < d->parameters.n_p2)
        push_p2(d, l);
    else
        push_normal(d, l);
    if (!is_finite(d))
        begin_again(d);
}

/* ---- cells out */

static bool ready(const dvbt2_demodulator *d, uint32_t l)
{
    if (l < d->parameters.n_p2)
        return d->received >= d->parameters.n_p2;
    return d->received >= d->parameters.n_symbols || d->received >= l + d->parameters.dy;
}

static void measure_interference(dvbt2_demodulator *d, uint32_t l)
{
    if (d->disturbance[l % d->ring] > BURST || dvbt2_demodulator_may_be_none(d, d->tracking.coherence))
        return;
    const dvbt2_received_symbol symbol = {
        .layout = dvbt2_pilots_symbol(d->pilots, l),
        .y = d->carriers[l % d->ring],
        .h = {d->h[0], d->parameters.mode.miso ? d->h[1] : NULL},
        .sign = (float)dvbt2_pn_sign(l),
        .noise = dvbt2_demodulator_noise(d, l),
        .error = d->channel.error
    };
    const float noise = dvbt2_carrier_noise_measure(&d->interference, &symbol);
    if (noise > symbol.noise && d->channel.noise > 0)
        d->disturbance[l % d->ring] = noise / d->channel.noise;
}

int dvbt2_demodulator_pull(dvbt2_demodulator *d)
{
    const uint32_t l = d->handed;
    if (l >= d->received || !ready(d, l))
        return -1;
    d->handed++;
    if (l < d->parameters.n_p2) {
        dvbt2_channel_p2(&d->channel, l, d->h);
        if (l == d->parameters.n_p2 - 1 && d->grid.points)
            dvbt2_channel_start(&d->channel, (const float complex *const *)d->h);
    } else {
        dvbt2_channel_estimate(&d->channel, l, d->h);
    }
    measure_interference(d, l);
    if (l % WEIGHED_SYMBOLS == 0)
        dvbt2_weigh_pilots(&d->channel);
    equalise(d, l);
    return (int)l;
}
