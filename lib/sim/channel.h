/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulated channel: modulation, fading, noise, max-log demapping, quantisation (channel_math.h). All kernels
 * give equal bytes. */
#ifndef LDPC_CHANNEL_H
#define LDPC_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/cpu_features.h"

#define LDPC_MAX_AXIS_BITS   4
#define LDPC_MAX_SYMBOL_BITS 12

/* Channel parameters of one simulation point. */
typedef struct ldpc_channel {
    uint64_t seed;
    uint32_t point;
    int axis_bits; /* bits per axis, 1 .. LDPC_MAX_AXIS_BITS */
    int axes;      /* 1 or 2 */
    bool fading;   /* true: Rayleigh fading, known to the receiver */
    float sigma;
    float gain; /* 2 / sigma^2; for BSC and BEC: |LLR| in nats */
    float llr_scale;
    /* BSC or BEC; BEC */
    bool binary, erasures;
    uint64_t events; /* for BSC and BEC: probability of an error or erasure, in units of 2^-32 */
    /* 2^symbol_bits points, I and Q alternating; NULL: the symbol has axes */
    const float *points;
    const uint16_t *bit_at;
    int symbol_bits; /* bits per symbol of `points`, 1 .. LDPC_MAX_SYMBOL_BITS */
} ldpc_channel;

typedef struct ldpc_channel_row {
    ldpc_cpu_row row;
    void (*noise)(uint64_t seed, uint64_t frame, uint32_t point, size_t count, float *samples);
    /* Generates messages of 64 frames: bit w of lanes[i] is message bit i of frame first + w. */
    void (*messages)(uint64_t seed, uint64_t first, uint32_t point, size_t k, uint64_t *lanes);
    /* Bit w of lanes[i] is bit i of codeword w. Writes `count` bits of the first `codewords` codewords, one
     * bit per byte. */
    void (*unpack)(const uint64_t *lanes, size_t count, size_t codewords, uint8_t *bits);
    /* Computes n LLRs, either in LLR steps or in nats. Returns the number of wrong hard decisions. */
    uint64_t (*transmit)(const ldpc_channel *channel, uint64_t frame, const uint8_t *codeword, size_t n,
                         int8_t *llr, float *llr_float);
} ldpc_channel_row;

/* Kernels are sorted from slow to fast. NULL after the last kernel. */
const ldpc_channel_row *ldpc_channel_row_at(size_t i);
const ldpc_channel_row *ldpc_channel_best(void);

#endif
