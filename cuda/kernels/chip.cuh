// SPDX-License-Identifier: BSD-3-Clause
// Any binary code whose posteriors fit in shared memory, layered, two words in the halves of a register. A
// block decodes PAIRS pairs of words: its THREADS are SLOTS rows times PAIRS. Turns are up to SLOTS rows of
// one stage (they share no column) with the same number of edges; threads meet after the last turn of a
// stage.
//
// Posteriors: [place][pair] in shared memory. A column with a single one is no more than a message to its
// row, which is kept among the messages of that row, as its last edge (a leaf); its posterior goes to global
// memory, to the leaf's plane, when somebody will look at it.
// Messages: [word][thread], two edges of two words to a register, as bytes; those of near turns in shared
// memory, of the others in global memory, where they are loaded a turn ahead and asked into L2 before that.
//
// A kernel is this, chip_circulants.cuh or chip_listed.cuh (how a row finds its places), and chip_words.cuh
// (turns, iterations, words). chip_text.c writes in front of it: PAIRS, SLOTS, THREADS, BLOCKS, TURNS, TABLE,
// CASES, Z, TWINS (a turn may have two layers), EDGES_KEPT (those of a row for which a thread has registers),
// PLACES_AHEAD, MESSAGES_AHEAD and TWINS_MESSAGES_AHEAD (words that are loaded a turn ahead), MESSAGES_AT
// (words of shared memory before messages), SCRATCH_WORDS (of a thread in global memory) and PLANES_AT (those
// before planes), LEAVES and HOMES (offsets in the table), EARLY_STOP, I8, WIDE (half precision may leave the
// integers it has exactly), MB, NO_OTHER, THIRD and the function rule(); minima.cuh comes in between.
struct Turn {
    u32 at;       // its first edge, or its first listed place in pairs of words
    u32 messages; // bytes before them; bit 31: near
    u32 ahead;    // the same of those that it asks into L2
    u32 plane;    // of its leaves, NONE without; the twin's is the next one
    u32 flags; // rows | kind << 10 | degree << 16 | threads meet << 23 | degree of the twin << 24 | gap << 31
};
constexpr u32 NONE = ~0u, NEAR = 1u << 31, PLANE = 1u << 31;
constexpr u32 BIAS = WIDE ? 0
                     : I8 ? MB + 128
                          : MB,
              HIGH = 0x01010101 * (H(MB) >> 8 & 0xff), NOTHING = 0x01010101 * (H(MB) & 0xff);

extern "C" __constant__ Turn turns[TURNS + 1] = TABLE; // the last one twice
extern __shared__ u32 sm[];

struct Ctx {
    u32 slot, pair, c0, c1, zero, high; // high: HIGH, in a register
    u32 lane, lane_z;                   // 4 PAIRS slot, and z lanes less: where places are computed
    const uint2 *listed;                // where they are not
    u32 *sm, *near, *far, *plane;       // of this thread
    u32 *count;
    bool last;
};

// What a turn has loaded for the next one.
struct Ahead {
    u32 places[PLACES_AHEAD + 1];
    u32 messages[(MESSAGES_AHEAD > TWINS_MESSAGES_AHEAD ? MESSAGES_AHEAD : TWINS_MESSAGES_AHEAD) + 1];
    u32 *far; // its messages, if they are far
};

F u32 rows_of(const Turn &t)
{
    return t.flags & 0x3ff;
}
F u32 kind_of(const Turn &t)
{
    return t.flags >> 10 & 0x3f;
}
F u32 degree_of(const Turn &t)
{
    return t.flags >> 16 & 0x7f;
}
F bool meets(const Turn &t)
{
    return t.flags >> 23 & 1;
}
F u32 twin_of(const Turn &t)
{
    return TWINS ? t.flags >> 24 & 0x7f : 0;
}
F bool has_gap(const Turn &t)
{
    return t.flags >> 31;
}
F u32 *at_byte(u32 *from, u32 bytes)
{
    return (u32 *)((char *)from + bytes);
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
F u32 leaf_msg(u32 word, int e)
{
    return hsub(byte_pair(word, e, 0x64646464u), H(1152));
}

// What a row tells its edges: the magnitudes of its messages, and the product of its signs, as +-1.
struct Check {
    u32 msg_others, more, above, sign; // msg_min - msg_others, the smallest magnitude + 1
};
F Check check_node(const Minima &least)
{
    u32 u = habs(least.lo), msg_others, msg_min;
    rule(u, least.hi, least.th, msg_others, msg_min);
    return {msg_others, hsub(msg_min, msg_others), hadd(u, H(1)), (least.lo & 0x80008000u) | 0x3c003c00u};
}
F u32 new_message(const Check &c, u32 q) // + MB
{
    return hfma(hfma(hsubsat(c.above, habsf(q)), c.more, c.msg_others), (q & 0x80008000u) ^ c.sign, H(MB));
}
