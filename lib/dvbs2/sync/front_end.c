/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/sync/front_end.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dvbs2/sync/centring.h"
#include "receiver/complex.h"
#include "receiver/samples.h"

enum {
    BLOCK = DVBS2_TIMING_BLOCK,
    BLOCKS = 64, /* blocks of the first measurement; it is repeated with more blocks if the line is weak */
    MOST_BLOCKS = DVBS2_MOST_TIMING_BLOCKS,
    MOST_SAMPLES = 1 << 21,
    /* number of blocks over which the timing loop averages; the maximum is for a weak line */
    LEAST_MEMORY = 64,
    MOST_MEMORY = 1024,
    LEAST_JUMP = 8, /* blocks over which a jump of the timing is averaged */
};

/* Maximum clock offset at the start, and after later drift, ppm. */
static const double most_ppm = 250, limit_ppm = 400;
/* A block with a larger timing error contains only noise. Symbols, and standard deviations. */
static const double most_error = 0.1, most_deviations = 3;
/* Minimum jump of the timing, symbols. Minimum ratio of the line after it to the line before it. */
static const double least_jump = 0.12, least_share = 0.6;
static const double occupied = 0.7; /* maximum half width of a carrier, in symbol rates */
/* Minimum ratio of the average line to its standard deviation: at the start, and in the timing loop. */
static const double least_start_ratio = 4, least_ratio = 5;

uint32_t dvbs2_front_end_stages(const dvbs2_front_end_params *p)
{
    const double needed = (p->offset_range + occupied * p->symbol_rate) / rx_decimator_pass;
    uint32_t stages = 0;
    while (p->offset_range > 0 && stages < RX_DECIMATOR_STAGES && p->sample_rate / (2u << stages) >= needed)
        stages++;
    return stages;
}

/* Uses the decimator if the part of the band with the carrier passes it. Returns false if there is not enough memory. */
static bool init_decimator(dvbs2_front_end *front)
{
    dvbs2_front_end_params *p = &front->params;
    const uint32_t stages = dvbs2_front_end_stages(p);
    const double rate = p->sample_rate;
    front->factor = 1u << stages;
    p->sample_rate /= front->factor;
    return !stages || rx_decimator_init(&front->decimator, p->format, p->offset / rate, stages);
}

bool dvbs2_front_end_init(dvbs2_front_end *front, const dvbs2_front_end_params *given)
{
    *front = (dvbs2_front_end){.params = *given, .blocks = BLOCKS, .most_blocks = BLOCKS};
    const dvbs2_front_end_params *params = &front->params;
    if (!init_decimator(front))
        return false;
    while (front->most_blocks < MOST_BLOCKS &&
           2 * front->most_blocks * BLOCK * params->sample_rate / params->symbol_rate <= MOST_SAMPLES)
        front->most_blocks *= 2;
    front->roll_off = params->roll_off > 0 ? params->roll_off : dvbs2_roll_offs[DVBS2_ROLL_OFFS - 1];
    const rx_resampler_params resampler = {.format = front->factor > 1 ? LDPC_CF32 : params->format,
                                           .input_rate = params->sample_rate,
                                           .output_rate = 2 * params->symbol_rate,
                                           .most_ppm = limit_ppm,
                                           .most_back = 2 * BLOCK * (front->most_blocks + 2),
                                           .roll_off = front->roll_off};
    front->pairs = ldpc_allocate(2 * BLOCK + 1, sizeof *front->pairs);
    front->lines = ldpc_allocate(front->most_blocks, sizeof *front->lines);
    if (!rx_resampler_init(&front->resampler, &resampler) || !front->pairs || !front->lines)
        return false;
    if (front->factor == 1)
        rx_resampler_set_carrier(&front->resampler, params->offset);
    return true;
}

void dvbs2_front_end_free(dvbs2_front_end *front)
{
    rx_decimator_free(&front->decimator);
    rx_resampler_free(&front->resampler);
    free(front->pairs);
    free(front->lines);
}

static void drop_earlier_samples(rx_resampler *r)
{
    rx_resampler_keep(r, 0);
    rx_resampler_write(r, NULL, 0);
    rx_resampler_keep(r, r->params.most_back);
}

