/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations for the files that generate the kernel "straight".
 *
 * The names in the generated source are listed below. <index> is the index of an edge in its layer, and
 * <edge> is its number in the code.
 *
 *   kernel    tid: thread; g: its pair in the thread block; t: its lane; w0: first codeword of the pair; c0, c1: the
 *             codewords of the pair, where the last codeword of the launch replaces missing codewords; la, lb: their LLRs
 *   memory    sm: shared memory; s: shared memory of the pair; p = s + t; ms: packs of the thread; st: bits of the pair;
 *             fl: counter of the pair
 *   codewords active: mask of the codewords that are being decoded; ok: mask of those whose results are stored; bad:
 *             mask of those that fail a check of layer 0; uns: unsatisfied checks of both; it: iteration; last: whether
 *             it is the last iteration
 *   kept      L<group>: posterior in a register (two edges: the channel); r<pack>: pack of check_msgs
 *   layer     q<index>: var_msg; b<index>: var_msg + 128 (i8); l<index>: old posterior of a missing edge; n<index>: new
 *             check_msg; v<index>: new posterior
 *   constants one: 1.0; max_others, max_message: limits of the rule
 *   check     min1, min2, min3; early1_<layer> ...; min1_plus_1; msg_others, msg_min; holder_delta: msg_min - msg_others;
 *             sign; x<index>: magnitude of a message. If `extrinsic`: y<index>: magnitude minus the offset; P<index>,
 *             S<index>: minima of the edges before this edge, and of the edges from this edge on
 *   early     f<edge>: var_msg of an early edge; fb<edge>: var_msg + 128 (i8)
 *   deferred  kq<edge>, kb<edge>, kn<edge>: q, b and n, kept until after the barrier; g<edge>: posterior that the next
 *             layer has loaded before the deferred edges are processed
 *   results   i: lane; v: posteriors; at: symbol; h<n>: decisions of 16 groups; x: parities; c: count
 *
 * Example: z = 32, i16, corrected min-sum, without early stop. (LDPC_TEST_DUMP=FILE build/tests/test_compile
 * writes the source that it compiled last.) The base matrix, and the frames of the column groups in words of
 * p:
 *
 *   layer 0:   shift 1  3  0  -          group 0: edge 0 writes p[0], edge 1 of the group writes p[96]
 *   layer 1:   shift 2  -  4  0          groups 1, 3 are leaves: p[128], p[288]
 *                                        group 2: p[160] and p[256]
 *
 *   for(u32 it=0;it<a.max_iterations;it++){
 *   bool last=it+1==a.max_iterations;
 *   { // layer 0
 *    u32 q0=hsub(p[95],r0);                                    Q of group 0: lane t + 1 is one word before the own one
 *    u32 q1=p[128];                                            Q of the leaf is its channel LLR
 *    u32 q2=hsub(p[252],r1);                                   Q of group 2: lane t + 0 of a frame written with shift 4
 *    u32 min1_0=hminx(q0,q1), min2_0=hmaxa(q0,q1);             the minima of two edges, with the product of the signs,
 *    u32 min1_1=hminx(min1_0,q2), min2_1=hmin(hmaxa(min1_0,q2),min2_0);                          then of all three
 *    u32 min1=min1_1, min2=min2_1, min3=BOTH(2047);
 *    u32 msg_others, msg_min, min1_plus_1=hadd(habsf(min1),HALF_1);
 *    signed_rule(&a,min1,min2,min3,max_others,max_message,&msg_others,&msg_min);
 *    u32 holder_delta=hsub(msg_min,msg_others);
 *    f5=p[288];                                                Q of an early edge of layer 1
 *    u32 x0=hfma(hsubsat(min1_plus_1,habsf(q0)),holder_delta,msg_others); u32 n0=x0^(q0&SIGNS);
 *    u32 v0=hadd(q0,n0);                                       the new posterior
 *    p[0]=v0; p[32]=v0;                                        its word of the frame, and the mirror
 *   if(last){                                                  a leaf has a posterior in the last iteration only
 *    u32 x1=hfma(hsubsat(min1_plus_1,habsf(q1)),holder_delta,msg_others); u32 n1=hadd(x1^(q1&SIGNS),q1);
 *    p[128]=n1;
 *   }
 *    u32 x2=hfma(hsubsat(min1_plus_1,habsf(q2)),holder_delta,msg_others); u32 n2=x2^(q2&SIGNS);
 *    u32 v2=hadd(q2,n2);
 *    p[160]=v2; p[192]=v2;
 *    r0=n0;                                                    the check messages for the next iteration
 *    r1=n2;
 *   }
 *   __syncthreads();
 *   { // layer 1 ... */
#ifndef LDPC_CUDA_STRAIGHT_TEXT_H
#define LDPC_CUDA_STRAIGHT_TEXT_H

#include <stdio.h>

#include "cuda/kernels/straight.h"

enum { LDPC_MAX_NAME = 160 };

typedef struct ldpc_emitter {
    const ldpc_straight *s;
    const ldpc_cuda_positions *positions;
    uint32_t stored_others, stored_leaves;
    ldpc_writer w;
} ldpc_emitter;

typedef struct ldpc_name {
    char text[LDPC_MAX_NAME];
} ldpc_name;

#define NAME(result, ...) snprintf((result).text, LDPC_MAX_NAME, __VA_ARGS__)

const ldpc_straight_edge *ldpc_straight_first(const ldpc_straight *s, uint32_t group);
const ldpc_straight_edge *ldpc_straight_last(const ldpc_straight *s, uint32_t group);

bool ldpc_straight_in_register(const ldpc_straight *s, uint32_t pack);
ldpc_name ldpc_straight_pack(const ldpc_straight *s, uint32_t pack);

ldpc_name ldpc_straight_old(const ldpc_straight *s, const ldpc_straight_edge *edge);

ldpc_name ldpc_straight_stored(const ldpc_straight *s, const ldpc_straight_edge *from, uint32_t shift);

/* `first`: position of lane 0. */
ldpc_name ldpc_straight_lane_i(const ldpc_straight *s, uint32_t first);

ldpc_name ldpc_straight_leaf(const ldpc_straight *s, uint32_t group);

ldpc_name ldpc_straight_posterior(const ldpc_straight *s, uint32_t group, uint32_t shift);

bool ldpc_straight_is_framed(const ldpc_straight *s, uint32_t group);

void ldpc_straight_store(ldpc_emitter *e, const ldpc_straight_edge *edge, const char *value);

void ldpc_straight_channel(ldpc_emitter *e, uint32_t group, uint32_t shift, int bias);

void ldpc_straight_finish_input(ldpc_emitter *e, uint32_t group, uint32_t shift, const char *posterior);

void ldpc_straight_layer(ldpc_emitter *e, uint32_t layer);

#endif
