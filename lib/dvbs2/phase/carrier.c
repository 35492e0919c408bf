/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/phase/carrier.h"

#include <math.h>
#include <string.h>

#include "dvbs2/standard/pl_header.h"
#include "receiver/complex.h"

enum {
    PILOT_PERIOD = DVBS2_SECTION + DVBS2_PILOTS,
    /* number of frequencies tried on each side of the expected frequency */
    OFFSETS = 60,
    MOST_ALIASES = 30,
    WALK_FRAMES = 32, /* averaging lengths, frames */
    SLOPE_FRAMES = 24,
    SLOPE_LEAST = 8,      /* number of averaged frames before a false frequency is corrected */
    NOISE_SYMBOLS = 3500, /* number of symbols over which the noise is averaged (four frames with pilots) */
    /* number of blocks of cells in which the phase noise is measured */
    WALK_BLOCKS = 150,
};

static const double offset_step = 2 * RX_PI * 1e-4; /* radians per symbol */
/* Variance of the frequency change per symbol. */
static const double drift = 1e-12;
static const double least_walk = 1e-9, first_walk = 1e-6, most_walk = 1e-2; /* rad^2 per symbol */
static const double most_phase_noise =
    0.05;                              /* maximum noise of the phase of a pilot block at which phase changes
                                              * are measured, rad^2 (5.5 dB below 0 dB Es/N0) */
static const double most_error = 0.02; /* maximum mean square interpolation error of phases, relative to the
                                        * noise */
static const double start_frequency_error = 2e-4; /* standard deviation of the first frequency in frames with
                                                   * pilots, radians per symbol */
static const double most_walk_cycles = 0.25;      /* standard deviation of the phase noise between two
                                                   * headers, cycles */
/* number of standard errors by which the slope must exceed half of `alias` */
static const double slope_errors = 3;
/* If two frequencies differ by this value, they give the same phases at all pilot blocks. */
static const double alias = 2 * RX_PI / PILOT_PERIOD;

/* ---- references */

static float complex sum_of(const float complex *x, uint32_t count, double frequency, double from)
{
    float complex sum = 0, turn = rx_cplx((float)cos(frequency * from), (float)-sin(frequency * from));
    const float complex step = rx_cplx((float)cos(frequency), (float)-sin(frequency));
    for (uint32_t i = 0; i < count; i++, turn = rx_mul(turn, step))
        sum += rx_mul(x[i], turn);
    return sum;
}

static float complex whole(const dvbs2_reference *r)
{
    return r->halves[0] + r->halves[1];
}

static void add_up(dvbs2_reference *r, double frequency)
{
    const uint32_t half = r->count / 2;
    r->halves[0] = sum_of(r->clean, half, frequency, -(double)(r->count - 1) / 2);
    r->halves[1] = sum_of(r->clean + half, r->count - half, frequency, half - (double)(r->count - 1) / 2);
    r->energy = 0;
    for (uint32_t i = 0; i < r->count; i++)
        r->energy += rx_power(r->clean[i]);
}

static double wrap(double angle)
{
    return remainder(angle, 2 * RX_PI);
}

/* A VL-SNR frame has two headers. */
static bool is_vlsnr(const dvbs2_reference *references)
{
    return references[1].count > DVBS2_HEADER;
}

/* Returns the distance of two pilot blocks, or without pilots that of two headers, in symbols. */
static double period_of(const dvbs2_reference *references, size_t count)
{
    const size_t last = count > 3 ? count - 2 : 1;
    return references[last].at - references[last - 1].at;
}

/* ---- start */

static double highest_power(const dvbs2_reference *references, size_t count, double frequency)
{
    float power[2 * OFFSETS + 1] = {0};
    int best = 1;
    for (int o = 0; o <= 2 * OFFSETS; o++) {
        for (size_t i = 0; i < count; i++)
            power[o] += rx_power(
                sum_of(references[i].clean, references[i].count, frequency + (o - OFFSETS) * offset_step, 0));
        best = power[o] > power[best] && o < 2 * OFFSETS ? o : best;
    }
    const double before = (double)power[best - 1], here = (double)power[best],
                 after = (double)power[best + 1];
    const double bend = before - 2 * here + after, peak = bend < 0 ? (before - after) / (2 * bend) : 0;
    return frequency + (best - OFFSETS + fmax(-1, fmin(1, peak))) * offset_step;
}

