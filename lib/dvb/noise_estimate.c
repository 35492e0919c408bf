/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates the noise power from the mean squared distance of cells to their nearest points. */
#include <math.h>

#include "dvb/demapper.h"

/* noise power of the first table entry, dB relative to the mean power of the points */
enum { LOWEST_DB = -45 };

static const double least_noise = 1e-9;

/* ---- distance for a given noise */

static double square(double x)
{
    return x * x;
}

static double level_distance(double x, unsigned levels)
{
    const double top = levels - 1.0, kept = fmin(fmax(x, -top), top);
    return square(x - (2 * rint((kept - top) / 2) + top));
}

/* Returns the mean squared distance to the nearest odd level, for noise of standard deviation sigma. */
static double axis_distance(unsigned levels, double sigma)
{
    double sum = 0, weights = 0;
    for (int i = -120; i <= 120; i++) {
        const double z = i / 20.0, weight = exp(-z * z / 2);
        for (unsigned level = 1; level < levels; level += 2) {
            sum += weight * level_distance(level + sigma * z, levels);
            weights += weight;
        }
    }
    return sum / weights;
}

typedef struct disk {
    float x, y, radius;
} disk;
static const disk whole_plane = {0, 0, INFINITY};

static float plane_sum(const ldpc_demapper *dem, disk near, const float *i, const float *q,
                       const float *weight, size_t count)
{
    float least[LDPC_DEMAPPER_CHUNK], sum = 0;
    for (size_t c = 0; c < count; c++)
        least[c] = 1e30f;
    for (size_t k = 0; k < (size_t)1 << dem->shape.bits; k++) {
        const float x = dem->points[2 * k], y = dem->points[2 * k + 1];
        const float right = x - near.x, up = y - near.y;
        if (right * right + up * up > near.radius * near.radius)
            continue;
        for (size_t c = 0; c < count; c++) {
            const float distance = (i[c] - x) * (i[c] - x) + (q[c] - y) * (q[c] - y);
            least[c] = distance < least[c] ? distance : least[c];
        }
    }
    for (size_t c = 0; c < count; c++)
        sum += weight[c] * least[c];
    return sum;
}

/* A grid of cells around a point, with their Gaussian probabilities. */
enum { SIDE = 21, SCATTER = SIDE * SIDE };
_Static_assert(SCATTER <= (int)LDPC_DEMAPPER_CHUNK, "plane_sum() processes at most one chunk");

typedef struct scatter {
    float x[SCATTER], y[SCATTER], weight[SCATTER];
} scatter;

static const double reach = 4.4;

static double deviation(int i)
{
    return reach * (2.0 * i / (SIDE - 1) - 1);
}

static void make_weights(scatter *cells)
{
    double weights = 0;
    for (int c = 0; c < SCATTER; c++) {
        const double weight = exp(-(square(deviation(c % SIDE)) + square(deviation(c / SIDE))) / 2);
        cells->weight[c] = (float)weight;
        weights += weight;
    }
    for (int c = 0; c < SCATTER; c++)
        cells->weight[c] /= (float)weights;
}

static void scatter_around(double x, double y, double sigma, scatter *cells)
{
    for (int c = 0; c < SCATTER; c++) {
        cells->x[c] = (float)(x + sigma * deviation(c % SIDE));
        cells->y[c] = (float)(y + sigma * deviation(c / SIDE));
    }
}

/* Standard constellations are symmetric about both axes, so one quadrant is enough. Points on an axis count
 * twice, all other points four times. */
static double plane_distance(const ldpc_demapper *dem, double sigma)
{
    const bool symmetric = dem->modcod.satellite;
    double sum = 0, weights = 0;
    scatter cells;
    make_weights(&cells);
    for (size_t k = 0; k < (size_t)1 << dem->shape.bits; k++) {
        const double x = (double)dem->points[2 * k], y = (double)dem->points[2 * k + 1];
        if (symmetric && (x < -1e-3 || y < -1e-3))
            continue;
        const double images = symmetric ? (x < 1e-3 ? 1 : 2) * (y < 1e-3 ? 1 : 2) : 1;
        scatter_around(x, y, sigma, &cells);
        /* The distance to the nearest point is at most twice the distance to the corner of the grid. 1 % is
         * added for rounding. */
        const disk near = {(float)x, (float)y, (float)(2.02 * sqrt(2) * reach * sigma)};
        sum += images * (double)plane_sum(dem, near, cells.x, cells.y, cells.weight, SCATTER);
        weights += images;
    }
    return sum / weights;
}

static void make_table(ldpc_demapper *dem)
{
    const double step = (double)dem->shape.step;
    for (int i = 0; i < LDPC_NOISE_TABLE_SIZE; i++) {
        const double sigma = sqrt(pow(10, (LOWEST_DB + i) / 10.0) / 2);
        dem->distance_for_noise[i] =
            (float)(dem->shape.search == LDPC_DEMAP_AXES
                        ? 2 * step * step * axis_distance(1u << dem->shape.bits / 2, sigma / step)
                        : plane_distance(dem, sigma));
    }
}

