// SPDX-License-Identifier: BSD-3-Clause

// ---- messages in shared and global memory

typedef u32 Words[WORDS];
DEVICE_INLINE void load_shared_word(int w, Words &words, const u32 *const &from)
{
    words[w] = from[w * LANES];
}
DEVICE_INLINE void load_global_word(int w, Words &words, const u32 *const &from)
{
    words[w] = __ldcg(from + w * THREADS);
}
DEVICE_INLINE void store_shared_word(int w, const Words &words, u32 *const &to)
{
    to[w * LANES] = words[w];
}
DEVICE_INLINE void store_global_word(int w, const Words &words, u32 *const &to)
{
    __stcg(to + w * THREADS, words[w]);
}
DEVICE_INLINE void load_shared(Words &words, const u32 *from)
{
    each<load_shared_word, WORDS>(words, from);
}
DEVICE_INLINE void load_global(Words &words, const u32 *from)
{
    each<load_global_word, WORDS>(words, from);
}
DEVICE_INLINE void store_shared(const Words &words, u32 *to)
{
    each<store_shared_word, WORDS>(words, to);
}
DEVICE_INLINE void store_global(const Words &words, u32 *to)
{
    each<store_global_word, WORDS>(words, to);
}

DEVICE_INLINE u32 *shared_layer(const pair_state &x, int layers)
{
    return x.shared_words + layers * WORDS * LANES;
}
DEVICE_INLINE u32 *global_layer(const pair_state &x, int layers)
{
    return x.global_words + layers * WORDS * THREADS;
}

// ---- layers

DEVICE_INLINE void go_to_next_word(int w, Ahead &ahead)
{
    ahead.words[w] = ahead.next[w];
    ahead.next[w] = ahead.after[w];
}
DEVICE_INLINE void go_to_next_layer(Ahead &ahead)
{
    each<go_to_next_word, WORDS>(ahead);
    ahead.channel = ahead.next_channel;
    ahead.next_channel = ahead.after_channel;
}

template <int L> DEVICE_INLINE void load_after(const pair_state &x, Ahead &ahead)
{
    constexpr int A = L + 2;
    ahead.after_channel = ldpc_load_half(x.channel + A * THREADS);
    if constexpr (A >= CHIP_LAYERS + LOOP_SHARED)
        load_global(ahead.after, global_layer(x, A - CHIP_LAYERS - LOOP_SHARED));
    else if constexpr (A >= REGISTER_LAYERS)
        load_shared(ahead.after, shared_layer(x, A - REGISTER_LAYERS));
}

template <int L> DEVICE_INLINE void find_column(int e, const pair_state &x, Column (&at)[INFO_DEGREE])
{
    at[e] = column_of(x.t4, device_edges[L * INFO_DEGREE + e]);
}

template <int L>
DEVICE_INLINE void unrolled_layer(const ldpc_cuda_args &arg, pair_state &x, Ahead &ahead,
                                  u32 (&registers)[REGISTER_LAYERS ? REGISTER_LAYERS : 1][PACKS])
{
    if constexpr (L < UNROLLED_LAYERS) {
        constexpr u32 flags = layer_flags[L];
        const Place place = {x.channel + L * THREADS, x.plane + L * THREADS};
        Column at[INFO_DEGREE];
        load_after<L>(x, ahead);
        each<find_column<L>, INFO_DEGREE>(x, at);
        if constexpr (L < REGISTER_LAYERS) {
            constexpr bool next_in_register = L + 1 < REGISTER_LAYERS;
            u32 answer = next_in_register ? parity_message(x, registers[next_in_register ? L + 1 : 0])
                                          : parity_message_of(x, ahead.next);
            update_check<L == 0, false, false>(arg, x, at, registers[L], registers[L], answer, ahead.channel,
                                               flags, place, false);
        } else {
            u32 packs[PACKS];
            expand(x, ahead.words, packs);
            update_check<L == 0, false, COMPRESSED>(arg, x, at, packs, ahead.words,
                                                    parity_message_of(x, ahead.next), ahead.channel, flags,
                                                    place, false);
            if constexpr (L < CHIP_LAYERS)
                store_shared(ahead.words, shared_layer(x, L - REGISTER_LAYERS));
            else
                store_global(ahead.words, global_layer(x, L - CHIP_LAYERS));
        }
        go_to_next_layer(ahead);
    }
}

