// SPDX-License-Identifier: BSD-3-Clause
// Layers, iterations and codewords of the kernel "dvb" (dvb.cuh).

// ---- message packs in shared and global memory

DEVICE_INLINE void load_shared(u32 (&packs)[PACKS], const u32 *from)
{
#pragma unroll
    for (int w = 0; w < PACKS; w++)
        packs[w] = from[w * LANES];
}
DEVICE_INLINE void load_global(u32 (&packs)[PACKS], const u32 *from)
{
#pragma unroll
    for (int w = 0; w < PACKS; w++)
        packs[w] = __ldcg(from + w * THREADS);
}
DEVICE_INLINE void store_shared(const u32 (&packs)[PACKS], u32 *to)
{
#pragma unroll
    for (int w = 0; w < PACKS; w++)
        to[w * LANES] = packs[w];
}
DEVICE_INLINE void store_global(const u32 (&packs)[PACKS], u32 *to)
{
#pragma unroll
    for (int w = 0; w < PACKS; w++)
        __stcg(to + w * THREADS, packs[w]);
}

// The packs of the layer that is `layers` behind the register layers, in shared memory.
DEVICE_INLINE u32 *shared_layer(const pair_state &x, int layers)
{
    return x.shared_packs + layers * PACKS * LANES;
}
DEVICE_INLINE u32 *global_layer(const pair_state &x, int layers)
{
    return x.global_packs + layers * PACKS * THREADS;
}

// ---- layers

DEVICE_INLINE void go_to_next_layer(Ahead &ahead)
{
#pragma unroll
    for (int w = 0; w < PACKS; w++) {
        ahead.packs[w] = ahead.next[w];
        ahead.next[w] = ahead.after[w];
    }
    ahead.channel = ahead.next_channel;
    ahead.next_channel = ahead.after_channel;
}

// Loads the packs and the channel of layer L + 2.
template <int L> DEVICE_INLINE void load_after(const pair_state &x, Ahead &ahead)
{
    constexpr int A = L + 2;
    ahead.after_channel = __ldcg(x.channel + A * THREADS);
    if constexpr (A >= REGISTER_LAYERS && (A < UNROLLED_LAYERS || A - UNROLLED_LAYERS < LOOP_SHARED))
        load_shared(ahead.after, shared_layer(x, A - REGISTER_LAYERS));
    else if constexpr (A >= UNROLLED_LAYERS)
        load_global(ahead.after, global_layer(x, A - UNROLLED_LAYERS - LOOP_SHARED));
}

// A layer whose text has all shifts as constants; `registers` are the packs of the first layers.
template <int L>
DEVICE_INLINE void unrolled_layer(const ldpc_cuda_args &arg, pair_state &x, Ahead &ahead,
                                  u32 (&registers)[REGISTER_LAYERS ? REGISTER_LAYERS : 1][PACKS])
{
    if constexpr (L < UNROLLED_LAYERS) {
        constexpr u32 flags = text_edges[L * INFO_DEGREE].flags;
        u32 at[INFO_DEGREE];
        load_after<L>(x, ahead);
#pragma unroll
        for (int e = 0; e < INFO_DEGREE; e++) {
            const Edge edge = text_edge(L * INFO_DEGREE + e);
            at[e] = rotated_lane(x.t4, edge.shift4_z4, x.t4 + edge.shift4) + edge.base;
        }
        if constexpr (L < REGISTER_LAYERS) {
            constexpr bool next_in_register = L + 1 < REGISTER_LAYERS;
            u32 answer =
                parity_message(next_in_register ? registers[next_in_register ? L + 1 : 0] : ahead.next);
            update_check<L == 0, false>(arg, x, at, registers[L], answer, ahead.channel, flags, L, false);
        } else {
            update_check<L == 0, false>(arg, x, at, ahead.packs, parity_message(ahead.next), ahead.channel,
                                        flags, L, false);
            store_shared(ahead.packs, shared_layer(x, L - REGISTER_LAYERS));
        }
        go_to_next_layer(ahead);
        if (flags >> DVB_BARRIER)
            __syncthreads();
    }
}

DEVICE_INLINE void addresses_of(const pair_state &x, const Edge *edges, u32 (&at)[INFO_DEGREE], u32 &flags)
{
#pragma unroll
    for (int e = 0; e < INFO_DEGREE; e++) {
        const Edge edge = edges[e];
        at[e] = rotated_lane(x.t4, edge.shift4_z4, x.t4 + edge.shift4) + edge.base;
        if (e == 0)
            flags = edge.flags;
    }
}

// Where the loop is: its next packs, channel bytes, edges and layer.
struct Loop {
    u32 *global_packs, *shared_packs;
    const u16 *channel;
    const Edge *edges;
    int layer;
};