/* Returns the phase change over `period` symbols, minus the change that `frequency` causes. */
static double advance(const dvbs2_reference *references, size_t count, double period, double frequency)
{
    float complex sum = 0;
    const size_t header = count > 2; /* if there are pilots, the headers are not used */
    for (size_t i = header + is_vlsnr(references); i + 1 + header < count; i++)
        sum += rx_mul_conj(whole(&references[i + 1]), whole(&references[i]));
    return rx_power(sum) > 0 ? wrap((double)cargf(sum) - frequency * period) : 0;
}

static void set_level(dvbs2_carrier *carrier, const dvbs2_reference *references, size_t count)
{
    double energy = 0, symbols = 0, coherent = 0;
    for (size_t i = 0; i < count; i++) {
        energy += (double)references[i].energy;
        symbols += references[i].count;
        coherent += (double)cabsf(whole(&references[i]));
    }
    carrier->amplitude = coherent / symbols;
    carrier->noise =
        fmax(energy / symbols - carrier->amplitude * carrier->amplitude, 1e-6 * energy / symbols);
}

/* Without pilots, several frequencies explain the phases of the first frame's two headers. */
static void allow_aliases(dvbs2_carrier *carrier, double period, size_t headers)
{
    const double ratio = carrier->noise / (carrier->amplitude * carrier->amplitude);
    const double error = sqrt(6 * ratio / ((double)headers * pow(DVBS2_HEADER, 3))),
                 cycle = 2 * RX_PI / period;
    carrier->start_error = fmin(3 * error, MOST_ALIASES * cycle);
    carrier->variance[2] = pow(most_walk_cycles * cycle, 2);
}

void dvbs2_carrier_start(dvbs2_carrier *carrier, dvbs2_reference *references, size_t first_frame, size_t all,
                         double frequency)
{
    const size_t count = first_frame;
    const bool pilots = count > 3;
    const double period = period_of(references, count);
    *carrier = (dvbs2_carrier){.walk = first_walk, .start_error = is_vlsnr(references) ? 0 : alias};
    carrier->frequency = highest_power(references, all, frequency);
    for (size_t i = 0; i < count; i++)
        add_up(&references[i], carrier->frequency);
    carrier->frequency += advance(references, count, period, carrier->frequency) / period;
    for (size_t i = 0; i < count; i++)
        add_up(&references[i], carrier->frequency);
    set_level(carrier, references, count);
    carrier->phase = (double)cargf(whole(&references[0]));
    carrier->variance[0] =
        carrier->noise / (carrier->amplitude * carrier->amplitude) / (2 * references[0].count);
    carrier->variance[2] = start_frequency_error * start_frequency_error;
    if (!pilots)
        allow_aliases(carrier, period, all / 2 + 1);
}

double dvbs2_carrier_alias(uint32_t length)
{
    return length > 0 ? 2 * RX_PI / length : alias;
}

void dvbs2_carrier_shift(dvbs2_carrier *carrier, double change)
{
    carrier->frequency += change;
    carrier->slope_frames = 0;
    carrier->slope[0] = carrier->slope[1] = 0;
}

/* ---- the filter */

static void predict(const dvbs2_carrier *c, double symbols, double walk, dvbs2_filtered *f)
{
    const double *v = c->variance, turn = drift * symbols;
    f->symbols = symbols;
    f->ahead_phase = c->phase + symbols * c->frequency;
    f->ahead_variance[0] = v[0] + 2 * symbols * v[1] + symbols * symbols * (v[2] + turn / 3) + walk * symbols;
    f->ahead_variance[1] = v[1] + symbols * (v[2] + turn / 2);
    f->ahead_variance[2] = v[2] + turn;
}

static double innovation(const dvbs2_carrier *c, const dvbs2_reference *r, double *variance)
{
    const double ahead = r->filtered.ahead_phase;
    if (!r->decisions) {
        *variance = c->noise / (2 * c->amplitude * c->amplitude * r->count);
        return wrap((double)cargf(whole(r)) - ahead);
    }
    *variance = 1 / (r->count * r->decisions->information);
    return dvbs2_decisions_phase(r->decisions, r->clean, r->count, ahead - c->frequency * (r->count - 1) / 2,
                                 c->frequency);
}

