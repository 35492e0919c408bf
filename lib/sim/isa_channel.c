/* SPDX-License-Identifier: BSD-3-Clause */
/* The channel kernel of one instruction set.
 *
 * Noise is computed for CHUNK Philox blocks at a time:
 *
 *     noise[j][b]   sample 4 b + j of the chunk
 *
 * The four 1-byte LLRs of block b are then the bytes of one 32-bit lane.
 */
#include "sim/channel.h"

#include <string.h>

#include "cpu/simd/simd.h"
#include "sim/channel_math.h"

enum { CHUNK = 192, SAMPLES = 4 * CHUNK };

/* ---- random numbers */

/* Computes Philox numbers. The lower half of number[j][b] is number j of block block[b] of frame frame[b].
 * count: number of blocks, a multiple of the number of lanes */
static void random_numbers(uint64_t seed, const uint64_t *frame, uint32_t stream, const uint64_t *block,
                           size_t count, uint64_t number[4][CHUNK])
{
    const vec m0 = v_set_u32(PHILOX_M0), m1 = v_set_u32(PHILOX_M1);
    for (size_t b = 0; b < count; b += REGISTER_BYTES / sizeof *block) {
        vec c0 = v_loadu(block + b), c1 = v_set_u32(stream), c2 = v_loadu(frame + b), c3 = v_high_u64(c2);
        uint32_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32);
        for (int round = 0; round < 10; round++) {
            vec product0 = v_product_u64(m0, c0), product1 = v_product_u64(m1, c2);
            c0 = v_xor(v_xor(v_high_u64(product1), c1), v_set_u32(key0));
            c2 = v_xor(v_xor(v_high_u64(product0), c3), v_set_u32(key1));
            c1 = product1;
            c3 = product0;
            key0 += PHILOX_W0;
            key1 += PHILOX_W1;
        }
        v_storeu(number[0] + b, c0);
        v_storeu(number[1] + b, c1);
        v_storeu(number[2] + b, c2);
        v_storeu(number[3] + b, c3);
    }
}

/* Computes the random numbers of blocks first .. first + count - 1 of one frame. */
static void frame_numbers(uint64_t seed, uint64_t frame, uint32_t stream, uint64_t first, size_t count,
                          uint64_t number[4][CHUNK])
{
    uint64_t frames[CHUNK], blocks[CHUNK];
    for (size_t b = 0; b < count; b++) {
        frames[b] = frame;
        blocks[b] = first + b;
    }
    random_numbers(seed, frames, stream, blocks, count, number);
}

/* ---- 64 codewords side by side */

/* Swaps the upper j bits of row[i] with the lower j bits of row[i + j], in groups of 2 j bits. */
FORCE_INLINE void swap_halves(uint64_t row[64], int j, uint64_t low)
{
    for (int base = 0; base < 64; base += 2 * j)
        for (int i = base; i < base + j; i++) {
            uint64_t t = (row[i] >> j ^ row[i + j]) & low;
            row[i + j] ^= t;
            row[i] ^= t << j;
        }
}

/* Transposes a 64 x 64 bit matrix. */
static void transpose(uint64_t row[64])
{
    swap_halves(row, 32, UINT64_C(0x00000000ffffffff));
    swap_halves(row, 16, UINT64_C(0x0000ffff0000ffff));
    swap_halves(row, 8, UINT64_C(0x00ff00ff00ff00ff));
    swap_halves(row, 4, UINT64_C(0x0f0f0f0f0f0f0f0f));
    swap_halves(row, 2, UINT64_C(0x3333333333333333));
    swap_halves(row, 1, UINT64_C(0x5555555555555555));
}

static void messages_of(uint64_t seed, uint64_t first, uint32_t point, size_t k, uint64_t *lanes)
{
    uint64_t frame[64], block[64], number[4][CHUNK], row[64];
    for (size_t w = 0; w < 64; w++)
        frame[w] = first + w;
    for (size_t i = 0; i < k; i += 64) {
        const int j = i / 64 % 2 * 2;
        for (size_t w = 0; w < 64; w++)
            block[w] = i / 128;
        if (j == 0)
            random_numbers(seed, frame, SIM_MESSAGE + SIM_STREAMS * point, block, 64, number);
        for (size_t w = 0; w < 64; w++)
            row[w] = (uint32_t)number[j][w] | number[j + 1][w] << 32;
        transpose(row);
        memcpy(lanes + i, row, (k - i < 64 ? k - i : 64) * sizeof *row);
    }
}

