/* SPDX-License-Identifier: BSD-3-Clause */
/* What the straight-line kernel of one base matrix looks like: where columns and messages live. Made by
 * straight_layout.c, written out by straight_text.c and straight_check.c.
 *
 * A thread is one lane of all layers, for two codewords in the halves of its registers. Threads of one group
 * of z decode one pair of words; a block has `groups` of them where z is no multiple of 32.
 *
 *   shared memory of a group:  columns | leaf columns [2 z words] | messages beyond the registers
 *
 * A column of shared memory stands in place (z words, lane i at word i, every access wraps around), or in
 * frames: an edge leaves lane t + shift at word t of its frame, and the next edge of the column finds it a
 * constant number of words away. What it would find past the end of the frame, or before its beginning, is
 * written twice. Neighbouring edges have different frames, so that reading needs no barrier before writing.
 */
#ifndef LDPC_CUDA_STRAIGHT_H
#define LDPC_CUDA_STRAIGHT_H

#include "cuda/kernels/half_rule.h"
#include "cuda/kernels/kernel.h"
#include "cuda/kernels/writer.h"

enum { LDPC_STRAIGHT_MAX_DEGREE = 64 };

typedef enum ldpc_home {
    LDPC_HOME_SHARED,  /* posterior in shared memory */
    LDPC_HOME_PRIVATE, /* all shifts are equal: each thread keeps its posterior in a register */
    LDPC_HOME_CHAIN,   /* the same with two ones: Q = channel + the other row's message, no posterior */
    LDPC_HOME_LEAF,    /* one one: Q is always the channel */
} ldpc_home;

typedef struct ldpc_edge {
    uint32_t layer, index; /* index: among the layer's edges */
    uint32_t group, shift, absent;
    uint32_t occurrence;   /* earlier edges of the layer in the same column */
    uint32_t word, half;   /* of its message; half 0 or 1 when packed */
    bool stored;           /* has a message to keep */
    uint32_t next, before; /* edges of the column in the order in which they are visited, cyclic */
    bool early;            /* var_msg made before the threads meet ahead of its layer */
    bool behind;           /* message and posterior made after the threads have met behind its layer */
    bool carried;          /* the posterior goes to `next` in a register */
    uint32_t frame;        /* shared word that thread 0 leaves its posterior in */
    uint32_t above, below; /* threads that write again z words further on: the first ones; z words back: the
                              last ones */
} ldpc_edge;

typedef struct ldpc_column {
    ldpc_home home;
    uint32_t base;  /* its words in shared memory; not for frames */
    uint32_t first; /* edge visited first; last: the one before it in the cycle */
    uint32_t degree;
} ldpc_column;

typedef struct ldpc_straight {
    const ldpc_plan *plan;
    const ldpc_code *code; /* the plan's, or */
    ldpc_code *folded;     /* that with layers in so many parts: */
    uint32_t parts;
    ldpc_rule rule;
    bool i8, packed, early_stop, frames;
    bool extrinsic;   /* minima of all others, edge by edge: rules that treat the two minima alike */
    int soft;         /* then var_msgs are Q + soft, for the offset of that size */
    int message_bias; /* on top of packed messages, which are the low bytes of that */
    int bias;         /* posteriors are stored as L + bias */
    uint32_t groups, threads, min_blocks;
    uint32_t wave_words;            /* that the GPU decodes at the same time */
    uint32_t most_mirrors;          /* threads of an edge that may write twice */
    uint32_t most_behind;           /* edges of a layer */
    uint32_t words, register_words; /* of messages */
    uint32_t group_words;           /* of shared memory, messages not counted */
    size_t stage_bytes;             /* one word's bits, one per byte */
    size_t stage_at, flags_at;      /* byte offsets in shared memory */
    size_t shared_bytes;
    uint32_t edge_count;
    ldpc_edge *edges;
    ldpc_column *columns;
    bool *barrier; /* [layers]: threads meet after it */
} ldpc_straight;

/* LDPC_OK, LDPC_ERR_MEMORY, or LDPC_ERR_UNSUPPORTED when the code has no such kernel on the device. */
ldpc_status ldpc_straight_layout(ldpc_straight *s, const ldpc_plan *plan, const ldpc_cuda_device *device);
void ldpc_straight_free(ldpc_straight *s);

/* Where the lanes of a column group stand among the positions of the plan's code: lane i at this + i * parts.
 */
uint32_t ldpc_straight_position(const ldpc_straight *s, uint32_t group);

/* The kernel's text, NULL when memory is short. */
char *ldpc_straight_text(const ldpc_straight *s, const ldpc_cuda_places *places);

/* Can the messages be made without the rule, each as the minimum of all others? *soft receives the offset. */
bool ldpc_straight_extrinsic(const ldpc_rule *rule, int *soft);

/* Before that: the minima of the layer's early edges, of var_msgs f<edge>, as el, eh and, if the rule asks
 * for it, et of the layer. */
void ldpc_straight_begin_check(ldpc_writer *w, const ldpc_straight *s, uint32_t layer);

/* Early edges of a layer. */
uint32_t ldpc_straight_early(const ldpc_straight *s, uint32_t layer);

/* The statements of a check node: what makes all messages from the var_msgs q0, q1 ...; then n<i>, the
 * message of edge i on top of `onto` (NULL = nothing, but where messages are packed). */
void ldpc_straight_check(ldpc_writer *w, const ldpc_straight *s, uint32_t layer);
void ldpc_straight_message(ldpc_writer *w, const ldpc_straight *s, uint32_t degree, uint32_t i,
                           const char *onto);

#endif
