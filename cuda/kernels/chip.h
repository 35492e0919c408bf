/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel "chip" of one code looks like: which rows are done together, and where places and messages
 * live. Made by chip_layout.c, written out by chip_table.c and chip_text.c.
 *
 * The rows of a stage (stages.h) share no column. They are cut into turns, which the threads of a block do
 * one after another, each one row. A row knows its places, the posteriors of its columns in shared memory, in
 * one of two ways:
 *
 *   circulants  a turn is one layer, or a part of one, so that places are computed from the lane
 *   listed      everywhere else: a table has the places of every row, and a turn has rows of any layers
 *
 *   shared memory of a block:  posteriors [place][pair] | messages of near turns [word][thread]
 *   global memory of a block:  messages of far turns [word][thread] | leaves' posteriors [plane][thread]
 *   table:  places, where listed [entry][slot] | leaves [plane][slot] | homes [column]
 */
#ifndef LDPC_CUDA_CHIP_H
#define LDPC_CUDA_CHIP_H

#include "cuda/kernels/kernel.h"

enum {
    LDPC_CHIP_MAX_DEGREE = 96,
    LDPC_CHIP_MAX_KINDS = 48, /* of turns, each with a text of its own */
};
#define LDPC_CHIP_NONE  UINT32_MAX
#define LDPC_CHIP_NEAR  0x80000000u /* of messages: in shared memory */
#define LDPC_CHIP_PLANE 0x80000000u /* of a column's home: in global memory */

typedef struct ldpc_chip_row {
    uint32_t stage,
        degree;     /* degree: as many edges as its layer has blocks, where circulants compute places */
    uint32_t leaf;  /* its column of degree one, or NONE */
    uint32_t check; /* layer * z + lane */
} ldpc_chip_row;

typedef struct ldpc_chip_layer {
    const ldpc_block *leaf; /* that meets columns of degree one, or NULL */
    const ldpc_block *gap;  /* that one lane has not, or NULL */
} ldpc_chip_layer;

typedef struct ldpc_chip_turn {
    uint32_t first, rows, degree; /* of ldpc_chip.rows */
    uint32_t twin;                /* degree of the layer that is done along with it, 0 for none */
    bool leaf, gap;               /* gap: the first edge is one that a lane has not */
    bool near, meets;             /* near: messages in shared memory; meets: threads meet afterwards */
    uint32_t at;                  /* its first edge or, where places are listed, its first word of them */
    uint32_t words, ahead;        /* of messages before its own; before those that it asks into L2 */
    uint32_t plane;               /* of its leaves, or NONE; its twin's is the next one */
    uint32_t kind;
} ldpc_chip_turn;

typedef struct ldpc_chip {
    const ldpc_plan *plan;
    const ldpc_code *code;
    bool circulants, i8, wide; /* wide: half precision may leave the integers it has exactly */
    uint32_t *degree;          /* [columns] */
    uint32_t *place;           /* [columns], NONE for leaves */
    ldpc_chip_layer *layers;
    ldpc_chip_row *rows;
    ldpc_chip_turn *turns;
    uint32_t n_rows, n_turns, places, most_degree;
    uint32_t threads, blocks;       /* of a block; of a multiprocessor */
    uint32_t pairs, slots;          /* of words; rows of a turn: threads / pairs */
    uint32_t near_words, far_words; /* of a thread's messages */
    uint32_t planes, listed;        /* listed: pairs of words of a slot, with two places each */
    uint32_t places_ahead;          /* words that are loaded a turn ahead: of places, */
    uint32_t messages_ahead, twins_messages_ahead; /* of messages, and of turns with a twin */
    uint32_t kinds, kind[LDPC_CHIP_MAX_KINDS];     /* a turn of each */
} ldpc_chip;

/* LDPC_OK, LDPC_ERR_MEMORY, or LDPC_ERR_UNSUPPORTED; to be freed in any case. */
ldpc_status ldpc_chip_layout(ldpc_chip *c, const ldpc_plan *plan, const ldpc_cuda_device *device);
void ldpc_chip_free(ldpc_chip *c);

/* A column's position as a lane of a block meets it; the blocks of a check's layer. */
uint32_t ldpc_chip_column(const ldpc_code *code, const ldpc_block *block, uint32_t lane);
const ldpc_block *ldpc_chip_first_block(const ldpc_code *code, uint32_t check);
const ldpc_block *ldpc_chip_end_block(const ldpc_code *code, uint32_t check);

/* Edges of a thread's rows for which it has registers. */
uint32_t ldpc_chip_edges_kept(const ldpc_chip *c);

/* Words of the table before leaves and before homes; of a thread in global memory before planes, and all. */
size_t ldpc_chip_leaves_at(const ldpc_chip *c);
size_t ldpc_chip_homes_at(const ldpc_chip *c);
uint32_t ldpc_chip_planes_at(const ldpc_chip *c);
uint32_t ldpc_chip_scratch_words(const ldpc_chip *c);

/* Fills in the program's table; false when memory is short. */
bool ldpc_chip_table(const ldpc_chip *c, ldpc_cuda_program *program);

/* The kernel's text, NULL when memory is short. */
char *ldpc_chip_text(const ldpc_chip *c);

#endif
