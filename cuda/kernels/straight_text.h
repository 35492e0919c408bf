/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that write the kernel "straight" share.
 *
 * Names in the generated source. <index> is that of an edge in its layer, <edge> its number in the code.
 *
 *   kernel    tid thread, g its pair in the thread block, t its lane; w0 first codeword of the pair; c0, c1
 *             its codewords (beyond the end of the launch: the last one of it), la, lb their LLRs
 *   memory    sm shared memory, s that of the pair, p = s + t, ms the thread's packs, st bits and fl counter
 *             of the pair
 *   codewords active: mask of those that are decoded; ok: of those whose results are stored; bad: of those
 *             that fail a check of layer 0; uns: unsatisfied checks of both; it: iteration; last: the final one?
 *   kept      L<group> posterior in a register (two edges: the channel), r<pack> pack of check_msgs
 *   layer     q<index> var_msg, b<index> the same + 128 (i8), l<index> old posterior of a missing edge,
 *             n<index> new check_msg, v<index> new posterior
 *   constants one, max_others, max_message: 1.0 and the rule's limits
 *   check     min1, min2, min3 and early1_<layer> ...; min1_plus_1; msg_others, msg_min; holder_delta
 *             (msg_min - msg_others); sign, x<index> magnitude of a message. If `extrinsic`: y<index>
 *             magnitude less the offset, P<index> and S<index> minima of the edges before and from it on
 *   early     f<edge> var_msg of an early edge, fb<edge> the same + 128 (i8)
 *   deferred  kq<edge>, kb<edge>, kn<edge>: q, b, n until after the barrier; g<edge> posterior that the next
 *             layer has loaded before the deferred edges are processed
 *   results   i lane, v posteriors, at symbol, h<n> decisions of 16 groups, x parities, c count */
#ifndef LDPC_CUDA_STRAIGHT_TEXT_H
#define LDPC_CUDA_STRAIGHT_TEXT_H

#include <stdio.h>

#include "cuda/kernels/straight.h"

enum { LDPC_MAX_NAME = 160 };

typedef struct ldpc_emitter {
    const ldpc_straight *s;
    const ldpc_cuda_positions *positions;
    ldpc_writer w;
} ldpc_emitter;

typedef struct ldpc_name {
    char text[LDPC_MAX_NAME];
} ldpc_name;

#define NAME(result, ...) snprintf((result).text, LDPC_MAX_NAME, __VA_ARGS__)

/* Edges of a column group that are processed first and last in an iteration. */
const ldpc_straight_edge *ldpc_straight_first(const ldpc_straight *s, uint32_t group);
const ldpc_straight_edge *ldpc_straight_last(const ldpc_straight *s, uint32_t group);

/* A pack of check_msgs, and is it in a register? */
bool ldpc_straight_in_register(const ldpc_straight *s, uint32_t pack);
ldpc_name ldpc_straight_pack(const ldpc_straight *s, uint32_t pack);

/* The message of an edge from the previous iteration, plus message_bias. */
ldpc_name ldpc_straight_old(const ldpc_straight *s, const ldpc_straight_edge *edge);

/* The posterior of lane t + shift that edge `from` has stored in shared memory. */
ldpc_name ldpc_straight_stored(const ldpc_straight *s, const ldpc_straight_edge *from, uint32_t shift);

/* The position of lane i, given that of lane 0. */
ldpc_name ldpc_straight_lane_i(const ldpc_straight *s, uint32_t first);

/* A leaf's posterior; without early stop it overwrites the channel in the last iteration. */
ldpc_name ldpc_straight_leaf(const ldpc_straight *s, uint32_t group);

/* Between iterations: the posterior of lane t + shift. */
ldpc_name ldpc_straight_posterior(const ldpc_straight *s, uint32_t group, uint32_t shift);

/* Stores the posterior `value` where the next edge of the column group reads it, with its mirrors. */
void ldpc_straight_store(ldpc_emitter *e, const ldpc_straight_edge *edge, const char *value);

/* Sets i to lane t + shift of a column group and v to its channel plus bias. */
void ldpc_straight_channel(ldpc_emitter *e, uint32_t group, uint32_t shift, int bias);

/* `input`: collects the decisions, and stores the posteriors, of the last iteration. */
void ldpc_straight_finish_input(ldpc_emitter *e, uint32_t group, uint32_t shift, const char *posterior);

/* The statements of one layer. */
void ldpc_straight_layer(ldpc_emitter *e, uint32_t layer);

#endif