// Addresses of the next values.
struct Loop {
    u32 *global_words, *shared_words;
    Place place;
    const u32 *columns;
    const u32 *flags;
};

typedef u32 ColumnsAhead[COLUMNS_AHEAD][COLUMN_WORDS];

DEVICE_INLINE void load_columns(u32 (&columns)[COLUMN_WORDS], const u32 *table, int layer)
{
#pragma unroll
    for (int w = 0; w < COLUMN_WORDS; w++)
        columns[w] = __ldcg(table + (layer * COLUMN_WORDS + w) * THREADS);
}

DEVICE_INLINE void next_columns(ColumnsAhead &columns, Column (&at)[INFO_DEGREE], const u32 *table, int layer)
{
#pragma unroll
    for (int e = 0; e < INFO_DEGREE; e++)
        at[e] = {0, ldpc_dot_halves(columns[0][e / 2], e & 1 ? 0x400u : 4u)};
#pragma unroll
    for (int w = 0; w < COLUMN_WORDS; w++)
        columns[0][w] = columns[COLUMNS_AHEAD - 1][w];
    load_columns(columns[COLUMNS_AHEAD - 1], table, layer + COLUMNS_AHEAD);
}

// j must be constant.
DEVICE_INLINE void looped_layer(const ldpc_cuda_args &arg, pair_state &x, Ahead &ahead, const Loop &loop,
                                int j, bool last_pass, ColumnsAhead &columns)
{
    const int after = (j + 2) % LOOP_LAYERS, passes = (j + 2) / LOOP_LAYERS; // layer j + 2
    if (after < LOOP_SHARED)
        load_shared(ahead.after,
                    (passes && last_pass ? x.shared_words
                                         : loop.shared_words + passes * LOOP_SHARED * WORDS * LANES) +
                        after * WORDS * LANES);
    else
        load_global(ahead.after,
                    loop.global_words + (passes * LOOP_GLOBAL + after - LOOP_SHARED) * WORDS * THREADS);
    ahead.after_channel = ldpc_load_half(loop.place.channel + (j + 2) * THREADS);
    Column at[INFO_DEGREE];
    next_columns(columns, at, loop.columns, j);
    const u32 flags = loop.flags[j];
    const Place place = {loop.place.channel + j * THREADS, loop.place.plane + j * THREADS};
    const u32 answer = parity_message_of(x, ahead.next);
    u32 packs[PACKS];
    expand(x, ahead.words, packs);
    if (j == LOOP_LAYERS - 1)
        update_check<false, true, COMPRESSED>(arg, x, at, packs, ahead.words, answer, ahead.channel, flags,
                                              place, last_pass);
    else
        update_check<false, false, COMPRESSED>(arg, x, at, packs, ahead.words, answer, ahead.channel, flags,
                                               place, false);
    if (j < LOOP_SHARED)
        store_shared(ahead.words, loop.shared_words + j * WORDS * LANES);
    else
        store_global(ahead.words, loop.global_words + (j - LOOP_SHARED) * WORDS * THREADS);
    go_to_next_layer(ahead);
}

DEVICE_INLINE void looped_layers(const ldpc_cuda_args &arg, pair_state &x, Ahead &ahead)
{
    ColumnsAhead columns;
    Loop loop = {
        global_layer(x, UNROLLED_LAYERS - CHIP_LAYERS),
        shared_layer(x, CHIP_LAYERS - REGISTER_LAYERS),
        {x.channel + UNROLLED_LAYERS * THREADS, x.plane + UNROLLED_LAYERS * THREADS},
        arg.table + x.t,
        loop_flags + UNROLLED_LAYERS
    };
#pragma unroll
    for (int l = 0; l < COLUMNS_AHEAD; l++)
        load_columns(columns[l], loop.columns, l);
#pragma unroll 1
    for (int k = 0; k < LOOP_PASSES; k++) {
#pragma unroll
        for (int j = 0; j < LOOP_LAYERS; j++)
            looped_layer(arg, x, ahead, loop, j, k == LOOP_PASSES - 1, columns);
        loop.global_words += LOOP_GLOBAL * WORDS * THREADS;
        loop.shared_words += LOOP_SHARED * WORDS * LANES;
        loop.place.channel += LOOP_LAYERS * THREADS;
        loop.place.plane += LOOP_LAYERS * THREADS;
        loop.columns += LOOP_LAYERS * COLUMN_WORDS * THREADS;
        loop.flags += LOOP_LAYERS;
        ldpc_keep(loop.global_words);
        ldpc_keep(loop.place.channel);
        ldpc_keep(loop.place.plane);
        ldpc_keep(loop.columns);
    }
}

