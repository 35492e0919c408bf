// SPDX-License-Identifier: BSD-3-Clause
/* Check nodes of codes over GF(2^P): min-max, or min-sum if SUM is 1. nb_pairs.c writes a prologue with the
 * constants.
 *
 * A register has two codewords. Each half is a cost of 0 .. 255, stored as the denormal number cost * 2^-24:
 * half2 arithmetic is exact integer arithmetic up to 2047. Half of the maxima use the pipes for
 * multiplication. All other maxima, and the minima of three numbers, use the pipes for logic.
 *
 * A thread block decodes CODEWORDS codewords, and a warp processes one check at a time. A thread has HELD
 * elements of the messages of one pair of codewords. TEAM threads have a whole message.
 *
 *   scratch of a thread block:  channel    [variable][SIZE]
 *                               check_msgs [edge][SIZE] u16, twice for flooding
 *                               symbols    [variable][codeword]
 *   shared memory:              count [CODEWORDS], state [CODEWORDS]
 *                               messages   [warp][BUFFERS][SIZE] nb_slot
 *
 * An element is the cost of a field element for both codewords. Element member * HELD + r of a pair is at
 * position (r / 4 * 32 + lane) * 4 + r % 4 of a message, with lane = member * PAIRS + pair: a thread reads
 * four elements at once, and a warp reads consecutive elements. This permutes the bits of an element's
 * number, so positions are combined by XOR, too. */
#define LDPC_NO_HALVES
#include "device.cuh"
#include "half.cuh"
#include "pair_numbers.cuh"

enum {
    Q = 1 << P,
    TEAM = Q / HELD,
    PAIRS = 32 / TEAM,
    CODEWORDS = 2 * PAIRS,
    SIZE = Q * PAIRS, // HELD * 32
    VECTOR = 4,       // elements read together
    MOST_STEPS = 4,
    BASIS = 8, // positions of images per edge: 1, 2, 4 ..
    TO_CHECK = 0,
    TO_VARIABLE = 1,
    DONE = 0,
    OPEN = 1,
    FINISHING = 2
};
#define TOP       0x00ff00ffu
#define MINUS_ONE BOTH(-1)
#define NO_EDGE   0xffffffffu
#define EXPECTED  0x00400040u

#if WIDE
typedef u32 nb_slot;
#else
typedef u16 nb_slot;
#endif

typedef struct nb_state {
    IN_GLOBAL const u32 *table;
    IN_GLOBAL u16 *channel, *messages;
    IN_SHARED nb_slot *buffers;
    IN_GLOBAL u8 *symbols;
    IN_SHARED u32 *count, *state, *words;
    u32 lane, pair, member, warp, warps;
    u32 *expected;
} nb_state;

DEVICE_INLINE u32 low_element(u32 four_bytes)
{
    return prmt(four_bytes, 0u, 0x4140u);
}
DEVICE_INLINE u32 high_element(u32 four_bytes)
{
    return prmt(four_bytes, 0u, 0x4342u);
}
DEVICE_INLINE u16 narrow(u32 pair)
{
    return (u16)prmt(pair, 0u, 0x4420u);
}
DEVICE_INLINE uint2 narrow_four(const u32 *pairs)
{
    uint2 four;
    four.x = prmt(pairs[0], pairs[1], 0x6420u);
    four.y = prmt(pairs[2], pairs[3], 0x6420u);
    return four;
}
DEVICE_INLINE void add_four(uint2 four, u32 *sums)
{
    sums[0] += low_element(four.x);
    sums[1] += high_element(four.x);
    sums[2] += low_element(four.y);
    sums[3] += high_element(four.y);
}

typedef struct nb_narrow {
    uint2 four[HELD / VECTOR];
} nb_narrow;

DEVICE_INLINE void read_message(IN_GLOBAL const u16 *message, u32 lane, nb_narrow *values)
{
    IN_GLOBAL const uint2 *from = (IN_GLOBAL const uint2 *)message + lane;
#pragma unroll
    for (int r = 0; r < HELD / VECTOR; r++)
        values->four[r] = from[32 * r];
}

