// SPDX-License-Identifier: BSD-3-Clause
// Any binary code, layered or flooding, in integers. A block decodes 32 words, one per lane, so that all
// accesses of a warp lie side by side; its warps share the checks of a stage, which have no column in common.
//
//   scratch of a block:  L [positions][32] int16 | channel [positions][32] int8 | R [edges][32] int8 |
//                        R' of a stage in which columns stand several times [its edges][32] int8
//
// The table (made by any.c): a header, stages {first check, end, most occurrences of a column - 1}, the first
// edge of each check, edges {position, occurrence << 24}; for flooding the first entry of each position and
// its edges.
//
// THREE_MIN: with the third smallest |Q|, for that rule alone, as others are faster without.
#ifndef THREE_MIN
#define THREE_MIN 0
#endif
typedef short posterior_t;
typedef s8 msg_t;

struct any_state {
    posterior_t *posterior;
    msg_t *channel, *msg, *fresh;
    const u32 *start, *edge;
    u32 lane, warp, warps;
    bool active;
};

static __device__ __forceinline__ int saturate(const ldpc_args &a, int x)
{
    return min(max(x, a.lowest), a.highest);
}

static __device__ __forceinline__ int channel_of(const ldpc_args &a, size_t i)
{
    return max((int)a.llr[i], -127);
}

// A step for each threshold that the distance is below.
static __device__ int loss(const ldpc_args &a, const int (&thresholds)[3], int distance)
{
    int below = 0;
    for (int i = 0; i < 3; i++)
        below += distance < thresholds[i];
    return a.step * below;
}

static __device__ void magnitudes(const ldpc_args &a, int u, int v, int w, int &msg_others, int &msg_min)
{
    msg_others = u, msg_min = v;
    if (a.algorithm == 2) { // offset
        msg_others = max(u - a.offset, 0);
        msg_min = max(v - a.offset, 0);
    } else if (a.algorithm == 3) { // normalised
        msg_others = u * a.factor / 16;
        msg_min = v * a.factor / 16;
    } else if (a.algorithm == 4) { // corrected
        msg_others = max(u - a.offset - (v - u < a.threshold ? a.step : 0), (u + 1) / 2);
        msg_min = max(v - a.offset, 0);
    } else if (THREE_MIN) {
        msg_others = max(u - loss(a, a.others_threshold, v - u + (w - u)), (u + 1) / 2);
        msg_min = max(v - loss(a, a.min_threshold, w - v), 0);
    }
    msg_others = min(msg_others, a.max_msg_others);
    msg_min = min(msg_min, a.max_msg);
}

enum { IN_PLACE, MESSAGES, APART }; // where a check's results go: L and R, R alone, R'

static __device__ int var_msg(const ldpc_args &a, const any_state &s, u32 e)
{
    u32 at = (s.edge[e] & 0xffffff) * 32 + s.lane;
    return saturate(a, s.posterior[at] - s.msg[(size_t)e * 32 + s.lane]);
}

template <int WHERE>
static __device__ __forceinline__ void put_msg(const ldpc_args &a, const any_state &s, u32 e, u32 first_edge,
                                               int q, int r)
{
    if (WHERE == APART)
        s.fresh[(size_t)(e - first_edge) * 32 + s.lane] = (msg_t)r;
    else if (s.active)
        s.msg[(size_t)e * 32 + s.lane] = (msg_t)r;
    if (WHERE == IN_PLACE && s.active)
        s.posterior[(s.edge[e] & 0xffffff) * 32 + s.lane] = (posterior_t)saturate(a, q + r);
}

template <int WHERE>
static __device__ void check_node(const ldpc_args &a, const any_state &s, u32 check, u32 first_edge)
{
    int u = a.no_other, v = u, w = u, msg_others, msg_min;
    bool odd = false;
    for (u32 e = s.start[check]; e < s.start[check + 1]; e++) {
        int q = var_msg(a, s, e), m = abs(q);
        if (THREE_MIN)
            w = min(w, max(v, m));
        v = min(v, max(u, m));
        u = min(u, m);
        odd ^= q < 0;
    }
    magnitudes(a, u, v, w, msg_others, msg_min);
    for (u32 e = s.start[check]; e < s.start[check + 1]; e++) {
        int q = var_msg(a, s, e), m = abs(q) == u ? msg_min : msg_others;
        put_msg<WHERE>(a, s, e, first_edge, q, odd != (q < 0) ? -m : m);
    }
}

// Occurrence by occurrence: the first writes Q + R', further ones add what their message has changed.
static __device__ void add_occurrences(const ldpc_args &a, const any_state &s, u32 first, u32 end, u32 most)
{
    for (u32 occurrence = 0; occurrence <= most; occurrence++) {
        __syncthreads();
        for (u32 e = s.start[first] + s.warp; e < s.start[end]; e += s.warps) {
            if (s.edge[e] >> 24 != occurrence || !s.active)
                continue;
            posterior_t *posterior = s.posterior + (s.edge[e] & 0xffffff) * 32 + s.lane;
            msg_t *msg = s.msg + (size_t)e * 32 + s.lane;
            int fresh = s.fresh[(size_t)(e - s.start[first]) * 32 + s.lane];
            *posterior = (posterior_t)saturate(a, occurrence ? *posterior + (fresh - *msg)
                                                             : saturate(a, *posterior - *msg) + fresh);
            *msg = (msg_t)fresh;
        }
    }
}

