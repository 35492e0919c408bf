// SPDX-License-Identifier: BSD-3-Clause
/* The kernel "dvb", for DVB codes of 64800 bits.
 *
 * A thread block decodes two codewords, one in each half of its registers. Thread t processes check t of each
 * layer (LANES = 360). A multiprocessor runs one thread block, which loops over codewords.
 *
 * Parity bits need no posteriors. Parity bit i is only in checks i and i + 1. Its message to one check is its
 * channel LLR plus the message from the other check. Both checks belong to the same thread, in consecutive
 * layers. The exception is layer 0, which follows the last layer one lane further. The last layer passes its
 * values in `forward`, and layer 0 returns its messages in `back`.
 *
 *   shared memory   posteriors of information bits [INFO_GROUPS][LANES], the last group only if it fits
 *                   forward [LANES], back [LANES], if they fit
 *                   messages of some layers
 *   scratch of a    messages of the other layers, plus two layers [layer][word][THREADS]
 *   thread block    channel of parity bits [LAYERS + 4][THREADS], two bytes each
 *                   plane: posteriors + BIAS of parity bits [LAYERS][THREADS]
 *                   last information group, forward, back [THREADS] each, if they are not in shared memory
 *   table           columns of the loop's layers, plus COLUMNS_AHEAD layers [layer][COLUMN_WORDS][THREADS]
 *
 * A message pack of 32 bits has the messages of two edges for two codewords, as bytes. Where the packs are:
 *
 *   layers 0 .. REGISTER_LAYERS - 1    registers
 *   layers .. CHIP_LAYERS - 1          shared memory
 *   all others                         global memory; a layer is loaded two layers earlier
 *
 * In memory, a check has WORDS words: packs or, if COMPRESSED, codes (see below).
 *
 * The first UNROLLED_LAYERS layers have separate code with constant shifts. The others run in a loop of
 * LOOP_LAYERS layers per pass, the first LOOP_SHARED of which have messages in shared memory; then
 * CHIP_LAYERS is UNROLLED_LAYERS. The loop reads column addresses from the table, which takes fewer
 * instructions than computing them.
 *
 * The prologue (dvb.c) defines:
 *
 *   INFO_GROUPS, LAYERS            numbers of information groups and layers
 *   INFO_DEGREE                    maximum number of information bits of a check
 *   MOST_PADS                      maximum number of padding edges of a check
 *   REPEATED_EDGES                 maximum number of edges of a layer that repeat a column
 *   MOST_REPEATS                   maximum number of repeats of a column in a layer
 *   REGISTER_LAYERS, CHIP_LAYERS, UNROLLED_LAYERS, LOOP_SHARED, COLUMNS_AHEAD
 *   GLOBAL_ROWS                    1 if `forward` and `back` are in global memory
 *   GLOBAL_GROUP                   1 if the last information group is in global memory
 *   EDGES, FLAGS                   information edges and flags of all layers
 *   IN_ORDER                       1 if LLRs have the standard's order: information bits by group and lane, then
 *                                  parity bits by lane and layer
 *   EARLY_STOP, I8, COMPRESSED, MESSAGE_BIAS, NO_OTHER, and the macros of half_rule.cuh */
#include "dvb_layer.h"
#include "half_check_node.cuh"

struct Edge {
    u32 shift4; // 4 shift
    u32 base;
};

constexpr int DEGREE = INFO_DEGREE + 2, PACKS = (INFO_DEGREE + 2 + I8) / 2; // of a check
constexpr int KEPT = INFO_DEGREE + 1 + I8;                                  // stored messages of a check
// per check in memory
constexpr int CODE_WORDS = (KEPT + CODED - 1) / CODED, WORDS = COMPRESSED ? 1 + CODE_WORDS : PACKS;
constexpr int LOOP_PASSES = (LAYERS - UNROLLED_LAYERS) / LOOP_LAYERS, LOOP_GLOBAL = LOOP_LAYERS - LOOP_SHARED;
constexpr int GLOBAL_LAYERS = UNROLLED_LAYERS - CHIP_LAYERS + LOOP_PASSES * LOOP_GLOBAL,
              SHARED_LAYERS = CHIP_LAYERS - REGISTER_LAYERS + LOOP_PASSES * LOOP_SHARED;
constexpr int INFO_BITS = INFO_GROUPS * LANES, PARITY_BITS = LAYERS * LANES,
              SHARED_BITS = INFO_BITS - LANES * GLOBAL_GROUP;
