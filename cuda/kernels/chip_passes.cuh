// SPDX-License-Identifier: BSD-3-Clause
// Passes, iterations and codewords of the kernel "chip".
DEVICE_INLINE void load_ahead(const pair_state &x, const Pass &next, Ahead &ahead)
{
    load_places_ahead(x, next, ahead);
    ahead.global_messages = at_byte(x.global_messages, next.messages & ~CHIP_SHARED_MESSAGE);
#pragma unroll
    for (int w = 0; w < MESSAGES_AHEAD; w++)
        ldpc_load_later(&ahead.messages[w], ahead.global_messages + w * THREADS);
    if (twin_degree(next))
#pragma unroll
        for (int w = MESSAGES_AHEAD; w < TWINS_MESSAGES_AHEAD; w++)
            ldpc_load_later(&ahead.messages[w], ahead.global_messages + w * THREADS);
}

template <int D, bool LEAF, int FIRST> struct Check {
    static constexpr int E = D - LEAF, PACKS = (D + 1) / 2; // edges without the leaf
    Places<E> places;
    u32 old[PACKS], q[D];
};

// READY packs are loaded already.
template <bool SHARED, int READY, int D, bool LEAF, int FIRST>
DEVICE_INLINE void take_messages(const pair_state &x, const Ahead &ahead, const u32 *packs,
                                 Check<D, LEAF, FIRST> &c)
{
#pragma unroll
    for (int w = 0; w < (D + 1) / 2; w++)
        c.old[w] = SHARED              ? packs[(FIRST + w) * THREADS]
                   : FIRST + w < READY ? ldpc_copy(ahead.messages[FIRST + w], x.zero)
                                       : __ldcg(packs + (FIRST + w) * THREADS);
}

template <bool CROWDED, int D, bool LEAF, int FIRST>
DEVICE_INLINE void make_var_msgs(const pair_state &x, bool missing, Check<D, LEAF, FIRST> &c)
{
    constexpr int E = D - LEAF;
#pragma unroll
    for (int e = 0; e < E; e++)
        c.q[e] = var_msg(*posterior_at<CROWDED>(x, c.places, e), unpack(c.old[e / 2], e, x.high));
    if (E > 0 && missing)
        c.q[0] = H(NO_OTHER);
    if (LEAF)
        c.q[E] = leaf_channel(c.old[E / 2], E);
}

DEVICE_INLINE u32 finish_leaf(const pair_state &x, const Messages &messages, u32 q, u32 plane)
{
    if (x.leaves_wanted) {
        u32 again = q;
        asm volatile("" : "+r"(again)); // prevents computation of unused posteriors
        x.plane[plane * THREADS] = hsub(posterior(again, new_message(messages, again)), H(BIAS));
    }
    if (!I8)
        return hadd(q, HALF_1152);
    u32 g = new_message(messages, q);
    return hadd(var_msg_i8(posterior(q, g), g), H(1024));
}

template <bool CROWDED, bool SHARED, int D, bool LEAF, int FIRST>
DEVICE_INLINE void finish_check(const ldpc_cuda_args &a, const pair_state &x, bool missing,
                                Check<D, LEAF, FIRST> &c, u32 plane, u32 *packs)
{
    constexpr int E = D - LEAF, PACKS = (D + 1) / 2;
    const Messages messages = check_node(a, minima(c.q));
    forget_places<CROWDED>(x, c.places);
#pragma unroll
    for (int w = 0; w < PACKS; w++) {
        if (LEAF && !I8 && 2 * w == E) {
            finish_leaf(x, messages, c.q[E], plane);
            continue;
        }
        u32 kept[2];
#pragma unroll
        for (int i = 0; i < 2 && 2 * w + i < D; i++) {
            const int e = 2 * w + i;
            kept[i] = e == E ? finish_leaf(x, messages, c.q[e], plane) : new_message(messages, c.q[e]);
            if (e != E && !(e == 0 && missing))
                *posterior_again<CROWDED>(x, c.places, e) = posterior(c.q[e], kept[i]);
        }
        u32 both = pack_messages(kept[0], kept[2 * w + 1 < D ? 1 : 0]);
        if (SHARED)
            packs[(FIRST + w) * THREADS] = both;
        else
            __stcg(packs + (FIRST + w) * THREADS, both);
    }
}