// Layer j of a pass of the loop, j a constant; at and flags: its own, then those of the next layer.
DEVICE_INLINE void looped_layer(const ldpc_cuda_args &arg, pair_state &x, Ahead &ahead, const Loop &loop,
                                int j, bool last_pass, u32 (&at)[INFO_DEGREE], u32 &flags)
{
    const int after = (j + 2) % LOOP_LAYERS, passes = (j + 2) / LOOP_LAYERS; // of the layer two layers on
    if (after < LOOP_SHARED)
        load_shared(ahead.after,
                    (passes && last_pass ? x.shared_packs
                                         : loop.shared_packs + passes * LOOP_SHARED * PACKS * LANES) +
                        after * PACKS * LANES);
    else
        load_global(ahead.after,
                    loop.global_packs + (passes * LOOP_GLOBAL + after - LOOP_SHARED) * PACKS * THREADS);
    ahead.after_channel = __ldcg(loop.channel + (j + 2) * THREADS);
    u32 next_at[INFO_DEGREE], next_flags;
    addresses_of(x, loop.edges + (j + 1) * INFO_DEGREE, next_at, next_flags);
    const u32 answer = parity_message(ahead.next);
    if (j == LOOP_LAYERS - 1)
        update_check<false, true>(arg, x, at, ahead.packs, answer, ahead.channel, flags, loop.layer + j,
                                  last_pass);
    else
        update_check<false, false>(arg, x, at, ahead.packs, answer, ahead.channel, flags, loop.layer + j,
                                   false);
    if (j < LOOP_SHARED)
        store_shared(ahead.packs, loop.shared_packs + j * PACKS * LANES);
    else
        store_global(ahead.packs, loop.global_packs + (j - LOOP_SHARED) * PACKS * THREADS);
    go_to_next_layer(ahead);
    const bool barrier = flags >> DVB_BARRIER;
    flags = next_flags;
#pragma unroll
    for (int e = 0; e < INFO_DEGREE; e++)
        at[e] = next_at[e];
    if (barrier)
        __syncthreads();
}

DEVICE_INLINE void looped_layers(const ldpc_cuda_args &arg, pair_state &x, Ahead &ahead)
{
    u32 at[INFO_DEGREE], flags;
    Loop loop = {x.global_packs, shared_layer(x, UNROLLED_LAYERS - REGISTER_LAYERS),
                 x.channel + UNROLLED_LAYERS * THREADS, loop_edges + UNROLLED_LAYERS * INFO_DEGREE,
                 UNROLLED_LAYERS};
    addresses_of(x, loop.edges, at, flags);
#pragma unroll 1
    for (int k = 0; k < LOOP_PASSES; k++) {
#pragma unroll
        for (int j = 0; j < LOOP_LAYERS; j++)
            looped_layer(arg, x, ahead, loop, j, k == LOOP_PASSES - 1, at, flags);
        loop.global_packs += LOOP_GLOBAL * PACKS * THREADS;
        loop.shared_packs += LOOP_SHARED * PACKS * LANES;
        loop.channel += LOOP_LAYERS * THREADS;
        loop.edges += LOOP_LAYERS * INFO_DEGREE;
        loop.layer += LOOP_LAYERS;
    }
}

// channel, next_channel: of layers 0 and 1; in i8 they change from iteration to iteration.
DEVICE_INLINE void iterate(const ldpc_cuda_args &arg, pair_state &x, u32 channel, u32 next_channel,
                           u32 (&registers)[REGISTER_LAYERS ? REGISTER_LAYERS : 1][PACKS])
{
    Ahead ahead;
    ahead.channel = I8 ? __ldcg(x.channel) : channel;
    ahead.next_channel = I8 ? __ldcg(x.channel + THREADS) : next_channel;
    if (REGISTER_LAYERS == 0)
        load_shared(ahead.packs, x.shared_packs);
    if (REGISTER_LAYERS <= 1)
        load_shared(ahead.next, shared_layer(x, 1 - REGISTER_LAYERS));
#define LAYER(l) unrolled_layer<l>(arg, x, ahead, registers);
#define TEN(l)                                                                                               \
    LAYER(l)                                                                                                 \
    LAYER(l + 1)                                                                                             \
    LAYER(l + 2) LAYER(l + 3) LAYER(l + 4) LAYER(l + 5) LAYER(l + 6) LAYER(l + 7) LAYER(l + 8) LAYER(l + 9)
    TEN(0) TEN(10) TEN(20) TEN(30) TEN(40) TEN(50) looped_layers(arg, x, ahead);
}

// ---- syndrome

// The sign product of the thread's check of a layer, in bits 15 and 31.
DEVICE u32 sign_product(const pair_state &x, int layer)
{
    u32 product = x.plane[layer * THREADS];
    if (layer > 0)
        product ^= x.plane[(layer - 1) * THREADS];
    else if (x.t > 0)
        product ^= x.plane[(LAYERS - 1) * THREADS - 1];
    for (int e = 0; e < INFO_DEGREE; e++) {
        const Edge edge = device_edges[layer * INFO_DEGREE + e];
        if (is_pad(e, edge.flags))
            continue;
        const u32 *from = is_first_global(e, edge.flags) ? x.global_group : sm;
        const u32 lane = rotated_lane(x.t4, edge.shift4_z4, x.t4 + edge.shift4);
        product ^= hsub(*(const u32 *)((const char *)from + lane + edge.base), H(BIAS));
    }
    return product;
}

