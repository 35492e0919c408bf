/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/tracking.h"

#include <math.h>

#include "receiver/complex.h"

/* Averaging lengths, samples: 100 and 500 ms in 8 MHz channels. */
static const double carrier_memory = 914e3, clock_memory = 4572e3;
enum { LEAST_CARRIER_MEMORY = 24, LEAST_CLOCK_MEMORY = 120, LEAST_DRIFT_MEMORY = 10, DRIFT_MEMORY = 400 };
/* A clock offset changes the timing in every symbol. Fading resembles a timing change in single symbols. */
enum { LEAST_EXPLAINED = 2 };

/* If an error of phase (radians) or timing (samples) is larger, the radio has lost samples. */
static const double phase_jump = 1, timing_jump = 0.3;

/* Minimum coherence at which an error is a step of carrier or clock. */
static const float least_coherence = 0.5f;
/* Phase errors above this limit (radians) are not carrier steps, because their sign is uncertain. */
static const double most_phase_step = 2.5;
/* Minimum weight from which the limits of phase and timing jumps are computed. */
static const double least_still = 1e-3;
/* In a nearly static channel, the frequency drifts decay by this fraction per symbol. */
static const double drift_decay = 1.0 / 64;

/* A timing step is only tried if the coherence is lower than this. */
static const float step_coherence = 0.95f;
static const double sure_step = 1.03;
/* Maximum fraction of the pilot difference that remains after a timing correction if a clock offset explains
 * it. A clock offset leaves 1/7, fading leaves more. */
static const double left_by_timing = 1.0 / 3;

/* The result is unambiguous if the timing changed by less than four samples. */
static double slope_of_pairs(const float complex *now, const float complex *before, const uint16_t *carrier,
                             uint32_t count)
{
    const uint32_t apart = count / 8;
    float complex sum = 0;
    double distance = 0;
    for (uint32_t i = 0; i + apart < count; i++) {
        sum += rx_mul_conj(rx_mul_conj(now[i + apart], before[i + apart]), rx_mul_conj(now[i], before[i]));
        distance += carrier[i + apart] - carrier[i];
    }
    return distance > 0 ? (double)cargf(sum) * (count - apart) / distance : 0;
}

static inline float complex turned_product(float complex now, float complex before, double angle)
{
    return rx_mul(rx_mul_conj(now, before), rx_cplx((float)cos(angle), (float)-sin(angle)));
}

static void take_out_step(dvbt2_phase_sums *s, const float complex *now, const float complex *before,
                          const uint16_t *carrier, uint32_t count, double middle)
{
    const double turn = slope_of_pairs(now, before, carrier, count);
    float complex sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += turned_product(now[i], before[i], turn * (carrier[i] - middle));
    if ((double)cabsf(sum) < sure_step * cabs(s->sum)) /* the step is not significant */
        return;
    s->sum = (double complex)sum;
    s->turn = turn;
}

dvbt2_phase_sums dvbt2_compare_pilots(const float complex *now, const float complex *before,
                                      const uint16_t *carrier, uint32_t count, uint32_t carriers)
{
    dvbt2_phase_sums s = {0};
    const double middle = (carriers - 1) / 2.0;
    float complex first = 0;
    for (uint32_t i = 0; i < count; i++) {
        first += rx_mul_conj(now[i], before[i]);
        s.now += (double)rx_power(now[i]);
        s.before += (double)rx_power(before[i]);
    }
    s.sum = (double complex)first;
    s.untimed = dvbt2_coherence(&s);
    if (dvbt2_coherence(&s) < step_coherence)
        take_out_step(&s, now, before, carrier, count, middle);
    const float length = (float)cabs(s.sum);
    const float complex turn = length > 0 ? conjf((float complex)s.sum) / length : 1;
    double mean = 0, weights = 0;
    for (uint32_t i = 0; i < count; i++) {
        float complex z = rx_mul_conj(now[i], before[i]);
        double k = carrier[i] - middle, w = (double)cabsf(z);
        mean += w * k;
        weights += w;
    }
    mean /= weights > 0 ? weights : 1;
    for (uint32_t i = 0; i < count; i++) {
        float complex z = rx_mul(rx_mul_conj(now[i], before[i]), turn);
        double k = carrier[i] - middle;
        if (s.turn != 0)
            z = rx_mul(z, rx_cplx((float)cos(s.turn * k), (float)-sin(s.turn * k)));
        k -= mean;
        s.slope += k * (double)cimagf(z);
        s.weight += k * k * (double)crealf(z);
    }
    return s;
}

void dvbt2_tracking_reset(dvbt2_tracking *tracking, const dvbt2_parameters *parameters)
{
    tracking->symbol_length = parameters->symbol_length;
    tracking->fft_length = parameters->fft_length;
    double carrier = fmax(LEAST_CARRIER_MEMORY, carrier_memory / tracking->symbol_length);
    double clock = fmax(LEAST_CLOCK_MEMORY, clock_memory / tracking->symbol_length);
    rx_loop_start(&tracking->carrier, (uint32_t)carrier, true);
    rx_loop_start(&tracking->clock, (uint32_t)clock, true);
    dvbt2_tracking_start(tracking, 0);
    tracking->coherence = 1;
    tracking->drift_power = 0;
    tracking->drifted = 0;
}