template <int D, int TWIN, bool LEAF, bool SHARED, bool MISSING>
DEVICE_INLINE void update_check(const ldpc_cuda_args &a, const pair_state &x, const Pass &pass,
                                const Pass &next, Ahead &ahead)
{
    constexpr int PACKS = (D + 1) / 2, READY = TWIN ? TWINS_MESSAGES_AHEAD : MESSAGES_AHEAD;
    constexpr bool CROWDED = D > REGISTER_EDGES;
    Check<D, LEAF, 0> c;
    Check<TWIN ? TWIN : 1, true, PACKS> twin;
    u32 *const packs =
        SHARED ? at_byte(x.shared_messages, pass.messages & ~CHIP_SHARED_MESSAGE) : ahead.global_messages;
    const bool missing = MISSING && misses_first_edge(x, pass.at + D - LEAF);
    take_places(x, pass.at, ahead, c.places);
    take_messages<SHARED, READY>(x, ahead, packs, c);
    if (TWIN) {
        take_places(x, pass.at + D - LEAF, ahead, twin.places);
        take_messages<SHARED, READY>(x, ahead, packs, twin);
    }
    if (!CROWDED)
        load_ahead(x, next, ahead);
    if (!SHARED)
#pragma unroll
        for (int w = 0; w < PACKS + (TWIN + 1) / 2; w++)
            ldpc_prefetch(at_byte(x.global_messages, pass.ahead) + w * THREADS);
    if (x.check < checks_of(pass)) {
        make_var_msgs<CROWDED>(x, missing, c);
        if (TWIN)
            make_var_msgs<false>(x, false, twin);
        finish_check<CROWDED, SHARED>(a, x, missing, c, pass.plane, packs);
        if (TWIN)
            finish_check<false, SHARED>(a, x, false, twin, pass.plane + 1, packs);
    }
    if (CROWDED)
        load_ahead(x, next, ahead);
}

DEVICE_INLINE void iterate(const ldpc_cuda_args &a, const pair_state &x)
{
    Ahead ahead;
    Pass pass = passes[0];
    load_ahead(x, pass, ahead);
#pragma unroll 1
    for (u32 i = 0; i < PASSES; i++) {
        const Pass next = passes[i + 1];
        switch (kind_of(pass)) {
            CASES
        }
        if (has_barrier(pass))
            __syncthreads();
        pass = next;
    }
}

// ---- syndrome

DEVICE u32 odd_checks(const pair_state &x, const Pass &pass)
{
    if (x.check >= checks_of(pass))
        return 0;
    const bool leaf = pass.plane != CHIP_NONE;
    const u32 count = degree_of(pass) - leaf;
    u32 product = sign_product(x, pass.at, count, has_missing_edge(pass)), odd = 0;
    if (leaf)
        product ^= x.plane[pass.plane * THREADS];
    if (twin_degree(pass))
        odd = count_negative(sign_product(x, pass.at + count, twin_degree(pass) - 1, false) ^
                             x.plane[(pass.plane + 1) * THREADS]);
    return odd + count_negative(product);
}

DEVICE u32 unsatisfied(const pair_state &x, u32 first_passes)
{
    u32 mine = 0;
    if (x.check == 0)
        *x.count = 0;
    for (u32 i = 0; i < first_passes; i++)
        mine += odd_checks(x, passes[i]);
    __syncthreads();
    return ldpc_sum(mine, x.count);
}

// ---- codewords in and out

DEVICE_INLINE u32 channel(const ldpc_cuda_args &a, const pair_state &x, u32 position) // + 1152
{
    const u8 *llr = (const u8 *)a.llr;
    return channel_pair(llr + (size_t)x.first * a.n, llr + (size_t)x.second * a.n,
                        position == CHIP_NONE ? LDPC_CUDA_UNKNOWN : a.source[position], LEAST_LLR, MOST_LLR);
}

DEVICE void load_check(const ldpc_cuda_args &a, const pair_state &x, u32 *packs, u32 degree, u32 plane)
{
    const u32 last = (degree - 1) / 2;
    for (u32 w = 0; w <= last; w++)
        packs[w * THREADS] = ZERO_MESSAGES;
    if (plane == CHIP_NONE)
        return;
    u32 value = channel(a, x, a.table[LEAVES + plane * CHECKS + x.check]);
    x.plane[plane * THREADS] = hsub(value, HALF_1152);
    packs[last * THREADS] = pack_messages(degree & 1 ? value : ZERO_MESSAGES, value);
}

