/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbs2/phase/decisions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dvbs2/standard/pl_header.h"
#include "ldpc/dvb_cells.h"
#include "receiver/complex.h"

enum { SIDE = 128, MOST_POINTS = 256 }; /* number of table entries per axis */

static const float range = 2; /* the table covers -range .. range on both axes; coordinates outside
                                        * are limited to this range */
/* If the noise changes by more than this ratio, the table is computed again. */
static const float most_change = 1.1f;
static const float least_noise = 1e-3f;
static const float most_nats =
    16; /* points that are exp(16) times less likely than the nearest are skipped */
static const float most_move = 0.02f; /* mean square change of the points, relative to the noise */

static bool copy_points(dvbs2_decisions *d, uint32_t modcod)
{
    const ldpc_dvbs2_modcod *row = dvbs2_modcod(modcod);
    ldpc_demapper *demapper;
    ldpc_demapper_params params;
    ldpc_demapper_params_init(&params);
    params.code = row->code;
    params.modulation = row->modulation;
    if (ldpc_demapper_create(&params, &demapper, NULL))
        return false;
    d->bits = (uint32_t)ldpc_demapper_bits(demapper);
    memcpy(d->points, ldpc_demapper_points(demapper), (2u << d->bits) * sizeof *d->points);
    ldpc_demapper_destroy(demapper);
    return true;
}

/* Returns the mean of the constellation points, weighted with their probabilities given y. *density is
 * proportional to the probability density of y. */
static float complex mean_point(const dvbs2_decisions *d, float complex y, float *density)
{
    const float *points = d->points;
    const uint32_t n = 1u << d->bits;
    float distance[MOST_POINTS], nearest = INFINITY, sum = 0, re = 0, im = 0;
    for (uint32_t i = 0; i < n; i++) {
        distance[i] = rx_power(y - rx_cplx(points[2 * i], points[2 * i + 1]));
        nearest = distance[i] < nearest ? distance[i] : nearest;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (distance[i] > nearest + most_nats * d->noise)
            continue;
        const float weight = expf((nearest - distance[i]) / d->noise);
        sum += weight;
        re += weight * points[2 * i];
        im += weight * points[2 * i + 1];
    }
    *density = sum * expf(-nearest / d->noise);
    return rx_cplx(re / sum, im / sum);
}

static void fill(dvbs2_decisions *d)
{
    const float step = 2 * range / SIDE;
    double squares = 0, total = 0;
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++) {
            const float complex y = rx_cplx((column + 0.5f) * step - range, (row + 0.5f) * step - range);
            float density;
            const float error = cimagf(rx_mul_conj(y, mean_point(d, y, &density)));
            d->table[row * SIDE + column] = error;
            squares += (double)(density * error * error);
            total += (double)density;
        }
    d->information = 4 / ((double)d->noise * (double)d->noise) * squares / total;
}

bool dvbs2_decisions_prepare(dvbs2_decisions *d, uint32_t modcod, float noise)
{
    noise = noise > least_noise ? noise : least_noise;
    if (!d->table) {
        d->table = ldpc_allocate(SIDE * SIDE, sizeof *d->table);
        d->points = ldpc_allocate(2 * MOST_POINTS, sizeof *d->points);
        if (!d->table || !d->points || !copy_points(d, modcod)) {
            dvbs2_decisions_free(d);
            return false;
        }
    } else if (noise < d->noise * most_change && d->noise < noise * most_change)
        return true;
    d->noise = noise;
    fill(d);
    return true;
}

void dvbs2_decisions_set_points(dvbs2_decisions *d, const float *points)
{
    const uint32_t n = 1u << d->bits;
    float change = 0;
    for (uint32_t i = 0; i < 2 * n && d->points; i++)
        change += (points[i] - d->points[i]) * (points[i] - d->points[i]);
    if (!(change > most_move * d->noise * (float)n))
        return;
    memcpy(d->points, points, 2 * n * sizeof *points);
    d->noise = 0;
}

void dvbs2_decisions_free(dvbs2_decisions *d)
{
    free(d->table);
    free(d->points);
    *d = (dvbs2_decisions){0};
}

/* Returns the table entry for a coordinate. NaN is treated as the lowest coordinate. */
static int entry_of(float x)
{
    const float inside = x > -range ? x < range ? x : range : -range;
    const int entry = (int)((inside + range) * (SIDE / (2 * range)));
    return entry < SIDE ? entry : SIDE - 1;
}

double dvbs2_decisions_phase(const dvbs2_decisions *d, const float complex *cells, uint32_t count,
                             double phase, double frequency)
{
    float complex turn = rx_cplx((float)cos(phase), (float)-sin(phase));
    const float complex step = rx_cplx((float)cos(frequency), (float)-sin(frequency));
    float sum = 0;
    for (uint32_t i = 0; i < count; i++, turn = rx_mul(turn, step)) {
        const float complex y = rx_mul(cells[i], turn);
        sum += d->table[entry_of(cimagf(y)) * SIDE + entry_of(crealf(y))];
    }
    return (double)sum * 2 / ((double)d->noise * count * d->information);
}