/* Returns the innovation. */
static double correct(dvbs2_carrier *c, dvbs2_reference *r)
{
    dvbs2_filtered *f = &r->filtered;
    const double *v = f->ahead_variance;
    double measured;
    const double error = innovation(c, r, &measured);
    const double gain = v[0] / (v[0] + measured), frequency_gain = v[1] / (v[0] + measured);
    c->phase = f->ahead_phase + gain * error;
    c->frequency += frequency_gain * error;
    c->variance[0] = (1 - gain) * v[0];
    c->variance[1] = (1 - gain) * v[1];
    c->variance[2] = v[2] - frequency_gain * v[1];
    f->phase = c->phase;
    f->frequency = c->frequency;
    memcpy(f->variance, c->variance, sizeof f->variance);
    return error;
}

/* Rauch-Tung-Striebel smoother. */
static void smooth(dvbs2_reference *references, size_t count)
{
    double phase = references[count - 1].filtered.phase, frequency = references[count - 1].filtered.frequency;
    references[count - 1].phase = phase;
    for (size_t i = count - 1; i-- > 0;) {
        const dvbs2_filtered *f = &references[i].filtered, *next = &references[i + 1].filtered;
        const double *v = f->variance, *a = next->ahead_variance, t = next->symbols;
        const double p0 = v[0] + t * v[1], p1 = v[1], q0 = v[1] + t * v[2], q1 = v[2]; /* variance times F' */
        const double det = a[0] * a[2] - a[1] * a[1];
        const double e0 = phase - next->ahead_phase, e1 = frequency - f->frequency;
        const double s0 = (a[2] * e0 - a[1] * e1) / det, s1 = (a[0] * e1 - a[1] * e0) / det;
        phase = f->phase + p0 * s0 + p1 * s1;
        frequency = f->frequency + q0 * s0 + q1 * s1;
        references[i].phase = phase;
    }
}

/* Returns the correlation of successive innovations. */
static double run(dvbs2_carrier *c, dvbs2_reference *references, size_t count, double walk)
{
    double last = 0, product = 0, power = 1e-30;
    references[0].filtered = (dvbs2_filtered){.phase = c->phase, .frequency = c->frequency};
    memcpy(references[0].filtered.variance, c->variance, sizeof c->variance);
    for (size_t i = 1; i < count; i++) {
        predict(c, references[i].at - references[i - 1].at, walk, &references[i].filtered);
        const double error = correct(c, &references[i]);
        const double of_cells = references[i].decisions ? error : 0;
        product += of_cells * last;
        power += of_cells * of_cells;
        last = of_cells;
    }
    smooth(references, count);
    return product / power;
}

/* ---- measurements */

static void measure_walk(dvbs2_carrier *c, const dvbs2_reference *references, size_t count)
{
    const double period = period_of(references, count);
    double sum = 0, n = 0;
    for (size_t i = 1 + is_vlsnr(references); i + 3 < count; i++, n++) {
        const float complex a = whole(&references[i]), b = whole(&references[i + 1]);
        const float complex d = rx_mul_conj(rx_mul_conj(whole(&references[i + 2]), b), rx_mul_conj(b, a));
        sum += (double)cargf(d) * (double)cargf(d);
    }
    const double phase_noise = c->noise / (2 * c->amplitude * c->amplitude * DVBS2_PILOTS);
    if (n == 0 || phase_noise > most_phase_noise)
        return;
    c->walk_weight += c->walk_weight < WALK_FRAMES;
    c->walk += ((sum / n - 6 * phase_noise) / (2 * period) - c->walk) / c->walk_weight;
}

/* The pilots may have locked to a false frequency. It then differs from the true frequency by a multiple of
 * `alias`. */
