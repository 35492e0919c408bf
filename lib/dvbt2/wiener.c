/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation over frequency: the channel on all carriers from its estimates on a grid of carriers. */
#include "dvbt2/wiener.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dvbt2/complex.h"
#include "dvbt2/kernels.h"

/* All distances between pilots divide one of the two. */
enum { WIDTH = 24, WIDE = 48 };

/* The first point of the window whose middle is nearest to that of block b. */
static uint32_t window_of(const dvbt2_wiener *w, uint32_t b)
{
    double middle = b * (double)w->width + (w->width - 1) / 2.0;
    double first = (middle - w->offset) / w->distance - (w->taps - 1) / 2.0;
    if (first <= 0)
        return 0;
    uint32_t last = w->points - w->taps;
    return first >= last ? last : (uint32_t)(first + 0.5);
}

/* Blocks whose windows lie alike share a bank. */
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

bool dvbt2_wiener_init(dvbt2_wiener *w, uint32_t distance, uint32_t offset, uint32_t carriers)
{
    memset(w, 0, sizeof *w);
    w->kernels = dvbt2_kernels_best();
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
    size_t lags = (size_t)(w->taps + 1) * w->distance * 2 + 2 * w->width;
    w->coefficients = ldpc_allocate((size_t)w->banks * w->taps * w->width, sizeof *w->coefficients);
    w->matrix = ldpc_allocate((size_t)w->taps * (w->taps + 1), sizeof *w->matrix);
    w->correlation = ldpc_allocate(lags, sizeof *w->correlation);
    return w->coefficients && w->matrix && w->correlation;
}

void dvbt2_wiener_free(dvbt2_wiener *w)
{
    free(w->first);
    free(w->bank);
    free(w->bank_shift);
    free(w->coefficients);
    free(w->matrix);
    free(w->correlation);
    memset(w, 0, sizeof *w);
}

/* Cholesky decomposition in place, lower triangle. */
static void decompose(double *a, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (uint32_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? sqrt(fmax(sum, 1e-12)) : sum / a[j * n + j];
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

/* Correlation of the channel on carriers some distance apart, and the matrix of the grid points of a window.
 */
static void prepare(dvbt2_wiener *w, double spread, double noise)
{
    size_t lags = (size_t)(w->taps + 1) * w->distance * 2 + 2 * w->width;
    for (size_t d = 0; d < lags; d++) {
        double x = DVBT2_PI * spread * (double)d;
        w->correlation[d] = x < 1e-9 ? 1 : sin(x) / x;
    }
    for (uint32_t i = 0; i < w->taps; i++)
        for (uint32_t j = 0; j <= i; j++)
            w->matrix[i * w->taps + j] = w->correlation[(i - j) * w->distance] + (i == j ? noise : 0);
    decompose(w->matrix, w->taps);
}

void dvbt2_wiener_design(dvbt2_wiener *w, double spread, double noise)
{
    prepare(w, spread, fmax(noise, 1e-5));
    double *x = w->matrix + (size_t)w->taps * w->taps;
    double gain = 0;
    for (uint32_t bank = 0; bank < w->banks; bank++)
        for (uint32_t k = 0; k < w->width; k++) {
            int32_t carrier = w->bank_shift[bank] + (int32_t)k;
            for (uint32_t t = 0; t < w->taps; t++)
                x[t] = w->correlation[abs(carrier - (int32_t)(t * w->distance))];
            solve(w->matrix, w->taps, x);
            float *c = w->coefficients + (size_t)bank * w->taps * w->width + k;
            for (uint32_t t = 0; t < w->taps; t++) {
                c[(size_t)t * w->width] = (float)x[t];
                if (bank == w->bank[w->blocks / 2])
                    gain += x[t] * x[t];
            }
        }
    w->noise_gain = (float)(gain / w->width);
}

void dvbt2_wiener_run(const dvbt2_wiener *w, const float complex *grid, float complex *out)
{
    for (uint32_t b = 0; b < w->blocks; b++)
        w->kernels->interpolate(grid + w->first[b], w->coefficients + (size_t)w->bank[b] * w->taps * w->width,
                                w->taps, w->width, out + (size_t)b * w->width);
}