// Unsatisfied checks of both codewords.
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

#define WORKER(s) (s)->t
#define WORKERS   LANES

DEVICE_INLINE u32 posteriors_at(const ldpc_cuda_args *, const pair_state *x, u32 position)
{
    if (position < INFO_BITS)
        return hsub(position < SHARED_BITS ? sm[position] : x->global_group[position - SHARED_BITS], H(BIAS));
    const u32 bit = position - INFO_BITS;
    return (x->plane - x->t)[bit / LANES * THREADS + bit % LANES];
}

#include "pair_results.cuh"

// What the column at a position starts from, plus 1152.
DEVICE_INLINE u32 channel(const ldpc_cuda_args &arg, const u8 *first, const u8 *second, u32 position)
{
    const int source = __ldg(arg.source + position);
    if (ALL_TRANSMITTED)
        return llr_pair(__ldg(first + source), __ldg(second + source));
    return channel_pair(first, second, source);
}

DEVICE_INLINE void load(const ldpc_cuda_args &arg, const pair_state &x)
{
    const u8 *first = (const u8 *)arg.llr + (size_t)x.first * arg.n,
             *second = (const u8 *)arg.llr + (size_t)x.second * arg.n;
#pragma unroll 10
    for (int i = x.t; i < INFO_BITS; i += LANES) {
        u32 l = hsub(channel(arg, first, second, i), H(1152.0 - (int)BIAS));
        (i < SHARED_BITS ? sm[i] : x.global_group[i - SHARED_BITS]) = l;
    }
#pragma unroll 10
    for (int l = 0; l < LAYERS; l++) {
        u32 value = channel(arg, first, second, INFO_BITS + l * LANES + x.t);
        x.channel[l * THREADS] = (u16)prmt(value, 0, LOW_BYTES);
        x.plane[l * THREADS] = hsub(value, HALF_1152);
    }
    for (int i = 0; i < (GLOBAL_LAYERS + 2) * PACKS; i++)
        x.global_packs[i * THREADS] = ZERO_MESSAGES;
    for (int i = 0; i < SHARED_LAYERS * PACKS; i++)
        x.shared_packs[i * LANES] = ZERO_MESSAGES;
    x.back[x.t] = H(MESSAGE_BIAS);
    __syncthreads();
    x.forward[x.t] =
        hsub(prmt(x.channel[(LAYERS - 1) * THREADS], HIGH_OF_1152, 0x4140u), I8 ? H(-128) : H(1152));
    __syncthreads();
}

// The codewords that are done, stored. Most that go on fail in the first two layers.
DEVICE u32 finished(const ldpc_cuda_args &arg, const pair_state &x, u32 iteration, u32 active, u32 *count)
{
    u32 product = sign_product(x, 0) | sign_product(x, 1);
    u32 first = __syncthreads_or(product & 0x8000u), second = __syncthreads_or(product & 0x80000000u);
    if (!(active & ~((first ? 1 : 0) | (second ? 2 : 0))))
        return 0;
    u32 counts = unsatisfied(x, count), ok = active & satisfied(counts);
    if (ok)
        store_pair(&arg, &x, ok, iteration, counts);
    __syncthreads();
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
            active &= ~finished(arg, x, i, active, count);
            if (!active)
                break;
        }
        x.parities_wanted = EARLY_STOP || i + 1 == arg.max_iterations;
        iterate(arg, x, channel, next_channel, registers);
    }
    if (active)
        store_pair(&arg, &x, active, arg.max_iterations, arg.info ? unsatisfied(x, count) : 0);
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
    x.forward = GLOBAL_ROWS ? group + THREADS : sm + SHARED_BITS;
    x.back = x.forward + (GLOBAL_ROWS ? THREADS : LANES);
    x.plane = scratch + PLANE_AT + t;
    x.global_group = group;
    x.shared_packs = sm + SHARED_BITS + (GLOBAL_ROWS ? 0 : 2 * LANES) + t;
    x.global_packs = scratch + t;
    x.channel = (u16 *)(scratch + CHANNEL_AT) + t;
    const u32 pairs = (arg.n_codewords + 1) / 2;
    for (u32 pair; (pair = ldpc_next(&arg, pairs, &ticket)) < pairs;) {
        x.first = 2 * pair;
        x.second = min(x.first + 1, arg.n_codewords - 1);
        prefetch_codewords(&arg, x.first + 2 * gridDim.x, 2, t, LANES);
        decode(arg, x, x.first + 1 < arg.n_codewords ? 3 : 1, &count);
    }
}
