// SPDX-License-Identifier: BSD-3-Clause
// Long DVB codes (64800 bits): two codewords to a thread block in the halves of its registers, a thread for
// each of the LANES = 360 checks of a layer, one thread block to a multiprocessor; thread blocks go on until
// all codewords are done.
//
// The posteriors of the information bits stay in shared memory. Those of the parity bits are never needed
// while decoding: parity bit i joins checks i and i + 1 only, so its message to one of them is its channel
// plus what the other has sent. The check before is the same thread's check of the layer before, except in
// layer 0, whose checks follow those of the last layer, one lane on: the last layer hands over its values
// (forward), and layer 0 answers (back).
//
//   shared memory   posteriors of information bits [INFO_GROUPS][LANES], the last group only if it fits |
//                   forward [LANES] | back [LANES], if it fits | message packs of some layers
//   scratch of a    message packs of other layers [layer][pack][THREADS], and of two layers after them |
//   thread block    channel of parity bits [LAYERS + 4][THREADS], two bytes each |
//                   plane: posteriors of parity bits [LAYERS][THREADS] |
//                   what does not fit above: the last information group, forward, back [THREADS] each
//
// A message pack is 32 bits: the messages of two edges to two codewords, as bytes. Each of the first
// UNROLLED_LAYERS layers has code of its own, with all shifts as constants. Packs of layers 0 ..
// REGISTER_LAYERS - 1 stay in registers, those up to CHIP_LAYERS - 1 in shared memory, and the rest in global
// memory, loaded two layers ahead. The other layers run in a loop of LOOP_LAYERS layers a pass, of which the
// first LOOP_SHARED have their packs in shared memory; if LOOP_SHARED is not 0, CHIP_LAYERS is
// UNROLLED_LAYERS.
//
// dvb.c writes in front of this: INFO_GROUPS, LAYERS, INFO_DEGREE (most information bits of a check),
// MOST_PADS (that some checks have less), REPEATED_EDGES and MOST_REPEATS (most edges of a layer that repeat
// a column, most repeats of one), REGISTER_LAYERS, CHIP_LAYERS, UNROLLED_LAYERS, LOOP_LAYERS, LOOP_SHARED,
// GLOBAL_ROWS (forward and back in global memory), GLOBAL_GROUP (the last information group too), EDGES and
// FLAGS (of all layers), EARLY_STOP, I8, IN_ORDER (each column has an LLR, in the
// order of the standard: information bits by group and lane, then parity bits by lane and layer),
// MESSAGE_BIAS, NO_OTHER, and the words of half_rule.cuh.
#include "dvb_flags.h"
#include "half_check_node.cuh"

struct Edge {
    u32 shift4; // 4 shift
    u32 base;   // of the column group in shared memory, in bytes
};

constexpr int LANES = 360, THREADS = 384;
constexpr int DEGREE = INFO_DEGREE + 2, PACKS = (INFO_DEGREE + 2 + I8) / 2; // of a check
constexpr int KEPT =
    INFO_DEGREE + 1 + I8; // messages of a check that are kept: 16 bits need one parity message
constexpr int LOOP_PASSES = (LAYERS - UNROLLED_LAYERS) / LOOP_LAYERS, LOOP_GLOBAL = LOOP_LAYERS - LOOP_SHARED;
constexpr int GLOBAL_LAYERS = UNROLLED_LAYERS - CHIP_LAYERS + LOOP_PASSES * LOOP_GLOBAL,
              SHARED_LAYERS = CHIP_LAYERS - REGISTER_LAYERS + LOOP_PASSES * LOOP_SHARED;
constexpr int INFO_BITS = INFO_GROUPS * LANES, PARITY_BITS = LAYERS * LANES,
              SHARED_BITS = INFO_BITS - LANES * GLOBAL_GROUP;
static_assert((LAYERS - UNROLLED_LAYERS) % LOOP_LAYERS == 0 && UNROLLED_LAYERS >= 2 &&
                  REGISTER_LAYERS <= CHIP_LAYERS && CHIP_LAYERS <= UNROLLED_LAYERS && UNROLLED_LAYERS <= 60 &&
                  (CHIP_LAYERS == UNROLLED_LAYERS || LOOP_SHARED == 0),
              "layers");

// Scratch of a thread block, in u32.
constexpr size_t CHANNEL_AT = (size_t)(GLOBAL_LAYERS + 2) * PACKS * THREADS,
                 PLANE_AT = CHANNEL_AT + (LAYERS + 4) * THREADS / 2, GROUP_AT = PLANE_AT + LAYERS * THREADS,
                 SCRATCH_U32 = GROUP_AT + 3 * THREADS;

