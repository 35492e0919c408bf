// SPDX-License-Identifier: BSD-3-Clause
// Any binary code whose posteriors fit in shared memory, layered, two words in the halves of a register. A
// block decodes PAIRS pairs of words: its THREADS are SLOTS rows times PAIRS. Rows of one degree of one stage
// (they share no column) make turns of SLOTS at most; threads meet after the last turn of a stage.
//
// Posteriors: [place][pair] in shared memory. A column with a single one is no more than a message to its
// row, which is kept among the messages of that row, as its last edge (a leaf); its posterior goes to global
// memory when somebody will look at it.
// Messages: [word][thread], two edges of two words to a register, as bytes; those of some turns in shared
// memory, of the others in global memory, where they are loaded a turn ahead.
//
// chip.c writes in front of this: PAIRS, SLOTS, THREADS, BLOCKS, TURNS, TABLE, CASES, AT_AHEAD and MSG_AHEAD
// (words that are loaded a turn ahead), FAR_AHEAD (turns that messages come to L2 ahead), MESSAGES_AT (words
// of shared memory before messages), PLANES_AT (words of a thread in global memory before planes), LEAVES and
// PLACES (offsets in the table), EARLY_STOP, I8, WIDE (half precision may leave the integers it has exactly),
// MB, NO_OTHER, THIRD and the function rule(); minima.cuh comes in between.
struct Turn {
    u32 at;    // its places in the table, in pairs of words
    u32 words; // of messages before it; bit 31: in shared memory
    u32 plane; // of its leaves, NONE without
    u32 flags; // rows, kind << 16, degree << 24, bit 31: threads meet afterwards
};
constexpr u32 NONE = ~0u, NEAR = 1u << 31;
constexpr u32 BIAS = WIDE ? 0
                     : I8 ? MB + 128
                          : MB,
              HIGH = 0x01010101 * (H(MB) >> 8 & 0xff), NOTHING = 0x01010101 * (H(MB) & 0xff);

extern "C" __constant__ Turn turns[TURNS + 1] = TABLE; // the last one twice
extern __shared__ u32 sm[];

struct Ctx {
    u32 slot, pair, c0, c1, zero;
    u32 *sm, *near, *far, *plane; // of this thread
    const uint2 *at;
    u32 *count;
    bool last;
};
struct Ahead {
    u32 at[AT_AHEAD], msg[MSG_AHEAD];
};

F u32 *message_word(const Ctx &x, const Turn &t, u32 w)
{
    return t.words & NEAR ? x.near + ((t.words & ~NEAR) + w) * THREADS : x.far + (t.words + w) * THREADS;
}
F uint2 places(const Ctx &x, const Turn &t, int i) // of edges 4 i to 4 i + 3
{
    return __ldg(x.at + t.at + i * SLOTS);
}
F u32 place(const u32 *at, int e)
{
    return e & 1 ? at[e / 2] >> 16 : at[e / 2] & 0xffff;
}
F u32 rows_of(const Turn &t)
{
    return t.flags & 0xffff;
}
F u32 edges_of(const Turn &t)
{
    return t.flags >> 24 & 0x7f;
}

F u32 limited(u32 v)
{
    return hmin(hmax(v, H(-2047)), H(2047));
}
F u32 reduced(u32 l, u32 m) // 8 bits: sat(L - R) + 128
{
    return hmin(hrelu(m, H(-1), l), H(255));
}
F u32 var_msg(u32 l, u32 m)
{
    if (I8)
        return hsub(reduced(l, m), H(128));
    return WIDE ? limited(hsub(l, hsub(m, H(MB)))) : hsub(l, m);
}
F u32 posterior(u32 q, u32 g) // g: new message + MB
{
    if (I8)
        return hlimit(hadd(hadd(q, H(128)), g));
    return WIDE ? limited(hadd(q, hsub(g, H(MB)))) : hadd(q, g);
}
F u32 byte_pair(u32 w, int e, u32 high)
{
    return prmt(w, high, e & 1 ? 0x4341 : 0x4240);
}

// What a row tells its edges: the magnitudes of its messages, and the product of its signs, as +-1.
struct Check {
    u32 m1, more, above, sign; // m2 - m1, the smallest magnitude + 1
};
F Check check_node(const Minima &least)
{
    u32 u = habs(least.lo), m1, m2;
    rule(u, least.hi, least.th, m1, m2);
    return {m1, hsub(m2, m1), hadd(u, H(1)), (least.lo & 0x80008000u) | 0x3c003c00u};
}
F u32 new_message(const Check &c, u32 q) // + MB
{
    return hfma(hfma(hsubsat(c.above, habsf(q)), c.more, c.m1), (q & 0x80008000u) ^ c.sign, H(MB));
}