static_assert((LAYERS - UNROLLED_LAYERS) % LOOP_LAYERS == 0 && UNROLLED_LAYERS >= 2 &&
                  REGISTER_LAYERS <= CHIP_LAYERS && CHIP_LAYERS <= UNROLLED_LAYERS && UNROLLED_LAYERS <= 60 &&
                  (CHIP_LAYERS == UNROLLED_LAYERS || LOOP_SHARED == 0),
              "layers");

constexpr int COLUMN_WORDS = (INFO_DEGREE + 1) / 2; // per check in the table

constexpr size_t CHANNEL_AT = (size_t)(GLOBAL_LAYERS + 2) * WORDS * THREADS,
                 PLANE_AT = CHANNEL_AT + (LAYERS + 4) * THREADS / 2, GROUP_AT = PLANE_AT + LAYERS * THREADS,
                 SCRATCH_U32 = GROUP_AT + 3 * THREADS;

/* Posteriors are stored as L + BIAS. Messages are the low bytes of R + MESSAGE_BIAS; their high bytes are
 * HIGH. */
constexpr u32 BIAS = I8 ? MESSAGE_BIAS + 128 : MESSAGE_BIAS,
              HIGH = 0x01010101 * (H(MESSAGE_BIAS) >> 8 & 0xff),
              ZERO_MESSAGES = 0x01010101 * (H(MESSAGE_BIAS) & 0xff);

extern "C" __constant__ u32 loop_flags[LAYERS] = FLAGS;
static constexpr u32 layer_flags[LAYERS] = FLAGS;
static __device__ const Edge device_edges[LAYERS * INFO_DEGREE] = EDGES;

extern __shared__ u32 sm[];

struct Column {
    u32 base, lane;
};
#define AT(column) (*(u32 *)((char *)sm + (column).base + (column).lane))

struct pair_state {
    u32 t, t4;         // lane; 4 t
    u32 first, second; // both codewords of the pair
    u32 parity;        // for parity_in()
    u32 *forward, *back;
    u32 *plane; // posteriors of parity bits, + BIAS
    u32 *global_group;
    u32 *shared_words, *global_words; // messages of this thread
    u32 high;                         // HIGH, in a register
    u32 high_of_1152;                 // HIGH_OF_1152, in a register
    u32 second_digits;                // 0x4400: selects the second codeword
    u16 *channel;                     // of parity bits
    bool parities_wanted;
};

struct Ahead {
    u32 words[WORDS], next[WORDS], after[WORDS], channel, next_channel, after_channel;
};

struct Place {
    u16 *channel;
    u32 *plane;
};

/* ---- compressed messages
 *
 * A message has one of four values: +others, +holder, -others, -holder. Its code is the index 0 .. 3. The
 * words of a check:
 *
 *   first word     `others` and `holder` of the first codeword, then of the second, one byte each
 *   other words    codes of eight edges: bytes 0 and 1 have edges 0 .. 3 of the two codewords, bytes 2 and 3 have
 *                  edges 4 .. 7; the order of edges in a byte is 0, 2, 1, 3, from bit 0 on
 *
 * To unpack messages, a word is masked, and bit 2 of each digit is set for the second codeword. The word is
 * then a prmt selector into a table of eight bytes. */

struct Table {
    u32 first, second;
};
DEVICE_INLINE Table table_of(u32 magnitudes)
{
    const u32 negative = 2 * ZERO_MESSAGES - magnitudes; // of bytes Z + m: Z - m
    return {prmt(magnitudes, negative, 0x5410u), prmt(magnitudes, negative, 0x7632u)};
}
DEVICE_INLINE u32 coded_pack(const pair_state &x, const Table &table, const u32 (&words)[WORDS], int w)
{
    const u32 codes = words[1 + w / (CODED / 2)] >> (w & 1 ? 2 : 0) + (w & 2 ? 16 : 0);
    return prmt(table.first, table.second, (codes & 0x3333u) | x.second_digits);
}
DEVICE_INLINE void expand_pack(int w, const pair_state &x, const Table &table, const u32 (&words)[WORDS],
                               u32 (&packs)[PACKS])
{
    packs[w] = COMPRESSED ? coded_pack(x, table, words, w) : words[COMPRESSED ? 0 : w];
}
DEVICE_INLINE void expand(const pair_state &x, const u32 (&words)[WORDS], u32 (&packs)[PACKS])
{
    const Table table = table_of(words[0]);
    each<expand_pack, PACKS>(x, table, words, packs);
}

