/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "receiver/resampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <volk/volk.h>

#include "base/memory.h"
#include "receiver/complex.h"
#include "receiver/kaiser.h"
#include "receiver/kernels.h"
#include "receiver/samples.h"

/* Transition width relative to the occupied bandwidth. An adjacent channel begins at 0.03. */
static const double narrow_transition = 0.035, wide_transition = 0.12;
static const double high_rate = 1.3; /* input rate / output rate */
static const double stop_band_db = 66;
/* Matched filter with intersymbol interference below -49 dB. */
static const double least_symbols = 8, symbols_by_roll_off = 2.4, matched_beta = 1.5;
enum { BUFFER_CHUNKS = 4, LANES = 16, ROW_ALIGNMENT = 64 };

/* Impulse response of the ideal low-pass filter at sample x, relative to its maximum. */
static double sinc(double x, double cut)
{
    return x == 0 ? 1 : sin(2 * RX_PI * cut * x) / (2 * RX_PI * cut * x);
}

/* Returns the root raised cosine pulse at time t. t is in symbols. */
static double pulse(double t, double roll_off)
{
    const double slow = 1 - roll_off, fast = 1 + roll_off, pole = 4 * roll_off * t;
    if (fabs(fabs(pole) - 1) < 1e-6)
        return roll_off / sqrt(2) *
               ((1 + 2 / RX_PI) * sin(RX_PI / 4 / roll_off) + (1 - 2 / RX_PI) * cos(RX_PI / 4 / roll_off));
    return (slow * sinc(t, slow / 2) + 4 * roll_off / RX_PI * cos(RX_PI * fast * t)) / (1 - pole * pole);
}

/* cut: band edge, cycles per sample; 0: matched filter */
static void fill_filter(rx_resampler *r, double cut)
{
    const double beta = cut > 0 ? 0.1102 * (stop_band_db - 8.7) : matched_beta, centre = r->taps / 2.0 - 0.5;
    const double symbols = r->params.output_rate / (2 * r->params.input_rate); /* symbols per sample */
    for (uint32_t p = 0; p <= RX_PHASES; p++) {
        float *row = r->filter + (size_t)p * r->taps;
        double sum = 0;
        for (uint32_t t = 0; t < r->taps; t++) {
            double x = t - centre + 0.5 - (double)p / RX_PHASES, w = 2 * x / r->taps;
            double shape = cut > 0 ? sinc(x, cut) : pulse(symbols * x, r->params.roll_off);
            double tap = shape * rx_kaiser(w, beta);
            row[t] = (float)tap;
            sum += tap;
        }
        for (uint32_t t = 0; t < r->taps; t++)
            row[t] = (float)(row[t] / sum);
    }
}

static size_t buffer_size(const rx_resampler *r)
{
    return r->history + r->taps + (size_t)BUFFER_CHUNKS * RX_CHUNK;
}

/* Returns the number of taps of the matched filter. */
static uint32_t matched_taps(const rx_resampler_params *p)
{
    /* maximum number of input samples per output, relative to the nominal number */
    const double samples = p->input_rate / p->output_rate * 2;
    const double taps = 2 * samples * fmax(least_symbols, symbols_by_roll_off / p->roll_off);
    return (uint32_t)(ceil(taps / LANES) * LANES);
}

bool rx_resampler_init(rx_resampler *r, const rx_resampler_params *params)
{
    const double input_rate = params->input_rate, output_rate = params->output_rate,
                 occupied = params->occupied;
    memset(r, 0, sizeof *r);
    r->params = *params;
    rx_imbalance_init(&r->imbalance, input_rate);
    r->kernels = rx_kernels_best();
    double pass = occupied / 2, stop = fmin(input_rate, output_rate) - pass;
    stop = fmin(
        stop, pass + occupied * (input_rate > high_rate * output_rate ? narrow_transition : wide_transition));
    const double taps = (stop_band_db - 7.95) / (14.36 * (stop - pass) / input_rate);
    r->taps = params->roll_off > 0 ? matched_taps(params) : (uint32_t)(ceil(taps / LANES) * LANES);
    rx_resampler_keep(r, params->most_back);
    r->room = buffer_size(r);
    r->filter = volk_malloc((size_t)(RX_PHASES + 1) * r->taps * sizeof *r->filter, ROW_ALIGNMENT);
    r->re = ldpc_allocate(r->room + RX_RESAMPLE_PADDING, sizeof *r->re);
    r->im = ldpc_allocate(r->room + RX_RESAMPLE_PADDING, sizeof *r->im);
    r->scratch = ldpc_allocate(2 * (size_t)RX_CHUNK, sizeof *r->scratch);
    if (!r->filter || !r->re || !r->im || !r->scratch)
        return false;
    fill_filter(r, params->roll_off > 0 ? 0 : (pass + stop) / 2 / input_rate);
    rx_resampler_set_clock(r, 0);
    rx_resampler_reset(r);
    return true;
}