static __device__ void iterate_layered(const ldpc_args &a, const any_state &s)
{
    const u32 *stage = a.table + a.table[1];
    for (u32 i = 0; i < a.table[0]; i++, stage += 3) {
        u32 first = stage[0], end = stage[1], most = stage[2];
        for (u32 c = first + s.warp; c < end; c += s.warps) {
            if (most)
                check_node<APART>(a, s, c, s.start[first]);
            else
                check_node<IN_PLACE>(a, s, c, 0);
        }
        if (most)
            add_occurrences(a, s, first, end, most);
        __syncthreads();
    }
}

static __device__ void iterate_flooding(const ldpc_args &a, const any_state &s, u32 checks)
{
    const u32 *var_start = a.table + a.table[5], *var_edge = a.table + a.table[6];
    for (u32 c = s.warp; c < checks; c += s.warps)
        check_node<MESSAGES>(a, s, c, 0);
    __syncthreads();
    for (u32 p = s.warp; p < a.positions; p += s.warps) {
        int sum = s.channel[p * 32 + s.lane];
        for (u32 i = var_start[p]; i < var_start[p + 1]; i++)
            sum += s.msg[(size_t)var_edge[i] * 32 + s.lane];
        if (s.active)
            s.posterior[p * 32 + s.lane] = (posterior_t)saturate(a, sum);
    }
    __syncthreads();
}

// Unsatisfied checks of the lane's word, the same in all warps.
static __device__ u32 unsatisfied(const any_state &s, u32 checks, u32 *count)
{
    u32 mine = 0;
    if (s.warp == 0)
        count[s.lane] = 0;
    __syncthreads();
    for (u32 c = s.warp; c < checks; c += s.warps) {
        bool odd = false;
        for (u32 e = s.start[c]; e < s.start[c + 1]; e++)
            odd ^= s.posterior[(s.edge[e] & 0xffffff) * 32 + s.lane] < 0;
        mine += odd;
    }
    atomicAdd(&count[s.lane], mine);
    __syncthreads();
    mine = count[s.lane];
    __syncthreads();
    return mine;
}

static __device__ void load(const ldpc_args &a, const any_state &s, u32 word, bool live)
{
    for (u32 p = s.warp; p < a.positions; p += s.warps) {
        int source = a.source[p];
        int value = source == -2 ? 127 : 0;
        if (source >= 0 && live)
            value = channel_of(a, (size_t)word * a.n + source);
        s.posterior[p * 32 + s.lane] = (posterior_t)value;
        s.channel[p * 32 + s.lane] = (msg_t)value;
    }
    for (u32 e = s.warp; e < a.table[4]; e += s.warps)
        s.msg[(size_t)e * 32 + s.lane] = 0;
    __syncthreads();
}

static __device__ void store_bits(const any_state &s, const u32 *at, u32 bits, u8 *out)
{
    for (u32 byte = s.warp; byte < (bits + 7) / 8; byte += s.warps) {
        u32 packed = 0;
        for (u32 i = 8 * byte; i < 8 * byte + 8; i++) {
            bool one = i < bits && at[i] != 0xffffffff && s.posterior[at[i] * 32 + s.lane] < 0;
            packed = packed << 1 | one;
        }
        out[byte] = (u8)packed;
    }
}

static __device__ void store(const ldpc_args &a, const any_state &s, u32 word)
{
    if (a.message)
        store_bits(s, a.message_at, a.k, a.message + (size_t)word * ((a.k + 7) / 8));
    if (a.codeword)
        store_bits(s, a.codeword_at, a.n, a.codeword + (size_t)word * ((a.n + 7) / 8));
    for (u32 i = s.warp; a.posterior && i < a.n; i += s.warps) {
        u32 at = a.codeword_at[i];
        a.posterior[(size_t)word * a.n + i] = at == 0xffffffff ? 127 : (short)s.posterior[at * 32 + s.lane];
    }
}

extern "C" __global__ void __launch_bounds__(256) ldpc_decode(const ldpc_args a)
{
    __shared__ u32 count[32], ticket;
    u32 checks = a.table[7];
    any_state s;
    s.lane = threadIdx.x % 32;
    s.warp = threadIdx.x / 32;
    s.warps = blockDim.x / 32;
    s.start = a.table + a.table[2];
    s.edge = a.table + a.table[3];
    size_t bytes = 32 * (sizeof(posterior_t) * (size_t)a.positions +
                         sizeof(msg_t) * ((size_t)a.positions + a.table[4] + a.table[8]));
    s.posterior = (posterior_t *)((u8 *)a.scratch + blockIdx.x * bytes);
    s.channel = (msg_t *)(s.posterior + (size_t)32 * a.positions);
    s.msg = s.channel + (size_t)32 * a.positions;
    s.fresh = s.msg + (size_t)32 * a.table[4];
    for (u32 pieces = (a.words + 31) / 32, piece; (piece = ldpc_next(a, pieces, &ticket)) < pieces;) {
        u32 word = 32 * piece + s.lane, iterations = 0, bad = 0;
        bool live = word < a.words;
        s.active = live;
        load(a, s, word, live);
        for (u32 i = 0;; i++) {
            bool last = i == a.max_iterations;
            if (a.early_stop || (last && a.info)) {
                u32 now = unsatisfied(s, checks, count);
                bad = s.active ? now : bad;
            }
            if (s.active && (last || (a.early_stop && bad == 0))) {
                iterations = i;
                s.active = false;
            }
            if (!__any_sync(0xffffffff, s.active))
                break;
            if (a.flooding)
                iterate_flooding(a, s, checks);
            else
                iterate_layered(a, s);
        }
        if (live) {
            store(a, s, word);
            if (a.info && s.warp == 0)
                ldpc_store_info(a, word, iterations, bad);
        }
        __syncthreads();
    }
}