static void measure_slope(dvbs2_carrier *c, const dvbs2_reference *references, size_t count)
{
    double complex sum[2] = {0};
    for (size_t i = 1; i < count; i++)
        sum[i + 1 == count] += (double complex)rx_mul_conj(references[i].halves[1], references[i].halves[0]);
    c->slope_frames += c->slope_frames < SLOPE_FRAMES;
    const double noise = c->noise / (c->amplitude * c->amplitude);
    double offset = 0, weights = 0, variance = 0;
    for (int header = 0; header < 2; header++) {
        const double span = header ? DVBS2_HEADER / 2 : DVBS2_PILOTS / 2;
        const double products = c->slope_frames * (header ? 1.0 : fmax(1, (double)count - 2));
        c->slope[header] += (sum[header] - c->slope[header]) / c->slope_frames;
        const double weight = cabs(c->slope[header]) * span * span;
        offset += weight * carg(c->slope[header]) / span;
        weights += weight;
        variance += weight * weight * noise * (2 + noise / span) / (2 * products * span * span * span);
    }
    const double error = weights > 0 ? sqrt(variance) / weights : 0;
    const double mean = weights > 0 ? offset / weights : 0;
    const bool certain = fabs(mean) > alias / 2 + slope_errors * error;
    if (c->slope_frames >= SLOPE_LEAST && count > 3 && certain)
        dvbs2_carrier_shift(c, rint(mean / alias) * alias);
}

static void measure_level(dvbs2_carrier *c, const dvbs2_reference *references, size_t count)
{
    double energy = 0, symbols = 0, coherent = 0;
    for (size_t i = 0; i < count; i++) {
        const float complex sum = whole(&references[i]);
        const double phase = count > 2 ? references[i].phase : (double)cargf(sum);
        energy += (double)references[i].energy;
        symbols += references[i].count;
        coherent += (double)crealf(sum) * cos(phase) + (double)cimagf(sum) * sin(phase);
    }
    const double amplitude = fmax(coherent / symbols, 1e-3 * sqrt(energy / symbols));
    const double noise = fmax(energy / symbols - amplitude * amplitude, 1e-6 * energy / symbols);
    const double scale = amplitude * amplitude / (c->amplitude * c->amplitude);
    c->amplitude = amplitude;
    const double before = c->noise * scale, change = noise / before;
    c->noise_symbols = change > 0.5 && change < 2 ? fmin(c->noise_symbols + symbols, NOISE_SYMBOLS) : symbols;
    c->noise = before + (noise - before) * fmin(1, symbols / c->noise_symbols);
}

void dvbs2_carrier_track(dvbs2_carrier *carrier, dvbs2_reference *references, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_up(&references[i], carrier->frequency);
    run(carrier, references, count, fmax(carrier->walk, least_walk));
    measure_level(carrier, references, count);
    measure_walk(carrier, references, count);
    if (!is_vlsnr(references))
        measure_slope(carrier, references, count);
    carrier->phase = wrap(carrier->phase);
}

void dvbs2_carrier_use_headers(dvbs2_carrier *c, const dvbs2_carrier *before,
                               const dvbs2_reference headers[2])
{
    const double span = headers[1].at - headers[0].at, error = 2 * RX_PI * most_walk_cycles / span;
    c->phase = (double)cargf(whole(&headers[1]));
    const double change = c->phase - (double)cargf(whole(&headers[0]));
    c->frequency = before->frequency + wrap(change - before->frequency * span) / span;
    c->variance[0] = c->noise / (2 * c->amplitude * c->amplitude * DVBS2_HEADER);
    c->variance[1] = 0;
    c->variance[2] = error * error;
}

/* ---- the second pass */

bool dvbs2_carrier_walks(const dvbs2_carrier *carrier)
{
    const double noise = carrier->noise / (carrier->amplitude * carrier->amplitude);
    return carrier->walk * PILOT_PERIOD / 6 > most_error * noise;
}

void dvbs2_carrier_refine(dvbs2_carrier *c, const dvbs2_carrier *before, dvbs2_reference *references,
                          size_t count)
{
    c->phase = before->phase;
    c->frequency = before->frequency;
    memcpy(c->variance, before->variance, sizeof c->variance);
    if (c->fine_walk == 0)
        c->fine_walk = first_walk;
    const double correlation = run(c, references, count, c->fine_walk);
    const double gain = fmin(4, (double)count / WALK_BLOCKS);
    c->fine_walk = fmax(least_walk, fmin(most_walk, c->fine_walk * exp(gain * correlation)));
    c->phase = wrap(c->phase);
}
