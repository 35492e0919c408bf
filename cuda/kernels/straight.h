/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel "straight". Its source is generated for one base matrix and has no loops over edges.
 * straight_layout.c and straight_frames.c choose the layout. straight_text.c, straight_layer.c and
 * straight_check.c generate the source.
 *
 * Here, an edge is an edge of the base matrix, which represents z edges of the code. A lane is the index 0 ..
 * z-1 of a check in its layer, or of a column in its group.
 *
 * Thread t processes check t of layer 0, then check t of layer 1, and so on. The halves of its registers
 * belong to two codewords, so z threads decode a pair of codewords. A thread block has several pairs if one pair
 * would leave threads of a warp idle. Values of one thread stay in registers, mainly check_msgs unless there
 * are too many. Posteriors are exchanged, because thread t accesses lane (t + shift) mod z of a column group,
 * with another shift in each layer.
 *
 * Storage of a column group (ldpc_straight_storage):
 *
 *   shared      posteriors in shared memory
 *   register    all edges of the group have equal shifts, and no edge is missing: a thread always accesses one lane,
 *               and stores its posterior in a register
 *   two edges   as `register`, for a group with two edges: the register contains the channel LLR, because Q is the sum
 *               of the channel LLR and the other check's message
 *   leaf        a group with one edge, that is, columns of degree one: Q is always the channel LLR
 *   input       a leaf without space in shared memory: Q is read from the LLRs of the launch in each iteration, and the
 *               bit is decided in the last iteration
 *
 * The shared memory of a thread block consists of 32-bit words with a half for each codeword of a pair.
 *
 *   with early stop       | pair 0 | pair 1 | ... | packs | bits | counters |
 *   without early stop    | pair 0 | pair 1 | ... | packs |      | counters |
 *                         | bits                          |                    bits overwrite pairs, packs
 *
 *   pair       pair_u32 words: column groups (in place or in frames, see below), leaves, and padding up to
 *              pair_u32 mod 32 = z mod 32. Word t + d for thread t of pair g is then in bank (g * z + t + d) mod 32, and
 *              a warp with threads of two pairs has no bank conflict.
 *   packs      [pack][pairs * z threads]: R of the edges without a register. A pack contains R of one edge for both
 *              codewords, as halves; if `packed`, R of two edges, as bytes. Each thread has its own packs.
 *   bits       [pair][position]: 16 bits, one byte for each codeword. The threads of a pair write the bits and, after a
 *              barrier, copy them to global memory. Without early stop, all codewords end together. The threads then
 *              collect decisions in registers, and write them after a barrier.
 *   counters   [pair]: number of unsatisfied checks, 16 bits for each codeword (at most 65535 checks). For the test of
 *              layer 0, a counter is a mask of codewords.
 *
 *   column group   posteriors L + `bias`
 *   leaf           channel + soft_offset; with early stop, then z words with the posterior + soft_offset. Without early
 *                  stop, the last iteration overwrites the channel with the posterior.
 *
 * Before layer 0, each thread stores the channel LLRs where the last edge of the group stores the posteriors.
 *
 * IN PLACE. A column group in place has z words. Lane i is word i, and every access computes (t + shift) mod
 * z. A warp accesses consecutive words except where (t + shift) wraps around: a bank conflict of two
 * accesses, if z is not a multiple of 32. A group without edges is always in place.
 *
 * IN FRAMES. If there is enough shared memory, column groups are in frames, without rotation. Each edge e
 * writes its own frame: thread t, which has lane t + shift(e), writes word t. The next edge n of the group
 * finds lane t + shift(n) in word t + d with d = shift(n) - shift(e) mod z, at a constant offset from the
 * thread's word. A warp accesses 32 consecutive words. The words before and after the z words are copies,
 * called mirrors. They are written by the first `above` threads, z words further on, or by the last `below`
 * threads, z words further back, whichever are fewer:
 *
 *   memory of a frame:  | below | z words | above |
 *
 *   z = 6, shift(e) = 1, shift(n) = 3, d = 2, above = 2 (before it is rounded up, see below)
 *
 *     thread that writes     0   1   2   3   4   5 | 0   1
 *     word of the frame      0   1   2   3   4   5 | 6   7
 *     lane in it             1   2   3   4   5   0 | 1   2
 *     thread that reads              0   1   2   3   4   5      (word t + 2)
 *
 *   d = 5, below = 1: thread 5 writes word -1 too, and thread t reads word t - 1
 *
 * The number of threads that write mirrors is rounded up to whole warps if z is a multiple of 32, otherwise
 * to z. If this exceeds most_mirrors, there are no mirrors, and the read wraps around (AT() of straight.cuh).
 * The parity test of early stop reads the frame of the last edge with the shifts of all edges, and wraps
 * around outside the mirrors. If the next layer repeats the group, the mirrors above serve all its edges in
 * the group.
 *
 * Successive edges of a group use different frames, so that one thread may write while another still reads.
 * The edges form a circle from iteration to iteration: one edge needs one frame, an even number two, an odd
 * number three. A carried edge (see below) writes nothing and opens the circle. In place, only one thread
 * accesses a lane in a layer, unless the layer repeats the group.
 *
 * If a layer repeats a group, there is a barrier before each further occurrence, which adds R' - R to the
 * posterior of the previous occurrence. In place, another barrier is between the reads and the first write.
 *
 * BARRIERS. A barrier follows a layer only if the next layer reads posteriors that other threads have written
 * since the previous barrier (schedule.h). Two kinds of edges use the waiting time. The posterior of an
 * `early` edge was written before the previous barrier: its Q, and the minima of the early Q of its layer,
 * are computed before the next barrier. The next layer does not read the posterior of a `deferred` edge: R'
 * and the posterior are computed after the barrier. There are no deferred edges for `extrinsic` rules, or if
 * other thread blocks use the waiting time. The posterior of a `carried` edge stays in a register until the
 * next edge, which has an equal shift.
 *
 * In i8, no group is "two edges", "leaf" or "input", because posteriors saturate. These groups are
 * "register". Codes whose z is larger than a thread block are decoded with split layers (split_layers.h). The
 * threads after the first pairs * z threads, which complete the last warp, end immediately; barriers do not
 * wait for them. */
