/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/phase/phase_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/complex.h"

enum {
    PHASES = DVBS2_GRID_PHASES,
    QUARTER = PHASES / 4, /* phases of a quarter turn */
    REACH = 24,
};

static const double step = 2 * RX_PI / PHASES;
static const double least_walk = 1e-9; /* rad^2 per symbol */
static const float least_probability = 1e-9f;
/* Fraction of a frame's mean phase slope that is added to the frequency. */
static const double frequency_share = 0.25;

/* ---- likelihoods */

/* Converts logarithms of likelihoods to likelihoods, scaled to a maximum of 1. */
static void make_likelihoods(float *values, size_t count)
{
    float highest = values[0];
    for (size_t k = 1; k < count; k++)
        highest = values[k] > highest ? values[k] : highest;
    for (size_t k = 0; k < count; k++)
        values[k] = expf(values[k] - highest) + least_probability;
}

/* Limits the weight of a phase, 1 / variance. The grid cannot resolve standard deviations below half a step. */
static double limit(double weight)
{
    return fmin(weight, 4 / (step * step));
}

/* Integrates the derivative of the log-likelihood over the phases of the grid. The exact integral over a
 * quarter turn is 0, so a linear function is subtracted. */
static void of_cells(const dvbs2_reference *r, double line, double frequency, float *values)
{
    const double from = line - frequency * (r->count - 1) / 2,
                 weight = limit(r->count * r->decisions->information);
    double slope[QUARTER], sum = 0;
    for (int k = 0; k < QUARTER; k++)
        slope[k] =
            weight * dvbs2_decisions_phase(r->decisions, r->clean, r->count, from + k * step, frequency);
    for (int k = 0; k < QUARTER; k++) {
        values[k] = (float)sum;
        sum += step / 2 * (slope[k] + slope[(k + 1) % QUARTER]);
    }
    for (int k = 0; k < QUARTER; k++)
        values[k] -= (float)(sum * k / QUARTER);
    make_likelihoods(values, QUARTER);
    for (int k = QUARTER; k < PHASES; k++)
        values[k] = values[k - QUARTER];
}

static void of_known(const dvbs2_phase_grid *grid, const dvbs2_carrier *c, const dvbs2_reference *r,
                     double line, float *values)
{
    const float complex turn = rx_cplx((float)cos(line), (float)sin(line));
    const float complex sum = rx_mul_conj(r->halves[0] + r->halves[1], turn);
    const double level = fmax((double)cabsf(sum), 1e-30);
    const float weight = (float)(limit(2 * c->amplitude / c->noise * level) / level);
    for (int k = 0; k < PHASES; k++)
        values[k] = weight * crealf(rx_mul_conj(sum, grid->turns[k]));
    make_likelihoods(values, PHASES);
}

/* ---- forward and backward recursion */

/* Convolves probabilities with a Gaussian, then normalises their sum to 1. The variance is large enough for
 * the phase to move from one point of the grid to the next, because of a frequency error. */
static void spread(const float in[PHASES], double walked, float out[PHASES])
{
    const double variance = fmax(walked, step * step / 8);
    float around[PHASES + 2 * REACH], total = 0;
    for (int k = 0; k < PHASES + 2 * REACH; k++)
        around[k] = in[(k + PHASES - REACH) % PHASES];
    memset(out, 0, PHASES * sizeof *out);
    for (int n = 0; n <= REACH; n++) {
        const float tap = expf((float)(-0.5 * (n * step) * (n * step) / variance));
        if (tap < least_probability)
            break;
        const float *left = around + REACH - n, *right = around + REACH + n;
        for (int k = 0; k < PHASES; k++)
            out[k] += tap * (n > 0 ? left[k] + right[k] : left[k]);
    }
    for (int k = 0; k < PHASES; k++)
        total += out[k];
    for (int k = 0; k < PHASES; k++)
        out[k] /= total;
}

static void multiply(float *values, const float *by)
{
    for (int k = 0; k < PHASES; k++)
        values[k] *= by[k];
}

static double mean_phase(const dvbs2_phase_grid *grid, const float *forward, const float *backward)
{
    float complex sum = 0;
    for (int k = 0; k < PHASES; k++)
        sum += forward[k] * backward[k] * grid->turns[k];
    return (double)cargf(sum);
}

/* ---- a frame */

static bool make_room(dvbs2_phase_grid *grid, size_t count)
{
    if (count <= grid->room)
        return true;
    dvbs2_phase_grid_free(grid);
    for (int k = 0; k < PHASES; k++)
        grid->turns[k] = rx_cplx((float)cos(k * step), (float)sin(k * step));
    grid->likelihoods = ldpc_allocate(count * PHASES, sizeof *grid->likelihoods);
    grid->forward = ldpc_allocate(count * PHASES, sizeof *grid->forward);
    grid->room = grid->likelihoods && grid->forward ? count : 0;
    return grid->room > 0;
}

static void set_phases(const dvbs2_phase_grid *grid, double walk, dvbs2_reference *references, size_t count)
{
    float backward[PHASES], next[PHASES];
    for (int k = 0; k < PHASES; k++)
        backward[k] = 1;
    for (size_t i = count; i-- > 0;) {
        references[i].phase = mean_phase(grid, grid->forward + i * PHASES, backward);
        if (i == 0)
            break;
        memcpy(next, grid->likelihoods + i * PHASES, sizeof next);
        multiply(next, backward);
        spread(next, walk * (references[i].at - references[i - 1].at), backward);
    }
}

bool dvbs2_phase_grid_run(dvbs2_phase_grid *grid, dvbs2_carrier *carrier, double walk,
                          dvbs2_reference *references, size_t count)
{
    const double frequency = carrier->frequency, phase = carrier->phase, start = references[0].at;
    if (!make_room(grid, count))
        return false;
    walk = fmax(walk, least_walk);
    for (size_t i = 0; i < count; i++) {
        float *values = grid->likelihoods + i * PHASES, *forward = grid->forward + i * PHASES;
        const double line = phase + frequency * (references[i].at - start);
        if (references[i].decisions)
            of_cells(&references[i], line, frequency, values);
        else
            of_known(grid, carrier, &references[i], line, values);
        if (i > 0)
            spread(forward - PHASES, walk * (references[i].at - references[i - 1].at), forward);
        for (int k = 0; k < PHASES; k++)
            forward[k] = i > 0 ? forward[k] * values[k] : values[k];
    }
    set_phases(grid, walk, references, count);
    double walked = 0, last = references[0].phase;
    for (size_t i = 0; i < count; i++) {
        const double change = remainder(references[i].phase - last, 2 * RX_PI);
        last = references[i].phase;
        walked += i > 0 ? change : last;
        references[i].phase = phase + frequency * (references[i].at - start) + walked;
    }
    carrier->phase = remainder(references[count - 1].phase, 2 * RX_PI);
    carrier->frequency += frequency_share * (walked - remainder(references[0].phase - phase, 2 * RX_PI)) /
                          (references[count - 1].at - start);
    return true;
}

void dvbs2_phase_grid_free(dvbs2_phase_grid *grid)
{
    free(grid->likelihoods);
    free(grid->forward);
    *grid = (dvbs2_phase_grid){0};
}
