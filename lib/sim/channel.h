/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulated channel. It converts a codeword to LLRs: modulation, fading, noise, max-log demapping and
 * quantisation (channel_math.h). The table has one row for each instruction set; all rows compute the same
 * bytes. */
#ifndef LDPC_CHANNEL_H
#define LDPC_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/cpu_features.h"

#define LDPC_MAX_AXIS_BITS   4
#define LDPC_MAX_SYMBOL_BITS 12

/* Channel parameters of one simulated point. */
typedef struct ldpc_channel {
    uint64_t seed;
    uint32_t point;
    int axis_bits; /* number of bits of one axis, 1 .. LDPC_MAX_AXIS_BITS */
    int axes;      /* number of axes per channel symbol: 1, or 2; with 2 axes, bits alternate between them */
    bool fading;   /* true: Rayleigh fading; the receiver has the exact amplitude of each symbol */
    /* standard deviation of the noise on an axis, in the scale where the levels are +-1, +-3 .., or in that of
     * `points` */
    float sigma;
    float gain; /* 2 / sigma^2; for BSC and BEC: magnitude of the LLRs in nats */
    float llr_scale;
    /* true for BSC and BEC, which have no noise; true for BEC */
    bool binary, erasures;
    uint64_t events; /* for BSC and BEC: probability of an error or erasure, in units of 2^-32 */
    /* constellation of 2^symbol_bits points, I and Q alternating; NULL: levels on axes */
    const float *points;
    /* with points, the codeword bit at each position; bit b of symbol s is at position s * symbol_bits + b, and
     * an index of n or more stands for padding, which is 0 */
    const uint16_t *bit_at;
    int symbol_bits; /* number of bits per symbol of `points`, 1 .. LDPC_MAX_SYMBOL_BITS */
} ldpc_channel;

typedef struct ldpc_channel_row {
    ldpc_cpu_row row;
    /* Computes samples 0 .. count - 1 of the noise of a frame. */
    void (*noise)(uint64_t seed, uint64_t frame, uint32_t point, size_t count, float *samples);
    /* Generates the messages of 64 frames: bit w of lanes[i] is message bit i of frame first + w. */
    void (*messages)(uint64_t seed, uint64_t first, uint32_t point, size_t k, uint64_t *lanes);
    /* Unpacks lanes of bits to one bit per byte. Bit w of lanes[i] is bit i of codeword w. For each of the
     * first `codewords` of 64 codewords, writes `count` bits, one codeword after the other. */
    void (*unpack)(const uint64_t *lanes, size_t count, size_t codewords, uint8_t *bits);
    /* Computes the LLRs of the n bits of a codeword, either in steps or in nats; the pointer to the other
     * output is NULL. Returns the number of wrong hard decisions. */
    uint64_t (*transmit)(const ldpc_channel *channel, uint64_t frame, const uint8_t *codeword, size_t n,
                         int8_t *llr, float *llr_float);
} ldpc_channel_row;

/* The first function returns the i-th row of this build, or NULL after the last row; rows are in order of
 * increasing speed. The second function returns the best row that this machine can execute. */
const ldpc_channel_row *ldpc_channel_row_at(size_t i);
const ldpc_channel_row *ldpc_channel_best(void);

#endif
