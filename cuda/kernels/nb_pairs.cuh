// SPDX-License-Identifier: BSD-3-Clause
// Codes over GF(2^P): min-max, and min-sum where SUM is 1. Text: nb_pairs.c puts the numbers of the code in
// front of it.
//
// Two codewords share a register as 16-bit halves that hold costs of 0 .. 255. Read as half precision such a
// half is the denormal cost * 2^-24, so that half2 arithmetic is exact integer arithmetic up to 2047: half of
// the maxima run on the pipes for multiplication, the other half and all minima (of three numbers each) on
// those for logic.
//
// A block decodes WORDS words, a warp takes one check at a time. A thread holds HELD elements of the messages
// of one word pair; with q > 32 the TEAM threads of a pair sit in the same warp.
//
//   scratch of a block:  channel [variable][a][pair] | messages [edge][a][pair], twice for flooding, two
//   bytes each |
//                        symbols [variable][word]
//   shared memory:       count [WORDS], state [WORDS], and for each warp slots of one message
#include "device.cuh"
#include "half.cuh"

enum {
    Q = 1 << P,
    HELD = Q < 32 ? Q : 32,
    TEAM = Q / HELD,
    PAIRS = 32 / TEAM,
    WORDS = 2 * PAIRS,
    SIZE = Q * PAIRS,
    SHARE = HELD * PAIRS + (TEAM > 1 ? PAIRS : 0), // the threads of a pair use different banks
    SLOT = TEAM * SHARE,
    MOST_STEPS = 5, // log2 of the most elements that a thread holds
    BASIS = 8,      // bytes of an edge's images of 1, 2, 4 ..
    DONE = 0,
    OPEN = 1,
    FINISHING = 2
};
#define TOP       0x00ff00ffu
#define MINUS_ONE 0xbc00bc00u
#define NO_EDGE   0xffffffffu

