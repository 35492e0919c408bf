/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel "chip" of one code: any binary code whose posteriors fit in shared memory, layered.
 * chip_layout.c decides which checks are processed together, chip_memory.c where their messages are;
 * chip_table.c and chip_text.c write it out, chip.cuh and what it includes is the device's part.
 *
 * A thread block decodes `pairs` pairs of codewords; a pair is in the halves of registers. The checks of a
 * stage (stages.h) share no column, so that they may be processed at the same time. They are cut into passes:
 * up to pass_checks = threads / pairs checks of one stage with the same number of edges. In a pass every
 * thread processes one check for one pair, all edges of the check in its registers. Threads meet after the
 * last pass of a stage.
 *
 *   stage 0                       stage 1
 *   | pass 0 | pass 1 | pass 2  | pass 3 | ...        in each pass: thread = check * pairs + pair
 *   degree 8   8        7      ^  8
 *                              barrier
 *
 * How a check finds the posteriors of its columns, its places in shared memory:
 *
 *   circulants  where layers are wide: a pass is a layer, or a part of one, and a place follows from the lane
 *               of the check and the shift of the edge, a constant. One lane of a layer may miss an edge
 *               (missing_edge): that edge is then the first one
 *   listed      everywhere else: a table has the places of all edges, and a pass has checks of any layers
 *
 * A column of degree one (leaf) has no place: its posterior is no more than a message to its check. Its
 * channel is kept among the messages of the check, as its last edge; its posterior is written, to the leaf's
 * plane, only when it will be read. Two layers of a stage with leaves may share a pass (twins): each thread
 * then processes a check of both, so that one computes while the other waits for memory.
 *
 * Check_msgs are kept in packs: 32 bits with the messages of two edges to two codewords, as bytes. Those of
 * the longest checks stay in shared memory (shared messages), as far as there is room; the others are in
 * global memory (global messages), where they are loaded a pass ahead, and prefetched into L2 before that.
 *
 *   shared memory of a thread block:  posteriors [place][pair] | shared messages [pack][thread]
 *   global memory of a thread block:  global messages [pack][thread] | planes: leaves' posteriors
 *                                     [plane][thread]
 *   table:   places, where listed [entry][check of the pass] | leaves: columns [plane][check of the pass] |
 *            locations [column]: the place of a column, times pairs, or CHIP_LEAF and its index in the planes
 *
 * Packs and planes are numbered pass after pass, so that a thread finds those of its check at its own index:
 * all accesses of a warp lie side by side. */
#ifndef LDPC_CUDA_CHIP_H
#define LDPC_CUDA_CHIP_H

#include "cuda/kernels/chip_pass.h"
#include "cuda/kernels/kernel.h"

enum {
    LDPC_CHIP_MAX_DEGREE = 96,
    LDPC_CHIP_MAX_KINDS = 48, /* of passes, each with a text of its own */
    LDPC_CHIP_RESERVED = 2048 /* bytes of shared memory for counters, and what the GPU takes for itself */
};

typedef struct ldpc_chip_check {
    uint32_t stage;
    uint32_t degree; /* as many edges as its layer has blocks, where circulants compute places */
    uint32_t leaf;   /* its column of degree one, or CHIP_NONE */
    uint32_t number; /* layer * z + lane */
} ldpc_chip_check;

typedef struct ldpc_chip_layer {
    const ldpc_block *leaf;         /* the block of columns of degree one, or NULL */
    const ldpc_block *missing_edge; /* the block that one lane misses, or NULL */
} ldpc_chip_layer;

typedef struct ldpc_chip_pass {
    uint32_t first, checks, degree; /* of ldpc_chip.checks */
    uint32_t twin_degree;           /* of the layer that shares the pass, 0 for none */
    bool leaf;                      /* its checks have leaves */
    bool missing_edge;              /* one of its checks may miss the first edge */
    bool shared_messages;           /* or global ones */
    bool barrier;                   /* threads meet afterwards */
    uint32_t at;                    /* its first edge or, where places are listed, its first entry of them */
    uint32_t packs;                 /* of messages before its own */
    uint32_t ahead;                 /* before those that it prefetches into L2 */
    uint32_t plane;                 /* of its leaves, or CHIP_NONE; its twin's is the next one */
    uint32_t kind;
} ldpc_chip_pass;

typedef struct ldpc_chip {
    const ldpc_plan *plan;
    const ldpc_code *code;
    bool circulants, i8, wide; /* wide: half precision may leave the integers that it has exactly */
    uint32_t *degree;          /* [columns] */
    uint32_t *place;           /* [columns], CHIP_NONE for leaves */
    ldpc_chip_layer *layers;
    ldpc_chip_check *checks;
    ldpc_chip_pass *passes;
    uint32_t n_checks, n_passes, places, most_degree;
    uint32_t threads, blocks;            /* of a thread block; thread blocks of a multiprocessor */
    uint32_t pairs, pass_checks;         /* of a thread block; of a full pass */
    uint32_t shared_packs, global_packs; /* of a thread's messages */
    uint32_t planes, listed;             /* listed: entries of a check of the pass, four places each */
    uint32_t places_ahead;               /* u32 of places that are loaded a pass ahead; */
    uint32_t messages_ahead, twins_messages_ahead; /* packs of messages; of passes with twins */
    uint32_t kinds, kind[LDPC_CHIP_MAX_KINDS];     /* a pass of each */
} ldpc_chip;

/* LDPC_OK, LDPC_ERR_MEMORY, or LDPC_ERR_UNSUPPORTED; to be freed in any case. */
ldpc_status ldpc_chip_layout(ldpc_chip *c, const ldpc_plan *plan, const ldpc_cuda_device *device);
void ldpc_chip_free(ldpc_chip *c);

/* Decides where messages, places and leaves of the passes are, in so much shared memory; false when there are
 * more kinds of passes than the text has room for. */
bool ldpc_chip_place_messages(ldpc_chip *c, size_t shared_bytes);

/* A column's position as a lane of a block meets it; the blocks of a check's layer. */
uint32_t ldpc_chip_column(const ldpc_code *code, const ldpc_block *block, uint32_t lane);
const ldpc_block *ldpc_chip_first_block(const ldpc_code *code, uint32_t check);
const ldpc_block *ldpc_chip_end_block(const ldpc_code *code, uint32_t check);

/* Edges of a thread's checks for which it has registers. */
uint32_t ldpc_chip_register_edges(const ldpc_chip *c);

/* u32 of the table before leaves and before locations; of a thread in global memory before planes, and all.
 */
size_t ldpc_chip_leaves_at(const ldpc_chip *c);
size_t ldpc_chip_locations_at(const ldpc_chip *c);
uint32_t ldpc_chip_planes_at(const ldpc_chip *c);
uint32_t ldpc_chip_scratch_u32(const ldpc_chip *c);

/* Fills in the program's table; false when memory is short. */
bool ldpc_chip_table(const ldpc_chip *c, ldpc_cuda_program *program);

/* The kernel's text, NULL when memory is short. */
char *ldpc_chip_text(const ldpc_chip *c);

#endif
