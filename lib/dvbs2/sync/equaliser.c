/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/sync/equaliser.h"

#include <math.h>
#include <string.h>

#include "dvbs2/sync/least_squares.h"
#include "receiver/complex.h"

enum {
    SIDE = DVBS2_EQUALISER_SIDE,
    TAPS = DVBS2_EQUALISER_TAPS,
    /* maximum number of received symbols from which the channel is estimated */
    MEMORY = 5000,
};

static const double least_gain = 0.02; /* minimum relative reduction of the error */
/* Power of a significant path of the channel, relative to the variance of its estimate. The estimate without a path
 * is exponentially distributed. */
static const double certainty = 12;
static const double regularisation = 1e-5; /* relative to the power of the known symbols */
static const double share = 1 / 16.0;      /* of new symbols after which the taps are computed again */

static void forget(dvbs2_equaliser *e, uint32_t count)
{
    if (e->symbols + count <= MEMORY)
        return;
    const double weight = fmax(0, MEMORY - (double)count) / e->symbols;
    for (int k = 0; k < TAPS; k++) {
        for (int l = k; l < TAPS; l++)
            e->covariance[k][l] *= weight;
        e->correlation[k] *= weight;
    }
    e->energy *= weight;
    e->symbols *= weight;
}

static void add_covariance(dvbs2_equaliser *e, const float complex *x, uint32_t count, int lag)
{
    float complex sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += rx_mul_conj(x[i + (uint32_t)lag], x[i]);
    e->covariance[0][lag] += (double complex)sum;
    for (int k = 1; k + lag < TAPS; k++) {
        const float complex *first = x + k - 1, *after = first + count;
        sum += rx_mul_conj(after[lag], *after) - rx_mul_conj(first[lag], *first);
        e->covariance[k][k + lag] += (double complex)sum;
    }
}

void dvbs2_equaliser_learn(dvbs2_equaliser *e, const float complex *received, const float complex *expected,
                           uint32_t count, float amplitude)
{
    if (count < TAPS)
        return;
    const float complex *x = expected, *y = received + SIDE;
    const uint32_t rows = count - 2 * SIDE;
    float energy = 0, known = 0;
    for (uint32_t i = 0; i < rows; i++)
        energy += rx_power(y[i]);
    for (uint32_t i = 0; i < count; i++)
        known += rx_power(x[i]);
    if (!isfinite(energy) || !isfinite(known) || !(amplitude > 0))
        return;
    forget(e, rows);
    for (int lag = 0; lag < TAPS; lag++)
        add_covariance(e, x, rows, lag);
    for (int k = 0; k < TAPS; k++) {
        float complex sum = 0;
        for (uint32_t i = 0; i < rows; i++)
            sum += rx_mul_conj(y[i], x[i + (uint32_t)k]);
        e->correlation[k] += (double complex)sum / (double)amplitude;
    }
    e->energy += (double)energy / ((double)amplitude * (double)amplitude);
    e->symbols += rows;
    e->solved += rows;
}

bool dvbs2_equaliser_is_full(const dvbs2_equaliser *e)
{
    return e->symbols > MEMORY - 1;
}

typedef double complex matrix[TAPS][TAPS]; /* Hermitian; only [k][l] with k <= l is used */

static double power(double complex x)
{
    return creal(x) * creal(x) + cimag(x) * cimag(x);
}

/* Estimates the paths that are not excluded. Returns the variance of the noise. */
static double estimate(const dvbs2_equaliser *e, const bool excluded[TAPS], double complex channel[TAPS])
{
    matrix a;
    double residue = e->energy;
    int paths = 0;
    memcpy(a, e->covariance, sizeof a);
    for (int k = 0; k < TAPS; k++)
        a[k][k] += (excluded[k] ? 1e9 : regularisation) * e->symbols;
    dvbs2_solve_hermitian(&a[0][0], TAPS, e->correlation, channel);
    for (int k = 0; k < TAPS; k++) {
        residue -= creal(channel[k] * conj(e->correlation[k]));
        paths += !excluded[k];
    }
    return fmax(residue, 1e-6 * e->energy) / fmax(e->symbols - paths, 1);
}

/* Estimates the channel without paths that are not significant. */
static double estimate_channel(const dvbs2_equaliser *e, double complex channel[TAPS])
{
    bool excluded[TAPS] = {false};
    const double noise = estimate(e, excluded, channel);
    for (int k = 0; k < TAPS; k++)
        excluded[k] = k != SIDE && power(channel[k]) * (e->symbols - TAPS) < certainty * noise;
    return estimate(e, excluded, channel);
}

/* Computes the taps with the minimum mean square error. Returns the gain of the symbols. */
static double minimise(const double complex channel[TAPS], double noise, double complex taps[TAPS])
{
    matrix a;
    double complex target[TAPS];
    double gain = 0;
    for (int lag = 0; lag < TAPS; lag++) {
        double complex sum = lag == 0 ? noise : 0;
        for (int k = 0; k + lag < TAPS; k++)
            sum += conj(channel[k + lag]) * channel[k];
        for (int k = 0; k + lag < TAPS; k++)
            a[k][k + lag] = sum;
    }
    for (int k = 0; k < TAPS; k++)
        target[k] = conj(channel[TAPS - 1 - k]);
    dvbs2_solve_hermitian(&a[0][0], TAPS, target, taps);
    for (int k = 0; k < TAPS; k++)
        gain += creal(taps[k] * conj(target[k]));
    return gain;
}

void dvbs2_equaliser_solve(dvbs2_equaliser *e)
{
    double complex channel[TAPS], taps[TAPS];
    if (e->symbols < TAPS || e->solved < share * e->symbols)
        return;
    e->solved = 0;
    const double noise = estimate_channel(e, channel), gain = minimise(channel, noise, taps);
    double energy = noise;
    for (int k = 0; k < TAPS; k++)
        energy += power(channel[k]);
    const double before = energy / power(channel[SIDE]) - 1, after = (1 - gain) / gain;
    e->active = after > 0 && log(before / after) > least_gain;
    for (int k = 0; k < TAPS && e->active; k++)
        e->taps[k] = (float complex)(taps[k] / gain);
    e->noise = (float)after;
}