DEVICE_INLINE void add_message(const nb_narrow *values, u32 *sums)
{
#pragma unroll
    for (int r = 0; r < HELD / VECTOR; r++)
        add_four(values->four[r], sums + VECTOR * r);
}

DEVICE_INLINE void write_message(IN_GLOBAL u16 *message, u32 lane, const u32 *value)
{
    IN_GLOBAL uint2 *to = (IN_GLOBAL uint2 *)message + lane;
#pragma unroll
    for (int r = 0; r < HELD / VECTOR; r++)
        to[32 * r] = narrow_four(value + VECTOR * r);
}

#if WIDE
DEVICE_INLINE u32 to_slot(u32 pair)
{
    return pair;
}
DEVICE_INLINE u32 from_slot(u32 slot)
{
    return slot;
}
DEVICE_INLINE void read_slots(IN_SHARED const nb_slot *message, u32 lane, u32 *value)
{
    IN_SHARED const uint4 *from = (IN_SHARED const uint4 *)message + lane;
#pragma unroll
    for (int r = 0; r < HELD / VECTOR; r++) {
        const uint4 four = from[32 * r];
        value[VECTOR * r] = four.x;
        value[VECTOR * r + 1] = four.y;
        value[VECTOR * r + 2] = four.z;
        value[VECTOR * r + 3] = four.w;
    }
}
DEVICE_INLINE void write_slots(IN_SHARED nb_slot *message, u32 lane, const u32 *value)
{
    IN_SHARED uint4 *to = (IN_SHARED uint4 *)message + lane;
#pragma unroll
    for (int r = 0; r < HELD / VECTOR; r++) {
        uint4 four;
        four.x = value[VECTOR * r];
        four.y = value[VECTOR * r + 1];
        four.z = value[VECTOR * r + 2];
        four.w = value[VECTOR * r + 3];
        to[32 * r] = four;
    }
}
#else
DEVICE_INLINE u16 to_slot(u32 pair)
{
    return narrow(pair);
}
DEVICE_INLINE u32 from_slot(u16 slot)
{
    return low_element(slot);
}
DEVICE_INLINE void read_slots(IN_SHARED const nb_slot *message, u32 lane, u32 *value)
{
    IN_SHARED const uint2 *from = (IN_SHARED const uint2 *)message + lane;
#pragma unroll
    for (int r = 0; r < HELD / VECTOR; r++) {
        const uint2 four = from[32 * r];
        value[VECTOR * r] = low_element(four.x);
        value[VECTOR * r + 1] = high_element(four.x);
        value[VECTOR * r + 2] = low_element(four.y);
        value[VECTOR * r + 3] = high_element(four.y);
    }
}
DEVICE_INLINE void write_slots(IN_SHARED nb_slot *message, u32 lane, const u32 *value)
{
    IN_SHARED uint2 *to = (IN_SHARED uint2 *)message + lane;
#pragma unroll
    for (int r = 0; r < HELD / VECTOR; r++)
        to[32 * r] = narrow_four(value + VECTOR * r);
}
#endif
DEVICE_INLINE u32 larger(u32 a, u32 b)
{
    return b + hrelu(b, MINUS_ONE, a);
}
DEVICE_INLINE u32 combine_logic(u32 a, u32 b)
{
    return SUM ? hadd(a, b) : hmax(a, b);
}
DEVICE_INLINE u32 combine_multiply(u32 a, u32 b)
{
    return SUM ? hadd(a, b) : larger(a, b);
}

#if FEW
#include "nb_pairs_few.cuh"
#endif

DEVICE_INLINE u32 team_min(const nb_state *s, u32 value)
{
#if FEW
    return warp_least(s, value);
#else
#pragma unroll
    for (int lanes = PAIRS; lanes < 32; lanes *= 2)
        value = hmin(value, ldpc_warp_xor(value, lanes, s->words));
    return value;
#endif
}