DEVICE_INLINE void iterate(const ldpc_cuda_args &arg, pair_state &x, u32 channel, u32 next_channel,
                           u32 (&registers)[REGISTER_LAYERS ? REGISTER_LAYERS : 1][PACKS])
{
    Ahead ahead;
    ahead.channel = I8 ? ldpc_load_half(x.channel) : channel;
    ahead.next_channel = I8 ? ldpc_load_half(x.channel + THREADS) : next_channel;
    if (REGISTER_LAYERS == 0)
        load_shared(ahead.words, x.shared_words);
    if (REGISTER_LAYERS <= 1)
        load_shared(ahead.next, shared_layer(x, 1 - REGISTER_LAYERS));
#define LAYER(l) unrolled_layer<l>(arg, x, ahead, registers);
#define TEN(l)                                                                                               \
    LAYER(l)                                                                                                 \
    LAYER(l + 1)                                                                                             \
    LAYER(l + 2) LAYER(l + 3) LAYER(l + 4) LAYER(l + 5) LAYER(l + 6) LAYER(l + 7) LAYER(l + 8) LAYER(l + 9)
    TEN(0) TEN(10) TEN(20) TEN(30) TEN(40) TEN(50) looped_layers(arg, x, ahead);
    if (x.parities_wanted) // other threads read the posteriors
        __syncthreads();
}

// ---- syndrome

DEVICE_INLINE u32 parity_posterior(const pair_state &x, int layer)
{
    return hsub(x.plane[layer * THREADS], H(BIAS));
}

DEVICE_INLINE u32 sign_product(const pair_state &x, int layer)
{
    u32 product = parity_posterior(x, layer);
    if (layer > 0)
        product ^= parity_posterior(x, layer - 1);
    else if (x.t > 0)
        product ^= hsub(x.plane[(LAYERS - 1) * THREADS - 1], H(BIAS));
#pragma unroll
    for (int e = 0; e < INFO_DEGREE; e++) {
        const u32 *from = is_first_global(e, loop_flags[layer]) ? x.global_group : sm;
        const Column at = column_of(x.t4, device_edges[layer * INFO_DEGREE + e]);
        const u32 l = *(const u32 *)((const char *)from + at.base + at.lane);
        product ^= is_pad(e, loop_flags[layer]) ? 0 : hsub(l, H(BIAS));
    }
    return product;
}

DEVICE_INLINE u32 passing_layers(const pair_state &x, u32 codewords, int layer, int count)
{
    u32 product = 0;
#pragma unroll
    for (int l = 0; l < count; l++)
        product |= sign_product(x, layer + l);
    const u32 first = __syncthreads_or(product & 0x8000u), second = __syncthreads_or(product & 0x80000000u);
    return codewords & ~((first ? 1 : 0) | (second ? 2 : 0));
}

DEVICE_INLINE u32 passing(const pair_state &x, u32 codewords)
{
    constexpr int FIRST = 2, GROUP = 6;
    constexpr int REST = (LAYERS - FIRST) % GROUP;
    codewords = passing_layers(x, codewords, 0, FIRST);
#pragma unroll 1
    for (int layer = FIRST; codewords && layer + GROUP <= LAYERS; layer += GROUP)
        codewords = passing_layers(x, codewords, layer, GROUP);
    return REST && codewords ? passing_layers(x, codewords, LAYERS - REST, REST) : codewords;
}

DEVICE u32 unsatisfied(const pair_state &x, u32 *count)
{
    u32 mine = 0;
    if (x.t == 0)
        *count = 0;
    for (int l = 0; l < LAYERS; l++)
        mine += count_negative(sign_product(x, l));
    __syncthreads();
    return ldpc_sum(mine, count);
}

// ---- codewords in and out

DEVICE_INLINE pair_state fresh(const ldpc_cuda_args &arg, pair_state x)
{
    x.t = ldpc_copy(x.t, arg.flooding);
    return x;
}

#define WORKER(s) (s)->t
#define WORKERS   LANES

DEVICE_INLINE u32 *information_at(const pair_state &x, u32 position)
{
    return GLOBAL_GROUP && position >= SHARED_BITS ? x.global_group + (position - SHARED_BITS)
                                                   : sm + position;
}

