/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel "straight": code without loops over edges, generated for one base matrix. straight_layout.c and
 * straight_frames.c make the choices that are described here; straight_text.c, straight_layer.c and
 * straight_check.c generate the source.
 *
 * In this kernel an edge is one of the base matrix: a block of z edges of the code. A lane is the index
 * 0 .. z-1 of a check in its layer, or of a column in its group.
 *
 * Thread t processes check t of layer 0, then check t of layer 1 ... It decodes two codewords, in the halves
 * of its registers, so that z threads decode a pair of codewords. A thread block has several pairs if one
 * pair would leave threads of a warp idle. Values that only one thread needs stay in its registers: above all
 * the check_msgs, unless there are too many. Threads exchange posteriors, because thread t accesses lane
 * (t + shift) mod z of a column group, with another shift in each layer.
 *
 * Storage of a column group (ldpc_straight_storage):
 *
 *   shared      posteriors in shared memory
 *   register    all edges of the group have the same shift and none is missing: a thread always accesses the
 *               same lane and keeps its posterior in a register
 *   two edges   the same with two edges: the register keeps the channel, as Q = channel + the other check's
 *               message
 *   leaf        one edge (column of degree one): Q is always the channel
 *   input       a leaf for which shared memory has no space: Q is read from the launch's LLRs in each iteration,
 *               and the bit is decided in the last one
 *
 * Shared memory of a thread block, in words of 32 bits. A word holds one number for each codeword of a pair,
 * in half precision.
 *
 *   with early stop       | pair 0 | pair 1 | ... | packs | bits | counters |
 *   without early stop    | pair 0 | pair 1 | ... | packs |      | counters |
 *                         | bits                          |                    bits overwrite pairs, packs
 *
 *   pair       pair_u32 words: column groups (in place or in frames, see below) and leaves. Padded so that
 *              pair_u32 mod 32 = z mod 32: thread g * z + t of the thread block (thread t of pair g) then
 *              finds word t + d of its pair in bank (g * z + t + d) mod 32, and a warp with threads of two
 *              pairs has no bank conflict
 *   packs      [pack][pairs * z threads]: R of the edges that have no register. A pack is R of one edge for
 *              both codewords, as halves; if `packed`, R of two edges as bytes. Each thread accesses its own
 *   bits       [pair][position]: 16 bits, a byte for each codeword. All threads of a pair write them, then
 *              copy them to global memory, with a barrier in between. Without early stop all codewords end
 *              at the same time: the threads collect their decisions in registers, and write them after a
 *              barrier, when no thread reads pairs and packs any more
 *   counters   [pair]: unsatisfied checks, 16 bits for each codeword (so a code has at most 65535 checks);
 *              for the test of layer 0 a mask of codewords
 *
 *   column group   posteriors L + `bias`
 *   leaf           channel + soft_offset; with early stop z more words, the posterior + soft_offset. Without
 *                  early stop the last iteration overwrites the channel with the posterior
 *
 * Before layer 0 each thread stores the channel LLRs where the last edge of the group leaves posteriors at
 * the end of an iteration.
 *
 * IN PLACE a column group takes z words; lane i is word i, and every access computes (t + shift) mod z. The
 * words of a warp are consecutive except where that wraps around, which is a bank conflict of two only if z
 * is no multiple of 32. A group without edges is always in place.
 *
 * IN FRAMES, where there is enough shared memory, accesses need no rotation. Edge e writes its own frame:
 * thread t, which has lane t + shift(e), writes word t of it. The next edge of the group, n, finds lane
 * t + shift(n) in word t + d, d = shift(n) - shift(e) mod z, which is a constant offset from the thread's
 * own word. Accesses of a warp are 32 consecutive words. The words beyond either end of the z are copies
 * (mirrors), written by the first `above` threads z words further on, or by the last `below` threads z words
 * back, whichever are fewer:
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
 * The number of threads that write mirrors is rounded up, to whole warps if z is a multiple of 32, else to
 * all z. If it would exceed most_mirrors, there are no mirrors and the read wraps around (AT() of
 * straight.cuh). So do those reads of the parity test of early stop (which reads the last edge's frame with
 * the shifts of all edges) that go beyond the mirrors. If the next layer has the group several times, the
 * mirrors above are for all its edges.
 *
 * Consecutive edges of a group use different frames, so that one thread may write while another still reads.
 * The edges form a circle, as the last one of an iteration precedes the first one of the next: one edge needs
 * one frame, an even number two, an odd number three. A carried edge (below) writes nothing and opens the
 * circle. In place, one thread alone reads and writes a lane in a layer unless the layer repeats the group.
 *
 * A layer that repeats a group has a barrier before each further occurrence, which adds R' - R to what the
 * occurrence before has written; in place also one between reading and the first write.
 *
 * BARRIERS. There is one after a layer only if the next layer reads what other threads have written since
 * the previous barrier (schedule.h). Two kinds of edges fill the time for which threads wait. An edge is
 * `early` if the posterior that it reads was written before the previous barrier: its Q, and the minima of
 * the early Q of its layer, are computed before the next barrier. `deferred` edges are not read by the next
 * layer: their R' and posteriors are computed after the barrier, before the next layer's own (not for
 * `extrinsic` rules, nor where other thread blocks of the multiprocessor fill the time). A `carried`
 * posterior stays in a register on its way to the next edge, which has the same shift.
 *
 * In i8 no group is "two edges", "leaf" or "input": posteriors saturate, so Q does not follow from the channel. These groups
 * are "register". Codes whose z is larger than a thread block are decoded with split layers
 * (split_layers.h). Threads beyond pairs * z, which complete the last warp, end at once; barriers do not
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