/* Returns the phase change in radians of a tone of 1 cycle per sample during one symbol. */
static double turn_of_symbol(const dvbt2_tracking *tracking)
{
    return 2 * RX_PI * tracking->symbol_length;
}

void dvbt2_tracking_start(dvbt2_tracking *tracking, double drift)
{
    tracking->carrier.drift = tracking->carrier.removed =
        drift * turn_of_symbol(tracking) * tracking->symbol_length;
    rx_loop_coast(&tracking->carrier);
    rx_loop_coast(&tracking->clock);
    tracking->carrier.value = tracking->clock.value = 0;
    tracking->phase = tracking->timing = 0;
    tracking->explained = 0;
}

static double wrap(double angle)
{
    return angle - 2 * RX_PI * floor(angle / (2 * RX_PI) + 0.5);
}

float dvbt2_coherence(const dvbt2_phase_sums *sums)
{
    double energy = sqrt(sums->now * sums->before);
    return energy > 0 ? (float)(cabs(sums->sum) / energy) : 0;
}

static bool timing_explains(const dvbt2_phase_sums *sums)
{
    const double energy = sqrt(sums->now * sums->before);
    if (energy <= 0 || sums->weight <= 0)
        return false;
    const double timed = (cabs(sums->sum) + sums->slope * sums->slope / (2 * sums->weight)) / energy;
    return timed <= 1 && 1 - timed < left_by_timing * (1 - (double)sums->untimed);
}

bool dvbt2_timing_explains(dvbt2_tracking *tracking, const dvbt2_phase_sums *sums)
{
    tracking->explained = timing_explains(sums) ? tracking->explained + 1 : 0;
    return tracking->explained >= LEAST_EXPLAINED;
}

void dvbt2_tracking_coast(dvbt2_tracking *tracking)
{
    tracking->explained = 0;
    rx_loop_coast(&tracking->carrier);
    rx_loop_coast(&tracking->clock);
    tracking->phase = tracking->carrier.value;
    tracking->timing = tracking->clock.value;
}

/* Paths come from all directions, so the mean Doppler shift is the carrier offset. */
static void follow_drift(dvbt2_tracking *tracking, const dvbt2_phase_sums *sums, double moving)
{
    const double expected = tracking->phase + tracking->carrier.rate;
    const double ahead = cimag(sums->sum) * cos(expected) - creal(sums->sum) * sin(expected);
    if (tracking->drifted < DRIFT_MEMORY)
        tracking->drifted++;
    tracking->drift_power += (cabs(sums->sum) - tracking->drift_power) / tracking->drifted;
    if (tracking->drift_power > 0)
        tracking->carrier.rate +=
            moving * ahead / tracking->drift_power / (tracking->drifted + LEAST_DRIFT_MEMORY);
}

static void follow_timing(dvbt2_tracking *tracking, const dvbt2_phase_sums *sums, double still)
{
    if (sums->weight <= 0)
        return;
    /* a delay turns higher carriers backwards */
    const double change = -(sums->turn + sums->slope / sums->weight) * tracking->fft_length / (2 * RX_PI);
    tracking->timing += still * change + (1 - still) * tracking->clock.rate;
}

static double kept_drift(double still)
{
    return still < 0.5 ? still : 1 - drift_decay * (1 - still);
}

void dvbt2_tracking_update(dvbt2_tracking *tracking, const dvbt2_phase_sums *sums,
                           const dvbt2_confidence *confidence)
{
    tracking->coherence = dvbt2_coherence(sums);
    rx_loop *carrier = &tracking->carrier, *clock = &tracking->clock;
    if (confidence->moving > 0)
        follow_drift(tracking, sums, confidence->moving);
    const double kept = kept_drift(confidence->still);
    carrier->drift *= kept;
    clock->drift *= kept;
    const double expected = rx_loop_expected(carrier), error = wrap(carg(sums->sum) - expected);
    if (tracking->coherence < least_coherence || fabs(error) > most_phase_step)
        rx_loop_no_step(carrier);
    if (tracking->coherence < least_coherence)
        rx_loop_no_step(clock);
    tracking->phase = expected + confidence->common * error;
    const double still = fmax(confidence->still, least_still);
    rx_loop_update(carrier, confidence->still * error, phase_jump / still, confidence->rates);
    follow_timing(tracking, sums, confidence->still);
    rx_loop_update(clock, tracking->timing - rx_loop_expected(clock), timing_jump / still, confidence->rates);
}

double dvbt2_tracking_expected_timing(const dvbt2_tracking *tracking)
{
    return rx_loop_expected(&tracking->clock);
}

static double share_before(const dvbt2_tracking *tracking)
{
    return tracking->fft_length / (2 * tracking->symbol_length);
}

double dvbt2_tracking_carrier(dvbt2_tracking *tracking, double *drift)
{
    const double rate = rx_loop_take_drift(&tracking->carrier, share_before(tracking));
    *drift = tracking->carrier.removed / (turn_of_symbol(tracking) * tracking->symbol_length);
    return rate / turn_of_symbol(tracking);
}

double dvbt2_tracking_clock(dvbt2_tracking *tracking)
{
    return rx_loop_take_rate(&tracking->clock, share_before(tracking)) / tracking->symbol_length;
}
