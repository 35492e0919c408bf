// SPDX-License-Identifier: BSD-3-Clause
// What the kernel "chip" does with rows that know their places (chip.cuh): turns, iterations, words.
F void load_ahead(const Ctx &x, const Turn &next, Ahead &ahead)
{
    load_places_ahead(x, next, ahead);
    ahead.far = at_byte(x.far, next.messages & ~NEAR);
#pragma unroll
    for (int w = 0; w < MESSAGES_AHEAD; w++)
        ldpc_load_later(ahead.messages[w], ahead.far + w * THREADS);
    if (twin_of(next))
#pragma unroll
        for (int w = MESSAGES_AHEAD; w < TWINS_MESSAGES_AHEAD; w++)
            ldpc_load_later(ahead.messages[w], ahead.far + w * THREADS);
}

// A thread's row, while it works on it: old messages from word FIRST of its turn on, and var_msgs.
template <int D, bool LEAF, int FIRST> struct Row {
    static constexpr int E = D - LEAF, W = (D + 1) / 2; // edges with a place; words
    Places<E> places;
    u32 old[W], q[D];
};

template <bool IS_NEAR, int READY, int D, bool LEAF, int FIRST>
F void take_messages(const Ctx &x, const Ahead &ahead, const u32 *words, Row<D, LEAF, FIRST> &r)
{
#pragma unroll
    for (int w = 0; w < (D + 1) / 2; w++)
        r.old[w] = IS_NEAR             ? words[(FIRST + w) * THREADS]
                   : FIRST + w < READY ? ldpc_copy(ahead.messages[FIRST + w], x.zero)
                                       : __ldcg(words + (FIRST + w) * THREADS);
}

template <bool CROWDED, int D, bool LEAF, int FIRST>
F void make_var_msgs(const Ctx &x, bool gap, Row<D, LEAF, FIRST> &r)
{
    constexpr int E = D - LEAF;
#pragma unroll
    for (int e = 0; e < E; e++)
        r.q[e] = var_msg(*visit<CROWDED>(x, r.places, e), byte_pair(r.old[e / 2], e, x.high));
    if (E > 0 && gap)
        r.q[0] = H(NO_OTHER);
    if (LEAF)
        r.q[E] = leaf_msg(r.old[E / 2], E);
}

// Leaves a leaf's posterior where somebody will look at it; returns what is kept of its channel.
F u32 settle_leaf(const Ctx &x, const Check &check, u32 q, u32 plane)
{
    if (x.last) {
        u32 again = q;
        asm volatile("" : "+r"(again)); // what nobody will look at is not made
        x.plane[plane * THREADS] = hsub(posterior(again, new_message(check, again)), H(BIAS));
    }
    if (!I8)
        return hadd(q, H(1152));
    u32 g = new_message(check, q);
    return hadd(reduced(posterior(q, g), g), H(1024));
}

template <bool CROWDED, bool IS_NEAR, int D, bool LEAF, int FIRST>
F void settle(const Ctx &x, bool gap, Row<D, LEAF, FIRST> &r, u32 plane, u32 *words)
{
    constexpr int E = D - LEAF, W = (D + 1) / 2;
    const Check check = check_node(minima(r.q));
    go_back<CROWDED>(x, r.places);
#pragma unroll
    for (int w = 0; w < W; w++) {
        if (LEAF && !I8 && 2 * w == E) { // alone in its word, which stays as it is
            settle_leaf(x, check, r.q[E], plane);
            continue;
        }
        u32 kept[2];
#pragma unroll
        for (int i = 0; i < 2 && 2 * w + i < D; i++) {
            const int e = 2 * w + i;
            kept[i] = e == E ? settle_leaf(x, check, r.q[e], plane) : new_message(check, r.q[e]);
            if (e != E && !(e == 0 && gap))
                *revisit<CROWDED>(x, r.places, e) = posterior(r.q[e], kept[i]);
        }
        u32 both = hpack(kept[0], kept[2 * w + 1 < D ? 1 : 0]);
        if (IS_NEAR)
            words[(FIRST + w) * THREADS] = both;
        else
            __stcg(words + (FIRST + w) * THREADS, both);
    }
}

