// SPDX-License-Identifier: BSD-3-Clause
/* The kernel "chip" (drawings in chip.h). Each half of a register belongs to one codeword.
 *
 * The source consists of this file, chip_passes.cuh, and chip_circulants.cuh or chip_listed.cuh. The prologue
 * (chip_text.c) defines:
 *
 *   PAIRS                         pairs of codewords per thread block
 *   CHECKS                        parity checks of a full pass
 *   THREADS                       PAIRS * CHECKS
 *   BLOCKS                        thread blocks per multiprocessor
 *   Z                             lifting size
 *   PASSES, PASS_TABLE            number of passes, list of passes
 *   CASES                         code of each kind of pass
 *   TWINS                         1 if some passes process two layers
 *   CIRCULANTS                    1: places are computed from EDGES; 0: the table lists places
 *   REGISTER_EDGES                maximum number of edges of a check in registers
 *   PLACES_AHEAD                  words of places loaded one pass earlier
 *   MESSAGES_AHEAD, TWINS_MESSAGES_AHEAD   words of messages loaded one pass earlier
 *   MESSAGES_AT                   offset of the messages in shared memory, words
 *   SCRATCH_U32                   global memory of a thread, words
 *   PLANES_AT                     offset of the planes in this memory, words
 *   LEAVES, LOCATIONS             offsets in the table, words
 *   EARLY_STOP, I8
 *   WIDE                          1: posteriors may exceed the exact integers of half precision
 *   MESSAGE_BIAS, NO_OTHER, and the macros of half_rule.cuh */
#include "chip_pass.h"
#include "half_check_node.cuh"

struct Pass {
    u32 at;
    u32 messages;
    u32 ahead;
    u32 plane;
    u32 flags; // CHIP_PASS_...
};
constexpr u32 BIAS = WIDE ? 0
                     : I8 ? MESSAGE_BIAS + 128
                          : MESSAGE_BIAS,
              HIGH = 0x01010101 * (H(MESSAGE_BIAS) >> 8 & 0xff),
              ZERO_MESSAGES = 0x01010101 * (H(MESSAGE_BIAS) & 0xff);

extern "C" __constant__ Pass passes[PASSES + 1] = PASS_TABLE;
extern __shared__ u32 sm[];

struct pair_state {
    u32 check, pair;
    u32 first, second;
    u32 zero, high;   // 0 and HIGH
    u32 lane, lane_z; // 4 * PAIRS * check, 4 * PAIRS * (check - z)
    const uint2 *listed;
    u32 *posteriors;                                // in shared memory
    u32 *shared_messages, *global_messages, *plane; // of the thread
    u32 *count;
    bool leaves_wanted;
};

struct Ahead {
    u32 places[PLACES_AHEAD + 1];
    u32 messages[(MESSAGES_AHEAD > TWINS_MESSAGES_AHEAD ? MESSAGES_AHEAD : TWINS_MESSAGES_AHEAD) + 1];
    u32 *global_messages;
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

// ---- l = posterior + BIAS, m = message + MESSAGE_BIAS, q = var_msg, g = new message + MESSAGE_BIAS

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
