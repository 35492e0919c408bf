/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/sync/equaliser.h"

#include <math.h>

#include "receiver/complex.h"

enum {
    SIDE = DVBS2_EQUALISER_SIDE,
    TAPS = DVBS2_EQUALISER_TAPS,
    /* maximum number of known symbols from which the taps are computed */
    MEMORY = 20000,
};

static const double least_gain = 0.02; /* minimum relative reduction of the error */
/* A gain up to this multiple of the mean gain may be caused by the pattern of the known symbols. */
static const double most_pattern = 2;
/* The gain must exceed this multiple of the gain without intersymbol interference. */
static const double certainty = 3;
static const double least_noise = 1e-5; /* regularisation, relative to the power */

static void forget(dvbs2_equaliser *e, uint32_t count)
{
    if (e->symbols + count <= MEMORY)
        return;
    const double weight = (MEMORY - count) / e->symbols;
    for (int k = 0; k < TAPS; k++) {
        for (int l = k; l < TAPS; l++)
            e->covariance[k][l] *= weight;
        e->correlation[k] *= weight;
    }
    e->symbols *= weight;
}

static void add_covariance(dvbs2_equaliser *e, const float complex *y, uint32_t count, int lag, double weight)
{
    float complex sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += rx_mul_conj(y[i + (uint32_t)lag], y[i]);
    for (int k = 0; k + lag < TAPS; k++) {
        e->covariance[k][k + lag] += weight * (double complex)sum;
        const float complex *first = y + k, *after = first + count;
        sum += rx_mul_conj(after[lag], *after) * (k + lag + 1 < TAPS) - rx_mul_conj(first[lag], *first);
    }
}

void dvbs2_equaliser_learn(dvbs2_equaliser *e, const float complex *received, const float complex *expected,
                           uint32_t count, float amplitude)
{
    const float complex *y = received - SIDE;
    float energy = 0;
    for (uint32_t i = 0; i < count + 2 * SIDE; i++)
        energy += rx_power(y[i]);
    for (uint32_t i = 0; i < count; i++)
        energy += rx_power(expected[i]);
    if (!isfinite(energy) || !(amplitude > 0))
        return;
    forget(e, count);
    for (int lag = 0; lag < TAPS; lag++)
        add_covariance(e, y, count, lag, 1 / ((double)amplitude * (double)amplitude));
    for (int k = 0; k < TAPS; k++) {
        float complex sum = 0;
        for (uint32_t i = 0; i < count; i++)
            sum += rx_mul_conj(expected[i], y[i + (uint32_t)k]);
        e->correlation[k] += (double complex)sum / (double)amplitude;
    }
    e->symbols += count;
}

/* Solves covariance * taps = correlation (L D L'). */
static void solve(const dvbs2_equaliser *e, double complex taps[TAPS])
{
    double complex row[TAPS][TAPS]; /* row[k][l] = D[k] conj(L[l][k]) */
    for (int k = 0; k < TAPS; k++) {
        taps[k] = e->correlation[k];
        for (int l = k; l < TAPS; l++)
            row[k][l] = e->covariance[k][l] + (k == l ? least_noise * e->symbols : 0);
        for (int j = 0; j < k; j++) {
            const double complex factor = conj(row[j][k]) / creal(row[j][j]);
            taps[k] -= factor * taps[j];
            for (int l = k; l < TAPS; l++)
                row[k][l] -= factor * row[j][l];
        }
    }
    for (int k = TAPS; k-- > 0;) {
        for (int l = k + 1; l < TAPS; l++)
            taps[k] -= row[k][l] * taps[l];
        taps[k] /= creal(row[k][k]);
    }
}

void dvbs2_equaliser_solve(dvbs2_equaliser *e, uint32_t known)
{
    double complex taps[TAPS];
    double explained = 0;
    solve(e, taps);
    for (int k = 0; k < TAPS; k++)
        explained += creal(taps[k] * conj(e->correlation[k]));
    const double middle = cabs(e->correlation[SIDE]);
    const double before = e->symbols - middle * middle / creal(e->covariance[SIDE][SIDE]);
    const double after = e->symbols - explained, gain = log(before / after);
    const double share = before / e->symbols, pattern = (TAPS - 1) * share * (1 - share) / known;
    e->active =
        after > 0 && gain > least_gain + most_pattern * pattern && gain * e->symbols > certainty * (TAPS - 1);
    if (!e->active)
        return;
    for (int k = 0; k < TAPS; k++)
        e->taps[k] = (float complex)(taps[k] * e->symbols / explained);
    e->noise = (float)(after / explained * (1 + 2 * TAPS / e->symbols));
}
