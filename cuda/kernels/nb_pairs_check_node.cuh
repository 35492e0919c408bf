// SPDX-License-Identifier: BSD-3-Clause
// Codes over GF(2^P): min-max, and min-sum where SUM is 1. Expects the
// numbers of the code, in the prologue that nb_pairs.c generates.
//
// Two codewords share a register as 16-bit halves that hold costs of 0 .. 255. Read as half precision such a
// half is the denormal cost * 2^-24, so that half2 arithmetic is exact integer arithmetic up to 2047: half of
// the maxima run on the pipes for multiplication, the other half and all minima (of three numbers each) on
// those for logic.
//
// A thread block decodes CODEWORDS codewords, a warp takes one check at a time. A thread holds HELD elements
// of the messages of one pair of codewords; with q > 32 the TEAM threads of a pair are in the same warp.
//
//   scratch of a thread block:  channel [variable][element][pair] |
//                               check_msgs [edge][element][pair], twice for flooding, two bytes each |
//                               symbols [variable][codeword]
//   shared memory:              count [CODEWORDS] | state [CODEWORDS] | for each warp BUFFERS of one message
//
// An element is the cost of a field element for both codewords.
#define LDPC_NO_HALVES // costs are integers where there is no inline PTX
#include "device.cuh"
#include "half.cuh"
#include "pair_numbers.cuh"

enum {
    Q = 1 << P,
    MOST_HELD = 16,
    HELD = Q < MOST_HELD ? Q : MOST_HELD,
    TEAM = Q / HELD,
    PAIRS = 32 / TEAM,
    CODEWORDS = 2 * PAIRS,
    SIZE = Q * PAIRS,
    SHARE = HELD * PAIRS + (TEAM > 1 ? PAIRS : 0), // + PAIRS: padding against bank conflicts
    BUFFER = TEAM * SHARE,
    MOST_STEPS = 4, // log2 of the most elements that a thread holds
    BASIS = 8,      // bytes of an edge's images of 1, 2, 4 ..
    DONE = 0,
    OPEN = 1,
    FINISHING = 2
};
#define TOP       0x00ff00ffu
#define MINUS_ONE BOTH(-1)
#define NO_EDGE   0xffffffffu

typedef struct nb_state {
    IN_GLOBAL const u32 *table;
    IN_GLOBAL u16 *channel, *messages;
    IN_SHARED u16 *buffers;
    IN_GLOBAL u8 *symbols;
    IN_SHARED u32 *count, *state, *words; // words: for ldpc_warp_xor() and ldpc_block_or()
    u32 pair, member, warp, warps;
} nb_state;

DEVICE_INLINE u32 widen(u32 two_bytes)
{
    return prmt(two_bytes, 0u, 0x4140u);
}
DEVICE_INLINE u16 narrow(u32 pair)
{
    return (u16)prmt(pair, 0u, 0x4420u);
}
DEVICE_INLINE u32 larger(u32 a, u32 b) // b + max(a - b, 0) by multiplication
{
    return hadd(b, hrelu(b, MINUS_ONE, a));
}
DEVICE_INLINE u32 combine_logic(u32 a, u32 b)
{
    return SUM ? hadd(a, b) : hmax(a, b);
}
DEVICE_INLINE u32 combine_multiply(u32 a, u32 b)
{
    return SUM ? hadd(a, b) : larger(a, b);
}

// The smallest of the threads of a pair.
DEVICE_INLINE u32 team_min(const nb_state *s, u32 value)
{
#pragma unroll
    for (int lanes = PAIRS; lanes < 32; lanes *= 2)
        value = hmin(value, ldpc_warp_xor(value, lanes, s->words));
    return value;
}

// ---- one message

