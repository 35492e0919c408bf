/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel "chip" decodes any binary LDPC code whose posteriors fit in shared memory, with the layered
 * schedule. chip_layout.c chooses which parity checks are processed together, chip_memory.c where their
 * messages are stored. chip_table.c and chip_text.c generate the table and the prologue. chip.cuh and its
 * includes are the device code.
 *
 * A thread block decodes `pairs` pairs of codewords. Each half of a register belongs to one codeword of a
 * pair. The parity checks of a stage (stages.h) have no column in common, so that they can be processed
 * together. A stage is divided into passes of at most pass_checks = threads / pairs checks of equal degree.
 * In a pass, each thread processes one check of one pair, with all edges in registers. A barrier follows the
 * last pass of a stage.
 *
 *   stage 0                       stage 1
 *   | pass 0 | pass 1 | pass 2  | pass 3 | ...        in each pass: thread = check * pairs + pair
 *   degree 8   8        7      ^  8
 *                              barrier
 *
 * The place of a column is the index of its posterior in shared memory. A code uses one of two ways to find
 * places:
 *
 *   circulants  For wide layers. A pass is a layer or a part of a layer. The place is computed from the lane of the
 *               check and the constant shift of the edge. The places of a column group are consecutive. One lane of a
 *               layer may lack an edge (missing_edge), which is then the first edge of the check.
 *   listed      For all other codes. A table lists the places of all edges. A pass may have checks of any layers.
 *
 * A leaf is a column of degree one. Q of its only edge is always the channel LLR. A leaf has therefore no
 * posterior in shared memory, and its channel LLR replaces the check's last message. (In i8, Q of the next
 * iteration is stored: Q differs from the channel LLR if the posterior saturates.) The posterior of a leaf is
 * written to a plane in global memory, only in iterations after which it is read. Two layers of a stage with
 * leaves may share a pass, as twins: each thread computes a check of one layer while its check of the other
 * layer waits for memory.
 *
 * A pack of 32 bits contains the check_msgs of two edges for two codewords, as bytes. Shared messages are the
 * messages of the longest checks, as many as fit in shared memory. Global messages are all others. They are
 * prefetched into L2, and loaded one pass before they are used.
 *
 *   shared memory of a thread block:  posteriors [place][pair] | shared messages [pack][thread]
 *                                     static: ticket | unsatisfied checks [pair]
 *   global memory of a thread block:  global messages [pack][thread] | planes [plane][thread]
 *   table:   places, if listed [entry][check of the pass] | leaves: columns [plane][check of the pass] |
 *            locations [column]: the place of a column, times pairs, or CHIP_LEAF and its index in the planes
 *
 * All elements have 32 bits. A posterior has one half for each codeword: L + BIAS (chip.cuh), or L in a
 * plane. The threads write channel LLRs to places, planes and last messages before the first iteration. In a
 * pass, only one thread accesses a posterior. Packs and planes always belong to one thread and need no
 * barrier.
 *
 * Packs and planes are numbered pass by pass, and indexed by the thread: a warp accesses consecutive words.
 * Accesses to places are consecutive, except if a rotation wraps around, if a warp has checks of two layers,
 * or if z < 32 in a listed pass. In listed passes, chip_table.c orders the edges by bank. */
#ifndef LDPC_CUDA_CHIP_H
#define LDPC_CUDA_CHIP_H

#include "cuda/kernels/chip_pass.h"
#include "cuda/kernels/kernel.h"

enum { LDPC_CHIP_MAX_DEGREE = 96, LDPC_CHIP_MAX_KINDS = 48, LDPC_CHIP_RESERVED = 2048 };

typedef struct ldpc_chip_check {
    uint32_t stage;
    uint32_t degree;
    uint32_t leaf;
    uint32_t number; /* layer * z + lane */
} ldpc_chip_check;

typedef struct ldpc_chip_layer {
    const ldpc_block *leaf;
    const ldpc_block *missing_edge;
} ldpc_chip_layer;

typedef struct ldpc_chip_pass {
    uint32_t first, checks; /* range in ldpc_chip.checks */
    uint32_t degree;
    uint32_t twin_degree; /* 0: no twin */
    bool leaf;            /* the parity checks have leaves */
    bool missing_edge;
    bool shared_messages;
    bool barrier; /* a barrier follows the pass */
    uint32_t at;
    uint32_t packs; /* first message pack */
    uint32_t ahead;
    uint32_t plane; /* first leaf, or CHIP_NONE */
    uint32_t kind;
} ldpc_chip_pass;

typedef struct ldpc_chip {
    const ldpc_plan *plan;
    const ldpc_code *code;
    bool circulants, i8;
    bool wide;
    uint32_t *degree; /* [columns] */
    uint32_t *place;  /* [columns] CHIP_NONE for leaves */
    ldpc_chip_layer *layers;
    ldpc_chip_check *checks;
    ldpc_chip_pass *passes;
    uint32_t n_checks, n_passes, places, most_degree;
    uint32_t threads; /* per thread block */
    uint32_t blocks;  /* thread blocks per multiprocessor */
    uint32_t pairs;
    uint32_t pass_checks;                /* checks of a full pass */
    uint32_t shared_packs, global_packs; /* packs per thread */
    uint32_t planes;
    uint32_t listed; /* table entries per thread */
    uint32_t places_ahead;
    uint32_t messages_ahead;
    uint32_t twins_messages_ahead;
    uint32_t kinds, kind[LDPC_CHIP_MAX_KINDS];
} ldpc_chip;

/* Returns LDPC_OK, LDPC_ERR_MEMORY or LDPC_ERR_UNSUPPORTED. Always call ldpc_chip_free() afterwards. */
ldpc_status ldpc_chip_layout(ldpc_chip *c, const ldpc_plan *plan, const ldpc_cuda_device *device);
void ldpc_chip_free(ldpc_chip *c);

/* Returns false if there are too many kinds of passes. */
bool ldpc_chip_place_messages(ldpc_chip *c, size_t shared_bytes);

uint32_t ldpc_chip_column(const ldpc_code *code, const ldpc_block *block, uint32_t lane);
const ldpc_block *ldpc_chip_first_block(const ldpc_code *code, uint32_t check);
const ldpc_block *ldpc_chip_end_block(const ldpc_code *code, uint32_t check);

uint32_t ldpc_chip_register_edges(const ldpc_chip *c);

/* in words */
size_t ldpc_chip_leaves_at(const ldpc_chip *c);
/* in words */
size_t ldpc_chip_locations_at(const ldpc_chip *c);
uint32_t ldpc_chip_planes_at(const ldpc_chip *c);
uint32_t ldpc_chip_scratch_u32(const ldpc_chip *c);

/* Returns false if out of memory. */
bool ldpc_chip_table(const ldpc_chip *c, ldpc_cuda_program *program);

/* Returns the source, or NULL if memory is exhausted. The caller frees it. */
char *ldpc_chip_text(const ldpc_chip *c);

#endif
