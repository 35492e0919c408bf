/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that write a straight-line kernel share.
 *
 * Names in the text: t lane, s shared memory of the group, L posterior kept in a register (or the channel of
 * a chain column), r message, q var_msg, n new check_msg, v new posterior; numbers are groups, words, or
 * edges of the layer. */
#ifndef LDPC_CUDA_STRAIGHT_TEXT_H
#define LDPC_CUDA_STRAIGHT_TEXT_H

#include <stdio.h>

#include "cuda/kernels/straight.h"

enum { LDPC_MAX_NAME = 160 };

typedef struct ldpc_emitter {
    const ldpc_straight *s;
    const ldpc_cuda_places *places;
    ldpc_writer w;
} ldpc_emitter;

typedef struct ldpc_name {
    char text[LDPC_MAX_NAME];
} ldpc_name;

#define H(value)          ldpc_half2(value)
#define NAME(result, ...) snprintf((result).text, LDPC_MAX_NAME, __VA_ARGS__)

/* Edges of a column that are visited first and last in an iteration. */
const ldpc_edge *ldpc_straight_first(const ldpc_straight *s, uint32_t group);
const ldpc_edge *ldpc_straight_last(const ldpc_straight *s, uint32_t group);

/* A word of messages, and is it in a register? */
bool ldpc_straight_in_register(const ldpc_straight *s, uint32_t word);
ldpc_name ldpc_straight_word(const ldpc_straight *s, uint32_t word);

/* The message of an edge, plus message_bias. */
ldpc_name ldpc_straight_old(const ldpc_straight *s, const ldpc_edge *edge);

/* What edge `from` has left in shared memory, at lane t + shift. */
ldpc_name ldpc_straight_left(const ldpc_straight *s, const ldpc_edge *from, uint32_t shift);

/* The position of lane i, given that of lane 0. */
ldpc_name ldpc_straight_lane_i(const ldpc_straight *s, uint32_t first);

/* A leaf's posterior; without early stop it takes the place of the channel in the end. */
ldpc_name ldpc_straight_leaf(const ldpc_straight *s, uint32_t group);

/* Between iterations: the posterior of lane t + shift, plus the column's bias. */
ldpc_name ldpc_straight_value(const ldpc_straight *s, uint32_t group, uint32_t shift);
int ldpc_straight_bias(const ldpc_straight *s, uint32_t group);

/* Leave `value` where the next edge of the column looks for it. */
void ldpc_straight_leave(ldpc_emitter *e, const ldpc_edge *edge, const char *value);

/* The statements of one layer. */
void ldpc_straight_layer(ldpc_emitter *e, uint32_t layer);

#endif