// acc[r] = element member * HELD + r of the convolution of two messages in shared memory.
DEVICE_INLINE void convolve(const nb_state *s, IN_SHARED const u16 *left, IN_SHARED const u16 *right,
                            u32 *acc)
{
#pragma unroll
    for (int r = 0; r < HELD; r++)
        acc[r] = TOP;
#pragma unroll 1
    for (u32 hx = 0; hx < TEAM; hx++) {
        u32 l[HELD], x[HELD];
        IN_SHARED const u16 *from = left + (s->member ^ hx) * SHARE + s->pair,
                            *with = right + hx * SHARE + s->pair;
#pragma unroll
        for (int r = 0; r < HELD; r++) {
            l[r] = widen(from[r * PAIRS]);
            x[r] = widen(with[r * PAIRS]);
        }
#pragma unroll
        for (int a = 0; a < HELD; a++)
#pragma unroll
            for (int b = 0; b < HELD; b += 2)
                acc[a] =
                    hmin3(combine_logic(l[a ^ b], x[b]), combine_multiply(l[a ^ b ^ 1], x[b + 1]), acc[a]);
    }
}

// Indices of the thread's elements of a check's message in the variable's message: multiplication is linear,
// so that the image of an element is the XOR of the images of its bits.
typedef struct nb_elements {
    u32 base, step[MOST_STEPS];
} nb_elements;

DEVICE_INLINE nb_elements elements_of_edge(const nb_state *s, u32 e)
{
    IN_GLOBAL const u8 *images = (IN_GLOBAL const u8 *)(s->table + INVERSES) + BASIS * e;
    nb_elements elements;
    elements.base = 0;
#pragma unroll
    for (int i = 0; i < MOST_STEPS; i++)
        elements.step[i] = 0;
#pragma unroll
    for (int i = 0; i < P; i++) {
        u32 image = images[i] * PAIRS;
        if ((1 << i) < HELD)
            elements.step[i] = image;
        else if (s->member * HELD >> i & 1)
            elements.base ^= image;
    }
    return elements;
}

DEVICE_INLINE nb_elements own_elements(const nb_state *s)
{
    nb_elements elements;
    elements.base = s->member * HELD * PAIRS;
#pragma unroll
    for (int i = 0; i < MOST_STEPS; i++)
        elements.step[i] = PAIRS << i;
    return elements;
}

DEVICE_INLINE u32 element_at(const nb_elements *elements, int r)
{
    u32 at = elements->base;
#pragma unroll
    for (int i = 0; i < MOST_STEPS && (1 << i) < HELD; i++)
        if (r >> i & 1)
            at ^= elements->step[i];
    return at;
}

DEVICE_INLINE void make_smallest_zero(const nb_state *s, u32 *value)
{
    u32 smallest = TOP;
#pragma unroll
    for (int r = 0; r < HELD; r += 2)
        smallest = hmin3(smallest, value[r], value[r + 1]);
    smallest = team_min(s, smallest);
#pragma unroll
    for (int r = 0; r < HELD; r++)
        value[r] -= smallest;
}

// Channel plus check messages of variable v except that of edge `without`, less the smallest of the sums.
DEVICE_INLINE void variable_sum(const nb_state *s, IN_GLOBAL const u16 *read, u32 v, u32 without,
                                const nb_elements *elements, u32 *value)
{
    IN_GLOBAL const u16 *source = s->channel + (size_t)v * SIZE + s->pair;
#pragma unroll
    for (int r = 0; r < HELD; r++)
        value[r] = widen(source[element_at(elements, r)]);
    IN_GLOBAL const u32 *start = s->table + VARIABLE_START + v;
    for (u32 i = start[0]; i < start[1]; i++) {
        u32 e = s->table[VARIABLE_EDGES + i];
        if (e == without)
            continue;
        source = read + (size_t)e * SIZE + s->pair;
#pragma unroll
        for (int r = 0; r < HELD; r++)
            value[r] += widen(source[element_at(elements, r)]);
    }
#pragma unroll
    for (int r = 0; r < HELD; r++)
        value[r] = hmin(value[r], TOP);
    make_smallest_zero(s, value);
}

