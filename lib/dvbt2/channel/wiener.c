/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dvbt2/channel/wiener.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "receiver/complex.h"
#include "receiver/kernels.h"

/* Block widths in carriers. Each pilot spacing divides at least one of them. */
enum { WIDTH = 24, WIDE = 48 };

/* Limits of the noise in the filter design, relative to the mean power of the channel. */
static const double least_noise = 1e-5, most_noise = 1e6;

/* A grid point is replaced if its noise is at least this multiple of the usual noise. */
static const float least_mended = 2;
/* If more than 1 / MOST_MENDED of the points exceed least_mended, no point is replaced. */
enum { MOST_MENDED = 4 };

static uint32_t window_of(const dvbt2_wiener *w, uint32_t b)
{
    double middle = b * (double)w->width + (w->width - 1) / 2.0;
    double first = (middle - w->offset) / w->distance - (w->taps - 1) / 2.0;
    if (first <= 0)
        return 0;
    uint32_t last = w->points - w->taps;
    return first >= last ? last : (uint32_t)(first + 0.5);
}

static void assign_banks(dvbt2_wiener *w)
{
    w->banks = 0;
    for (uint32_t b = 0; b < w->blocks; b++) {
        w->first[b] = window_of(w, b);
        int32_t shift = (int32_t)(b * w->width) - (int32_t)(w->offset + w->first[b] * w->distance);
        uint32_t bank = 0;
        while (bank < w->banks && w->bank_shift[bank] != shift)
            bank++;
        if (bank == w->banks)
            w->bank_shift[w->banks++] = shift;
        w->bank[b] = bank;
    }
}

static size_t imaginary_part(const dvbt2_wiener *w)
{
    return (size_t)w->banks * w->taps * w->width;
}

bool dvbt2_wiener_init(dvbt2_wiener *w, uint32_t distance, uint32_t offset, uint32_t carriers)
{
    memset(w, 0, sizeof *w);
    w->kernels = rx_kernels_best();
    w->distance = distance;
    w->offset = offset;
    w->carriers = carriers;
    w->points = (carriers - 1 - offset) / distance + 1;
    w->width = WIDTH % distance == 0 ? WIDTH : WIDE;
    w->blocks = (carriers + w->width - 1) / w->width;
    w->taps = w->points < DVBT2_WIENER_TAPS ? w->points : DVBT2_WIENER_TAPS;
    w->first = ldpc_allocate(w->blocks, sizeof *w->first);
    w->bank = ldpc_allocate(w->blocks, sizeof *w->bank);
    w->bank_shift = ldpc_allocate(w->blocks, sizeof *w->bank_shift);
    if (!w->first || !w->bank || !w->bank_shift)
        return false;
    assign_banks(w);
    w->lags = (size_t)(w->taps + 1) * w->distance * 2 + 2 * w->width;
    w->coefficients = ldpc_allocate(2 * imaginary_part(w), sizeof *w->coefficients);
    w->matrix = ldpc_allocate((size_t)2 * w->taps * (2 * w->taps + 1), sizeof *w->matrix);
    w->correlation = ldpc_allocate(w->lags, sizeof *w->correlation);
    w->mended = ldpc_allocate(w->points, sizeof *w->mended);
    w->mend = ldpc_allocate((size_t)w->points * w->taps, sizeof *w->mend);
    w->mended_grid = ldpc_allocate(w->points, sizeof *w->mended_grid);
    return w->coefficients && w->matrix && w->correlation && w->mended && w->mend && w->mended_grid;
}

void dvbt2_wiener_free(dvbt2_wiener *w)
{
    free(w->first);
    free(w->bank);
    free(w->bank_shift);
    free(w->coefficients);
    free(w->matrix);
    free(w->correlation);
    free(w->mended);
    free(w->mend);
    free(w->mended_grid);
    memset(w, 0, sizeof *w);
}

/* Cholesky decomposition in place (lower triangle). The diagonal includes the noise, so all eigenvalues and
 * squared pivots are at least as large as the noise. */
static void decompose(double *a, uint32_t n, double noise)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (uint32_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? sqrt(fmax(sum, noise / 2)) : sum / a[j * n + j];
        }
}

static void solve(const double *a, uint32_t n, double *x)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < i; k++)
            x[i] -= a[i * n + k] * x[k];
        x[i] /= a[i * n + i];
    }
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t k = i + 1; k < n; k++)
            x[i] -= a[k * n + i] * x[k];
        x[i] /= a[i * n + i];
    }
}

/* Returns the correlation of the channel between carriers a and b. */
static double complex correlation_of(const dvbt2_wiener *w, int32_t a, int32_t b)
{
    return a >= b ? w->correlation[a - b] : conj(w->correlation[b - a]);
}

static uint32_t unknowns(const dvbt2_wiener *w)
{
    return w->complex_taps ? 2 * w->taps : w->taps;
}

/* The conjugate A - iB of the correlation becomes the real matrix [A B; -B A]. */
static void fill_matrix(dvbt2_wiener *w, double noise, const float *ratio)
{
    const uint32_t n = w->taps, size = unknowns(w);
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t j = 0; j <= i; j++) {
            double complex r =
                correlation_of(w, (int32_t)(i % n * w->distance), (int32_t)(j % n * w->distance));
            w->matrix[i * size + j] = (i < n) == (j < n) ? creal(r) : -cimag(r);
        }
    for (uint32_t i = 0; i < size; i++)
        w->matrix[i * size + i] += ratio ? noise * (double)ratio[i % n] : noise;
    decompose(w->matrix, size, noise);
}

typedef struct quality {
    double gain, known;
    double residual, points;
} quality;

