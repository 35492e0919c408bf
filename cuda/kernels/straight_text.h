/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that write the kernel "straight" share.
 *
 * Names in the text: t lane, s shared memory of the pair, p = s + t, ms packs in shared memory, st bits, fl
 * counter; L<group> a posterior in a register (or the channel of a chain), r<pack> a pack of check_msgs,
 * q<index> var_msg, n<index> new check_msg, v<index> new posterior, with the index of an edge in its layer;
 * f<edge> the var_msg of an early edge, k..<edge> what is kept of a deferred one. */
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

#define H(value)          ldpc_half2(value)
#define NAME(result, ...) snprintf((result).text, LDPC_MAX_NAME, __VA_ARGS__)

/* Edges of a column that are visited first and last in an iteration. */
const ldpc_straight_edge *ldpc_straight_first(const ldpc_straight *s, uint32_t group);
const ldpc_straight_edge *ldpc_straight_last(const ldpc_straight *s, uint32_t group);

/* A pack of check_msgs, and is it in a register? */
bool ldpc_straight_in_register(const ldpc_straight *s, uint32_t pack);
ldpc_name ldpc_straight_pack(const ldpc_straight *s, uint32_t pack);

/* The message of an edge, plus message_bias. */
ldpc_name ldpc_straight_old(const ldpc_straight *s, const ldpc_straight_edge *edge);

/* What edge `from` has left in shared memory, at lane t + shift. */
ldpc_name ldpc_straight_left(const ldpc_straight *s, const ldpc_straight_edge *from, uint32_t shift);

/* The position of lane i, given that of lane 0. */
ldpc_name ldpc_straight_lane_i(const ldpc_straight *s, uint32_t first);

/* A leaf's posterior; without early stop it takes the place of the channel in the end. */
ldpc_name ldpc_straight_leaf(const ldpc_straight *s, uint32_t group);

/* Between iterations: the posterior of lane t + shift, plus the column's bias. */
ldpc_name ldpc_straight_value(const ldpc_straight *s, uint32_t group, uint32_t shift);
int ldpc_straight_bias(const ldpc_straight *s, uint32_t group);

/* Leave `value` where the next edge of the column looks for it. */
void ldpc_straight_leave(ldpc_emitter *e, const ldpc_straight_edge *edge, const char *value);

/* The statements of one layer. */
void ldpc_straight_layer(ldpc_emitter *e, uint32_t layer);

#endif