DEVICE_INLINE u32 posteriors_at(const ldpc_cuda_args *, const pair_state *x, u32 position)
{
    if (position < INFO_BITS)
        return hsub(*information_at(*x, position), H(BIAS));
    const u32 bit = position - INFO_BITS;
    return hsub((x->plane - x->t)[bit / LANES * THREADS + bit % LANES], H(BIAS));
}

#include "pair_results.cuh"

DEVICE_INLINE void store_message(const ldpc_cuda_args &arg, const pair_state &x, u32 ok)
{
    for (u32 b = x.t; b < INFO_BITS / 8; b += LANES) {
        const uint4 *from = (const uint4 *)information_at(x, 8 * b), high = from[0], low = from[1];
        const u32 eight[8] = {high.x, high.y, high.z, high.w, low.x, low.y, low.z, low.w};
        u32 v0 = 0, v1 = 0;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const u32 v = hsub(eight[i], H(BIAS));
            v0 = v0 << 1 | (v >> 15 & 1);
            v1 = v1 << 1 | v >> 31;
        }
        if (ok & 1)
            arg.message[(size_t)x.first * (INFO_BITS / 8) + b] = (u8)v0;
        if (ok & 2)
            arg.message[(size_t)x.second * (INFO_BITS / 8) + b] = (u8)v1;
    }
}

DEVICE void store(const ldpc_cuda_args &arg, const pair_state &kept, u32 ok, u32 iterations, u32 counts)
{
    const pair_state x = fresh(arg, kept);
    if (IN_ORDER && arg.message)
        store_message(arg, x, ok);
    store_pair(&arg, &x, ok, IN_ORDER ? 0 : arg.message, iterations, counts);
}

// Stores the channel LLR of a parity bit, and its posterior if early stop reads it. `value` is the LLR + 1152.
DEVICE_INLINE void start_parity(const ldpc_cuda_args &arg, const pair_state &x, int l, u32 value)
{
    x.channel[l * THREADS] = (u16)prmt(value, 0, LOW_BYTES);
    if (EARLY_STOP || arg.max_iterations == 0)
        x.plane[l * THREADS] = hsub(value, H(1152.0 - (int)BIAS));
}

constexpr int SOURCES_AT_ONCE = IN_ORDER ? 1 : 10;
DEVICE_INLINE void load_by_source(const ldpc_cuda_args &arg, const pair_state &x, const u8 *first,
                                  const u8 *second)
{
#pragma unroll SOURCES_AT_ONCE
    for (int i = x.t; i < INFO_BITS; i += LANES)
        *information_at(x, i) = hsub(channel_pair(first, second, __ldg(arg.source + i), LEAST_LLR, MOST_LLR),
                                     H(1152.0 - (int)BIAS));
#pragma unroll SOURCES_AT_ONCE
    for (int l = 0; l < LAYERS; l++)
        start_parity(arg, x, l,
                     channel_pair(first, second, __ldg(arg.source + INFO_BITS + l * LANES + x.t), LEAST_LLR,
                                  MOST_LLR));
}

DEVICE_INLINE void load_in_order(const ldpc_cuda_args &arg, const pair_state &x, const u8 *first,
                                 const u8 *second)
{
    const u32 *four_first = (const u32 *)first, *four_second = (const u32 *)second;
    const u8 *const own = (const u8 *)sm + x.t * LAYERS;
#pragma unroll 10
    for (int i = x.t; i < PARITY_BITS / 4; i += LANES) {
        sm[i] = __ldg(four_first + INFO_BITS / 4 + i);
        sm[PARITY_BITS / 4 + i] = __ldg(four_second + INFO_BITS / 4 + i);
    }
    __syncthreads();
#pragma unroll 10
    for (int l = 0; l < LAYERS; l++)
        start_parity(arg, x, l, llr_pair(own[l], own[PARITY_BITS + l], LEAST_LLR, MOST_LLR));
    __syncthreads();
#pragma unroll 8
    for (int i = x.t; i < INFO_BITS / 4; i += LANES) {
        const u32 a = __ldg(four_first + i), b = __ldg(four_second + i), less = H(1152.0 - (int)BIAS);
        *(uint4 *)information_at(x, 4 * i) = {hsub(llr_pair_of(a, b, 0, LEAST_LLR, MOST_LLR), less),
                                              hsub(llr_pair_of(a, b, 1, LEAST_LLR, MOST_LLR), less),
                                              hsub(llr_pair_of(a, b, 2, LEAST_LLR, MOST_LLR), less),
                                              hsub(llr_pair_of(a, b, 3, LEAST_LLR, MOST_LLR), less)};
    }
}

