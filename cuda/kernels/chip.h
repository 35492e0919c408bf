/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel "chip" decodes any binary LDPC code whose posteriors fit in shared memory, with the layered schedule.
 * chip_layout.c chooses which parity checks are processed together, and chip_memory.c chooses where their messages
 * are stored. chip_table.c and chip_text.c generate the table and the prologue. chip.cuh and its includes are the
 * device code.
 *
 * A thread block decodes `pairs` pairs of codewords. The two codewords of a pair are in the two halves of each
 * register. The parity checks of a stage (stages.h; "checks" below) have no column in common, so that they can be
 * processed at the same time. A stage is divided into passes. A pass has at most pass_checks = threads / pairs
 * checks, all with the same number of edges. In a pass, every thread processes one check for one pair, with all edges
 * of the check in its registers. A barrier follows the last pass of a stage.
 *
 *   stage 0                       stage 1
 *   | pass 0 | pass 1 | pass 2  | pass 3 | ...        in each pass: thread = check * pairs + pair
 *   degree 8   8        7      ^  8
 *                              barrier
 *
 * The place of a column is the index of its posterior in shared memory. A check finds the places of its columns in one
 * of two ways, which is the same for all checks of a code:
 *
 *   circulants  This way is used if layers are wide. A pass is a layer or a part of a layer. A place is computed from
 *               the lane of the check and the shift of the edge, which is a constant. The places of a column group are
 *               consecutive. In one lane of a layer, an edge may be missing (missing_edge). This edge is then
 * the first edge of the check.
 *   listed      This way is used otherwise. A table lists the places of all edges, and a pass may have checks of any
 *               layers.
 *
 * A leaf is a column of degree one. It has no posterior in shared memory, because Q of its only edge is always the
 * channel. The channel is stored instead of the check's last message. (In i8, Q of the next iteration is stored, which
 * differs from the channel if the posterior saturates.) The posterior of a leaf is written to a plane in global memory,
 * and only in iterations after which it is read. Two layers of a stage that have leaves may share a pass, as twins. Each
 * thread then processes a check of both layers, so that it computes one check while the other waits for memory.
 *
 * Check_msgs are stored in packs. A pack has 32 bits: the messages of two edges for two codewords, as bytes.
 * Shared messages are in shared memory. They are the messages of the longest checks, as many as fit. All
 * other messages are global messages, which are in global memory. Global messages are loaded one pass before
 * they are used, and prefetched into L2 before that.
 *
 *   shared memory of a thread block:  posteriors [place][pair] | shared messages [pack][thread]
 *                                     static: ticket | unsatisfied checks [pair]
 *   global memory of a thread block:  global messages [pack][thread] | planes [plane][thread]
 *   table:   places, if listed [entry][check of the pass] | leaves: columns [plane][check of the pass] |
 *            locations [column]: the place of a column, times pairs, or CHIP_LEAF and its index in the planes
 *
 * Each of these elements has 32 bits. A posterior consists of two halves, one for each codeword of the pair. Its value
 * is L + BIAS (chip.cuh), or L in a plane. Before the first iteration, the threads write the channel to the places, the
 * planes and the last messages. Within a pass, only one thread reads and writes a posterior, because the checks of a
 * stage share no column. Packs and planes always belong to the same thread and need no barrier.
 *
 * Packs and planes are numbered pass by pass. A thread finds the packs and planes of its check at its own index, so
 * that a warp accesses consecutive words. Accesses to places are consecutive, too, with three exceptions: where a
 * rotation wraps around, where a warp has checks of two layers, and in listed passes with z < 32. In listed passes,
 * chip_table.c orders the edges by bank. */
#ifndef LDPC_CUDA_CHIP_H
#define LDPC_CUDA_CHIP_H

#include "cuda/kernels/chip_pass.h"
#include "cuda/kernels/kernel.h"

enum {
    LDPC_CHIP_MAX_DEGREE = 96,
    LDPC_CHIP_MAX_KINDS = 48, /* maximum number of kinds of passes; each kind has its own generated code */
    LDPC_CHIP_RESERVED = 2048 /* size in bytes of shared memory for counters and for the GPU's own use */
};

typedef struct ldpc_chip_check {
    uint32_t stage;
    uint32_t degree; /* number of edges of the check; for circulants, number of blocks of the check's layer */
    uint32_t leaf;   /* column of degree one of the check, or CHIP_NONE if it has none */
    uint32_t number; /* layer * z + lane */
} ldpc_chip_check;

typedef struct ldpc_chip_layer {
    const ldpc_block *leaf;         /* block of the layer whose columns have degree one; NULL if there is no
                                     * such block */
    const ldpc_block *missing_edge; /* block in which one lane has no edge; NULL if all lanes of all blocks
                                     * have an edge */
} ldpc_chip_layer;

