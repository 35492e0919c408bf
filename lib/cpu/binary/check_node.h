/* SPDX-License-Identifier: BSD-3-Clause */
/* The check node of the SIMD kernels. A register holds one edge of each check; each lane processes another
 * check. Parameter: LANE_BITS, 8, 16 or 32 (floats).
 *
 *   pass 1      Compute Q_e = L - R_e. Insert |Q_e| into the smallest magnitudes (minima.h). XOR all Q_e, so
 *               that the sign bit is the product of the signs.
 *   the rule    Compute msg_others and msg_min from min1, min2, min3 (rule_int.h, rule_float.h).
 *   pass 2      R'_e is msg_min if |Q_e| = min1, otherwise msg_others. If Q_e < 0, R'_e is negated.
 *
 * If two edges have the smallest magnitude, min2 equals min1, and both receive msg_min.
 *
 * Loops over edges are unrolled if the degree is a constant. `three` (the rule reads min3) is always a
 * constant. */
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

FORCE_INLINE vec message_of(const check_msgs *msgs, vec q)
{
    return v_negate_by(v_pick(v_abs(q), msgs->min1, msgs->msg_others, msgs->msg_min), q);
}

#endif