/* Returns the noise power that belongs to a distance. Below the first table entry, the noise power is
 * extrapolated linearly. */
static double noise_of(const ldpc_demapper *dem, double distance)
{
    const float *const table = dem->distance_for_noise;
    int i = 0;
    if (distance <= (double)table[0])
        return fmax(distance * pow(10, LOWEST_DB / 10.0) / (double)table[0], least_noise);
    while (i < LDPC_NOISE_TABLE_SIZE - 2 && distance > (double)table[i + 1])
        i++;
    const double part = log(distance / (double)table[i]) / log((double)(table[i + 1] / table[i]));
    return pow(10, (LOWEST_DB + i + fmin(part, 1.0)) / 10);
}

/* ---- distance of cells */

static float axis_sum(const float *x, const float *weight, size_t count, unsigned levels, float step)
{
    enum { SUMS = 16 };
    /* adding 1.5 * 2^23 rounds to an integer */
    const float top = (float)(levels - 1), inverse = 1.0f / step, whole = 12582912.0f;
    float sums[SUMS] = {0}, sum = 0;
    for (size_t first = 0; first < count; first += SUMS)
        for (size_t s = 0; s < SUMS; s++) {
            const float scaled = x[first + s] * inverse;
            const float kept = scaled < -top ? -top : scaled > top ? top : scaled;
            const float distance = scaled - (2.0f * (((kept - top) * 0.5f + whole) - whole) + top);
            sums[s] += weight[first + s] * distance * distance;
        }
    for (size_t s = 0; s < SUMS; s++)
        sum += sums[s];
    return sum * step * step;
}

typedef struct distances {
    double sum;
    size_t known;
    float loudest;
} distances;

/* limit: maximum power of a cell */
static void add_chunk(ldpc_demapper *dem, size_t count, float limit, distances *total)
{
    const float *const i = dem->chunk, *const q = i + LDPC_DEMAPPER_CHUNK,
                       *const wq = q + 2 * LDPC_DEMAPPER_CHUNK;
    float *const weight = dem->chunk + 2 * LDPC_DEMAPPER_CHUNK;
    const unsigned levels = 1u << dem->shape.bits / 2;
    for (size_t c = 0; c < count; c++) {
        const float power = i[c] * i[c] + q[c] * q[c];
        weight[c] *= power <= limit ? wq[c] : 0.0f;
        total->known += weight[c] > 0.0f;
        total->loudest = weight[c] > 0.0f && power > total->loudest ? power : total->loudest;
    }
    total->sum += (double)(dem->shape.search == LDPC_DEMAP_AXES
                               ? axis_sum(i, weight, count, levels, dem->shape.step) +
                                     axis_sum(q, weight, count, levels, dem->shape.step)
                               : plane_sum(dem, whole_plane, i, q, weight, count));
}

static distances all_cells(ldpc_demapper *dem, const ldpc_cells *cells, float limit)
{
    distances total = {0};
    for (size_t w = 0; w < cells->n_codewords; w++) {
        const float *const iq = cells->iq + 2 * w * dem->modcod.cells;
        for (size_t first = 0, count; first < dem->modcod.data_cells; first += count) {
            count = ldpc_demapper_load(dem, iq, first);
            add_chunk(dem, count, limit, &total);
        }
    }
    return total;
}

/* Returns the radius of the outermost point. */
static double outer_radius(const ldpc_demapper *dem)
{
    double most = 0;
    for (size_t k = 0; k < (size_t)1 << dem->shape.bits; k++)
        most = fmax(most, hypot((double)dem->points[2 * k], (double)dem->points[2 * k + 1]));
    return most;
}

/* Distance divided by the standard deviation of the noise. Gaussian noise exceeds it in one of 7e10 cells. */
static const double most_noise = 5;

/* Number of rounds. Each round lowers the power limit above which cells are excluded. */
enum { ROUNDS = 8 };

ldpc_status ldpc_demapper_noise(ldpc_demapper *dem, const ldpc_cells *given, float *noise)
{
    if (!dem || !given || !given->iq || !noise)
        return LDPC_ERR_NULL;
    ldpc_cells own;
    const ldpc_cells *cells = &own;
    if (ldpc_cells_read(&own, given))
        return LDPC_ERR_PARAM;
    if (cells->n_codewords == 0)
        return LDPC_ERR_RANGE;
    if (!(dem->distance_for_noise[0] > 0.0f))
        make_table(dem);
    float limit = INFINITY;
    for (int i = 0; i < ROUNDS; i++) {
        const distances total = all_cells(dem, cells, limit);
        const double power = noise_of(dem, total.known > 0 ? total.sum / (double)total.known : 1e30);
        *noise = (float)power;
        limit = (float)square(outer_radius(dem) + most_noise * sqrt(power));
        if (total.loudest <= limit)
            break;
    }
    return LDPC_OK;
}