// One row of turn t, and one of its twin; `ahead` has its first words, and receives those of turn `next`.
// In a row with more edges than registers (CROWDED) they are loaded when it is done.
template <int D, int TWIN, bool LEAF, bool IS_NEAR, bool GAP>
F void row(const Ctx &x, const Turn &t, const Turn &next, Ahead &ahead)
{
    constexpr int W = (D + 1) / 2, READY = TWIN ? TWINS_MESSAGES_AHEAD : MESSAGES_AHEAD;
    constexpr bool CROWDED = D > EDGES_KEPT;
    Row<D, LEAF, 0> a;
    Row<TWIN ? TWIN : 1, true, W> b;
    u32 *const words = IS_NEAR ? at_byte(x.near, t.messages & ~NEAR) : ahead.far;
    const bool gap = GAP && is_gap(x, t.at + D - LEAF);
    take_places(x, t.at, ahead, a.places);
    take_messages<IS_NEAR, READY>(x, ahead, words, a);
    if (TWIN) {
        take_places(x, t.at + D - LEAF, ahead, b.places);
        take_messages<IS_NEAR, READY>(x, ahead, words, b);
    }
    if (!CROWDED)
        load_ahead(x, next, ahead);
    if (!IS_NEAR)
#pragma unroll
        for (int w = 0; w < W + (TWIN + 1) / 2; w++)
            ldpc_prefetch(at_byte(x.far, t.ahead) + w * THREADS);
    if (x.slot < rows_of(t)) {
        make_var_msgs<CROWDED>(x, gap, a);
        if (TWIN)
            make_var_msgs<false>(x, false, b);
        settle<CROWDED, IS_NEAR>(x, gap, a, t.plane, words);
        if (TWIN)
            settle<false, IS_NEAR>(x, false, b, t.plane + 1, words);
    }
    if (CROWDED)
        load_ahead(x, next, ahead);
}

static __device__ __forceinline__ void iterate(const Ctx &x)
{
    Ahead ahead;
    Turn t = turns[0];
    load_ahead(x, t, ahead);
#pragma unroll 1
    for (u32 i = 0; i < TURNS; i++) {
        const Turn next = turns[i + 1];
        switch (kind_of(t)) {
            CASES
        }
        if (meets(t))
            __syncthreads();
        t = next;
    }
}

// Rows of the thread with a negative sign product: a count for each of the two words.
static __device__ u32 odd_rows(const Ctx &x, const Turn &t)
{
    if (x.slot >= rows_of(t))
        return 0;
    const bool leaf = t.plane != NONE;
    const u32 count = degree_of(t) - leaf;
    u32 product = sign_product(x, t.at, count, has_gap(t)), odd = 0;
    if (leaf)
        product ^= x.plane[t.plane * THREADS];
    if (twin_of(t)) {
        u32 twin = sign_product(x, t.at + count, twin_of(t) - 1, false) ^ x.plane[(t.plane + 1) * THREADS];
        odd = twin >> 15 & 0x10001u;
    }
    return odd + (product >> 15 & 0x10001u);
}

// Unsatisfied checks of the first turns, of both words.
static __device__ u32 unsatisfied(const Ctx &x, u32 first_turns)
{
    u32 mine = 0;
    if (x.slot == 0)
        *x.count = 0;
    for (u32 i = 0; i < first_turns; i++)
        mine += odd_rows(x, turns[i]);
    __syncthreads();
    if (mine)
        atomicAdd(x.count, mine);
    __syncthreads();
    mine = *x.count;
    __syncthreads();
    return mine;
}

F u32 good(u32 unsatisfied)
{
    return (unsatisfied & 0xffff ? 0 : 1) | (unsatisfied >> 16 ? 0 : 2);
}

F u32 channel(const ldpc_args &a, const Ctx &x, u32 position) // + 1152
{
    int source = position == NONE ? -1 : a.source[position];
    if (source < 0)
        return source == -2 ? H(1152 + 127) : H(1152);
    const u8 *llr = (const u8 *)a.llr + source;
    return hchannel(llr[(size_t)x.c0 * a.n], llr[(size_t)x.c1 * a.n]);
}

// The messages of a row before the first iteration: nothing, and a leaf's channel.
static __device__ void load_row(const ldpc_args &a, const Ctx &x, u32 *words, u32 degree, u32 plane)
{
    const u32 last = (degree - 1) / 2;
    for (u32 w = 0; w <= last; w++)
        words[w * THREADS] = NOTHING;
    if (plane == NONE)
        return;
    u32 value = channel(a, x, a.table[LEAVES + plane * SLOTS + x.slot]);
    x.plane[plane * THREADS] = hsub(value, H(1152));
    words[last * THREADS] = hpack(degree & 1 ? value : NOTHING, value);
}

static __device__ void load(const ldpc_args &a, const Ctx &x)
{
    for (u32 p = x.slot; p < a.positions; p += SLOTS) {
        u32 home = a.table[HOMES + p];
        if (!(home & PLANE))
            x.sm[home] = hsub(channel(a, x, p), H(1152.0 - (int)BIAS));
    }
    for (u32 i = 0; i < TURNS; i++) {
        const Turn &t = turns[i];
        u32 *words = at_byte(t.messages & NEAR ? x.near : x.far, t.messages & ~NEAR);
        load_row(a, x, words, degree_of(t), t.plane);
        if (twin_of(t))
            load_row(a, x, words + (degree_of(t) + 1) / 2 * THREADS, twin_of(t), t.plane + 1);
    }
}