static void design_output(dvbt2_wiener *w, uint32_t bank, uint32_t k, quality *q)
{
    const uint32_t n = w->taps, size = unknowns(w);
    double *x = w->matrix + (size_t)size * size, gain = 0;
    const int32_t carrier = w->bank_shift[bank] + (int32_t)k;
    for (uint32_t t = 0; t < size; t++) {
        double complex r = correlation_of(w, carrier, (int32_t)(t % n * w->distance));
        x[t] = t < n ? creal(r) : cimag(r);
    }
    solve(w->matrix, size, x);
    float *c = w->coefficients + (size_t)bank * n * w->width + k;
    for (uint32_t t = 0; t < size; t++) {
        double complex r = correlation_of(w, carrier, (int32_t)(t % n * w->distance));
        q->known += x[t] * (t < n ? creal(r) : cimag(r));
        gain += x[t] * x[t];
        c[(t < n ? 0 : imaginary_part(w)) + (size_t)(t % n) * w->width] = (float)x[t];
    }
    q->gain += gain;
    if (carrier >= 0 && carrier % (int32_t)w->distance == 0 && carrier / (int32_t)w->distance < (int32_t)n) {
        q->residual += 1 - 2 * x[carrier / (int32_t)w->distance] + gain;
        q->points++;
    }
}

static void design(dvbt2_wiener *w, double expected_noise)
{
    const double noise = fmin(fmax(expected_noise, least_noise), most_noise);
    quality middle = {0}, others = {0};
    w->n_mended = 0;
    fill_matrix(w, noise, NULL);
    for (uint32_t bank = 0; bank < w->banks; bank++)
        for (uint32_t k = 0; k < w->width; k++)
            design_output(w, bank, k, bank == w->bank[w->blocks / 2] ? &middle : &others);
    const double error = fmax(0, 1 - middle.known / w->width), gain = middle.gain / w->width;
    w->noise_gain = (float)gain;
    w->interpolation_error = (float)fmax(0, error - gain * noise);
    w->residual = middle.points > 0 ? (float)(middle.residual / middle.points) : 0;
}

void dvbt2_wiener_design(dvbt2_wiener *w, double spread, double noise)
{
    w->complex_taps = false;
    for (size_t d = 0; d < w->lags; d++) {
        double x = RX_PI * spread * (double)d;
        w->correlation[d] = x < 1e-9 ? 1 : sin(x) / x;
    }
    design(w, noise);
}

void dvbt2_wiener_design_measured(dvbt2_wiener *w, double noise)
{
    w->complex_taps = true;
    design(w, noise);
}

static void add_imaginary(const dvbt2_wiener *w, const float complex *grid, const float *coefficients,
                          float complex *out)
{
    float complex part[WIDE];
    w->kernels->interpolate(grid, coefficients + imaginary_part(w), w->taps, w->width, part);
    for (uint32_t k = 0; k < w->width; k++)
        out[k] += rx_cplx(-cimagf(part[k]), crealf(part[k]));
}

static uint32_t mended_from(const dvbt2_wiener *w, uint32_t i)
{
    const uint32_t first = i > w->taps / 2 ? i - w->taps / 2 : 0, last = w->points - w->taps;
    return first < last ? first : last;
}

void dvbt2_wiener_weigh(dvbt2_wiener *w, const float *ratio, double noise)
{
    const uint32_t n = w->taps, size = unknowns(w);
    double *x = w->matrix + (size_t)size * size;
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->points; i++)
        count += ratio[i] >= least_mended;
    w->n_mended = 0;
    for (uint32_t i = 0; i < w->points && count <= w->points / MOST_MENDED; i++) {
        if (ratio[i] < least_mended)
            continue;
        const uint32_t from = mended_from(w, i);
        fill_matrix(w, fmax(noise, least_noise), ratio + from);
        for (uint32_t t = 0; t < size; t++) {
            const double complex r =
                correlation_of(w, (int32_t)(i * w->distance), (int32_t)((from + t % n) * w->distance));
            x[t] = t < n ? creal(r) : cimag(r);
        }
        solve(w->matrix, size, x);
        float complex *c = w->mend + (size_t)w->n_mended * n;
        for (uint32_t t = 0; t < n; t++)
            c[t] = rx_cplx((float)x[t], w->complex_taps ? (float)x[n + t] : 0);
        w->mended[w->n_mended++] = i;
    }
}

const float complex *dvbt2_wiener_mend(const dvbt2_wiener *w, const float complex *grid)
{
    if (w->n_mended == 0)
        return grid;
    memcpy(w->mended_grid, grid, w->points * sizeof *grid);
    for (uint32_t m = 0; m < w->n_mended; m++) {
        const float complex *c = w->mend + (size_t)m * w->taps, *from = grid + mended_from(w, w->mended[m]);
        float complex sum = 0;
        for (uint32_t t = 0; t < w->taps; t++)
            sum += rx_mul(c[t], from[t]);
        w->mended_grid[w->mended[m]] = sum;
    }
    return w->mended_grid;
}

void dvbt2_wiener_run(const dvbt2_wiener *w, const float complex *given, float complex *out)
{
    const float complex *grid = dvbt2_wiener_mend(w, given);
    for (uint32_t b = 0; b < w->blocks; b++) {
        const float *coefficients = w->coefficients + (size_t)w->bank[b] * w->taps * w->width;
        float complex *block = out + (size_t)b * w->width;
        w->kernels->interpolate(grid + w->first[b], coefficients, w->taps, w->width, block);
        if (w->complex_taps)
            add_imaginary(w, grid + w->first[b], coefficients, block);
    }
}
