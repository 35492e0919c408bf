// SPDX-License-Identifier: BSD-3-Clause
/* Simulates frames on the GPU: messages, encoding, channel, error counts. simulate.c is the host part.
 * channel_math.h is compiled first.
 *
 * Codewords are in groups of 32 frames: x[group][column] has one bit per frame. A warp processes one group or
 * one frame. */
typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

struct ldpc_counts {
    u64 failed, undetected, bit_errors, symbol_errors, channel_errors;
    u32 frames;
    u16 iterations[64];
    u32 unused;
};

// As in simulator.h.
struct ldpc_simulate_args {
    u32 *x;                    // [groups][columns]
    const u32 *encoding;       // encoding.h
    const u32 *message_column; // [k]
    const u32 *transmitted;    // [n] column of each bit, or NO_COLUMN for a constant zero
    s8 *llr;                   // [n_frames][n], or 0 if the decoder uses floats
    float *floats;             // [n_frames][n]
    const u8 *decoded;         // [n_frames][ceil(k/8)] decoded messages
    const u32 *info;           // [n_frames] ldpc_codeword_info
    ldpc_counts *counts;       // [ceil(n_frames/64)]
    u64 seed, first;
    u32 point, phase, n_frames, columns, n, k;
    u32 axis_bits, axes, fading, zero_codeword, symbol_bits; // n and k are in bits
    float sigma, gain, llr_scale;
};

enum { BEGIN, ENCODE, TRANSMIT, COUNT };
enum { MOST_THREADS = 512 };
#define NO_COLUMN 0xffffffffu

// Constants of encoding.h.
enum { ENCODING_START = 4, ENCODING_LEVEL = 3 };
#define ENCODING_HEAD 0x80000000u

// ---- messages

// Transposes 32 x 32 bits, a word per lane.
static __device__ __forceinline__ u32 transposed(u32 word, u32 lane)
{
    u32 low = 0x0000ffffu;
    for (u32 j = 16; j; j >>= 1, low ^= low << j) {
        u32 other = __shfl_xor_sync(0xffffffffu, word, (int)j);
        word = lane & j ? (word & ~low) | (other >> j & low) : (word & low) | (other & low) << j;
    }
    return word;
}

static __device__ philox_block message_block(const ldpc_simulate_args &a, u32 frame, u32 block)
{
    return philox(a.seed, a.first + frame, SIM_MESSAGE + SIM_STREAMS * a.point, block);
}

static __device__ void make_messages(const ldpc_simulate_args &a)
{
    u32 lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    u32 blocks = (a.k + 127) / 128, group = warp / blocks, block = warp % blocks;
    if (group >= (a.n_frames + 31) / 32)
        return;
    philox_block made = message_block(a, 32 * group + lane, block);
    u32 *x = a.x + (size_t)group * a.columns;
    for (u32 j = 0; j < 4; j++) {
        u32 bit = 128 * block + 32 * j + lane, word = transposed(made.word[j], lane);
        if (bit < a.k)
            x[a.message_column[bit]] = word;
    }
}

// All threads of the grid must call this function.
static __device__ void clear_counts(const ldpc_simulate_args &a)
{
    for (u32 b = blockIdx.x * blockDim.x + threadIdx.x; b < (a.n_frames + 63) / 64;
         b += gridDim.x * blockDim.x) {
        ldpc_counts *c = a.counts + b;
        c->failed = c->undetected = c->bit_errors = c->symbol_errors = c->channel_errors = 0;
        c->frames = a.n_frames - 64 * b < 64 ? a.n_frames - 64 * b : 64;
        for (u32 i = c->frames; i < 64; i++)
            c->iterations[i] = 0;
        c->unused = 0;
    }
}

// ---- encoding

/* Computes a prefix scan (xor) over the threads of a block. Each thread has a run of sums.
 *
 * Before the scan, carry[t] is the xor of thread t's sums since the last head; heads[t] is 1 if a chain
 * begins in its run. The result is the carry from earlier threads. */