// Leaves an edge's posterior; returns what is kept of it for its next time, as a half.
F u32 settle(const Ctx &x, const Turn &t, const Check &check, u32 q, bool leaf, u32 at)
{
    u32 g = new_message(check, q), l = posterior(q, g);
    if (!leaf) {
        x.sm[at] = l;
        return g;
    }
    if (x.last)
        x.plane[t.plane * THREADS] = hsub(l, H(BIAS));
    return I8 ? hadd(reduced(l, g), H(1024)) : hadd(q, H(1152));
}
F u32 leaf_msg(u32 word, int e)
{
    return hsub(byte_pair(word, e, 0x64646464u), H(1152));
}

F void load_ahead(const Ctx &x, const Turn &t, Ahead &ahead)
{
#pragma unroll
    for (int i = 0; i < AT_AHEAD; i += 2)
        ldpc_load_later(ahead.at[i], ahead.at[i + 1], x.at + t.at + i / 2 * SLOTS);
    const u32 *far = x.far + (t.words & NEAR ? 0 : t.words) * THREADS;
#pragma unroll
    for (int w = 0; w < MSG_AHEAD; w++)
        ldpc_load_later(ahead.msg[w], far + w * THREADS);
    if (FAR_AHEAD)
#pragma unroll
        for (int w = 0; w < MSG_AHEAD; w++)
            ldpc_prefetch(far + (FAR_AHEAD * MSG_AHEAD + w) * THREADS);
}

// One row of turn t; `ahead` has its first words, and receives those of turn `next`.
template <int D, bool LEAF, bool SHARED>
F void row(const Ctx &x, const Turn &t, const Turn &next, Ahead &ahead)
{
    constexpr int E = D - LEAF, A = (E + 3) / 4 * 2, W = (D + 1) / 2;
    u32 at[A + 2], c[W], q[D];
    u32 *const near = x.near + (t.words & ~NEAR) * THREADS, *const far = x.far + t.words * THREADS;
#pragma unroll
    for (int i = 0; i < A; i += 2) {
        if (i < AT_AHEAD) {
            at[i] = ldpc_copy(ahead.at[i], x.zero);
            at[i + 1] = ldpc_copy(ahead.at[i + 1], x.zero);
        } else {
            uint2 both = places(x, t, i / 2);
            at[i] = both.x;
            at[i + 1] = both.y;
        }
    }
#pragma unroll
    for (int w = 0; w < W; w++)
        c[w] = SHARED          ? near[w * THREADS]
               : w < MSG_AHEAD ? ldpc_copy(ahead.msg[w], x.zero)
                               : __ldcg(far + w * THREADS);
    load_ahead(x, next, ahead);
    if (x.slot >= rows_of(t))
        return;
#pragma unroll
    for (int e = 0; e < E; e++)
        q[e] = var_msg(x.sm[place(at, e)], byte_pair(c[e / 2], e, HIGH));
    if (LEAF)
        q[E] = leaf_msg(c[W - 1], E);
    const Check check = check_node(minima(q));
    if (2 * D + 50 >
        65536 / (THREADS * BLOCKS)) // unpacks the places again, rather than to keep registers for all of them
#pragma unroll
        for (int i = 0; i < A; i++)
            asm volatile("" : "+r"(at[i]));
#pragma unroll
    for (int w = 0; w < W; w++) {
#pragma unroll
        for (int e = 2 * w; e < D && e < 2 * w + 2; e++)
            q[e] = settle(x, t, check, q[e], e == E, e == E ? 0 : place(at, e));
        u32 both = prmt(q[2 * w], q[2 * w + 1 < D ? 2 * w + 1 : 2 * w], 0x6240u);
        if (LEAF && !I8 && 2 * w + 1 == D) // the leaf is alone, and as it was
            continue;
        if (SHARED)
            near[w * THREADS] = both;
        else
            __stcg(far + w * THREADS, both);
    }
}

// Rows that registers have no room for are walked over twice, four edges at a time.
template <bool LEAF, bool SHARED>
F void four_var_msgs(const Ctx &x, const Turn &t, const u32 *words, int e, u32 (&at)[2], u32 (&q)[4])
{
    const int degree = (int)edges_of(t), edges = degree - LEAF;
    u32 c[2] = {0, 0};
    at[0] = at[1] = 0;
    if (e < edges) {
        uint2 both = places(x, t, e / 4);
        at[0] = both.x;
        at[1] = both.y;
    }
#pragma unroll
    for (int w = 0; w < 2; w++)
        if (e + 2 * w < degree)
            c[w] = SHARED ? words[(e / 2 + w) * THREADS] : __ldcg(words + (e / 2 + w) * THREADS);
#pragma unroll
    for (int i = 0; i < 4; i++)
        q[i] = e + i < edges            ? var_msg(x.sm[place(at, i)], byte_pair(c[i / 2], i, HIGH))
               : LEAF && e + i < degree ? leaf_msg(c[i / 2], i)
                                        : H(NO_OTHER);
}
template <bool LEAF, bool SHARED> F void long_row(const Ctx &x, const Turn &t, const Turn &next, Ahead &ahead)
{
    const int degree = (int)edges_of(t), edges = degree - LEAF;
    u32 *const words = message_word(x, t, 0), at[2], q[4];
    Minima least = {H(NO_OTHER), H(NO_OTHER), H(NO_OTHER)};
    load_ahead(x, next, ahead);
    if (x.slot >= rows_of(t))
        return;
#pragma unroll 4
    for (int e = 0; e < degree; e += 4) {
        four_var_msgs<LEAF, SHARED>(x, t, words, e, at, q);
#pragma unroll
        for (int i = 0; i < 4; i++)
            least = with_edge(least, q[i]);
    }
    const Check check = check_node(least);
#pragma unroll 4
    for (int e = 0; e < degree; e += 4) {
        four_var_msgs<LEAF, SHARED>(x, t, words, e, at, q);
#pragma unroll
        for (int i = 0; i < 4; i++)
            if (e + i < degree)
                q[i] = settle(x, t, check, q[i], e + i == edges, place(at, i));
#pragma unroll
        for (int w = 0; w < 2; w++)
            if (e + 2 * w < degree)
                words[(e / 2 + w) * THREADS] = prmt(q[2 * w], q[2 * w + 1], 0x6240u);
    }
}

