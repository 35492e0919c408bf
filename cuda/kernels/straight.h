/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel "straight": code without loops over edges, written for one base matrix. straight_layout.c and
 * straight_frames.c decide what is described here, straight_text.c, straight_layer.c and straight_check.c
 * write it out.
 *
 * A thread is one lane of all layers: thread t processes check t of layer 0, then check t of layer 1 ... It
 * decodes two codewords, in the halves of its registers. z threads so decode a pair of codewords; a thread
 * block has `pairs` of them, where one would leave threads of a warp without work. Everything that only one
 * thread needs stays in its registers: above all the check_msgs, unless there are too many. What threads
 * exchange is posteriors, because thread t meets lane (t + shift) mod z of a column group, with another shift
 * in each layer.
 *
 * Where a column group is kept (ldpc_straight_storage):
 *
 *   shared    posteriors in shared memory
 *   register  all edges of the group have the same shift: a thread always meets the same lane and keeps its
 *             posterior
 *   chain     the same with two edges: no posterior, as Q = channel + the other check's message
 *   leaf      one edge (column of degree one): Q is always the channel
 *
 * Shared memory of a thread block:
 *
 *   | pair 0: column groups, leaves | pair 1: the same | ... | packs | bits of all pairs | counters |
 *     <-------- pair_u32 --------->                              ^bits_at              ^counters_at
 *
 *   column groups   see below
 *   leaves          [z] the channel; with early stop [2 z], the channel and the posterior
 *   packs           check_msgs beyond the registers, [pack][thread]. A pack is 32 bits: the message of an
 * edge to both codewords or, if packed, the messages of two edges as bytes bits            decisions on their
 * way out, two bytes (one for each codeword) a position. Without early stop all codewords are done at the
 * same time, and bits_at is 0: they take the place of all that is in front of them counters        [pairs]
 * unsatisfied checks
 *
 * A column group in place takes z words of 32 bits; lane i is word i, and every access computes (t + shift)
 * mod z. Where there is room, the group is kept in frames instead. An edge e writes without a rotation:
 * thread t, which has lane t + shift(e), writes to word t of the edge's frame. The next edge of the group, n,
 * finds lane t + shift(n) at word t + d, d = shift(n) - shift(e) mod z, which is a constant offset from the
 * thread's own word. So that no access wraps around, the words that it would find beyond either end are
 * written twice (mirrors), by the first `above` threads z words further on, or by the last `below` threads z
 * words back, whichever is fewer:
 *
 *   z = 6, shift(e) = 1, shift(n) = 3, d = 2, above = 2
 *
 *     thread that writes     0   1   2   3   4   5 | 0   1
 *     word of the frame      0   1   2   3   4   5 | 6   7
 *     lane in it             1   2   3   4   5   0 | 1   2
 *     thread that reads              0   1   2   3   4   5      (word t + 2)
 *
 *   d = 5, below = 1: thread 5 writes word -1 too, and thread t reads word t - 1
 *
 * Neighbouring edges of a group have different frames: an edge reads the frame of the one before it and
 * writes its own, so that a thread may write while others still read. Two frames are enough, or three where
 * the number of edges is odd, as the last edge and the first are neighbours too. In place one thread alone
 * reads and writes a lane in a layer, unless the layer repeats the group: then threads meet between reading
 * and writing.
 *
 * Barriers: threads meet after a layer only if the next one reads what others have written since they met
 * last (schedule.h). Two kinds of edges fill the time in which threads wait. `early` edges have been
 * written before an earlier barrier: their var_msgs and the minima of these are made ahead of the barrier.
 * `deferred` edges are not read by the next layer: their messages and posteriors are made behind it. A
 * `carried` posterior stays in a register on its way to the next edge, which has the same shift.
 *
 * i8 saturates what chains and leaves leave out; there such groups are kept in registers. Codes whose z is
 * larger than a thread block are decoded with split layers (split_layers.h). */
#ifndef LDPC_CUDA_STRAIGHT_H
#define LDPC_CUDA_STRAIGHT_H

#include "cuda/kernels/half_rule.h"
#include "cuda/kernels/kernel.h"
#include "cuda/kernels/writer.h"

enum { LDPC_STRAIGHT_MAX_DEGREE = 64 };

typedef enum ldpc_straight_storage {
    LDPC_STORAGE_SHARED,
    LDPC_STORAGE_REGISTER,
    LDPC_STORAGE_CHAIN,
    LDPC_STORAGE_LEAF,
} ldpc_straight_storage;

