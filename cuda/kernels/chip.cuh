// SPDX-License-Identifier: BSD-3-Clause
// Passes, threads and arithmetic of the kernel "chip", which chip.h explains. Each half of a register belongs to one
// codeword.
//
// A kernel consists of this file, chip_circulants.cuh or chip_listed.cuh for the places of columns, and chip_passes.cuh.
// chip_text.c generates a prologue that defines:
//
//   PAIRS, CHECKS, THREADS        pairs of codewords of a thread block, checks of a full pass, PAIRS * CHECKS
//   BLOCKS, Z                     thread blocks of a multiprocessor, lifting size
//   PASSES, PASS_TABLE, CASES     number of passes, the passes, the code of each kind of pass
//   TWINS                         1 if some passes have two layers
//   CIRCULANTS                    1 if places are computed from EDGES; otherwise the table lists them
//   REGISTER_EDGES                number of edges of a check for which a thread has registers
//   PLACES_AHEAD, MESSAGES_AHEAD, TWINS_MESSAGES_AHEAD   32-bit words that each pass loads for the next pass
//   MESSAGES_AT                   offset of the messages in shared memory, in 32-bit words
//   SCRATCH_U32                   size of the global memory of a thread, in 32-bit words
//   PLANES_AT                     offset of the planes in the global memory of a thread
//   LEAVES, LOCATIONS             offsets in the table, in 32-bit words
//   EARLY_STOP, I8, WIDE          WIDE: posteriors may exceed the exact integers of half precision
//   MESSAGE_BIAS, NO_OTHER, and the macros of half_rule.cuh
#include "chip_pass.h"
#include "half_check_node.cuh"

struct Pass {
    u32 at;       // first edge (circulants) or first table entry (listed)
    u32 messages; // byte offset of the messages, or CHIP_SHARED_MESSAGE
    u32 ahead;    // offset of the messages to prefetch into L2
    u32 plane;    // offset of the pass's leaves, then its twin's; or CHIP_NONE
    u32 flags;    // CHIP_PASS_...
};
constexpr u32 BIAS = WIDE ? 0
                     : I8 ? MESSAGE_BIAS + 128
                          : MESSAGE_BIAS,
              HIGH = 0x01010101 * (H(MESSAGE_BIAS) >> 8 & 0xff),
              ZERO_MESSAGES = 0x01010101 * (H(MESSAGE_BIAS) & 0xff);

extern "C" __constant__ Pass passes[PASSES + 1] = PASS_TABLE; // the last pass is listed twice
extern __shared__ u32 sm[];

struct pair_state {
    u32 check, pair;     // index of the thread's check in a pass; index of the pair in the thread block
    u32 first, second;   // both codewords of the pair; equal if only one is left
    u32 zero, high;      // 0 and HIGH
    u32 lane, lane_z;    // circulants: 4 * PAIRS * check, and 4 * PAIRS * (check - z)
    const uint2 *listed; // listed: table entries of the thread's check
    u32 *posteriors;     // posteriors of the pair, in shared memory
    u32 *shared_messages, *global_messages, *plane; // of the thread
    u32 *count;                                     // unsatisfied parity checks of both codewords
    bool leaves_wanted;                             // posteriors of leaves are read after this iteration
};

// Values loaded for the next pass.
struct Ahead {
    u32 places[PLACES_AHEAD + 1];
    u32 messages[(MESSAGES_AHEAD > TWINS_MESSAGES_AHEAD ? MESSAGES_AHEAD : TWINS_MESSAGES_AHEAD) + 1];
    u32 *global_messages; // messages of the next pass in global memory
};

DEVICE_INLINE u32 checks_of(const Pass &pass)
{
    return pass.flags & 0x3ff;
}
DEVICE_INLINE u32 kind_of(const Pass &pass)
{
    return pass.flags >> CHIP_PASS_KIND & 0x3f;
}
DEVICE_INLINE u32 degree_of(const Pass &pass)
{
    return pass.flags >> CHIP_PASS_DEGREE & 0x7f;
}
DEVICE_INLINE bool has_barrier(const Pass &pass)
{
    return pass.flags >> CHIP_PASS_BARRIER & 1;
}
DEVICE_INLINE u32 twin_degree(const Pass &pass)
{
    return TWINS ? pass.flags >> CHIP_PASS_TWIN_DEGREE & 0x7f : 0;
}
DEVICE_INLINE bool has_missing_edge(const Pass &pass)
{
    return pass.flags >> CHIP_PASS_MISSING_EDGE;
}
DEVICE_INLINE u32 *at_byte(u32 *from, u32 bytes)
{
    return (u32 *)((char *)from + bytes);
}

// ---- arithmetic: l = posterior + BIAS, m = message + MESSAGE_BIAS, q = var_msg, g = new message + MESSAGE_BIAS

DEVICE_INLINE u32 saturate_i16(u32 v)
{
    return hmin(hmax(v, H(-2047)), H(2047));
}
DEVICE_INLINE u32 var_msg(u32 l, u32 m)
{
    if (I8)
        return hsub(var_msg_i8(l, m), H(128));
    return WIDE ? saturate_i16(hsub(l, hsub(m, H(MESSAGE_BIAS)))) : hsub(l, m);
}
DEVICE_INLINE u32 posterior(u32 q, u32 g)
{
    if (I8)
        return posterior_i8(hadd(hadd(q, H(128)), g));
    return WIDE ? saturate_i16(hadd(q, hsub(g, H(MESSAGE_BIAS)))) : hadd(q, g);
}

// Returns the channel LLR of a leaf plus 1152.
DEVICE_INLINE u32 leaf_channel(u32 pack, int e)
{
    return hsub(unpack(pack, e, HIGH_OF_1152), HALF_1152);
}

#if CIRCULANTS
#include "chip_circulants.cuh"
#else
#include "chip_listed.cuh"
#endif
#include "chip_passes.cuh"