// ---- one message

DEVICE_INLINE void convolve(const nb_state *s, IN_SHARED const nb_slot *left, IN_SHARED const nb_slot *right,
                            u32 *acc)
{
#pragma unroll
    for (int r = 0; r < HELD; r++)
        acc[r] = TOP;
#pragma unroll(TEAM == 2 ? 2 : 1)
    for (u32 hx = 0; hx < TEAM; hx++) {
        u32 l[HELD], x[HELD];
        read_slots(left, s->lane ^ hx * PAIRS, l);
        read_slots(right, hx * PAIRS + s->pair, x);
#pragma unroll
        for (int a = 0; a < HELD; a++)
#pragma unroll
            for (int b = 0; b < HELD; b += 2)
                acc[a] =
                    hmin3(combine_logic(l[a ^ b], x[b]), combine_multiply(l[a ^ b ^ 1], x[b + 1]), acc[a]);
    }
}

typedef struct nb_images {
    u32 base, step[MOST_STEPS];
} nb_images;

DEVICE_INLINE nb_images images_of_edge(const nb_state *s, u32 e, u32 direction)
{
    IN_GLOBAL const u16 *position = (IN_GLOBAL const u16 *)(s->table + IMAGES) + BASIS * (2 * e + direction);
    nb_images images;
    images.base = s->pair * VECTOR;
#pragma unroll
    for (int i = 0; i < MOST_STEPS; i++)
        images.step[i] = 0;
#pragma unroll
    for (int i = 0; i < P; i++) {
        u32 image = position[i];
        if ((1 << i) < HELD)
            images.step[i] = image;
        else if (s->member * HELD >> i & 1)
            images.base ^= image;
    }
    return images;
}

