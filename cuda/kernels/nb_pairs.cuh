// SPDX-License-Identifier: BSD-3-Clause
// The kernel "pairs". nb_pairs_check_node.cuh has the memory map.
#include "nb_pairs_check_node.cuh"

// ---- loading

/* Computes the costs of the thread's symbols of variable v from bit LLRs. A bit value costs |LLR| if the LLR
 * favours the other value, otherwise 0. */
DEVICE_INLINE void costs_from_bits(const ldpc_cuda_args *a, const nb_state *s, u32 v, const u32 *codeword,
                                   u32 *value)
{
    u32 zero[P], one[P], base = 0;
#pragma unroll
    for (int i = 0; i < P; i++) {
        zero[i] = one[i] = 0;
#pragma unroll
        for (int w = 0; w < 2; w++) {
            const int l = max((int)a->llr[((size_t)codeword[w] * COLUMNS + v) * P + P - 1 - i], -127);
            zero[i] |= (u32)max(-l, 0) << 16 * w;
            one[i] |= (u32)max(l, 0) << 16 * w;
        }
        if ((1 << i) >= HELD)
            base += s->member * HELD >> i & 1 ? one[i] : zero[i];
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

DEVICE_INLINE void costs_as_given(const ldpc_cuda_args *a, const nb_state *s, u32 v, const u32 *codeword,
                                  u32 *value)
{
#pragma unroll
    for (int r = 0; r < HELD; r++) {
        value[r] = 0;
#pragma unroll
        for (int w = 0; w < 2; w++)
            value[r] |= (u32)a->costs[((size_t)codeword[w] * COLUMNS + v) * Q + s->member * HELD + r]
                        << 16 * w;
    }
}

DEVICE void load(const ldpc_cuda_args *a, const nb_state *s, u32 first)
{
    const u32 last = a->n_codewords - 1,
              codeword[2] = {min(first + 2 * s->pair, last), min(first + 2 * s->pair + 1, last)};
    for (u32 v = s->warp; v < COLUMNS; v += s->warps) {
        u32 value[HELD];
        if (a->costs)
            costs_as_given(a, s, v, codeword, value);
        else
            costs_from_bits(a, s, v, codeword, value);
        make_smallest_zero(s, value);
        write_message(s->channel + (size_t)v * SIZE, s->lane, value);
    }
    for (size_t i = threadIdx.x; i < (size_t)EDGES * SIZE / 2; i += blockDim.x)
        ((IN_GLOBAL u32 *)s->messages)[i] = 0;
    for (u32 w = threadIdx.x; w < CODEWORDS; w += blockDim.x)
        s->state[w] = first + w < a->n_codewords ? OPEN : DONE;
    __syncthreads();
}

// ---- results

DEVICE void decide(const nb_state *s, IN_GLOBAL const u16 *read)
{
    for (u32 v = s->warp; v < COLUMNS; v += s->warps) {
        u32 value[HELD], best[2] = {0xffffffffu, 0xffffffffu}; // cost << 8 | symbol, for both codewords
        variable_sum(s, read, v, NO_EDGE, value);
#pragma unroll
        for (int r = 0; r < HELD; r++) {
            best[0] = min(best[0], (value[r] & 0xffffu) << 8 | (s->member * HELD + r));
            best[1] = min(best[1], value[r] >> 16 << 8 | (s->member * HELD + r));
        }
#pragma unroll
        for (int w = 0; w < 2; w++) {
#pragma unroll
            for (int lanes = PAIRS; lanes < 32; lanes *= 2)
                best[w] = min(best[w], ldpc_warp_xor(best[w], lanes, s->words));
            if (s->member == 0)
                s->symbols[v * CODEWORDS + 2 * s->pair + w] = (u8)best[w];
        }
    }
    __syncthreads();
}

DEVICE void count_unsatisfied(const nb_state *s)
{
    IN_GLOBAL const u8 *coefficients = (IN_GLOBAL const u8 *)(s->table + COEFFICIENTS),
                       *products = (IN_GLOBAL const u8 *)(s->table + PRODUCTS);
    for (u32 w = threadIdx.x; w < CODEWORDS; w += blockDim.x)
        s->count[w] = 0;
    __syncthreads();
    for (u32 i = threadIdx.x; i < CHECKS * CODEWORDS; i += blockDim.x) {
        u32 c = i / CODEWORDS, w = i % CODEWORDS, sum = 0;
        for (u32 e = s->table[ROW_START + c]; e < s->table[ROW_START + c + 1]; e++)
            sum ^= products[coefficients[e] * Q + s->symbols[s->table[ROW_COLUMNS + e] * CODEWORDS + w]];
        if (sum)
            atomicAdd(&s->count[w], 1u);
    }
    __syncthreads();
}

DEVICE void store_bits(const nb_state *s, IN_GLOBAL const u32 *columns, u32 symbols, u32 first,
                       IN_GLOBAL u8 *out)
{
    const u32 bits = symbols * P, bytes = (bits + 7) / 8;
    for (u32 i = threadIdx.x; i < bytes * CODEWORDS; i += blockDim.x) {
        u32 w = i / bytes, byte = i % bytes, packed = 0;
        if (s->state[w] != FINISHING)
            continue;
        for (u32 bit = 8 * byte; bit < 8 * byte + 8; bit++) {
            u32 v = bit / P, shift = P - 1 - bit % P;
            if (bit < bits)
                packed |= (s->symbols[(columns ? columns[v] : v) * CODEWORDS + w] >> shift & 1u)
                          << (7 - (bit - 8 * byte));
        }
        out[(size_t)(first + w) * bytes + byte] = (u8)packed;
    }
}

DEVICE_INLINE void store_bit_llrs(const nb_state *s, const u32 *value, IN_GLOBAL short *const *to)
{
#pragma unroll
    for (int i = 0; i < P; i++) {
        u32 zero = TOP, one = TOP;
#pragma unroll
        for (int r = 0; r < HELD; r++)
            if ((1 << i) < HELD ? r >> i & 1 : s->member * HELD >> i & 1)
                one = hmin(one, value[r]);
            else
                zero = hmin(zero, value[r]);
        zero = team_min(s, zero);
        one = team_min(s, one);
#pragma unroll
        for (int w = 0; w < 2; w++)
            if (to[w] && s->member == 0)
                to[w][P - 1 - i] = (short)((int)(one >> 16 * w & 0xffffu) - (int)(zero >> 16 * w & 0xffffu));
    }
}

DEVICE void store_posteriors(const ldpc_cuda_args *a, const nb_state *s, IN_GLOBAL const u16 *read, u32 first)
{
    for (u32 v = s->warp; v < COLUMNS; v += s->warps) {
        u32 value[HELD];
        IN_GLOBAL short *llr[2] = {0, 0};
        variable_sum(s, read, v, NO_EDGE, value);
#pragma unroll
        for (int w = 0; w < 2; w++) {
            u32 number = 2 * s->pair + w;
            size_t symbol = (size_t)(first + number) * COLUMNS + v;
            bool wanted = s->state[number] == FINISHING;
            if (a->posterior && wanted)
                llr[w] = a->posterior + symbol * P;
#pragma unroll
            for (int r = 0; r < HELD; r++)
                if (a->symbols && wanted)
                    a->symbols[symbol * Q + s->member * HELD + r] = (u8)(value[r] >> 16 * w);
        }
        store_bit_llrs(s, value, llr);
    }
}

DEVICE void store(const ldpc_cuda_args *a, const nb_state *s, IN_GLOBAL const u16 *read, u32 first,
                  u32 iterations)
{
    if (a->message)
        store_bits(s, s->table + MESSAGE_COLUMNS, K, first, a->message);
    if (a->codeword)
        store_bits(s, 0, COLUMNS, first, a->codeword);
    if (a->posterior || a->symbols)
        store_posteriors(a, s, read, first);
    for (u32 w = threadIdx.x; w < CODEWORDS && a->info; w += blockDim.x)
        if (s->state[w] == FINISHING)
            ldpc_store_info(a, first + w, iterations, s->count[w]);
}

// Returns whether any codewords remain.
DEVICE bool finish(const ldpc_cuda_args *a, const nb_state *s, IN_GLOBAL const u16 *read, u32 first,
                   u32 iterations)
{
    const bool last = iterations == a->max_iterations;
    bool now = false, left = false;
    for (u32 w = threadIdx.x; w < CODEWORDS; w += blockDim.x) {
        u32 old = s->state[w], fresh = old == OPEN && !(last || s->count[w] == 0) ? OPEN
                                       : old == OPEN                              ? FINISHING
                                                                                  : DONE;
        s->state[w] = fresh;
        now = now || fresh == FINISHING;
        left = left || fresh == OPEN;
    }
    if (ldpc_block_or(now, s->words))
        store(a, s, read, first, iterations);
    return ldpc_block_or(left, s->words) != 0;
}

LDPC_KERNEL LDPC_BOUNDS(THREADS, BLOCKS) ldpc_decode(LDPC_PARAMETERS)
{
    LDPC_BEGIN
    LDPC_SHARED_MEMORY
    __shared__ u32 words[32];
    const u32 lane = threadIdx.x % 32;
    u32 expected = EXPECTED;
    nb_state s;
    s.expected = &expected;
    s.table = a.table;
    s.words = words;
    s.channel = (IN_GLOBAL u16 *)((IN_GLOBAL u8 *)a.scratch + blockIdx.x * (size_t)SCRATCH_BYTES);
    s.messages = s.channel + (size_t)COLUMNS * SIZE;
    s.symbols = (IN_GLOBAL u8 *)(s.messages + (size_t)(FLOODING ? 2 : 1) * EDGES * SIZE);
    s.count = sm;
    s.state = sm + CODEWORDS;
    s.lane = lane;
    s.pair = lane % PAIRS;
    s.member = lane / PAIRS;
    /* In this case, the kernel is 3 % faster without ldpc_warp_same() (docs/measurements/nonbinary.md). */
    s.warp = P == 6 && !SUM ? threadIdx.x / 32 : ldpc_warp_same(threadIdx.x / 32);
    s.warps = blockDim.x / 32;
    s.buffers = (IN_SHARED nb_slot *)(sm + 2 * CODEWORDS) + (size_t)s.warp * BUFFERS * SIZE;
    for (u32 first = CODEWORDS * blockIdx.x; first < a.n_codewords; first += CODEWORDS * gridDim.x) {
        IN_GLOBAL u16 *read = s.messages, *write = FLOODING ? read + (size_t)EDGES * SIZE : read;
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
                IN_GLOBAL u16 *newest = write;
                write = read;
                read = newest;
            }
        }
    }
}