typedef struct ldpc_chip_pass {
    uint32_t first, checks; /* index in ldpc_chip.checks of the first parity check of the pass, and number of
                             * parity checks */
    uint32_t degree;
    uint32_t twin_degree; /* degree of the parity checks of the twin, the other layer of the pass; 0 if there
                           * is no twin */
    bool leaf;            /* whether the parity checks of the pass have leaves */
    bool missing_edge;    /* whether some parity checks of the pass may have no first edge */
    bool shared_messages; /* true: the messages are in shared memory; false: in global memory */
    bool barrier;         /* whether a barrier follows the pass */
    uint32_t at;          /* circulants: index of the first edge of the pass; listed: index of the first table
                           * entry of the pass */
    uint32_t packs;       /* index of the first message pack of the pass */
    uint32_t ahead;       /* index of the first message pack that the pass prefetches into L2 */
    uint32_t plane;       /* index of the leaves of the pass (those of the twin follow), or CHIP_NONE */
    uint32_t kind;        /* all passes of the same kind execute the same instructions */
} ldpc_chip_pass;

typedef struct ldpc_chip {
    const ldpc_plan *plan;
    const ldpc_code *code;
    bool circulants, i8;
    bool wide; /* whether posteriors can exceed the integers that half precision represents exactly, so that
                * they must be saturated */
    uint32_t *degree; /* [columns] */
    uint32_t *place;  /* [columns] place of each column; CHIP_NONE for leaves */
    ldpc_chip_layer *layers;
    ldpc_chip_check *checks;
    ldpc_chip_pass *passes;
    uint32_t n_checks, n_passes, places, most_degree;
    uint32_t threads;                    /* number of threads of a thread block */
    uint32_t blocks;                     /* number of thread blocks on a multiprocessor */
    uint32_t pairs;                      /* number of pairs of codewords in a thread block */
    uint32_t pass_checks;                /* number of checks of a full pass */
    uint32_t shared_packs, global_packs; /* number of message packs per thread, summed over all passes */
    uint32_t planes;                     /* number of planes, summed over all passes; a plane contains
                                          * posteriors of leaves in global memory */
    uint32_t listed;                     /* number of table entries per thread, summed over all passes; an
                                          * entry contains the places of four columns */
    uint32_t places_ahead;               /* number of 32-bit words of places that each pass loads for the next
                                          * pass */
    uint32_t messages_ahead;             /* number of message packs that each pass loads for the next pass */
    uint32_t twins_messages_ahead;       /* number of message packs that each pass with twins loads for the
                                          * next pass */
    uint32_t kinds, kind[LDPC_CHIP_MAX_KINDS]; /* number of kinds of passes; for each kind, the index of one
                                                * pass of this kind */
} ldpc_chip;

/* Chooses the layout. Returns LDPC_OK, LDPC_ERR_MEMORY or LDPC_ERR_UNSUPPORTED. ldpc_chip_free() must be
 * called in every case. */
ldpc_status ldpc_chip_layout(ldpc_chip *c, const ldpc_plan *plan, const ldpc_cuda_device *device);
void ldpc_chip_free(ldpc_chip *c);

/* Chooses the addresses of the messages, places and leaves of all passes if shared memory has this size.
 * Returns false if there would be more than LDPC_CHIP_MAX_KINDS kinds of passes. */
bool ldpc_chip_place_messages(ldpc_chip *c, size_t shared_bytes);

/* Returns the position of the column that a block connects to lane `lane` of its layer. */
uint32_t ldpc_chip_column(const ldpc_code *code, const ldpc_block *block, uint32_t lane);
/* Return the first block of the layer that contains the parity check, and the block after the last block of
 * the layer. */
const ldpc_block *ldpc_chip_first_block(const ldpc_code *code, uint32_t check);
const ldpc_block *ldpc_chip_end_block(const ldpc_code *code, uint32_t check);

/* Returns how many edges of its parity checks a thread holds in registers. */
uint32_t ldpc_chip_register_edges(const ldpc_chip *c);

/* Returns the offset of the leaves in the table, in 32-bit words. */
size_t ldpc_chip_leaves_at(const ldpc_chip *c);
/* Returns the offset of the locations in the table, in 32-bit words. */
size_t ldpc_chip_locations_at(const ldpc_chip *c);
/* Returns the number of 32-bit words before the planes in the global memory of a thread. */
uint32_t ldpc_chip_planes_at(const ldpc_chip *c);
/* Returns the size of the global memory of a thread in 32-bit words. */
uint32_t ldpc_chip_scratch_u32(const ldpc_chip *c);

/* Fills in the table of the program. Returns false if there is not enough memory. */
bool ldpc_chip_table(const ldpc_chip *c, ldpc_cuda_program *program);

/* Returns the source of the kernel, which the caller must free. Returns NULL if there is not enough
 * memory. */
char *ldpc_chip_text(const ldpc_chip *c);

#endif