void rx_resampler_set_roll_off(rx_resampler *r, double roll_off)
{
    const double before = r->taps;
    r->params.roll_off = roll_off;
    r->taps = matched_taps(&r->params);
    r->position = fmax(0, r->position + (before - r->taps) / 2); /* smaller deviations are rounding errors */
    fill_filter(r, 0);
}

void rx_resampler_free(rx_resampler *r)
{
    volk_free(r->filter);
    free(r->re);
    free(r->im);
    free(r->scratch);
    memset(r, 0, sizeof *r);
}

void rx_resampler_reset(rx_resampler *r)
{
    r->held = r->taps / 2 - 1;
    memset(r->re, 0, r->held * sizeof *r->re);
    memset(r->im, 0, r->held * sizeof *r->im);
    r->position = r->phase = 0;
}

void rx_resampler_set_clock(rx_resampler *r, double ppm)
{
    r->clock_ppm = ppm;
    r->step = r->params.input_rate * (1 + 1e-6 * ppm) / r->params.output_rate;
}

void rx_resampler_set_carrier(rx_resampler *r, double hertz)
{
    r->carrier = hertz;
}

void rx_resampler_shift(rx_resampler *r, double hertz, double drift, double turns)
{
    const double rate = r->params.input_rate, next = r->position + r->taps / 2.0 - 1;
    const double seconds = ((double)r->held - next) / rate; /* time from the next output to the next input */
    for (size_t n = 0; n < r->held; n++) {
        const double t = ((double)n - next) / rate, angle = 2 * RX_PI * (turns - (hertz + drift / 2 * t) * t);
        float complex x = rx_mul(rx_cplx(r->re[n], r->im[n]), rx_cplx((float)cos(angle), (float)sin(angle)));
        r->re[n] = crealf(x);
        r->im[n] = cimagf(x);
    }
    r->phase += turns - (hertz + drift / 2 * seconds) * seconds;
    r->phase -= floor(r->phase);
    r->carrier += hertz + drift * seconds;
    r->drift += drift;
}

static void negate(float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = -values[i];
}

void rx_resampler_mirror(rx_resampler *r)
{
    negate(r->im, r->held);
    r->mirrored = !r->mirrored;
    r->carrier = -r->carrier;
    r->drift = -r->drift;
    r->phase = -r->phase;
}

void rx_resampler_keep(rx_resampler *r, uint32_t outputs)
{
    const double longest_step = 1 + 1e-6 * r->params.most_ppm;
    r->history = (size_t)ceil(outputs * longest_step * r->params.input_rate / r->params.output_rate);
}

bool rx_resampler_back(rx_resampler *r, double outputs)
{
    const double position = r->position - outputs * r->step;
    if (position < -0.5) /* a smaller deviation is a rounding error */
        return false;
    r->position = fmax(0, position);
    return true;
}

/* Drops samples that are older than the history. */
static void compact(rx_resampler *r)
{
    size_t done = r->position > (double)r->history ? (size_t)r->position - r->history : 0;
    if (done > r->held)
        done = r->held;
    r->held -= done;
    r->position -= (double)done;
    memmove(r->re, r->re + done, r->held * sizeof *r->re);
    memmove(r->im, r->im + done, r->held * sizeof *r->im);
}

static void append(rx_resampler *r, const void *samples, size_t count)
{
    rx_samples_to_float(r->params.format, samples, count, r->scratch);
    rx_limiter_run(&r->limiter, r->kernels, r->scratch, count);
    rx_imbalance_correct(&r->imbalance, r->kernels, r->scratch, count);
    for (size_t i = 0; i < count && r->mirrored; i++)
        r->scratch[2 * i + 1] = -r->scratch[2 * i + 1];
    const double drift = r->drift * (double)count / r->params.input_rate;
    const double turns = -(r->carrier + drift / 2) / r->params.input_rate;
    r->kernels->mix(r->scratch, count, 2 * RX_PI * r->phase, 2 * RX_PI * turns, r->re + r->held,
                    r->im + r->held);
    r->phase += turns * (double)count;
    r->phase -= floor(r->phase);
    r->carrier += drift;
    r->held += count;
}

size_t rx_resampler_write(rx_resampler *r, const void *samples, size_t count)
{
    const size_t bytes = rx_format_bytes(r->params.format);
    const size_t most = buffer_size(r);
    if (r->held + RX_CHUNK > most)
        compact(r);
    size_t taken = 0;
    while (taken < count && r->held < most) {
        size_t n = count - taken;
        if (n > RX_CHUNK)
            n = RX_CHUNK;
        if (n > most - r->held)
            n = most - r->held;
        append(r, (const char *)samples + taken * bytes, n);
        taken += n;
    }
    return taken;
}

size_t rx_resampler_read(rx_resampler *r, float complex *out, size_t count)
{
    if (r->held < r->taps + 1)
        return 0;
    double last = (double)(r->held - r->taps - 1);
    if (r->position > last)
        return 0;
    double available = floor((last - r->position) / r->step) + 1;
    if (available < (double)count)
        count = (size_t)available;
    r->position =
        r->kernels->resample(r->re, r->im, r->filter, r->taps, r->position, r->step, (float *)out, count);
    return count;
}
