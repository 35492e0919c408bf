/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inner loops of a receiver, compiled for several instruction sets. The kernels interpolate, equalise and
 * surplus process carriers of OFDM symbols. */
#ifndef RX_KERNELS_H
#define RX_KERNELS_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

enum { RX_PEAK_BLOCK = 64 };

typedef struct rx_kernels {
    const char *name; /* name of the instruction set */

    /* Computes the sums of I, Q, I^2, Q^2 and I Q over `count` samples, I and Q alternating. */
    void (*moments)(const float *iq, size_t count, double sums[5]);

    /* Corrects DC offset and image in place: y = iq - dc; iq = y - image conj(y). */
    void (*correct)(float *iq, size_t count, float complex dc, float complex image);

    /* Rotates samples: re + i im = iq * exp(i (phase + step * n)) for sample n < count; I and Q of iq
     * alternate. */
    void (*mix)(const float *iq, size_t count, double phase, double step, float *re, float *im);

    /* Resamples with a polyphase low-pass filter. Writes `count` outputs, I and Q alternating. For output i,
     * the first tap is at sample `position` + i * `step` of re and im. `filter` has RX_PHASES + 1 rows of
     * `taps` coefficients; `taps` is a multiple of 16. Returns the position of the next output. */
    double (*resample)(const float *re, const float *im, const float *filter, uint32_t taps, double position,
                       double step, float *out, size_t count);

    /* Interpolates carriers from n grid points: out[k] is the sum over t of taps[t * width + k] * in[t], for
     * k < width. `width` is a multiple of 24. */
    void (*interpolate)(const float complex *in, const float *taps, uint32_t n, uint32_t width,
                        float complex *out);

    /* Removes a linear phase: y[k] *= exp(i (phase + slope * k)). */
    void (*straighten)(float complex *y, uint32_t count, double phase, double slope);

    /* Filters with n complex taps: out[i] is the sum over t of taps[t] * in[i + t], for i < count. */
    void (*filter)(const float complex *in, const float complex *taps, uint32_t n, uint32_t count,
                   float complex *out);

    /* Equalises the carriers k = carrier[c]: cells[c] = y[k] / h[k], cell_noise[c] = (noise + more[k]) /
     * |h[k]|^2. */
    void (*equalise)(const float complex *y, const float complex *h, float noise, const float *more,
                     const uint16_t *carrier, uint32_t count, float complex *cells, float *cell_noise);

    /* Computes, for each block of RX_PEAK_BLOCK bins, the sum of |x|^2 and the maximum of |x|^2. */
    void (*peaks)(const float complex *bins, uint32_t blocks, float *sum, float *highest);

    /* Updates exponential means with the values of a symbol: the mean of |y|^2 - signal - noise, and the mean
     * of signal^2, where signal is |h[0]|^2 + |h[1]|^2 (h[1] may be NULL). Accesses up to 15 values after the
     * last value. */
    void (*surplus)(const float complex *y, const float complex *const h[2], float noise, float weight,
                    uint32_t count, float *mean, float *square);
} rx_kernels;

/* Returns the kernels for the best instruction set that this CPU has. */
const rx_kernels *rx_kernels_best(void);

/* Returns the i-th set of kernels that this CPU can run, or NULL if there are fewer sets. The slowest set
 * comes first. */
const rx_kernels *rx_kernels_list(size_t i);

#endif