/* Writes bits 0 .. 63 as 64 bytes of value 0 or 1. */
FORCE_INLINE void expand_bits(uint64_t bits, uint8_t *bytes)
{
    for (size_t i = 0; i < 64; i += REGISTER_BYTES)
        v_storeu(bytes + i, v_expand_u8(bits >> i));
}

static void unpack(const uint64_t *lanes, size_t count, size_t codewords, uint8_t *bits)
{
    for (size_t i = 0; i < count; i += 64) {
        size_t some = count - i < 64 ? count - i : 64;
        uint64_t row[64] = {0};
        memcpy(row, lanes + i, some * sizeof *row);
        transpose(row);
        for (size_t w = 0; w < codewords; w++) {
            uint8_t *to = bits + w * count + i, bytes[64];
            expand_bits(row[w], some == 64 ? to : bytes);
            if (some < 64)
                memcpy(to, bytes, some);
        }
    }
}

/* ---- noise */

/* Returns the number of Philox blocks for `samples` samples, rounded up to whole registers. */
static size_t blocks_of(size_t samples)
{
    size_t blocks = (samples + 3) / 4;
    return (blocks + 15) & ~(size_t)15;
}

static void make_noise(uint64_t seed, uint64_t frame, uint32_t point, uint32_t first, size_t blocks,
                       float noise[4][CHUNK])
{
    uint64_t number[4][CHUNK];
    frame_numbers(seed, frame, SIM_NOISE + SIM_STREAMS * point, first, blocks, number);
    for (int j = 0; j < 4; j += 2) {
        float radius[CHUNK];
        for (size_t b = 0; b < blocks; b++)
            radius[b] = minus_two_log((uint32_t)number[j][b]);
        for (size_t b = 0; b < blocks; b += F32_LANES)
            v_store_f32(radius + b, v_sqrt_f32(v_load_f32(radius + b)));
        for (size_t b = 0; b < blocks; b++) {
            float cosine, sine;
            direction((uint32_t)number[j + 1][b], &cosine, &sine);
            noise[j][b] = sim_mul(radius[b], cosine);
            noise[j + 1][b] = sim_mul(radius[b], sine);
        }
    }
}

static void in_order(float noise[4][CHUNK], size_t blocks, float *samples)
{
    for (size_t b = 0; b < blocks; b++)
        for (int j = 0; j < 4; j++)
            samples[4 * b + (size_t)j] = noise[j][b];
}

static void noise_of(uint64_t seed, uint64_t frame, uint32_t point, size_t count, float *samples)
{
    for (size_t first = 0; first < count; first += SAMPLES) {
        size_t some = count - first < SAMPLES ? count - first : SAMPLES;
        float noise[4][CHUNK], ordered[SAMPLES];
        make_noise(seed, frame, point, (uint32_t)(first / 4), blocks_of(some), noise);
        in_order(noise, blocks_of(some), ordered);
        memcpy(samples + first, ordered, some * sizeof *samples);
    }
}

/* ---- one bit per axis, without fading */

/* Computes LLRs of 4 * `blocks` bits: y = 1 - 2 bit + sigma * noise, LLR = gain * y. */
FORCE_INLINE uint64_t send_signs(const ldpc_channel *channel, float noise[4][CHUNK], size_t blocks,
                                 const uint8_t *restrict bits, int8_t *restrict llr,
                                 float *restrict llr_float)
{
    const float sigma = channel->sigma, gain = channel->gain, scale = channel->llr_scale;
    uint32_t errors = 0;
    for (size_t b = 0; b < blocks; b++) {
        uint32_t sent, steps = 0;
        memcpy(&sent, bits + 4 * b, sizeof sent);
        for (int j = 0; j < 4; j++) {
            uint32_t bit = sent >> 8 * j & 1;
            float level = sim_float(0x3f800000u | bit << 31);
            float y = sim_add(level, sim_mul(sigma, noise[j][b]));
            errors += sim_bits(y) >> 31 ^ bit; /* y is never -0 */
            float nat = sim_mul(gain, y);
            if (llr)
                steps |= quantized(sim_mul(nat, scale)) << 8 * j;
            else
                llr_float[4 * b + (size_t)j] = nat;
        }
        if (llr)
            memcpy(llr + 4 * b, &steps, sizeof steps);
    }
    return errors;
}