static __device__ __forceinline__ void iterate(const Ctx &x)
{
    Ahead ahead;
    Turn t = turns[0];
    load_ahead(x, t, ahead);
#pragma unroll 1
    for (u32 i = 0; i < TURNS; i++) {
        const Turn next = turns[i + 1];
        switch (t.flags >> 16 & 0xff) {
            CASES
        }
        if (t.flags >> 31)
            __syncthreads();
        t = next;
    }
}

// Is the sign product of the thread's row negative? Bit 15 and bit 31, for the two words.
static __device__ u32 parity(const Ctx &x, const Turn &t)
{
    u32 product = 0;
    if (x.slot >= rows_of(t))
        return 0;
    u32 edges = edges_of(t) - (t.plane != NONE);
    for (u32 e = 0; e < edges; e += 4) {
        uint2 four = places(x, t, (int)e / 4);
        for (u32 i = 0; i < 4 && e + i < edges; i++) {
            u32 two = i < 2 ? four.x : four.y;
            product ^= hsub(x.sm[i & 1 ? two >> 16 : two & 0xffff], H(BIAS));
        }
    }
    if (t.plane != NONE)
        product ^= x.plane[t.plane * THREADS];
    return product >> 15 & 0x10001u;
}

// Unsatisfied checks of the first turns, of both words.
static __device__ u32 unsatisfied(const Ctx &x, u32 first_turns)
{
    u32 mine = 0;
    if (x.slot == 0)
        *x.count = 0;
    for (u32 i = 0; i < first_turns; i++)
        mine += parity(x, turns[i]);
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

static __device__ void load(const ldpc_args &a, const Ctx &x)
{
    const u32 *place_of = a.table + PLACES, *leaf_of = a.table + LEAVES;
    for (u32 p = x.slot; p < a.positions; p += SLOTS)
        if (!(place_of[p] & NEAR))
            x.sm[place_of[p]] = hsub(channel(a, x, p), H(1152.0 - (int)BIAS));
    for (u32 i = 0; i < TURNS; i++) {
        const Turn &t = turns[i];
        u32 degree = edges_of(t), words = (degree + 1) / 2;
        for (u32 w = 0; w < words; w++)
            *message_word(x, t, w) = NOTHING;
        if (t.plane == NONE)
            continue;
        u32 value = channel(a, x, leaf_of[t.plane * SLOTS + x.slot]);
        x.plane[t.plane * THREADS] = hsub(value, H(1152));
        *message_word(x, t, words - 1) =
            degree & 1 ? prmt(value, value, 0x6240u) : prmt(NOTHING, value, 0x6240u);
    }
}

F u32 posterior_at(const Ctx &x, u32 place)
{
    return place & NEAR ? x.plane[(int)((place & ~NEAR) - x.slot) * PAIRS] : hsub(x.sm[place], H(BIAS));
}

static __device__ void store_bits(const ldpc_args &a, const Ctx &x, u32 ok, const u32 *at, u32 bits, u8 *out)
{
    u32 bytes = (bits + 7) / 8;
    for (u32 b = x.slot; b < bytes; b += SLOTS) {
        u32 v0 = 0, v1 = 0;
        for (u32 i = 8 * b; i < 8 * b + 8; i++) {
            u32 v = i < bits && at[i] != NONE ? posterior_at(x, a.table[PLACES + at[i]]) : 0;
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
        u32 at = a.codeword_at[i], v = at == NONE ? H(127) : posterior_at(x, a.table[PLACES + at]);
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
    x.far = a.scratch + (size_t)blockIdx.x * SCRATCH_WORDS + tid;
    x.plane = x.far + (size_t)PLANES_AT * THREADS;
    x.at = (const uint2 *)a.table + x.slot;
    x.count = count + x.pair;
    x.zero = a.flooding; // which this kernel has not
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