#ifndef LDPC_CUDA_STRAIGHT_H
#define LDPC_CUDA_STRAIGHT_H

#include "cuda/kernels/half_rule.h"
#include "cuda/kernels/kernel.h"
#include "cuda/kernels/writer.h"

enum { LDPC_STRAIGHT_MAX_DEGREE = 64 };

typedef enum ldpc_straight_storage {
    LDPC_STORAGE_SHARED,
    LDPC_STORAGE_REGISTER,
    LDPC_STORAGE_TWO_EDGES,
    LDPC_STORAGE_LEAF,
    LDPC_STORAGE_INPUT,
} ldpc_straight_storage;

typedef struct ldpc_straight_edge {
    uint32_t layer, index;
    uint32_t group, shift, missing_lane;
    uint32_t occurrence; /* of the block */
    bool has_message;    /* leaves store none */
    uint32_t pack, half;
    uint32_t next, before; /* edges of the group, cyclic */
    bool early, deferred, carried;
    uint32_t frame;
    uint32_t above, below;
} ldpc_straight_edge;

/* A column group. */
typedef struct ldpc_straight_column {
    ldpc_straight_storage storage;
    uint32_t base;
    uint32_t first; /* first edge in an iteration */
    uint32_t degree;
} ldpc_straight_column;

typedef struct ldpc_straight {
    const ldpc_plan *plan;
    const ldpc_code *code;
    ldpc_code *split;
    uint32_t parts;
    ldpc_rule rule;
    bool i8, packed, early_stop, frames;
    bool cpu; /* OpenCL on a CPU */
    bool extrinsic;
    int soft_offset; /* Q is stored as Q + soft_offset */
    int message_bias;
    int bias;
    bool leaves_have_no_room;
    uint32_t most_pairs;     /* maximum value of `pairs` */
    uint32_t pairs, threads; /* of a thread block */
    uint32_t min_blocks;
    uint32_t wave_codewords;
    uint32_t most_mirrors;
    uint32_t most_deferred;  /* maximum per layer */
    uint32_t packs;          /* packs of messages */
    uint32_t register_packs; /* packs of messages in registers */
    uint32_t pair_u32;
    size_t bits_bytes;
    size_t bits_at, counters_at; /* offsets in shared memory, bytes */
    size_t shared_bytes;
    uint32_t edge_count;
    ldpc_straight_edge *edges;
    ldpc_straight_column *columns;
    bool *barrier; /* [layers] a barrier follows */
} ldpc_straight;

/* Returns LDPC_OK, LDPC_ERR_MEMORY, or LDPC_ERR_UNSUPPORTED for the code and the device. */
ldpc_status ldpc_straight_layout(ldpc_straight *s, const ldpc_plan *plan, const ldpc_cuda_device *device);
void ldpc_straight_free(ldpc_straight *s);

void ldpc_straight_place_columns(ldpc_straight *s);

uint32_t ldpc_straight_position(const ldpc_straight *s, uint32_t group);

/* Returns the source, or NULL if memory is exhausted. The caller frees it. */
char *ldpc_straight_text(const ldpc_straight *s, const ldpc_cuda_positions *positions);

bool ldpc_straight_extrinsic(const ldpc_rule *rule, int *soft_offset);

uint32_t ldpc_straight_early(const ldpc_straight *s, uint32_t layer);

void ldpc_straight_begin_check(ldpc_writer *w, const ldpc_straight *s, uint32_t layer);
void ldpc_straight_check(ldpc_writer *w, const ldpc_straight *s, uint32_t layer);
void ldpc_straight_message(ldpc_writer *w, const ldpc_straight *s, uint32_t degree, uint32_t i,
                           const char *onto);

#endif