static __device__ u32 carry_into(u32 sum, bool head)
{
    __shared__ u32 carry[MOST_THREADS], heads[MOST_THREADS];
    u32 t = threadIdx.x;
    carry[t] = sum;
    heads[t] = head;
    __syncthreads();
    for (u32 distance = 1; distance < blockDim.x; distance *= 2) {
        u32 add = t >= distance && !heads[t] ? carry[t - distance] : 0;
        u32 earlier_head = t >= distance ? heads[t - distance] : 0;
        __syncthreads();
        carry[t] ^= add;
        heads[t] |= earlier_head;
        __syncthreads();
    }
    return t ? carry[t - 1] : 0;
}

// Second part of a level (encoding.h).
static __device__ void accumulate(const u32 *target, u32 count, u32 *x)
{
    u32 run = (count + blockDim.x - 1) / blockDim.x;
    u32 from = threadIdx.x * run, to = from + run < count ? from + run : count, sum = 0;
    bool head = false;
    for (u32 i = from; i < to; i++) {
        bool first = target[i] & ENCODING_HEAD;
        head |= first;
        sum = (first ? 0 : sum) ^ x[target[i] & ~ENCODING_HEAD];
        x[target[i] & ~ENCODING_HEAD] = sum;
    }
    sum = carry_into(sum, head);
    for (u32 i = from; i < to && !(target[i] & ENCODING_HEAD); i++)
        x[target[i]] ^= sum;
    __syncthreads();
}

// A thread block encodes a group.
static __device__ void encode(const ldpc_simulate_args &a)
{
    u32 *x = a.x + (size_t)blockIdx.x * a.columns;
    const u32 *level = a.encoding + ENCODING_START, *target = a.encoding + a.encoding[1];
    const u32 *start = a.encoding + a.encoding[2], *operand = a.encoding + a.encoding[3];
    for (u32 l = 0; l < a.encoding[0]; l++, level += ENCODING_LEVEL) {
        u32 first = level[0], count = level[1];
        for (u32 i = first + threadIdx.x; i < first + count; i += blockDim.x) {
            u32 sum = 0, end = start[i + 1];
            for (u32 e = start[i]; e < end; e++)
                sum ^= x[operand[e]];
            x[target[i] & ~ENCODING_HEAD] = sum;
        }
        __syncthreads();
        if (level[2])
            accumulate(target + first, count, x);
    }
}

// ---- the channel