/* Processes the last one to three bits of a codeword. */
static uint64_t send_rest(const ldpc_channel *channel, float noise[4][CHUNK], size_t block, size_t count,
                          const uint8_t *bits, int8_t *llr, float *llr_float)
{
    float last[4][CHUNK], nat[4];
    uint8_t sent[4] = {0};
    int8_t steps[4];
    uint64_t errors;
    for (size_t j = 0; j < 4; j++)
        last[j][0] = j < count ? noise[j][block] : 0;
    memcpy(sent, bits, count);
    errors =
        llr ? send_signs(channel, last, 1, sent, steps, NULL) : send_signs(channel, last, 1, sent, NULL, nat);
    if (llr)
        memcpy(llr, steps, count);
    else
        memcpy(llr_float, nat, count * sizeof *nat);
    return errors;
}

static uint64_t transmit_signs(const ldpc_channel *channel, uint64_t frame, const uint8_t *codeword, size_t n,
                               int8_t *llr, float *llr_float)
{
    uint64_t errors = 0;
    for (size_t first = 0; first < n; first += SAMPLES) {
        float noise[4][CHUNK];
        size_t some = n - first < SAMPLES ? n - first : SAMPLES, whole = some / 4, rest = some % 4;
        make_noise(channel->seed, frame, channel->point, (uint32_t)(first / 4), blocks_of(some), noise);
        errors += llr ? send_signs(channel, noise, whole, codeword + first, llr + first, NULL)
                      : send_signs(channel, noise, whole, codeword + first, NULL, llr_float + first);
        size_t done = first + 4 * whole;
        if (rest)
            errors += send_rest(channel, noise, whole, rest, codeword + done, llr ? llr + done : NULL,
                                llr ? NULL : llr_float + done);
    }
    return errors;
}

/* ---- any number of bits per axis
 *
 *     bit b of axis a = codeword bit (a / axes * axis_bits + b) * axes + a % axes
 *
 * The last symbol is padded with zeros. */

static size_t place(const ldpc_channel *channel, size_t axis, int bit)
{
    size_t axes = (size_t)channel->axes, symbol = axis / axes;
    return (symbol * (size_t)channel->axis_bits + (size_t)bit) * axes + axis % axes;
}

static void make_fading(const ldpc_channel *channel, uint64_t frame, size_t first, float *fading)
{
    uint64_t number[4][CHUNK] = {{0}};
    size_t axes = (size_t)channel->axes;
    if (channel->fading)
        frame_numbers(channel->seed, frame, SIM_FADING + SIM_STREAMS * channel->point, first / axes / 4,
                      CHUNK, number);
    for (size_t a = 0; a < SAMPLES; a++)
        fading[a] = channel->fading ? fading_of((uint32_t)number[a / axes % 4][a / axes / 4]) : 1.0f;
}

static void make_levels(const ldpc_channel *channel, size_t first, const uint8_t *codeword, size_t n,
                        float *level)
{
    for (size_t a = 0; a < SAMPLES; a++) {
        sim_u32 bits = 0;
        for (int b = 0; b < channel->axis_bits; b++) {
            size_t i = place(channel, first + a, b);
            bits = bits << 1 | (i < n ? codeword[i] & 1u : 0);
        }
        level[a] = (float)pam_level(bits, channel->axis_bits);
    }
}

