/* SPDX-License-Identifier: BSD-3-Clause */
/* White Gaussian noise that is the same everywhere: Philox integers, then a fixed sequence of IEEE single
 * precision operations (add, multiply, square root, each rounded to nearest even, no fused multiply-add, no
 * library function).
 *
 *   ln(u)      u = (x + 0.5) / 2^32 from a word x; u = m * 2^e with m in [0.7071, 1.4142), t = m - 1:
 *              e * ln 2 + t * (polynomial of degree 8 in t), error below 3e-8
 *   radius     sqrt(-2 ln u), at most 6.8
 *   direction  a word y as an angle: quarter turns q and a rest r in [-1/2, 1/2) quarter turns, whose sine
 * and cosine are polynomials of degree 3 in r^2, error below 3e-8 two samples of unit variance: radius *
 * cosine, radius * sine (Box and Muller 1958)
 *
 * A Philox block gives four words x0 y0 x1 y1 and so samples 4b .. 4b + 3 of its frame.
 */
#ifndef LDPC_NOISE_H
#define LDPC_NOISE_H

#include <stddef.h>
#include <stdint.h>

/* Samples 0 .. count - 1 of the noise of a frame. */
void ldpc_noise(uint64_t seed, uint64_t frame, size_t count, float *samples);

/* Bits 0 .. count - 1 of the message of a frame, one per byte. */
void ldpc_random_bits(uint64_t seed, uint64_t frame, size_t count, uint8_t *bits);

#endif