/* An edge of the base matrix: z edges of the code. */
typedef struct ldpc_straight_edge {
    uint32_t layer, index;               /* index: among the layer's edges */
    uint32_t group, shift, missing_lane; /* of its block */
    uint32_t occurrence;                 /* of its block */
    bool stored;                         /* has a check_msg to keep */
    uint32_t pack, half;                 /* of its check_msg; half 0 or 1 if packed */
    uint32_t next, before;               /* edges of the group in the order of processing, cyclic */
    bool early, deferred, carried;
    uint32_t frame;        /* u32 of shared memory where thread 0 writes its posterior */
    uint32_t above, below; /* threads that write mirrors */
} ldpc_straight_edge;

/* A column group. */
typedef struct ldpc_straight_column {
    ldpc_straight_storage storage;
    uint32_t base;  /* its u32 of shared memory; not for frames */
    uint32_t first; /* the edge processed first; the last one is before it in the cycle */
    uint32_t degree;
} ldpc_straight_column;

typedef struct ldpc_straight {
    const ldpc_plan *plan;
    const ldpc_code *code; /* the plan's, or */
    ldpc_code *split;      /* that with layers in so many parts: */
    uint32_t parts;
    ldpc_rule rule;
    bool i8, packed, early_stop, frames;
    bool extrinsic;   /* messages are minima of all other edges: rules that treat min1 and min2 alike */
    int soft_offset;  /* then var_msgs are Q + soft_offset, for the offset of that size */
    int message_bias; /* packed messages are the low bytes of R + message_bias */
    int bias;         /* posteriors are stored as L + bias */
    uint32_t pairs, threads, min_blocks;
    uint32_t wave_codewords;        /* that the GPU decodes at the same time */
    uint32_t most_mirrors;          /* threads of an edge that may write mirrors */
    uint32_t most_deferred;         /* edges of a layer */
    uint32_t packs, register_packs; /* of messages: all, those in registers */
    uint32_t pair_u32;              /* of shared memory for a pair, without packs */
    size_t bits_bytes;              /* one codeword's bits, a byte each */
    size_t bits_at, counters_at;    /* byte offsets in shared memory */
    size_t shared_bytes;
    uint32_t edge_count;
    ldpc_straight_edge *edges;
    ldpc_straight_column *columns;
    bool *barrier; /* [layers]: threads meet after it */
} ldpc_straight;

/* LDPC_OK, LDPC_ERR_MEMORY, or LDPC_ERR_UNSUPPORTED when the code has no such kernel on the device. */
ldpc_status ldpc_straight_layout(ldpc_straight *s, const ldpc_plan *plan, const ldpc_cuda_device *device);
void ldpc_straight_free(ldpc_straight *s);

/* Places column groups and leaves in a pair's shared memory (straight_frames.c): in frames or in place. */
void ldpc_straight_place_columns(ldpc_straight *s);

/* Where the lanes of a column group are among the positions of the plan's code: lane i at this + i * parts.
 */
uint32_t ldpc_straight_position(const ldpc_straight *s, uint32_t group);

/* The kernel's text, NULL when memory is short. */
char *ldpc_straight_text(const ldpc_straight *s, const ldpc_cuda_positions *positions);

/* Can messages be made without the rule, each as the minimum of all others? *soft_offset receives the offset.
 */
bool ldpc_straight_extrinsic(const ldpc_rule *rule, int *soft_offset);

/* Number of early edges of a layer. */
uint32_t ldpc_straight_early(const ldpc_straight *s, uint32_t layer);

/* The statements of a check node (straight_check.c), in three steps. Before the barrier: the minima of the
 * early edges' var_msgs f<edge>, as early1_<layer>, early2_<layer> and, if the rule asks for it,
 * early3_<layer>. Then what makes all messages from the var_msgs q<index>. Then n<index>, the message of edge
 * i on top of `onto` (NULL: nothing; packed messages have their bias). */
void ldpc_straight_begin_check(ldpc_writer *w, const ldpc_straight *s, uint32_t layer);
void ldpc_straight_check(ldpc_writer *w, const ldpc_straight *s, uint32_t layer);
void ldpc_straight_message(ldpc_writer *w, const ldpc_straight *s, uint32_t degree, uint32_t i,
                           const char *onto);

#endif