DEVICE_INLINE u32 image_of(const nb_images *images, int r)
{
    u32 at = images->base;
#pragma unroll
    for (int i = 0; i < MOST_STEPS && (1 << i) < HELD; i++)
        if (r >> i & 1)
            at ^= images->step[i];
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

DEVICE_INLINE void close_sum(const nb_state *s, u32 *value)
{
#pragma unroll
    for (int r = 0; r < HELD; r++)
        value[r] = hmin(value[r], TOP);
    make_smallest_zero(s, value);
}

DEVICE_INLINE void variable_sum(const nb_state *s, IN_GLOBAL const u16 *read, u32 v, u32 without, u32 *value)
{
    nb_narrow values;
    read_message(s->channel + (size_t)v * SIZE, s->lane, &values);
#pragma unroll
    for (int r = 0; r < HELD; r++)
        value[r] = 0;
    add_message(&values, value);
    IN_GLOBAL const u32 *start = s->table + VARIABLE_START + v;
    for (u32 i = start[0]; i < start[1]; i++) {
        u32 e = s->table[VARIABLE_EDGES + i];
        if (e == without)
            continue;
        read_message(read + (size_t)e * SIZE, s->lane, &values);
        add_message(&values, value);
    }
    close_sum(s, value);
}

#if OTHERS
DEVICE_INLINE void sum_of_others(const nb_state *s, IN_GLOBAL const u16 *read, u32 e, u32 *value)
{
    IN_GLOBAL const u32 *others = s->table + OTHER_EDGES + OTHERS * e;
    nb_narrow channel, message[OTHERS];
    read_message(s->channel + (size_t)s->table[ROW_COLUMNS + e] * SIZE, s->lane, &channel);
#pragma unroll
    for (int i = 0; i < OTHERS; i++)
        read_message(read + (size_t)others[i] * SIZE, s->lane, &message[i]);
#pragma unroll
    for (int r = 0; r < HELD; r++)
        value[r] = 0;
    add_message(&channel, value);
#pragma unroll
    for (int i = 0; i < OTHERS; i++)
        add_message(&message[i], value);
    close_sum(s, value);
}
#else
DEVICE_INLINE void sum_of_others(const nb_state *s, IN_GLOBAL const u16 *read, u32 e, u32 *value)
{
    variable_sum(s, read, s->table[ROW_COLUMNS + e], e, value);
}
#endif

DEVICE_INLINE void fetch(const nb_state *s, IN_GLOBAL const u16 *read, u32 e, IN_SHARED nb_slot *buffer)
{
    u32 value[HELD];
    const nb_images images = images_of_edge(s, e, TO_CHECK);
    sum_of_others(s, read, e, value);
#pragma unroll
    for (int r = 0; r < HELD; r++)
        buffer[image_of(&images, r)] = to_slot(value[r]);
}

DEVICE_INLINE void emit(const nb_state *s, IN_GLOBAL u16 *write, u32 e, const u32 *value)
{
    const nb_images images = images_of_edge(s, e, TO_VARIABLE);
    IN_GLOBAL u16 *target = write + (size_t)e * SIZE;
#pragma unroll
    for (int r = 0; r < HELD; r++)
        target[image_of(&images, r)] = narrow(value[r]);
}

// ---- one check

// In a check of degree 1, the symbol is 0. In a check of degree 2, R of each edge is Q of the other edge.
DEVICE_INLINE void small_check(const nb_state *s, IN_GLOBAL u16 *write, u32 first, u32 degree)
{
    u32 value[HELD];
    for (u32 i = 0; i < degree; i++) {
        read_slots(s->buffers + (degree - 1 - i) * SIZE, s->lane, value);
#pragma unroll
        for (int r = 0; r < HELD && degree == 1; r++)
            value[r] = s->member * HELD + r ? TOP : 0;
        emit(s, write, first + i, value);
    }
}

/* Forward-backward algorithm. The buffers have the inputs 0 .. d-1, then the backward sums of inputs i ..
 * d-1, i = 2 .. d-2. Forward sums overwrite input 0.
 *
 *   steps 0 .. d-3    backward sums; the last one is the message of edge 0
 *   then              two steps per edge: its message, and the next forward sum
 *   at the end        the forward sum is the message of edge d-1 */
DEVICE_INLINE void large_check(const nb_state *s, IN_GLOBAL u16 *write, u32 first, u32 d)
{
    u32 acc[HELD];
    IN_SHARED const nb_slot *after = s->buffers + (d - 1) * SIZE;
#pragma unroll 1
    for (u32 step = 0; step < 3 * (d - 2); step++) {
        const bool backward = step < d - 2;
        const u32 i = backward ? d - 2 - step : 1 + (step - (d - 2)) / 2;
        const bool message = !backward && !((step - (d - 2)) & 1);
        IN_SHARED const nb_slot *right =
            s->buffers + (message ? (i + 1 == d - 1 ? d - 1 : d + i - 1) : i) * SIZE;
#if FEW
        convolve_few(s, backward ? after : s->buffers, right, s->expected, acc);
#else
        convolve(s, backward ? after : s->buffers, right, acc);
#endif
        if (message || (backward && i == 1) || (!backward && i == d - 2)) {
            emit(s, write, first + (message ? i : backward ? 0 : d - 1), acc);
        } else {
            IN_SHARED nb_slot *buffer = s->buffers + (backward ? d + i - 2 : 0) * SIZE;
            __syncwarp();
            write_slots(buffer, s->lane, acc);
            __syncwarp();
            after = buffer;
        }
    }
}

DEVICE_INLINE void check_update(const nb_state *s, IN_GLOBAL const u16 *read, IN_GLOBAL u16 *write, u32 c)
{
    const u32 first = s->table[ROW_START + c];
    u32 d = s->table[ROW_START + c + 1] - first;
#if FEW // lets the compiler assume that loops over d do not diverge
    d = ldpc_warp_same(d);
#endif
    for (u32 i = 0; i < d; i++)
        fetch(s, read, first + i, s->buffers + i * SIZE);
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