typedef struct nb_state {
    const u32 *table;
    u16 *channel, *messages, *slots;
    u8 *symbols;
    u32 *count, *state;
    u32 pair, place, warp, warps;
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
DEVICE_INLINE u32 team_min(u32 value)
{
#pragma unroll
    for (int lanes = PAIRS; lanes < 32; lanes *= 2)
        value = hmin(value, __shfl_xor_sync(0xffffffffu, value, lanes));
    return value;
}

// ---- one message

// acc[r] = element place * HELD + r of the convolution of two messages in shared memory.
DEVICE_INLINE void convolve(const nb_state *s, const u16 *left, const u16 *right, u32 *acc)
{
#pragma unroll
    for (int r = 0; r < HELD; r++)
        acc[r] = TOP;
#pragma unroll 1
    for (u32 hx = 0; hx < TEAM; hx++) {
        u32 l[HELD], x[HELD];
        const u16 *from = left + (s->place ^ hx) * SHARE + s->pair, *with = right + hx * SHARE + s->pair;
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
                    hmin3(acc[a], combine_logic(l[a ^ b], x[b]), combine_multiply(l[a ^ b ^ 1], x[b + 1]));
    }
}

// Where the thread's elements of a check's message stand in the variable's: multiplying is linear, so that
// the image of an element is the XOR of the images of its bits.
typedef struct nb_rows {
    u32 base, step[MOST_STEPS];
} nb_rows;

DEVICE_INLINE nb_rows rows_of_edge(const nb_state *s, u32 e)
{
    const u8 *images = (const u8 *)(s->table + INVERSES) + BASIS * e;
    nb_rows rows;
    rows.base = 0;
#pragma unroll
    for (int i = 0; i < MOST_STEPS; i++)
        rows.step[i] = 0;
#pragma unroll
    for (int i = 0; i < P; i++) {
        u32 image = images[i] * PAIRS;
        if ((1 << i) < HELD)
            rows.step[i] = image;
        else if (s->place * HELD >> i & 1)
            rows.base ^= image;
    }
    return rows;
}

DEVICE_INLINE nb_rows own_rows(const nb_state *s)
{
    nb_rows rows;
    rows.base = s->place * HELD * PAIRS;
#pragma unroll
    for (int i = 0; i < MOST_STEPS; i++)
        rows.step[i] = PAIRS << i;
    return rows;
}

DEVICE_INLINE u32 row_at(const nb_rows *rows, int r)
{
    u32 at = rows->base;
#pragma unroll
    for (int i = 0; i < MOST_STEPS && (1 << i) < HELD; i++)
        if (r >> i & 1)
            at ^= rows->step[i];
    return at;
}

DEVICE_INLINE void make_smallest_zero(u32 *value)
{
    u32 smallest = TOP;
#pragma unroll
    for (int r = 0; r < HELD; r += 2)
        smallest = hmin3(smallest, value[r], value[r + 1]);
    smallest = team_min(smallest);
#pragma unroll
    for (int r = 0; r < HELD; r++)
        value[r] -= smallest;
}

// Channel plus check messages of variable v except that of edge `without`, made to start at zero.
DEVICE_INLINE void variable_sum(const nb_state *s, const u16 *read, u32 v, u32 without, const nb_rows *rows,
                                u32 *value)
{
    const u16 *source = s->channel + (size_t)v * SIZE + s->pair;
#pragma unroll
    for (int r = 0; r < HELD; r++)
        value[r] = widen(source[row_at(rows, r)]);
    const u32 *start = s->table + VARIABLE_START + v;
    for (u32 i = start[0]; i < start[1]; i++) {
        u32 e = s->table[VARIABLE_EDGES + i];
        if (e == without)
            continue;
        source = read + (size_t)e * SIZE + s->pair;
#pragma unroll
        for (int r = 0; r < HELD; r++)
            value[r] += widen(source[row_at(rows, r)]);
    }
#pragma unroll
    for (int r = 0; r < HELD; r++)
        value[r] = hmin(value[r], TOP);
    make_smallest_zero(value);
}

DEVICE_INLINE void put(const nb_state *s, u16 *slot, const u32 *value)
{
#pragma unroll
    for (int r = 0; r < HELD; r++)
        slot[s->place * SHARE + r * PAIRS + s->pair] = narrow(value[r]);
}

DEVICE_INLINE void emit(const nb_state *s, u16 *write, u32 e, const u32 *value)
{
    const nb_rows rows = rows_of_edge(s, e);
    u16 *target = write + (size_t)e * SIZE + s->pair;
#pragma unroll
    for (int r = 0; r < HELD; r++)
        target[row_at(&rows, r)] = narrow(value[r]);
}

// ---- one check

// Degree 1: surely zero. Degree 2: what the other edge says.
DEVICE_INLINE void small_check(const nb_state *s, u16 *write, u32 first, u32 degree)
{
    u32 value[HELD];
    for (u32 i = 0; i < degree; i++) {
        const u16 *other = s->slots + (degree - 1 - i) * SLOT + s->place * SHARE + s->pair;
#pragma unroll
        for (int r = 0; r < HELD; r++)
            value[r] = degree == 2 ? widen(other[r * PAIRS]) : s->place * HELD + r ? TOP : 0;
        emit(s, write, first + i, value);
    }
}

// Slots: inputs 0 .. d-1, then backward sums of the terms i .. d-1 for i = 2 .. d-2; forward sums replace
// input 0. Steps 0 .. d-3 go backward, the last of them is edge 0's message; then two for each inner edge,
// its message and the next forward sum, the last of which is edge d-1's message.
DEVICE_INLINE void large_check(const nb_state *s, u16 *write, u32 first, u32 d)
{
    u32 acc[HELD];
    const u16 *after = s->slots + (d - 1) * SLOT;
#pragma unroll 1
    for (u32 step = 0; step < 3 * (d - 2); step++) {
        const bool backward = step < d - 2;
        const u32 i = backward ? d - 2 - step : 1 + (step - (d - 2)) / 2;
        const bool message = !backward && !((step - (d - 2)) & 1);
        const u16 *right = s->slots + (message ? (i + 1 == d - 1 ? d - 1 : d + i - 1) : i) * SLOT;
        convolve(s, backward ? after : s->slots, right, acc);
        if (message || (backward && i == 1) || (!backward && i == d - 2)) {
            emit(s, write, first + (message ? i : backward ? 0 : d - 1), acc);
        } else {
            u16 *slot = s->slots + (backward ? d + i - 2 : 0) * SLOT;
            __syncwarp();
            put(s, slot, acc);
            __syncwarp();
            after = slot;
        }
    }
}

DEVICE_INLINE void check_update(const nb_state *s, const u16 *read, u16 *write, u32 c)
{
    const u32 first = s->table[ROW_START + c], d = s->table[ROW_START + c + 1] - first;
    for (u32 i = 0; i < d; i++) {
        u32 value[HELD];
        const nb_rows rows = rows_of_edge(s, first + i);
        variable_sum(s, read, s->table[ROW_COLUMNS + first + i], first + i, &rows, value);
        put(s, s->slots + i * SLOT, value);
    }
    __syncwarp();
    if (d > 2)
        large_check(s, write, first, d);
    else
        small_check(s, write, first, d);
    __syncwarp();
}

DEVICE_INLINE void iterate(const nb_state *s, const u16 *read, u16 *write)
{
    for (u32 l = 0; l < STAGES; l++) {
        const u32 end = s->table[STAGE_START + l + 1];
        for (u32 i = s->table[STAGE_START + l] + s->warp; i < end; i += s->warps)
            check_update(s, read, write, s->table[STAGE_CHECKS + i]);
        __syncthreads();
    }
}

// ---- into the decoder

// Costs of the thread's symbols of variable v from the LLRs of their bits: a bit costs what its LLR says
// against it.
DEVICE_INLINE void costs_from_bits(const ldpc_cuda_args *a, const nb_state *s, u32 v, const u32 *word,
                                   u32 *value)
{
    u32 zero[P], one[P], base = 0;
#pragma unroll
    for (int i = 0; i < P; i++) {
        zero[i] = one[i] = 0;
#pragma unroll
        for (int w = 0; w < 2; w++) {
            int l = word[w] < a->n_codewords ? a->llr[((size_t)word[w] * COLUMNS + v) * P + P - 1 - i] : 0;
            l = max(l, -127);
            zero[i] |= (u32)max(-l, 0) << 16 * w;
            one[i] |= (u32)max(l, 0) << 16 * w;
        }
        if ((1 << i) >= HELD)
            base += s->place * HELD >> i & 1 ? one[i] : zero[i];
    }
#pragma unroll
    for (int r = 0; r < HELD; r++) {
        u32 cost = base;
#pragma unroll
        for (int i = 0; i < P && (1 << i) < HELD; i++)
            cost += r >> i & 1 ? one[i] : zero[i];
        value[r] = hmin(cost, TOP);
    }
}

DEVICE_INLINE void costs_as_given(const ldpc_cuda_args *a, const nb_state *s, u32 v, const u32 *word,
                                  u32 *value)
{
#pragma unroll
    for (int r = 0; r < HELD; r++) {
        value[r] = 0;
#pragma unroll
        for (int w = 0; w < 2; w++)
            if (word[w] < a->n_codewords)
                value[r] |= (u32)a->costs[((size_t)word[w] * COLUMNS + v) * Q + s->place * HELD + r]
                            << 16 * w;
    }
}

DEVICE void load(const ldpc_cuda_args *a, const nb_state *s, u32 first)
{
    const u32 word[2] = {first + 2 * s->pair, first + 2 * s->pair + 1};
    for (u32 v = s->warp; v < COLUMNS; v += s->warps) {
        u32 value[HELD];
        if (a->costs)
            costs_as_given(a, s, v, word, value);
        else
            costs_from_bits(a, s, v, word, value);
        make_smallest_zero(value);
        u16 *channel = s->channel + (size_t)v * SIZE + s->pair;
#pragma unroll
        for (int r = 0; r < HELD; r++)
            channel[(s->place * HELD + r) * PAIRS] = narrow(value[r]);
    }
    for (size_t i = threadIdx.x; i < (size_t)EDGES * SIZE / 2; i += blockDim.x)
        ((u32 *)s->messages)[i] = 0;
    for (u32 w = threadIdx.x; w < WORDS; w += blockDim.x)
        s->state[w] = first + w < a->n_codewords ? OPEN : DONE;
    __syncthreads();
}

// ---- out of it

// The symbol of smallest cost; of equal ones the smallest symbol.
DEVICE void decide(const nb_state *s, const u16 *read)
{
    const nb_rows rows = own_rows(s);
    for (u32 v = s->warp; v < COLUMNS; v += s->warps) {
        u32 value[HELD], best[2] = {0xffffffffu, 0xffffffffu}; // cost, then symbol
        variable_sum(s, read, v, NO_EDGE, &rows, value);
#pragma unroll
        for (int r = 0; r < HELD; r++) {
            best[0] = min(best[0], (value[r] & 0xffffu) << 8 | (s->place * HELD + r));
            best[1] = min(best[1], value[r] >> 16 << 8 | (s->place * HELD + r));
        }
#pragma unroll
        for (int w = 0; w < 2; w++) {
#pragma unroll
            for (int lanes = PAIRS; lanes < 32; lanes *= 2)
                best[w] = min(best[w], __shfl_xor_sync(0xffffffffu, best[w], lanes));
            if (s->place == 0)
                s->symbols[v * WORDS + 2 * s->pair + w] = (u8)best[w];
        }
    }
    __syncthreads();
}

// Unsatisfied checks of each word.
DEVICE void count_unsatisfied(const nb_state *s)
{
    const u8 *coefficients = (const u8 *)(s->table + COEFFICIENTS),
             *products = (const u8 *)(s->table + PRODUCTS);
    for (u32 w = threadIdx.x; w < WORDS; w += blockDim.x)
        s->count[w] = 0;
    __syncthreads();
    for (u32 i = threadIdx.x; i < CHECKS * WORDS; i += blockDim.x) {
        u32 c = i / WORDS, w = i % WORDS, sum = 0;
        for (u32 e = s->table[ROW_START + c]; e < s->table[ROW_START + c + 1]; e++)
            sum ^= products[coefficients[e] * Q + s->symbols[s->table[ROW_COLUMNS + e] * WORDS + w]];
        if (sum)
            atomicAdd(&s->count[w], 1u);
    }
    __syncthreads();
}

// The bits of `symbols` symbols, those of variables columns[0 .. symbols - 1], or of all in turn.
DEVICE void store_bits(const nb_state *s, const u32 *columns, u32 symbols, u32 first, u8 *out)
{
    const u32 bits = symbols * P, bytes = (bits + 7) / 8;
    for (u32 i = threadIdx.x; i < bytes * WORDS; i += blockDim.x) {
        u32 w = i / bytes, byte = i % bytes, packed = 0;
        if (s->state[w] != FINISHING)
            continue;
        for (u32 bit = 8 * byte; bit < 8 * byte + 8; bit++) {
            u32 v = bit / P, shift = P - 1 - bit % P;
            if (bit < bits)
                packed |= (s->symbols[(columns ? columns[v] : v) * WORDS + w] >> shift & 1u)
                          << (7 - (bit - 8 * byte));
        }
        out[(size_t)(first + w) * bytes + byte] = (u8)packed;
    }
}

// LLR of each bit: what the best symbol with a 1 there costs more than the best one with a 0.
DEVICE_INLINE void store_bit_llrs(const nb_state *s, const u32 *value, short *const *to)
{
#pragma unroll
    for (int i = 0; i < P; i++) {
        u32 zero = TOP, one = TOP;
#pragma unroll
        for (int r = 0; r < HELD; r++)
            if ((1 << i) < HELD ? r >> i & 1 : s->place * HELD >> i & 1)
                one = hmin(one, value[r]);
            else
                zero = hmin(zero, value[r]);
        zero = team_min(zero);
        one = team_min(one);
#pragma unroll
        for (int w = 0; w < 2; w++)
            if (to[w] && s->place == 0)
                to[w][P - 1 - i] = (short)((int)(one >> 16 * w & 0xffffu) - (int)(zero >> 16 * w & 0xffffu));
    }
}

DEVICE void store_posteriors(const ldpc_cuda_args *a, const nb_state *s, const u16 *read, u32 first)
{
    const nb_rows rows = own_rows(s);
    for (u32 v = s->warp; v < COLUMNS; v += s->warps) {
        u32 value[HELD];
        short *llr[2] = {0, 0};
        variable_sum(s, read, v, NO_EDGE, &rows, value);
#pragma unroll
        for (int w = 0; w < 2; w++) {
            u32 word = 2 * s->pair + w;
            size_t symbol = (size_t)(first + word) * COLUMNS + v;
            bool wanted = s->state[word] == FINISHING;
            if (a->posterior && wanted)
                llr[w] = a->posterior + symbol * P;
#pragma unroll
            for (int r = 0; r < HELD; r++)
                if (a->symbols && wanted)
                    a->symbols[symbol * Q + s->place * HELD + r] = (u8)(value[r] >> 16 * w);
        }
        store_bit_llrs(s, value, llr);
    }
}

DEVICE void store(const ldpc_cuda_args *a, const nb_state *s, const u16 *read, u32 first, u32 iterations)
{
    if (a->message)
        store_bits(s, s->table + MESSAGE_COLUMNS, K, first, a->message);
    if (a->codeword)
        store_bits(s, 0, COLUMNS, first, a->codeword);
    if (a->posterior || a->symbols)
        store_posteriors(a, s, read, first);
    for (u32 w = threadIdx.x; w < WORDS && a->info; w += blockDim.x)
        if (s->state[w] == FINISHING)
            ldpc_store_info(a, first + w, iterations, s->count[w]);
}

// Hand over the words that are done now; is any left?
DEVICE bool finish(const ldpc_cuda_args *a, const nb_state *s, const u16 *read, u32 first, u32 iterations)
{
    const bool last = iterations == a->max_iterations;
    bool now = false, left = false;
    for (u32 w = threadIdx.x; w < WORDS; w += blockDim.x) {
        u32 old = s->state[w], fresh = old == OPEN && !(last || s->count[w] == 0) ? OPEN
                                       : old == OPEN                              ? FINISHING
                                                                                  : DONE;
        s->state[w] = fresh;
        now = now || fresh == FINISHING;
        left = left || fresh == OPEN;
    }
    if (__syncthreads_or(now))
        store(a, s, read, first, iterations);
    return __syncthreads_or(left) != 0;
}

extern "C" __global__ void __launch_bounds__(MOST_THREADS)
    ldpc_decode(const __grid_constant__ ldpc_cuda_args a)
{
    extern __shared__ u32 sm[];
    const u32 lane = threadIdx.x % 32;
    nb_state s;
    s.table = a.table;
    s.channel = (u16 *)((u8 *)a.scratch + blockIdx.x * (size_t)SCRATCH_BYTES);
    s.messages = s.channel + (size_t)COLUMNS * SIZE;
    s.symbols = (u8 *)(s.messages + (size_t)(FLOODING ? 2 : 1) * EDGES * SIZE);
    s.count = sm;
    s.state = sm + WORDS;
    s.pair = lane % PAIRS;
    s.place = lane / PAIRS;
    s.warp = threadIdx.x / 32;
    s.warps = blockDim.x / 32;
    s.slots = (u16 *)(sm + 2 * WORDS) + (size_t)s.warp * SLOTS * SLOT;
    for (u32 first = WORDS * blockIdx.x; first < a.n_codewords; first += WORDS * gridDim.x) {
        u16 *read = s.messages, *write = FLOODING ? read + (size_t)EDGES * SIZE : read;
        load(&a, &s, first);
        for (u32 i = 0;; i++) {
            if (a.early_stop || i == a.max_iterations) {
                decide(&s, read);
                count_unsatisfied(&s);
                if (!finish(&a, &s, read, first, i))
                    break;
            }
            iterate(&s, read, write);
            if (FLOODING) {
                u16 *newest = write;
                write = read;
                read = newest;
            }
        }
    }
}
