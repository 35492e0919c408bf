/* SPDX-License-Identifier: BSD-3-Clause */
/* The check node of the SIMD kernels: one register holds the same edge of as many checks as it has lanes.
 * Parameter: LANE_BITS, 8, 16 or 32 (floats).
 *
 * Two passes over the edges e of a check, with the rule of docs/arithmetic.md in between:
 *
 *   pass 1      Q_e = L - R_e      |Q_e| goes into the two or three smallest magnitudes (minima.h), and all
 *                                  Q_e are xored: the sign bit is the product of the signs
 *   the rule    min1, min2, min3   become msg_others and msg_min, signed (rule_int.h, rule_float.h)
 *   pass 2      R'_e               = msg_min where |Q_e| = min1, else msg_others, negated where Q_e < 0,
 *                                  which removes the edge's own sign from the product
 *
 * Comparing with min1 replaces the index of the smallest edge: if two edges share the minimum, min2 = min1
 * and both receive msg_min, as in the reference.
 *
 * Degree and rule decide which instructions run, so loops over edges unroll completely where the degree is a
 * constant, and `three` (the rule reads min3) is one everywhere. layer_pass.h holds both passes. */
#ifndef LDPC_CHECK_NODE_H
#define LDPC_CHECK_NODE_H

#ifndef LANE_BITS
#define LANE_BITS 8
#endif

#if LANE_BITS < 32
#include "cpu/binary/rule_int.h"
#else
#include "cpu/binary/rule_float.h"
#endif

/* Returns the message to the edge whose variable-to-check message is q. */
FORCE_INLINE vec message_of(const check_msgs *msgs, vec q)
{
    return v_negate_by(v_pick(v_abs(q), msgs->min1, msgs->msg_others, msgs->msg_min), q);
}

#endif