DEVICE void load(const ldpc_cuda_args &a, const pair_state &x)
{
    for (u32 p = x.check; p < a.positions; p += CHECKS) {
        u32 location = a.table[LOCATIONS + p];
        if (!(location & CHIP_LEAF))
            x.posteriors[location] = hsub(channel(a, x, p), H(1152.0 - (int)BIAS));
    }
    for (u32 i = 0; i < PASSES; i++) {
        const Pass &pass = passes[i];
        u32 *packs = at_byte(pass.messages & CHIP_SHARED_MESSAGE ? x.shared_messages : x.global_messages,
                             pass.messages & ~CHIP_SHARED_MESSAGE);
        load_check(a, x, packs, degree_of(pass), pass.plane);
        if (twin_degree(pass))
            load_check(a, x, packs + (degree_of(pass) + 1) / 2 * THREADS, twin_degree(pass), pass.plane + 1);
    }
}

#define WORKER(s) (s)->check
#define WORKERS   CHECKS

DEVICE_INLINE u32 posteriors_at(const ldpc_cuda_args *a, const pair_state *x, u32 position)
{
    u32 location = a->table[LOCATIONS + position];
    if (location & CHIP_LEAF) // x->plane includes check * PAIRS
        return x->plane[(int)((location & ~CHIP_LEAF) - x->check) * PAIRS];
    return hsub(x->posteriors[location], H(BIAS));
}

#include "pair_results.cuh"

DEVICE u32 go_on(const ldpc_cuda_args &a, const pair_state &x, u32 active, u32 iteration)
{
    bool last = iteration == a.max_iterations;
    if (!last && !__syncthreads_or(active & satisfied(unsatisfied(x, 1))))
        return active;
    u32 bad = unsatisfied(x, PASSES), ok = last ? active : active & satisfied(bad);
    if (ok)
        store_pair(&a, &x, ok, a.message, iteration, bad);
    return active & ~ok;
}

DEVICE_INLINE void decode(const ldpc_cuda_args &a, pair_state &x, u32 active)
{
    load(a, x);
    __syncthreads();
    for (u32 i = 0;; i++) {
        if (EARLY_STOP && !__syncthreads_or(active = go_on(a, x, active, i)))
            break;
        if (!EARLY_STOP && i == a.max_iterations)
            break;
        x.leaves_wanted = EARLY_STOP || i + 1 == a.max_iterations;
        iterate(a, x);
    }
    if (!EARLY_STOP)
        store_pair(&a, &x, active, a.message, a.max_iterations, a.info ? unsatisfied(x, PASSES) : 0);
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
    ldpc_decode(const __grid_constant__ ldpc_cuda_args a)
{
    __shared__ u32 ticket, count[PAIRS];
    const u32 tid = threadIdx.x, pieces = (a.n_codewords + 2 * PAIRS - 1) / (2 * PAIRS);
    pair_state x;
    x.pair = tid % PAIRS;
    x.check = tid / PAIRS;
    x.posteriors = sm + x.pair;
    x.shared_messages = sm + MESSAGES_AT + tid;
    x.global_messages = a.scratch + (size_t)blockIdx.x * SCRATCH_U32 * THREADS + tid;
    x.plane = x.global_messages + (size_t)PLANES_AT * THREADS;
    x.lane = 4 * PAIRS * x.check;
    x.lane_z = x.lane - 4 * PAIRS * Z;
    x.listed = (const uint2 *)a.table + x.check;
    x.count = count + x.pair;
    /* always 0, but the compiler cannot determine this */
    x.zero = a.flooding;
    x.high = HIGH ^ x.zero;
    for (u32 piece; (piece = ldpc_next(&a, pieces, &ticket)) < pieces;) {
        const u32 codeword = 2 * (piece * PAIRS + x.pair);
        x.first = min(codeword, a.n_codewords - 1);
        x.second = min(codeword + 1, a.n_codewords - 1);
        decode(a, x, (codeword < a.n_codewords ? 1 : 0) | (codeword + 1 < a.n_codewords ? 2 : 0));
    }
}