constexpr u32 NO_CODES = H(512 + 85 / 2.0);
DEVICE_INLINE u32 with_code(u32 codes, int e, u32 is_holder, u32 sign)
{
    return hfma(hsub(is_holder, sign), H(e % 4 == 0 ? 0.5 : e % 4 == 1 ? 8 : e % 4 == 2 ? 2 : 32), codes);
}
DEVICE_INLINE void pack_codes(int w, const u32 (&codes)[CODE_WORDS * 2], u32 (&words)[WORDS])
{
    if (w + 1 < WORDS)
        words[w + 1] = prmt(codes[2 * w], codes[2 * w + 1], 0x6420u);
}
DEVICE_INLINE void compress(const Messages &m, const u32 (&codes)[CODE_WORDS * 2], u32 (&words)[WORDS])
{
    words[0] = pack_messages(hadd(m.others, H(MESSAGE_BIAS)), hadd(m.holder, H(MESSAGE_BIAS)));
    each<pack_codes, CODE_WORDS>(codes, words);
}

DEVICE_INLINE void pack_pair(int w, const u32 (&g)[DEGREE], u32 (&packs)[PACKS])
{
    packs[w] = pack_messages(g[2 * w], 2 * w + 1 < KEPT ? g[2 * w + 1] : g[2 * w]);
}

// ---- one check

DEVICE_INLINE Column column_of(u32 t4, const Edge &edge)
{
    const u32 sum = t4 + edge.shift4;
    return {edge.base, min(sum - 4 * LANES, sum)}; // a negative sum wraps around
}

DEVICE_INLINE bool is_pad(int e, u32 flags)
{
    return e < MOST_PADS && e < (int)(flags >> DVB_PADS & 3);
}
DEVICE_INLINE bool is_first_global(int e, u32 flags)
{
    return GLOBAL_GROUP && e == 0 && (flags >> DVB_FIRST_GLOBAL & 1);
}
DEVICE_INLINE u32 occurrence_of(int e, u32 flags)
{
    return e < INFO_DEGREE - REPEATED_EDGES
               ? 0
               : flags >> DVB_REPEAT_BITS * (e - INFO_DEGREE + REPEATED_EDGES) & 3;
}
DEVICE_INLINE u32 most_repeats(u32 flags)
{
    const u32 high = flags & 0x0aaaaaaau;
    return MOST_REPEATS < 2 ? MOST_REPEATS : !high ? 1 : high >> 1 & flags ? 3 : 2;
}
DEVICE_INLINE u32 message(const pair_state &x, const u32 (&packs)[PACKS], int e) // + MESSAGE_BIAS
{
    return unpack(packs[e / 2], e, x.high);
}
DEVICE_INLINE u32 parity_message(const pair_state &x, const u32 (&packs)[PACKS])
{
    return message(x, packs, INFO_DEGREE);
}
DEVICE_INLINE u32 parity_message_of(const pair_state &x, const u32 (&words)[WORDS])
{
    const int w = INFO_DEGREE / 2;
    return unpack(COMPRESSED ? coded_pack(x, table_of(words[0]), words, w) : words[COMPRESSED ? 0 : w],
                  INFO_DEGREE, x.high);
}
DEVICE_INLINE u32 posterior_sum(u32 l, u32 g)
{
    return I8 ? posterior_i8(hadd(l, g)) : hadd(l, g);
}

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

template <bool FIRST, bool LAST>
DEVICE_INLINE void parity_out(pair_state &x, u32 mine, u32 own, u32 &to_before, u32 to_own,
                              const Place &place, bool is_last, bool barrier)
{
    u32 before = posterior_sum(x.parity, to_before);
    u32 after = posterior_sum(mine, to_own);
    if (FIRST) {
        if (x.t)
            x.back[(int)x.t - 1] = I8 ? before : to_before;
        else if (I8)
            x.back[LANES - 1] = x.forward[LANES - 1];
        if (!x.t)
            to_before = H(MESSAGE_BIAS);
    }
    if (LAST && is_last)
        x.forward[x.t] = after;
    if (barrier)
        __syncthreads();
    if (I8 && !FIRST)
        __stcg(place.channel - THREADS, (u16)prmt(hsub(before, H(128)), 0, LOW_BYTES));
    if (x.parities_wanted && !FIRST)
        place.plane[-THREADS] = before;
    if (x.parities_wanted && LAST && is_last)
        *place.plane = I8 ? after : hadd(own, to_own);
    x.parity = after;
}