/* LLR of bit b, nats: (d1^2 - d0^2) / (2 sigma^2) */
static void demap(const ldpc_channel *channel, const float *y, const float *fading, int b, float *nat)
{
    const int count = channel->axis_bits;
    float nearest[2][SAMPLES];
    for (size_t a = 0; a < SAMPLES; a++)
        nearest[0][a] = nearest[1][a] = 1e30f;
    for (sim_u32 l = 0; l < 1u << count; l++) {
        const float level = (float)pam_level(l, count);
        float *least = nearest[l >> (count - 1 - b) & 1];
        for (size_t a = 0; a < SAMPLES; a++) {
            float distance = sim_add(y[a], -sim_mul(fading[a], level));
            float square = sim_mul(distance, distance);
            least[a] = square < least[a] ? square : least[a];
        }
    }
    const float quarter_gain = sim_mul(0.25f, channel->gain);
    for (size_t a = 0; a < SAMPLES; a++)
        nat[a] = sim_mul(quarter_gain, sim_add(nearest[1][a], -nearest[0][a]));
}

/* With one bit per axis, the LLR is linear in y. */
static void demap_sign(const ldpc_channel *channel, const float *y, const float *fading, float *nat)
{
    for (size_t a = 0; a < SAMPLES; a++)
        nat[a] = sim_mul(channel->gain, sim_mul(fading[a], y[a]));
}

static uint64_t transmit_axes(const ldpc_channel *channel, uint64_t frame, const uint8_t *codeword, size_t n,
                              int8_t *llr, float *llr_float)
{
    uint64_t errors = 0;
    for (size_t first = 0; place(channel, first, 0) < n; first += SAMPLES) {
        float noise[4][CHUNK], y[SAMPLES], fading[SAMPLES], level[SAMPLES], nat[SAMPLES];
        make_noise(channel->seed, frame, channel->point, (uint32_t)(first / 4), CHUNK, noise);
        in_order(noise, CHUNK, y);
        make_fading(channel, frame, first, fading);
        make_levels(channel, first, codeword, n, level);
        for (size_t a = 0; a < SAMPLES; a++)
            y[a] = sim_add(sim_mul(fading[a], level[a]), sim_mul(channel->sigma, y[a]));
        for (int b = 0; b < channel->axis_bits; b++) {
            if (channel->axis_bits == 1)
                demap_sign(channel, y, fading, nat);
            else
                demap(channel, y, fading, b, nat);
            for (size_t a = 0; a < SAMPLES; a++) {
                size_t i = place(channel, first + a, b);
                if (i >= n)
                    continue;
                errors += (nat[a] < 0) != (codeword[i] & 1);
                if (llr)
                    llr[i] = (int8_t)quantized(sim_mul(nat[a], channel->llr_scale));
                else
                    llr_float[i] = nat[a];
            }
        }
    }
    return errors;
}

/* ---- any constellation */

enum { SYMBOLS = SAMPLES / 2 };

/* Writes I and Q of the points of symbols first .. first + count - 1. */
static void make_points(const ldpc_channel *channel, size_t first, size_t count, const uint8_t *codeword,
                        size_t n, float sent[2][SYMBOLS])
{
    const size_t bits = (size_t)channel->symbol_bits;
    for (size_t s = 0; s < count; s++) {
        size_t label = 0;
        for (size_t b = 0; b < bits; b++) {
            const size_t i = channel->bit_at[(first + s) * bits + b];
            label = label << 1 | (i < n ? codeword[i] & 1u : 0);
        }
        sent[0][s] = channel->points[2 * label];
        sent[1][s] = channel->points[2 * label + 1];
    }
}

/* nearest[b][v]: squared distance to the nearest point with bit b = v */
static void search_points(const ldpc_channel *channel, float y[2][SYMBOLS], const float *fading,
                          float nearest[LDPC_MAX_SYMBOL_BITS][2][SYMBOLS])
{
    const int bits = channel->symbol_bits;
    for (int b = 0; b < bits; b++)
        for (size_t s = 0; s < SYMBOLS; s++)
            nearest[b][0][s] = nearest[b][1][s] = 1e30f;
    for (size_t label = 0; label < (size_t)1 << bits; label++) {
        float square[SYMBOLS];
        for (size_t s = 0; s < SYMBOLS; s++) {
            const float i = sim_add(y[0][s], -sim_mul(fading[s], channel->points[2 * label]));
            const float q = sim_add(y[1][s], -sim_mul(fading[s], channel->points[2 * label + 1]));
            square[s] = sim_add(sim_mul(i, i), sim_mul(q, q));
        }
        for (int b = 0; b < bits; b++) {
            float *least = nearest[b][label >> (bits - 1 - b) & 1];
            for (size_t s = 0; s < SYMBOLS; s++)
                least[s] = square[s] < least[s] ? square[s] : least[s];
        }
    }
}