F u32 posterior_at(const Ctx &x, u32 home)
{
    return home & PLANE ? x.plane[(int)((home & ~PLANE) - x.slot) * PAIRS] : hsub(x.sm[home], H(BIAS));
}

static __device__ void store_bits(const ldpc_args &a, const Ctx &x, u32 ok, const u32 *at, u32 bits, u8 *out)
{
    u32 bytes = (bits + 7) / 8;
    for (u32 b = x.slot; b < bytes; b += SLOTS) {
        u32 v0 = 0, v1 = 0;
        for (u32 i = 8 * b; i < 8 * b + 8; i++) {
            u32 v = i < bits && at[i] != NONE ? posterior_at(x, a.table[HOMES + at[i]]) : 0;
            v0 = v0 << 1 | (v >> 15 & 1);
            v1 = v1 << 1 | v >> 31;
        }
        if (ok & 1)
            out[(size_t)x.c0 * bytes + b] = (u8)v0;
        if (ok & 2)
            out[(size_t)x.c1 * bytes + b] = (u8)v1;
    }
}

// The words that are set in ok, and what is known about them.
static __device__ void store(const ldpc_args &a, const Ctx &x, u32 ok, u32 iterations, u32 unsatisfied)
{
    if (a.message)
        store_bits(a, x, ok, a.message_at, a.k, a.message);
    if (a.codeword)
        store_bits(a, x, ok, a.codeword_at, a.n, a.codeword);
    for (u32 i = x.slot; a.posterior && i < a.n; i += SLOTS) {
        u32 at = a.codeword_at[i], v = at == NONE ? H(127) : posterior_at(x, a.table[HOMES + at]);
        if (ok & 1)
            a.posterior[(size_t)x.c0 * a.n + i] = (short)hlow(v);
        if (ok & 2)
            a.posterior[(size_t)x.c1 * a.n + i] = (short)hhigh(v);
    }
    if (a.info && x.slot == 0 && (ok & 1))
        ldpc_store_info(a, x.c0, iterations, unsatisfied & 0xffff);
    if (a.info && x.slot == 0 && (ok & 2))
        ldpc_store_info(a, x.c1, iterations, unsatisfied >> 16);
}

// Stores the words that are done; returns those that go on. Most that go on fail in the first turn.
static __device__ u32 go_on(const ldpc_args &a, const Ctx &x, u32 active, u32 iteration)
{
    bool last = iteration == a.max_iterations;
    if (!last && !__syncthreads_or(active & good(unsatisfied(x, 1))))
        return active;
    u32 bad = unsatisfied(x, TURNS), ok = last ? active : active & good(bad);
    if (ok)
        store(a, x, ok, iteration, bad);
    return active & ~ok;
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) ldpc_decode(const __grid_constant__ ldpc_args a)
{
    __shared__ u32 ticket, count[PAIRS];
    const u32 tid = threadIdx.x;
    Ctx x;
    x.pair = tid % PAIRS;
    x.slot = tid / PAIRS;
    x.sm = sm + x.pair;
    x.near = sm + MESSAGES_AT + tid;
    x.far = a.scratch + (size_t)blockIdx.x * SCRATCH_WORDS * THREADS + tid;
    x.plane = x.far + (size_t)PLANES_AT * THREADS;
    x.lane = 4 * PAIRS * x.slot;
    x.lane_z = x.lane - 4 * PAIRS * Z;
    x.listed = (const uint2 *)a.table + x.slot;
    x.count = count + x.pair;
    x.zero = a.flooding; // which this kernel has not
    x.high = HIGH ^ x.zero;
    for (u32 pieces = (a.words + 2 * PAIRS - 1) / (2 * PAIRS), piece;
         (piece = ldpc_next(a, pieces, &ticket)) < pieces;) {
        const u32 word = 2 * (piece * PAIRS + x.pair);
        u32 active = (word < a.words ? 1 : 0) | (word + 1 < a.words ? 2 : 0);
        x.c0 = min(word, a.words - 1);
        x.c1 = min(word + 1, a.words - 1);
        load(a, x);
        __syncthreads();
        for (u32 i = 0;; i++) {
            if (EARLY_STOP && !__syncthreads_or(active = go_on(a, x, active, i)))
                break;
            if (!EARLY_STOP && i == a.max_iterations)
                break;
            x.last = EARLY_STOP || i + 1 == a.max_iterations;
            iterate(x);
        }
        if (!EARLY_STOP)
            store(a, x, active, a.max_iterations, a.info ? unsatisfied(x, TURNS) : 0);
        __syncthreads();
    }
}