DEVICE_INLINE void add_repeat(int e, const pair_state &x, const Column (&at)[INFO_DEGREE],
                              const u32 (&packs)[PACKS], const u32 (&g)[DEGREE], const u32 &flags,
                              const u32 &occurrence)
{
    if (occurrence_of(e, flags) == occurrence)
        AT(at[e]) = posterior_sum(AT(at[e]), hsub(g[e], message(x, packs, e)));
}
DEVICE_INLINE void add_repeats(const pair_state &x, const Column (&at)[INFO_DEGREE],
                               const u32 (&packs)[PACKS], const u32 (&g)[DEGREE], u32 flags)
{
#pragma unroll
    for (u32 occurrence = 1; occurrence <= MOST_REPEATS; occurrence++) {
        if (occurrence > most_repeats(flags))
            break;
        __syncthreads();
        each<add_repeat, INFO_DEGREE>(x, at, packs, g, flags, occurrence);
    }
}

// `first`: posterior of edge 0. `b`: Q + 128 in i8.
DEVICE_INLINE void edge_in(int e, const pair_state &x, const Column (&at)[INFO_DEGREE],
                           const u32 (&packs)[PACKS], const u32 &flags, const u32 *const &first,
                           u32 (&q)[DEGREE], u32 (&b)[I8 ? INFO_DEGREE : 1])
{
    if (is_pad(e, flags)) { // never the minimum
        q[e] = H(NO_OTHER);
        return;
    }
    const u32 l = GLOBAL_GROUP && e == 0 ? *first : AT(at[e]);
    if (I8)
        b[e] = var_msg_i8(l, message(x, packs, e));
    q[e] = I8 ? hsub(b[e], H(128)) : hsub(l, message(x, packs, e));
}

template <bool CODES>
DEVICE_INLINE void edge_message(int e, const Messages &messages, const u32 (&q)[DEGREE], u32 (&g)[DEGREE],
                                u32 (&codes)[CODE_WORDS * 2])
{
    const u32 is_holder = is_holding(messages, q[e]), sign = new_sign(messages, q[e]);
    g[e] = signed_message(messages, is_holder, sign);
    if (CODES && e < KEPT)
        codes[e / 4] = with_code(e % 4 ? codes[e / 4] : NO_CODES, e, is_holder, sign);
}

DEVICE_INLINE void edge_out(int e, const Column (&at)[INFO_DEGREE], const u32 &flags, u32 *const &first,
                            const u32 (&q)[DEGREE], const u32 (&b)[I8 ? INFO_DEGREE : 1],
                            const u32 (&g)[DEGREE])
{
    if (is_pad(e, flags) || occurrence_of(e, flags))
        return;
    const u32 l = posterior_sum(I8 ? b[e] : q[e], g[e]);
    if (GLOBAL_GROUP && e == 0)
        *first = l;
    else
        AT(at[e]) = l;
}

template <bool FIRST, bool LAST, bool CODES, int N>
DEVICE_INLINE void update_check(const ldpc_cuda_args &arg, pair_state &x, const Column (&at)[INFO_DEGREE],
                                const u32 (&packs)[PACKS], u32 (&words)[N], u32 answer, u32 channel,
                                u32 flags, const Place &place, bool is_last)
{
    u32 q[DEGREE], b[I8 ? INFO_DEGREE : 1], g[DEGREE];
    u32 mine = hsub(prmt(channel, x.high_of_1152, UNPACK_PAIR), I8 ? H(-128) : H(1152 + MESSAGE_BIAS));
    u32 *const first =
        (u32 *)((char *)(is_first_global(0, flags) ? x.global_group : sm) + at[0].base + at[0].lane);
    const bool repeats = REPEATED_EDGES && flags << (32 - DVB_REPEATS_END);
    each<edge_in, INFO_DEGREE>(x, at, packs, flags, first, q, b);
    parity_in<FIRST, LAST>(x, packs, answer, mine, q[INFO_DEGREE], q[INFO_DEGREE + 1], is_last);
    const Messages messages = check_node(arg, minima(q));
    u32 codes[CODE_WORDS * 2];
    codes[CODE_WORDS * 2 - 1] = NO_CODES;
    each<edge_message<CODES>, DEGREE>(messages, q, g, codes);
    if (repeats)
        __syncthreads();
    each<edge_out, INFO_DEGREE>(at, flags, first, q, b, g);
    if (repeats)
        add_repeats(x, at, packs, g, flags);
    parity_out<FIRST, LAST>(x, mine, q[INFO_DEGREE + 1], g[INFO_DEGREE], g[INFO_DEGREE + 1], place, is_last,
                            flags >> DVB_BARRIER);
    if constexpr (CODES)
        compress(messages, codes, words);
    else
        each<pack_pair, PACKS>(g, words);
}

#include "dvb_codewords.cuh"
