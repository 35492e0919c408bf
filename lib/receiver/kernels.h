/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inner loops of a receiver, for several instruction sets. The kernels `interpolate`, `equalise` and
 * `surplus` process OFDM carriers. */
#ifndef RX_KERNELS_H
#define RX_KERNELS_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

enum { RX_PEAK_BLOCK = 64, RX_RESAMPLE_PADDING = 31 };

typedef struct rx_kernels {
    const char *name; /* name of the instruction set */

    /* Sums of I, Q, I^2, Q^2 and I Q over `count` samples. I and Q alternate. */
    void (*moments)(const float *iq, size_t count, double sums[5]);

    /* y = iq - dc; iq = y - image conj(y) */
    void (*correct)(float *iq, size_t count, float complex dc, float complex image);

    /* re + i im = iq * exp(i (phase + step * n)), n < count; I and Q of iq alternate. */
    void (*mix)(const float *iq, size_t count, double phase, double step, float *re, float *im);

    /* Polyphase filter with RX_PHASES + 1 rows of `taps` (a multiple of 16) coefficients. Output i starts at
     * sample position + i * step. Reads up to RX_RESAMPLE_PADDING samples past the last tap. Returns the next
     * position. */
    double (*resample)(const float *re, const float *im, const float *filter, uint32_t taps, double position,
                       double step, float *out, size_t count);

    /* out[k] = sum over t < n of taps[t * width + k] * in[t], for k < width. `width` is a multiple of 24. */
    void (*interpolate)(const float complex *in, const float *taps, uint32_t n, uint32_t width,
                        float complex *out);

    /* y[k] *= exp(i (phase + slope * k)). */
    void (*straighten)(float complex *y, uint32_t count, double phase, double slope);

    /* Filters with n complex taps: out[i] is the sum over t of taps[t] * in[i + t], for i < count.
     * Accesses up to 7 values after the last value of in and out. */
    void (*filter)(const float complex *in, const float complex *taps, uint32_t n, uint32_t count,
                   float complex *out);

    /* For k = carrier[c]: cells[c] = y[k] / h[k], cell_noise[c] = (noise + more[k]) / |h[k]|^2. */
    void (*equalise)(const float complex *y, const float complex *h, float noise, const float *more,
                     const uint16_t *carrier, uint32_t count, float complex *cells, float *cell_noise);

    /* Sum and maximum of |x|^2 in each block of RX_PEAK_BLOCK bins. */
    void (*peaks)(const float complex *bins, uint32_t blocks, float *sum, float *highest);

    /* Updates exponential means, signal = |h[0]|^2 + |h[1]|^2 (h[1] may be NULL):
     *   mean     |y|^2 - signal - noise
     *   square   signal^2
     * Accesses up to 15 values past the end. */
    void (*surplus)(const float complex *y, const float complex *const h[2], float noise, float weight,
                    uint32_t count, float *mean, float *square);
} rx_kernels;

/* Returns the best kernels for this CPU. */
const rx_kernels *rx_kernels_best(void);

/* Returns the i-th set of kernels that this CPU can run, slowest first, or NULL. */
const rx_kernels *rx_kernels_list(size_t i);

#endif