static uint64_t transmit_points(const ldpc_channel *channel, uint64_t frame, const uint8_t *codeword,
                                size_t n, int8_t *llr, float *llr_float)
{
    const size_t bits = (size_t)channel->symbol_bits, symbols = (n + bits - 1) / bits;
    const float quarter_gain = sim_mul(0.25f, channel->gain);
    uint64_t errors = 0;
    for (size_t first = 0; first < symbols; first += SYMBOLS) {
        const size_t count = symbols - first < SYMBOLS ? symbols - first : SYMBOLS;
        float noise[4][CHUNK], samples[SAMPLES], axes[SAMPLES], fading[SYMBOLS],
            y[2][SYMBOLS] = {{0}}, nearest[LDPC_MAX_SYMBOL_BITS][2][SYMBOLS];
        make_noise(channel->seed, frame, channel->point, (uint32_t)(first / 2), CHUNK, noise);
        in_order(noise, CHUNK, samples);
        make_fading(channel, frame, 2 * first, axes);
        make_points(channel, first, count, codeword, n, y);
        for (size_t s = 0; s < SYMBOLS; s++) {
            fading[s] = axes[2 * s];
            for (size_t axis = 0; axis < 2; axis++)
                y[axis][s] =
                    sim_add(sim_mul(fading[s], y[axis][s]), sim_mul(channel->sigma, samples[2 * s + axis]));
        }
        search_points(channel, y, fading, nearest);
        for (size_t b = 0; b < bits; b++)
            for (size_t s = 0; s < count; s++) {
                const size_t i = channel->bit_at[(first + s) * bits + b];
                if (i >= n)
                    continue;
                const float nat = sim_mul(quarter_gain, sim_add(nearest[b][1][s], -nearest[b][0][s]));
                errors += (nat < 0) != (codeword[i] & 1);
                if (llr)
                    llr[i] = (int8_t)quantized(sim_mul(nat, channel->llr_scale));
                else
                    llr_float[i] = nat;
            }
    }
    return errors;
}

/* ---- bits that are inverted or erased
 *
 * Bit i is inverted or erased if random number i % 4 of block i / 4 is below the probability. */

static uint64_t transmit_bits(const ldpc_channel *channel, uint64_t frame, const uint8_t *codeword, size_t n,
                              int8_t *llr, float *llr_float)
{
    uint64_t events = 0;
    for (size_t first = 0; first < n; first += SAMPLES) {
        uint64_t number[4][CHUNK];
        const size_t some = n - first < SAMPLES ? n - first : SAMPLES;
        frame_numbers(channel->seed, frame, SIM_NOISE + SIM_STREAMS * channel->point, first / 4,
                      blocks_of(some), number);
        for (size_t i = 0; i < some; i++) {
            const bool event = (uint32_t)number[i % 4][i / 4] < channel->events;
            const float sent = codeword[first + i] & 1 ? -channel->gain : channel->gain;
            const float nat = !event ? sent : channel->erasures ? 0.0f : -sent;
            events += event;
            if (llr)
                llr[first + i] = (int8_t)quantized(sim_mul(nat, channel->llr_scale));
            else
                llr_float[first + i] = nat;
        }
    }
    return events;
}

static uint64_t transmit(const ldpc_channel *channel, uint64_t frame, const uint8_t *codeword, size_t n,
                         int8_t *llr, float *llr_float)
{
    if (channel->binary)
        return transmit_bits(channel, frame, codeword, n, llr, llr_float);
    if (channel->points)
        return transmit_points(channel, frame, codeword, n, llr, llr_float);
    bool plain = channel->axis_bits == 1 && !channel->fading;
    return (plain ? transmit_signs : transmit_axes)(channel, frame, codeword, n, llr, llr_float);
}

const ldpc_channel_row LDPC_ISA_SYMBOL(ldpc_channel_) = {
    .row = {LDPC_ISA_NAME, LDPC_ISA_FEATURES},
    .noise = noise_of,
    .messages = messages_of,
    .unpack = unpack,
    .transmit = transmit,
};