void dvbs2_front_end_restart(dvbs2_front_end *front)
{
    drop_earlier_samples(&front->resampler);
    front->running = false;
    front->blocks = BLOCKS;
}

/* Returns whether the resampler has taken all outputs of the decimator. */
static bool pass_on(dvbs2_front_end *front)
{
    if (front->n_decimated == 0) /* then `decimated` may be NULL */
        return true;
    const size_t taken = rx_resampler_write(&front->resampler, front->decimated, front->n_decimated);
    front->decimated += 2 * taken;
    front->n_decimated -= taken;
    return front->n_decimated == 0;
}

size_t dvbs2_front_end_write(dvbs2_front_end *front, const void *samples, size_t count)
{
    if (front->factor == 1)
        return rx_resampler_write(&front->resampler, samples, count);
    const size_t bytes = rx_format_bytes(front->params.format);
    size_t done = 0;
    while (pass_on(front) && done < count) {
        const size_t n = count - done < RX_DECIMATOR_MOST ? count - done : RX_DECIMATOR_MOST;
        front->n_decimated =
            rx_decimator_run(&front->decimator, (const char *)samples + done * bytes, n, &front->decimated);
        done += n;
    }
    return done;
}

double dvbs2_front_end_power(const dvbs2_front_end *front)
{
    return front->factor == 1 ? front->resampler.imbalance.power : front->decimator.power;
}

size_t dvbs2_front_end_delay(const dvbs2_front_end *front)
{
    return (size_t)front->factor * (front->resampler.taps + (front->factor > 1 ? 2 * RX_HALF_BAND_TAPS : 0));
}

/* ---- timing line */

typedef float symbol_floats __attribute__((vector_size(16))); /* both samples of a symbol */

static symbol_floats load(const float *x)
{
    symbol_floats v;
    memcpy(&v, x, sizeof v);
    return v;
}

/* Each vector sums the squares or products of I and Q of both samples; two of them hide the latency of additions. */
static double complex line_of(const float complex *pairs)
{
    const float *x = (const float *)pairs;
    symbol_floats square[2] = {{0}}, product[2] = {{0}};
    for (size_t k = 0; k + 2 < BLOCK; k += 2)
        for (size_t i = 0; i < 2; i++) {
            const symbol_floats samples = load(x + 4 * (k + i));
            square[i] += samples * samples;
            product[i] += samples * load(x + 4 * (k + i) + 2); /* with the next sample */
        }
    const symbol_floats power = square[0] + square[1], correlation = product[0] + product[1];
    const double even = (double)(power[0] + power[1]), odd = (double)(power[2] + power[3]),
                 rising = (double)(correlation[0] + correlation[1]),
                 falling = (double)(correlation[2] + correlation[3]);
    return (even - odd + (rising - falling) * I) / fmax(even + odd, 1e-30);
}

static bool read_pairs(dvbs2_front_end *front)
{
    const size_t got = rx_resampler_read(&front->resampler, front->pairs, 2 * BLOCK);
    if (got == 2 * BLOCK)
        return true;
    rx_resampler_back(&front->resampler, (double)got);
    return false;
}

/* ---- first measurement */

/* Returns false if there is only noise in the first half of the samples, or not enough memory. */
static bool centre(dvbs2_front_end *front)
{
    rx_resampler *r = &front->resampler;
    dvbs2_centre found;
    const bool known = front->params.roll_off > 0;
    const double *tried = known ? &front->roll_off : dvbs2_roll_offs;
    const size_t n = known ? 1 : DVBS2_ROLL_OFFS;
    const double symbols_per_sample = front->params.symbol_rate / front->params.sample_rate;
    bool made = dvbs2_find_centre(r->re, r->im, r->held / 2, symbols_per_sample, tried, n, &found);
    if (made && found.empty)
        return false;
    made = made && dvbs2_find_centre(r->re, r->im, r->held, symbols_per_sample, tried, n, &found);
    front->failures += !made;
    if (!made)
        return false;
    rx_resampler_shift(r, found.frequency * front->params.sample_rate, 0, 0);
    if (found.roll_off != front->roll_off)
        rx_resampler_set_roll_off(r, found.roll_off);
    front->roll_off = found.roll_off;
    return true;
}