static __device__ __forceinline__ u32 sum_of_warp(u32 value)
{
    for (int distance = 16; distance; distance /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    return value;
}

// Bit i of 32 codewords.
static __device__ __forceinline__ u32 transmitted_bit(const ldpc_simulate_args &a, u32 group, u32 i)
{
    if (i >= a.n || a.zero_codeword)
        return 0;
    u32 column = a.transmitted[i];
    return column == NO_COLUMN ? 0 : a.x[(size_t)group * a.columns + column];
}

static __device__ __forceinline__ void four_samples(const ldpc_simulate_args &a, u64 frame, u32 block,
                                                    float noise[4])
{
    philox_block b = philox(a.seed, frame, SIM_NOISE + SIM_STREAMS * a.point, block);
    two_samples(b.word[0], b.word[1], &noise[0], &noise[1]);
    two_samples(b.word[2], b.word[3], &noise[2], &noise[3]);
}

static __device__ __forceinline__ void store_four(const ldpc_simulate_args &a, u32 frame, u32 block,
                                                  const float nat[4])
{
    size_t at = (size_t)frame * a.n + 4 * block;
    u32 steps = 0;
    if (a.llr)
        for (u32 j = 0; j < 4; j++)
            steps |= quantized(sim_mul(nat[j], a.llr_scale)) << 8 * j;
    if (a.llr && a.n % 4 == 0)
        *(u32 *)(a.llr + at) = steps;
    else
        for (u32 j = 0; j < 4 && 4 * block + j < a.n; j++)
            if (a.llr)
                a.llr[at + j] = (s8)(steps >> 8 * j);
            else
                a.floats[at + j] = nat[j];
}

static __device__ u32 transmit_signs(const ldpc_simulate_args &a, u32 group, u32 block)
{
    u32 bits[4], errors = 0;
    if (4 * block >= a.n)
        return 0;
    for (u32 j = 0; j < 4; j++)
        bits[j] = transmitted_bit(a, group, 4 * block + j);
    u32 beyond = 4 * block + 4 > a.n ? 4 * block + 4 - a.n : 0; // samples after n
    for (u32 w = 0; w < 32 && 32 * group + w < a.n_frames; w++) {
        float noise[4], nat[4];
        four_samples(a, a.first + 32 * group + w, block, noise);
        for (u32 j = 0; j < 4; j++) {
            u32 bit = bits[j] >> w & 1;
            float y = sim_add(sim_float(0x3f800000u | bit << 31), sim_mul(a.sigma, noise[j]));
            errors += j + beyond < 4 ? sim_bits(y) >> 31 ^ bit : 0; // y is never -0
            nat[j] = sim_mul(a.gain, y);
        }
        store_four(a, 32 * group + w, block, nat);
    }
    return errors;
}

static __device__ float demapped(const ldpc_simulate_args &a, float y, float fading, u32 b)
{
    float nearest[2] = {1e30f, 1e30f};
    if (a.axis_bits == 1)
        return sim_mul(a.gain, sim_mul(fading, y));
    for (u32 l = 0; l < 1u << a.axis_bits; l++) {
        float level = (float)pam_level(l, (int)a.axis_bits);
        float distance = sim_add(y, -sim_mul(fading, level)), square = sim_mul(distance, distance);
        u32 bit = l >> (a.axis_bits - 1 - b) & 1;
        nearest[bit] = square < nearest[bit] ? square : nearest[bit];
    }
    return sim_mul(sim_mul(0.25f, a.gain), sim_add(nearest[1], -nearest[0]));
}

static __device__ __forceinline__ u32 bit_index(const ldpc_simulate_args &a, u32 axis, u32 b)
{
    return (axis / a.axes * a.axis_bits + b) * a.axes + axis % a.axes;
}

static __device__ float fading_at(const ldpc_simulate_args &a, u64 frame, u32 symbol)
{
    if (!a.fading)
        return 1.0f;
    return fading_of(philox(a.seed, frame, SIM_FADING + SIM_STREAMS * a.point, symbol / 4).word[symbol % 4]);
}

// label[b]: bit b of all frames.
static __device__ u32 transmit_axis(const ldpc_simulate_args &a, u32 frame, u32 axis, float noise,
                                    const u32 *label)
{
    u32 bits = 0, errors = 0;
    for (u32 b = 0; b < a.axis_bits; b++)
        bits = bits << 1 | (label[b] >> frame % 32 & 1);
    float fading = fading_at(a, a.first + frame, axis / a.axes);
    float level = (float)pam_level(bits, (int)a.axis_bits);
    float y = sim_add(sim_mul(fading, level), sim_mul(a.sigma, noise));
    for (u32 b = 0; b < a.axis_bits; b++) {
        u32 i = bit_index(a, axis, b);
        float nat = demapped(a, y, fading, b);
        if (i >= a.n)
            continue;
        errors += (nat < 0) != (bits >> (a.axis_bits - 1 - b) & 1);
        if (a.llr)
            a.llr[(size_t)frame * a.n + i] = (s8)quantized(sim_mul(nat, a.llr_scale));
        else
            a.floats[(size_t)frame * a.n + i] = nat;
    }
    return errors;
}

static __device__ u32 transmit_axes(const ldpc_simulate_args &a, u32 group, u32 block)
{
    u32 label[4][4], errors = 0;
    for (u32 j = 0; j < 4; j++)
        for (u32 b = 0; b < 4; b++)
            label[j][b] = b < a.axis_bits ? transmitted_bit(a, group, bit_index(a, 4 * block + j, b)) : 0;
    for (u32 w = 0; w < 32 && 32 * group + w < a.n_frames; w++) {
        float noise[4];
        four_samples(a, a.first + 32 * group + w, block, noise);
        for (u32 j = 0; j < 4; j++)
            errors += transmit_axis(a, 32 * group + w, 4 * block + j, noise[j], label[j]);
    }
    return errors;
}

static __device__ void transmit(const ldpc_simulate_args &a)
{
    u32 groups = (a.n_frames + 31) / 32, parts = gridDim.x / groups;
    u32 group = blockIdx.x / parts, block = blockIdx.x % parts * blockDim.x + threadIdx.x;
    u32 errors =
        a.axis_bits == 1 && !a.fading ? transmit_signs(a, group, block) : transmit_axes(a, group, block);
    errors = sum_of_warp(errors);
    if (threadIdx.x % 32 == 0 && errors)
        atomicAdd(&a.counts[group / 2].channel_errors, (u64)errors);
}

// ---- counting

static __device__ __forceinline__ u32 wrong_of(u32 sent, u32 decoded, u32 count)
{
    u32 wrong = __brev(sent) >> 24 ^ decoded;
    return __popc(count < 8 ? wrong >> (8 - count) : wrong);
}

static __device__ u32 wrong_of_block(const ldpc_simulate_args &a, u32 frame, u32 block)
{
    const u8 *decoded = a.decoded + (size_t)frame * ((a.k + 7) / 8);
    philox_block made = {
        {0, 0, 0, 0}
    };
    if (!a.zero_codeword)
        made = message_block(a, frame, block);
    u32 wrong = 0;
    for (u32 i = 0; i < 16; i++) {
        u32 bit = 128 * block + 8 * i;
        if (bit < a.k)
            wrong += wrong_of(made.word[i / 4] >> 8 * (i % 4) & 255, decoded[bit / 8], a.k - bit);
    }
    return wrong;
}

static __device__ u32 wrong_symbols(const ldpc_simulate_args &a, u32 frame, u32 first)
{
    const u8 *decoded = a.decoded + (size_t)frame * ((a.k + 7) / 8);
    philox_block made = {
        {0, 0, 0, 0}
    };
    u32 wrong = 0, at = ~0u;
    for (u32 symbol = first; symbol * a.symbol_bits < a.k; symbol += 32) {
        u32 differ = 0;
        for (u32 bit = symbol * a.symbol_bits; bit < (symbol + 1) * a.symbol_bits; bit++) {
            if (!a.zero_codeword && bit / 128 != at)
                made = message_block(a, frame, at = bit / 128);
            differ |= made.word[bit % 128 / 32] >> bit % 32 ^ decoded[bit / 8] >> (7 - bit % 8);
        }
        wrong += differ & 1;
    }
    return wrong;
}

static __device__ void count(const ldpc_simulate_args &a)
{
    u32 lane = threadIdx.x % 32, frame = (blockIdx.x * blockDim.x + threadIdx.x) / 32, wrong = 0;
    if (frame >= a.n_frames)
        return;
    for (u32 block = lane; 128 * block < a.k; block += 32)
        wrong += wrong_of_block(a, frame, block);
    wrong = sum_of_warp(wrong);
    u32 symbols = wrong && a.symbol_bits > 1 ? sum_of_warp(wrong_symbols(a, frame, lane)) : wrong;
    if (lane)
        return;
    ldpc_counts *c = a.counts + frame / 64;
    const u32 *info = a.info + 3 * (size_t)frame;
    c->iterations[frame % 64] = (u16)info[0];
    if (!wrong)
        return;
    atomicAdd(&c->bit_errors, (u64)wrong);
    atomicAdd(&c->symbol_errors, (u64)symbols);
    atomicOr((u32 *)&c->failed + frame % 64 / 32, 1u << frame % 32);
    if (info[2] & 255)
        atomicOr((u32 *)&c->undetected + frame % 64 / 32, 1u << frame % 32);
}

extern "C" __global__ void __launch_bounds__(MOST_THREADS)
    ldpc_simulate(const __grid_constant__ ldpc_simulate_args a)
{
    if (a.phase == BEGIN) {
        clear_counts(a);
        if (!a.zero_codeword)
            make_messages(a);
    } else if (a.phase == ENCODE)
        encode(a);
    else if (a.phase == TRANSMIT)
        transmit(a);
    else
        count(a);
}