// Posteriors are stored as L + BIAS, messages as the low bytes of R + MESSAGE_BIAS; the high bytes are HIGH.
constexpr u32 BIAS = I8 ? MESSAGE_BIAS + 128 : MESSAGE_BIAS,
              HIGH = 0x01010101 * (H(MESSAGE_BIAS) >> 8 & 0xff),
              ZERO_MESSAGES = 0x01010101 * (H(MESSAGE_BIAS) & 0xff);

// The edges twice: for the loop, and for constants in the code and what all threads read at any index.
extern "C" __constant__ Edge loop_edges[LAYERS * INFO_DEGREE + INFO_DEGREE] = EDGES;
extern "C" __constant__ u32 loop_flags[LAYERS + 1] = FLAGS; // dvb_flags.h
static __device__ const Edge device_edges[LAYERS * INFO_DEGREE] = EDGES;
static constexpr u32 layer_flags[LAYERS] = FLAGS;

extern __shared__ u32 sm[];

// Where a column of a check is, in bytes. In an unrolled layer the base is a constant, which a load adds at
// no cost; in the loop it is part of the lane, and 0 stands here.
struct Column {
    u32 base, lane;
};
#define AT(column) (*(u32 *)((char *)sm + (column).base + (column).lane))

struct pair_state {
    u32 t, t4;                        // lane; 4 t
    u32 high;                         // HIGH, in a register
    u32 first, second;                // codewords
    u32 parity;                       // what the layer before leaves of the parity bit between: parity_in()
    u32 *forward, *back;              // between the last layer and layer 0, [LANES]
    u32 *plane;                       // of this thread
    u32 *global_group;                // [LANES]
    u32 *shared_packs, *global_packs; // of this thread
    u16 *channel;                     // of parity bits, this thread's
    bool parities_wanted;             // will their posteriors be read after this iteration?
};

// Message packs and channel bytes of this layer and the next two.
struct Ahead {
    u32 packs[PACKS], next[PACKS], after[PACKS], channel, next_channel, after_channel;
};

// ---- one check

// The edge's column of the check in lane t.
DEVICE_INLINE Column column_of(u32 t4, const Edge &edge)
{
    const u32 sum = t4 + edge.shift4;
    return {edge.base, min(sum - 4 * LANES, sum)}; // sum - 4 LANES wraps around where it is negative
}

DEVICE_INLINE bool is_pad(int e, u32 flags)
{
    return e < MOST_PADS && e < (int)(flags >> DVB_PADS & 3);
}
DEVICE_INLINE bool is_first_global(int e, u32 flags)
{
    return GLOBAL_GROUP && e == 0 && (flags >> DVB_FIRST_GLOBAL & 1);
}
// Which occurrence of its column edge e is, 0 for the first.
DEVICE_INLINE u32 occurrence_of(int e, u32 flags)
{
    return e < INFO_DEGREE - REPEATED_EDGES
               ? 0
               : flags >> DVB_REPEAT_BITS * (e - INFO_DEGREE + REPEATED_EDGES) & 3;
}
DEVICE_INLINE u32 message(const pair_state &x, const u32 (&packs)[PACKS], int e) // + MESSAGE_BIAS
{
    return unpack(packs[e / 2], e, x.high);
}
// The message that is kept of the parity bit before: i16.
DEVICE_INLINE u32 parity_message(const pair_state &x, const u32 (&packs)[PACKS])
{
    return message(x, packs, INFO_DEGREE);
}
DEVICE_INLINE u32 posterior_sum(u32 l, u32 g)
{
    return I8 ? posterior_i8(hadd(l, g)) : hadd(l, g);
}

// What a check finds of its two parity bits: the var_msg `before` of the bit before, and `own` of its own.
// i16: x.parity is the former; `mine` the channel of the latter, and `answer` what the next check has sent to
// it. i8: x.parity and `mine` are posteriors, the messages are among the check's own.
template <bool FIRST, bool LAST>
DEVICE_INLINE void parity_in(pair_state &x, const u32 (&packs)[PACKS], u32 answer, u32 &mine, u32 &before,
                             u32 &own, bool is_last)
{
    if (LAST && is_last)
        (I8 ? mine : answer) = x.back[x.t];
    if (FIRST)
        x.parity = x.t ? x.forward[(int)x.t - 1] : I8 ? H(BIAS) : H(NO_OTHER);
    if (I8) {
        x.parity = var_msg_i8(x.parity, message(x, packs, INFO_DEGREE));
        mine = var_msg_i8(mine, message(x, packs, I8 ? INFO_DEGREE + 1 : 0));
        before = FIRST && !x.t ? H(NO_OTHER) : hsub(x.parity, H(128));
        own = hsub(mine, H(128));
    } else {
        before = x.parity;
        own = hadd(mine, answer);
    }
}

