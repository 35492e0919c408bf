/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel "chip" of one code: any binary code whose posteriors fit in shared memory, layered.
 * chip_layout.c decides which checks are processed together, chip_memory.c where their messages are
 * stored; chip_table.c and chip_text.c generate the table and the prologue; chip.cuh and its includes are the
 * device code.
 *
 * A thread block decodes `pairs` pairs of codewords; a pair is in the halves of registers. The checks of a
 * stage (stages.h) share no column, so they can be processed at the same time. A stage is divided into passes:
 * up to pass_checks = threads / pairs checks with the same number of edges. In a pass every thread processes
 * one check for one pair, with all edges of the check in its registers. A barrier follows the
 * last pass of a stage.
 *
 *   stage 0                       stage 1
 *   | pass 0 | pass 1 | pass 2  | pass 3 | ...        in each pass: thread = check * pairs + pair
 *   degree 8   8        7      ^  8
 *                              barrier
 *
 * The place of a column is the index of its posterior in shared memory. A check finds the places of its
 * columns in one of two ways, the same for all checks of a code:
 *
 *   circulants  if layers are wide: a pass is a layer, or a part of one, and a place follows from the lane of
 *               the check and the shift of the edge, a constant. The places of a column group are
 *               consecutive. One lane of a layer may lack an edge (missing_edge): that edge is then the first
 *               edge of the check
 *   listed      otherwise: a table lists the places of all edges, and a pass has checks of any layers
 *
 * A column of degree one (leaf) has no posterior in shared memory: Q of its only edge is always the channel.
 * The channel is stored instead of the check's last message (in i8: Q of the next iteration, which differs from
 * the channel if the posterior saturates). The leaf's posterior is written to a plane in global memory, and
 * only in iterations after which it is read. Two layers of a stage with leaves may share a pass (twins): each
 * thread then processes a check of both, so that one computes while the other waits for memory.
 *
 * Check_msgs are kept in packs: 32 bits with the messages of two edges to two codewords, as bytes. Those of
 * the longest checks stay in shared memory (shared messages), as far as they fit; the others are in global
 * memory (global messages), where they are loaded a pass ahead, and prefetched into L2 before that.
 *
 *   shared memory of a thread block:  posteriors [place][pair] | shared messages [pack][thread]
 *                                     static: ticket | unsatisfied checks [pair]
 *   global memory of a thread block:  global messages [pack][thread] | planes [plane][thread]
 *   table:   places, where listed [entry][check of the pass] | leaves: columns [plane][check of the pass] |
 *            locations [column]: the place of a column, times pairs, or CHIP_LEAF and its index in the planes
 *
 * Each is 32 bits. A posterior is two halves, L + BIAS (chip.cuh), one for each codeword of the pair; in a
 * plane, L. Before the first iteration the threads write the channel to places, planes and last messages.
 * Within a pass, one thread alone reads and writes a posterior, as the checks of a stage share no column;
 * packs and planes belong to one thread for good, and need no barrier.
 *
 * Packs and planes are numbered pass after pass, so that a thread finds those of its check at its own index:
 * all accesses of a warp are consecutive. So are those to places, except where a rotation wraps around or a
 * warp has checks of two layers, and in listed passes with z < 32, whose edges chip_table.c orders by
 * bank. */
#ifndef LDPC_CUDA_CHIP_H
#define LDPC_CUDA_CHIP_H

#include "cuda/kernels/chip_pass.h"
#include "cuda/kernels/kernel.h"

enum {
    LDPC_CHIP_MAX_DEGREE = 96,
    LDPC_CHIP_MAX_KINDS = 48, /* maximum number of kinds of passes, each with its own generated code */
    LDPC_CHIP_RESERVED = 2048 /* bytes of shared memory for counters and for the GPU's own use */
};

typedef struct ldpc_chip_check {
    uint32_t stage;
    uint32_t degree; /* number of edges; for circulants, number of blocks of the check's layer */
    uint32_t leaf;   /* the check's column of degree one; CHIP_NONE if it has no such column */
    uint32_t number; /* layer * z + lane */
} ldpc_chip_check;

typedef struct ldpc_chip_layer {
    const ldpc_block *leaf;         /* the layer's block of columns of degree one; NULL if it has no such
                                     * block */
    const ldpc_block *missing_edge; /* the block in which one lane has no edge; NULL if all blocks are
                                     * complete */
} ldpc_chip_layer;