// All threads must call it.
DEVICE_INLINE void clear_messages(u32 t, u32 *messages, int words)
{
    for (int i = t; i < words / 4; i += LANES)
        ((uint4 *)messages)[i] = {ZERO_MESSAGES, ZERO_MESSAGES, ZERO_MESSAGES, ZERO_MESSAGES};
}

DEVICE_INLINE void load(const ldpc_cuda_args &arg, const pair_state &kept)
{
    const pair_state x = fresh(arg, kept);
    const u8 *first = (const u8 *)arg.llr + (size_t)x.first * arg.n,
             *second = (const u8 *)arg.llr + (size_t)x.second * arg.n;
    if (IN_ORDER && (size_t)arg.llr % 4 == 0)
        load_in_order(arg, x, first, second);
    else
        load_by_source(arg, x, first, second);
    clear_messages(x.t, x.global_words - x.t, (GLOBAL_LAYERS + 2) * WORDS * THREADS);
    clear_messages(x.t, x.shared_words - x.t, SHARED_LAYERS * WORDS * LANES);
    x.back[x.t] = H(MESSAGE_BIAS);
    __syncthreads();
    x.forward[x.t] = hsub(unpack_bytes(x.channel[(LAYERS - 1) * THREADS]), I8 ? H(-128) : H(1152));
    __syncthreads();
}

DEVICE u32 finished(const ldpc_cuda_args &arg, const pair_state &x, u32 iteration, u32 active)
{
    const u32 ok = passing(x, active);
    if (ok) {
        store(arg, x, ok, iteration, 0);
        __syncthreads();
    }
    return ok;
}

DEVICE_INLINE void decode(const ldpc_cuda_args &arg, pair_state &x, u32 active, u32 *count)
{
    u32 registers[REGISTER_LAYERS ? REGISTER_LAYERS : 1][PACKS];
    load(arg, x);
#pragma unroll
    for (int i = 0; i < REGISTER_LAYERS; i++)
#pragma unroll
        for (int w = 0; w < PACKS; w++)
            registers[i][w] = ZERO_MESSAGES;
    const u32 channel = x.channel[0], next_channel = x.channel[THREADS];
#pragma unroll 1
    for (u32 i = 0; i < arg.max_iterations; i++) {
        if (EARLY_STOP) {
            active &= ~finished(arg, x, i, active);
            if (!active)
                break;
        }
        x.parities_wanted = EARLY_STOP || i + 1 == arg.max_iterations;
        iterate(arg, x, channel, next_channel, registers);
    }
    if (active)
        store(arg, x, active, arg.max_iterations, arg.info ? unsatisfied(x, count) : 0);
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    ldpc_decode(const __grid_constant__ ldpc_cuda_args arg)
{
    __shared__ u32 count, ticket;
    const u32 t = threadIdx.x;
    if (t >= LANES)
        return;
    u32 *scratch = arg.scratch + blockIdx.x * SCRATCH_U32, *group = scratch + GROUP_AT;
    pair_state x;
    x.t = t;
    x.t4 = 4 * t;
    x.parity = 0;
    /* arg.flooding is 0. Adding it makes the compiler keep these values in registers. */
    x.high = HIGH + arg.flooding;
    x.high_of_1152 = HIGH_OF_1152 + arg.flooding;
    x.second_digits = 0x4400u + arg.flooding;
    x.forward = GLOBAL_ROWS ? group + THREADS : sm + SHARED_BITS;
    x.back = x.forward + (GLOBAL_ROWS ? THREADS : LANES);
    x.plane = scratch + PLANE_AT + t;
    x.global_group = group;
    x.shared_words = sm + SHARED_BITS + (GLOBAL_ROWS ? 0 : 2 * LANES) + t;
    x.global_words = scratch + t;
    x.channel = (u16 *)(scratch + CHANNEL_AT) + t;
    const u32 pairs = (arg.n_codewords + 1) / 2;
    for (u32 pair; (pair = ldpc_next(&arg, pairs, &ticket)) < pairs;) {
        x.first = 2 * pair;
        x.second = min(x.first + 1, arg.n_codewords - 1);
        prefetch_codewords(&arg, x.first + 2 * gridDim.x, 2, t, LANES);
        decode(arg, x, x.first + 1 < arg.n_codewords ? 3 : 1, &count);
    }
}