DEVICE_INLINE void put(const nb_state *s, IN_SHARED u16 *buffer, const u32 *value)
{
#pragma unroll
    for (int r = 0; r < HELD; r++)
        buffer[s->member * SHARE + r * PAIRS + s->pair] = narrow(value[r]);
}

DEVICE_INLINE void emit(const nb_state *s, IN_GLOBAL u16 *write, u32 e, const u32 *value)
{
    const nb_elements elements = elements_of_edge(s, e);
    IN_GLOBAL u16 *target = write + (size_t)e * SIZE + s->pair;
#pragma unroll
    for (int r = 0; r < HELD; r++)
        target[element_at(&elements, r)] = narrow(value[r]);
}

// ---- one check

// Degree 1: the symbol must be 0. Degree 2: R = Q of the other edge.
DEVICE_INLINE void small_check(const nb_state *s, IN_GLOBAL u16 *write, u32 first, u32 degree)
{
    u32 value[HELD];
    for (u32 i = 0; i < degree; i++) {
        IN_SHARED const u16 *other = s->buffers + (degree - 1 - i) * BUFFER + s->member * SHARE + s->pair;
#pragma unroll
        for (int r = 0; r < HELD; r++)
            value[r] = degree == 2 ? widen(other[r * PAIRS]) : s->member * HELD + r ? TOP : 0;
        emit(s, write, first + i, value);
    }
}

// Slots: inputs 0 .. d-1, then backward sums of the terms i .. d-1 for i = 2 .. d-2; forward sums replace
// input 0. Steps 0 .. d-3 go backward, the last of them is edge 0's message; then two for each inner edge,
// its message and the next forward sum, the last of which is edge d-1's message.
DEVICE_INLINE void large_check(const nb_state *s, IN_GLOBAL u16 *write, u32 first, u32 d)
{
    u32 acc[HELD];
    IN_SHARED const u16 *after = s->buffers + (d - 1) * BUFFER;
#pragma unroll 1
    for (u32 step = 0; step < 3 * (d - 2); step++) {
        const bool backward = step < d - 2;
        const u32 i = backward ? d - 2 - step : 1 + (step - (d - 2)) / 2;
        const bool message = !backward && !((step - (d - 2)) & 1);
        IN_SHARED const u16 *right =
            s->buffers + (message ? (i + 1 == d - 1 ? d - 1 : d + i - 1) : i) * BUFFER;
        convolve(s, backward ? after : s->buffers, right, acc);
        if (message || (backward && i == 1) || (!backward && i == d - 2)) {
            emit(s, write, first + (message ? i : backward ? 0 : d - 1), acc);
        } else {
            IN_SHARED u16 *buffer = s->buffers + (backward ? d + i - 2 : 0) * BUFFER;
            __syncwarp();
            put(s, buffer, acc);
            __syncwarp();
            after = buffer;
        }
    }
}

DEVICE_INLINE void check_update(const nb_state *s, IN_GLOBAL const u16 *read, IN_GLOBAL u16 *write, u32 c)
{
    const u32 first = s->table[ROW_START + c], d = s->table[ROW_START + c + 1] - first;
    for (u32 i = 0; i < d; i++) {
        u32 value[HELD];
        const nb_elements elements = elements_of_edge(s, first + i);
        variable_sum(s, read, s->table[ROW_COLUMNS + first + i], first + i, &elements, value);
        put(s, s->buffers + i * BUFFER, value);
    }
    __syncwarp();
    if (d > 2)
        large_check(s, write, first, d);
    else
        small_check(s, write, first, d);
    __syncwarp();
}

DEVICE_INLINE void iterate(const nb_state *s, IN_GLOBAL const u16 *read, IN_GLOBAL u16 *write)
{
    for (u32 l = 0; l < STAGES; l++) {
        const u32 end = s->table[STAGE_START + l + 1];
        for (u32 i = s->table[STAGE_START + l] + s->warp; i < end; i += s->warps)
            check_update(s, read, write, s->table[STAGE_CHECKS + i]);
        __syncthreads();
    }
}