typedef struct ldpc_chip_pass {
    uint32_t first, checks; /* range of ldpc_chip.checks */
    uint32_t degree;
    uint32_t twin_degree; /* degree of the layer that shares the pass, 0 if there is none */
    bool leaf;            /* the checks of the pass have leaves */
    bool missing_edge;    /* a check of the pass may lack the first edge */
    bool shared_messages; /* true: messages are in shared memory; false: they are in global memory */
    bool barrier;         /* a barrier follows the pass */
    uint32_t at;          /* index of the pass's first edge (circulants) or first table entry (listed) */
    uint32_t packs;       /* index of the pass's first message pack */
    uint32_t ahead;       /* index of the first message pack that the pass prefetches into L2 */
    uint32_t plane;       /* index of the pass's leaves, or CHIP_NONE; the twin's leaves follow */
    uint32_t kind;        /* passes of one kind run the same code */
} ldpc_chip_pass;

typedef struct ldpc_chip {
    const ldpc_plan *plan;
    const ldpc_code *code;
    bool circulants, i8;
    bool wide; /* posteriors can exceed the integers that half precision represents exactly: they saturate */
    uint32_t *degree; /* [columns] */
    uint32_t *place;  /* [columns], CHIP_NONE for leaves */
    ldpc_chip_layer *layers;
    ldpc_chip_check *checks;
    ldpc_chip_pass *passes;
    uint32_t n_checks, n_passes, places, most_degree;
    uint32_t threads;                    /* threads of a thread block */
    uint32_t blocks;                     /* thread blocks of a multiprocessor */
    uint32_t pairs;                      /* codeword pairs of a thread block */
    uint32_t pass_checks;                /* checks of a full pass */
    uint32_t shared_packs, global_packs; /* message packs of a thread in all passes together */
    uint32_t planes;                     /* planes (posteriors of leaves in global memory) of all passes */
    uint32_t listed;                     /* table entries per check in all passes; each entry holds the places
                                          * of four columns */
    uint32_t places_ahead;               /* 32-bit words of places that each pass preloads for the next pass
                                          * */
    uint32_t messages_ahead;             /* message packs that each pass preloads for the next pass */
    uint32_t twins_messages_ahead;       /* message packs that each pass with twins preloads */
    uint32_t kinds, kind[LDPC_CHIP_MAX_KINDS]; /* number of kinds; for each kind, the index of one of its
                                                * passes */
} ldpc_chip;

/* Chooses the layout. Returns LDPC_OK, LDPC_ERR_MEMORY or LDPC_ERR_UNSUPPORTED; call ldpc_chip_free() in any
 * case. */
ldpc_status ldpc_chip_layout(ldpc_chip *c, const ldpc_plan *plan, const ldpc_cuda_device *device);
void ldpc_chip_free(ldpc_chip *c);

/* Chooses the addresses of messages, places and leaves of all passes for this amount of shared memory.
 * Returns false if there are more than LDPC_CHIP_MAX_KINDS kinds of passes. */
bool ldpc_chip_place_messages(ldpc_chip *c, size_t shared_bytes);

/* Returns the position of the column that a block connects to lane `lane` of its layer. */
uint32_t ldpc_chip_column(const ldpc_code *code, const ldpc_block *block, uint32_t lane);
/* Returns the blocks of the layer that contains the check. */
const ldpc_block *ldpc_chip_first_block(const ldpc_code *code, uint32_t check);
const ldpc_block *ldpc_chip_end_block(const ldpc_code *code, uint32_t check);

/* Number of edges of a thread's checks that are held in registers. */
uint32_t ldpc_chip_register_edges(const ldpc_chip *c);

/* Offset of the leaves in the table, in u32. */
size_t ldpc_chip_leaves_at(const ldpc_chip *c);
/* Offset of the locations in the table, in u32. */
size_t ldpc_chip_locations_at(const ldpc_chip *c);
/* Global memory of a thread before its planes, in u32. */
uint32_t ldpc_chip_planes_at(const ldpc_chip *c);
/* Global memory of a thread, in u32. */
uint32_t ldpc_chip_scratch_u32(const ldpc_chip *c);

/* Fills in the program's table; false when out of memory. */
bool ldpc_chip_table(const ldpc_chip *c, ldpc_cuda_program *program);

/* Returns the kernel's source, which the caller frees; NULL when out of memory. */
char *ldpc_chip_text(const ldpc_chip *c);

#endif