/* An edge of the base matrix: z edges of the code. */
typedef struct ldpc_straight_edge {
    uint32_t layer, index;               /* index: among the layer's edges */
    uint32_t group, shift, missing_lane; /* of its block */
    uint32_t occurrence;                 /* of its block */
    bool has_message;                    /* the edge keeps a check_msg; edges of leaves do not */
    uint32_t pack, half;                 /* index of the pack that holds the edge's check_msg; if messages are
                                          * packed, the half of that pack, 0 or 1 */
    uint32_t next, before;               /* neighbouring edges of the group in the order of processing, cyclic
                                          * */
    bool early, deferred, carried;
    uint32_t frame;        /* index of the pair's word where thread 0 writes its posterior */
    uint32_t above, below; /* numbers of threads that write mirrors above and below */
} ldpc_straight_edge;

/* A column group. */
typedef struct ldpc_straight_column {
    ldpc_straight_storage storage;
    uint32_t base;  /* index of its first word in the pair's shared memory; unused for frames */
    uint32_t first; /* the edge processed first; in the cycle, the last edge precedes it */
    uint32_t degree;
} ldpc_straight_column;

typedef struct ldpc_straight {
    const ldpc_plan *plan;
    const ldpc_code *code; /* the plan's code, or `split` */
    ldpc_code *split;      /* the code with split layers, NULL if layers are not split */
    uint32_t parts;        /* parts of a layer of the plan's code */
    ldpc_rule rule;
    bool i8, packed, early_stop, frames;
    bool cpu;         /* the device is a CPU, through OpenCL */
    bool extrinsic;   /* each message is the minimum of all other edges: rules with equal msg_others and
                                msg_min for equal minima (straight_check.c) */
    int soft_offset;  /* Q is stored as Q + soft_offset: the rule's offset if `extrinsic`, else 0 */
    int message_bias; /* packed messages are the low bytes of R + message_bias */
    int bias;         /* column groups in shared memory or registers hold L + bias, leaves L + soft_offset */
    bool leaves_have_no_room; /* shared memory has no space for leaves: they are `input`, or with early stop
                               * in registers */
    uint32_t most_pairs;      /* maximum value of `pairs` */
    uint32_t pairs, threads;  /* of a thread block */
    uint32_t min_blocks;      /* thread blocks per multiprocessor requested by __launch_bounds__ */
    uint32_t wave_codewords;  /* number of codewords that the GPU decodes at the same time */
    uint32_t most_mirrors; /* maximum number of threads that write mirrors of an edge; above it, no mirrors */
    uint32_t most_deferred;  /* maximum number of deferred edges of a layer */
    uint32_t packs;          /* number of packs of messages */
    uint32_t register_packs; /* number of these packs in registers */
    uint32_t pair_u32;       /* words of shared memory of a pair, without packs */
    size_t bits_bytes;       /* positions of a codeword, rounded up to the 16 that put_bits() reads at once */
    size_t bits_at, counters_at; /* byte offsets in shared memory */
    size_t shared_bytes;
    uint32_t edge_count;
    ldpc_straight_edge *edges;
    ldpc_straight_column *columns;
    bool *barrier; /* [layers]: whether a barrier follows the layer */
} ldpc_straight;

/* LDPC_OK, LDPC_ERR_MEMORY, or LDPC_ERR_UNSUPPORTED if this kernel cannot decode the code on the device. */
ldpc_status ldpc_straight_layout(ldpc_straight *s, const ldpc_plan *plan, const ldpc_cuda_device *device);
void ldpc_straight_free(ldpc_straight *s);

/* Assigns places in a pair's shared memory to column groups and leaves (straight_frames.c): in frames or in
 * place. */
void ldpc_straight_place_columns(ldpc_straight *s);

/* Position of lane 0 of a column group in the plan's code; lane i is at this + i * parts. */
uint32_t ldpc_straight_position(const ldpc_straight *s, uint32_t group);

/* Returns the kernel's source, which the caller frees; NULL when out of memory. */
char *ldpc_straight_text(const ldpc_straight *s, const ldpc_cuda_positions *positions);

/* Returns whether each message can be computed as the minimum of all other edges, without the rule.
 * *soft_offset receives the offset that is subtracted from the magnitudes before. */
bool ldpc_straight_extrinsic(const ldpc_rule *rule, int *soft_offset);

/* Number of early edges of a layer. */
uint32_t ldpc_straight_early(const ldpc_straight *s, uint32_t layer);

/* Writes the statements of a check node (straight_check.c), in three steps; straight_text.h lists the names.
 * Before the barrier: the minima of the early edges' var_msgs f<edge>, as early1_<layer>, early2_<layer> and,
 * if the rule needs it, early3_<layer>. */
void ldpc_straight_begin_check(ldpc_writer *w, const ldpc_straight *s, uint32_t layer);
/* Writes the minima of all var_msgs q<index>, and the rule. */
void ldpc_straight_check(ldpc_writer *w, const ldpc_straight *s, uint32_t layer);
/* Writes n<index>: the sum of the new message of edge i and `onto` (an expression; NULL: 0). If `packed`,
 * `onto` is the message bias, or Q for leaves. */
void ldpc_straight_message(ldpc_writer *w, const ldpc_straight *s, uint32_t degree, uint32_t i,
                           const char *onto);

#endif