// The other direction: stores the parity posteriors from the new messages to the bit before and to the layer's
// own one. A barrier after this layer stands as early as possible: only this thread reads what follows it.
template <bool FIRST, bool LAST>
DEVICE_INLINE void parity_out(pair_state &x, u32 mine, u32 own, u32 &to_before, u32 to_own, int layer,
                              bool is_last, bool barrier)
{
    u32 before = I8 ? posterior_sum(x.parity, to_before) : hadd(x.parity, hsub(to_before, H(MESSAGE_BIAS)));
    u32 after = posterior_sum(mine, to_own);
    if (FIRST) {
        if (x.t)
            x.back[(int)x.t - 1] = I8 ? before : to_before;
        else if (I8)
            x.back[LANES - 1] = x.forward[LANES - 1]; // the last parity bit has no check in layer 0
        if (!x.t)
            to_before = H(MESSAGE_BIAS);
    }
    if (LAST && is_last)
        x.forward[x.t] = after;
    if (barrier)
        __syncthreads();
    if (I8 && !FIRST)
        __stcg(x.channel + (layer - 1) * THREADS, (u16)prmt(hsub(before, H(128)), 0, LOW_BYTES));
    if (x.parities_wanted && !FIRST)
        x.plane[(layer - 1) * THREADS] = I8 ? hsub(before, H(BIAS)) : before;
    if (x.parities_wanted && LAST && is_last)
        x.plane[layer * THREADS] = I8 ? hsub(after, H(BIAS)) : hadd(own, hsub(to_own, H(MESSAGE_BIAS)));
    x.parity = after;
}

// Columns that are repeated in the layer: further occurrences add what their messages have changed.
DEVICE_INLINE void add_repeats(const pair_state &x, const Column (&at)[INFO_DEGREE],
                               const u32 (&packs)[PACKS], const u32 (&g)[DEGREE], u32 flags)
{
#pragma unroll
    for (u32 occurrence = 1; occurrence <= MOST_REPEATS; occurrence++) {
        __syncthreads();
#pragma unroll
        for (int e = INFO_DEGREE - REPEATED_EDGES; e < INFO_DEGREE; e++)
            if (occurrence_of(e, flags) == occurrence)
                AT(at[e]) = posterior_sum(AT(at[e]), hsub(g[e], message(x, packs, e)));
    }
}

// One check. at: its information posteriors; packs: old and new; answer: see parity_in();
// channel: of its own parity bit as two bytes.
template <bool FIRST, bool LAST>
DEVICE_INLINE void update_check(const ldpc_cuda_args &arg, pair_state &x, const Column (&at)[INFO_DEGREE],
                                u32 (&packs)[PACKS], u32 answer, u32 channel, u32 flags, int layer,
                                bool is_last)
{
    u32 q[DEGREE], b[I8 ? INFO_DEGREE : 1], g[DEGREE];
    u32 mine = hsub(prmt(channel, HIGH_OF_1152, 0x4140u), I8 ? H(-128) : H(1152 + MESSAGE_BIAS));
    u32 *const first =
        (u32 *)((char *)(is_first_global(0, flags) ? x.global_group : sm) + at[0].base + at[0].lane);
    const bool repeats = REPEATED_EDGES && flags << (32 - DVB_REPEATS_END);
#pragma unroll
    for (int e = 0; e < INFO_DEGREE; e++) {
        if (is_pad(e, flags)) { // larger than any other, so that it is no minimum
            q[e] = H(NO_OTHER);
            continue;
        }
        u32 l = GLOBAL_GROUP && e == 0 ? *first : AT(at[e]);
        if (I8)
            b[e] = var_msg_i8(l, message(x, packs, e));
        q[e] = I8 ? hsub(b[e], H(128)) : hsub(l, message(x, packs, e));
    }
    parity_in<FIRST, LAST>(x, packs, answer, mine, q[INFO_DEGREE], q[INFO_DEGREE + 1], is_last);
    const Messages messages = check_node(arg, minima(q));
#pragma unroll
    for (int e = 0; e < DEGREE; e++)
        g[e] = new_message(messages, q[e]);
    if (repeats)
        __syncthreads();
#pragma unroll
    for (int e = 0; e < INFO_DEGREE; e++)
        if (!is_pad(e, flags) && !occurrence_of(e, flags)) {
            u32 l = posterior_sum(I8 ? b[e] : q[e], g[e]);
            if (GLOBAL_GROUP && e == 0)
                *first = l;
            else
                AT(at[e]) = l;
        }
    if (repeats)
        add_repeats(x, at, packs, g, flags);
    parity_out<FIRST, LAST>(x, mine, q[INFO_DEGREE + 1], g[INFO_DEGREE], g[INFO_DEGREE + 1], layer, is_last,
                            flags >> DVB_BARRIER);
#pragma unroll
    for (int w = 0; w < PACKS; w++)
        packs[w] = pack_messages(g[2 * w], 2 * w + 1 < KEPT ? g[2 * w + 1] : g[2 * w]);
}

#include "dvb_codewords.cuh"