static double complex sum_of_lines(const dvbs2_front_end *front, double ppm)
{
    const double turn = 2 * RX_PI * 1e-6 * ppm * BLOCK;
    const double complex step = cexp(-I * turn);
    double complex sum = 0, factor = cexp(-I * turn / 2);
    for (uint32_t b = 0; b < front->blocks; b++, factor *= step)
        sum += front->lines[b] * factor;
    return sum;
}

/* Also sets the average line and the variance of a line. Returns the ratio of the average to its standard
 * deviation. */
static double measure_timing(dvbs2_front_end *front, double *timing, double *ppm)
{
    const double step = 250.0 / front->blocks; /* a quarter of a turn over all blocks */
    double highest = 0, power = 0;
    for (double offset = -most_ppm; offset <= most_ppm; offset += step) {
        const double here = cabs(sum_of_lines(front, offset));
        if (here <= highest)
            continue;
        highest = here;
        *ppm = offset;
    }
    const double before = cabs(sum_of_lines(front, *ppm - step)),
                 after = cabs(sum_of_lines(front, *ppm + step));
    const double bend = before - 2 * highest + after;
    if (bend < 0)
        *ppm += fmax(-0.5, fmin(0.5, (before - after) / (2 * bend))) * step;
    const double complex sum = sum_of_lines(front, *ppm);
    for (uint32_t b = 0; b < front->blocks; b++)
        power +=
            creal(front->lines[b]) * creal(front->lines[b]) + cimag(front->lines[b]) * cimag(front->lines[b]);
    *timing = carg(sum) / (2 * RX_PI);
    front->line = cabs(sum) / front->blocks;
    front->line_power = power / front->blocks;
    front->recent = front->line;
    return cabs(sum) / sqrt(fmax(power, 1e-30));
}

/* Measures frequency and timing. Returns false if more samples are needed. */
static bool start(dvbs2_front_end *front)
{
    rx_resampler *r = &front->resampler;
    double timing = 0, ppm = 0;
    const double needed = 2 * BLOCK * (front->blocks + 1.0) * r->step + r->taps;
    if ((double)r->held - r->position < needed)
        return false;
    rx_resampler_set_clock(r, 0);
    if (!centre(front)) {
        const double skipped = (double)BLOCK * front->blocks; /* half of the samples, two per symbol */
        rx_resampler_back(r, -skipped);
        front->read += skipped / 2;
        drop_earlier_samples(r);
        return false;
    }
    for (uint32_t b = 0; b < front->blocks; b++) {
        if (!read_pairs(front))
            return false;
        front->lines[b] = line_of(front->pairs);
    }
    const double ratio = measure_timing(front, &timing, &ppm);
    if (ratio < least_start_ratio && front->blocks < front->most_blocks) {
        rx_resampler_back(r, 2.0 * BLOCK * front->blocks);
        front->blocks *= 2;
        return false;
    }
    /* A symbol slightly before the first sample is the first symbol of a signal that begins with this sample. */
    timing -= floor(timing + fmin(0.05, 0.2 / r->step));
    rx_resampler_back(r, 2 * (BLOCK * (double)front->blocks - timing));
    rx_resampler_set_clock(r, ppm);
    rx_resampler_keep(r, 2 * BLOCK);
    front->running = true;
    front->first_carrier = r->carrier + (front->factor > 1 ? front->params.offset : 0);
    front->turned = front->change = 0;
    return true;
}

/* ---- tracking */

/* Returns the number of blocks over which the timing must be averaged, at least `least`. */
static double memory_of(const dvbs2_front_end *front, double least)
{
    const double line = creal(front->line) * creal(front->line);
    const double variance = fmax(front->line_power - line, 0);
    return fmax(least, fmin(MOST_MEMORY, least_ratio * least_ratio * variance / fmax(line, 1e-12)));
}

/* If samples are missing, the timing jumps. The loop would need LEAST_MEMORY blocks or more to follow. */
static void jump(dvbs2_front_end *front, double complex line)
{
    front->recent += (line - front->recent) / memory_of(front, LEAST_JUMP);
    const double error = carg(front->recent) / (2 * RX_PI);
    if (fabs(error) < least_jump || cabs(front->recent) < least_share * creal(front->line))
        return;
    rx_resampler_back(&front->resampler, -2 * error);
    front->recent = cabs(front->recent);
}

/* Second-order loop with the gains of a line fit over n blocks. */
static void track(dvbs2_front_end *front)
{
    rx_resampler *r = &front->resampler;
    const double n = memory_of(front, LEAST_MEMORY), gain = 2 * (2 * n - 1) / (n * (n + 1)),
                 rate_gain = 6 / (n * (n + 1));
    const double complex line = line_of(front->pairs);
    if (!isfinite(creal(line)) || !isfinite(cimag(line)) || line == 0)
        return; /* some samples are not numbers, or all are 0 */
    const double power = creal(line) * creal(line) + cimag(line) * cimag(line);
    front->line += (line - front->line) / n;
    front->line_power += (power - front->line_power) / n;
    jump(front, line);
    const double scale = 1 / (2 * RX_PI * fmax(creal(front->line), 1e-3));
    const double most = fmax(most_error, most_deviations * scale * sqrt(front->line_power / 2));
    const double error = fmax(-most, fmin(most, scale * cimag(line)));
    rx_resampler_back(r, -2 * gain * error);
    const double ppm = r->clock_ppm + 1e6 * rate_gain * error / BLOCK;
    rx_resampler_set_clock(r, fmax(-limit_ppm, fmin(limit_ppm, ppm)));
}

/* ---- oscillator */

/* Returns the number of symbols that are in the resampler. */
static double in_resampler(const rx_resampler *r)
{
    return fmax(0, ((double)r->held - r->position - r->taps / 2.0) / r->step / 2);
}

double dvbs2_front_end_pending(const dvbs2_front_end *front)
{
    return in_resampler(&front->resampler) + (double)front->n_decimated / front->resampler.step / 2;
}

bool dvbs2_front_end_retune(dvbs2_front_end *front, double change)
{
    rx_resampler *r = &front->resampler;
    if (!front->running || front->change != 0)
        return false;
    rx_resampler_set_carrier(r, r->carrier + change / (2 * RX_PI) * front->params.symbol_rate);
    front->change = change;
    front->change_in = in_resampler(r);
    return true;
}

/* Derotates symbols, which undoes all frequency changes of the oscillator since the start. */
static void turn_back(dvbs2_front_end *front, float complex *symbols, uint32_t count)
{
    front->resampler.kernels->straighten(symbols, count, front->phase, front->turned);
    front->phase = remainder(front->phase + front->turned * count, 2 * RX_PI);
}

static void keep_offset(dvbs2_front_end *front, float complex *symbols)
{
    uint32_t before = BLOCK;
    if (front->change != 0 && front->change_in < BLOCK)
        before = (uint32_t)fmax(0, front->change_in);
    if (front->turned != 0)
        turn_back(front, symbols, before);
    front->change_in -= BLOCK;
    if (before == BLOCK)
        return;
    front->turned += front->change;
    front->change = 0;
    turn_back(front, symbols + before, BLOCK - before);
}

/* ---- gaps */

void dvbs2_gaps_add(dvbs2_gaps *gaps, double at)
{
    gaps->count -= gaps->count == sizeof gaps->at / sizeof *gaps->at;
    gaps->at[gaps->count++] = at;
}

bool dvbs2_gaps_pass(dvbs2_gaps *gaps, double position)
{
    size_t passed = 0;
    while (passed < gaps->count && gaps->at[passed] < position)
        passed++;
    gaps->count -= passed;
    memmove(gaps->at, gaps->at + passed, gaps->count * sizeof *gaps->at);
    return passed > 0;
}

void dvbs2_front_end_gap(dvbs2_front_end *front)
{
    dvbs2_gaps_add(&front->gaps, front->read + dvbs2_front_end_pending(front));
}

bool dvbs2_front_end_read(dvbs2_front_end *front, float complex *symbols)
{
    if ((!front->running && !start(front)) || !read_pairs(front))
        return false;
    for (int k = 0; k < BLOCK; k++)
        symbols[k] = front->pairs[2 * k];
    keep_offset(front, symbols);
    front->read += BLOCK;
    front->missing = dvbs2_gaps_pass(&front->gaps, front->read);
    track(front);
    return true;
}
