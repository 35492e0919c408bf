/* SPDX-License-Identifier: BSD-3-Clause */
/* Which check of a layer takes lane 0 is free. It is chosen so that layers read rows in rotations that cost
 * little (simd_map.h, "Mirrors"). */
#ifndef LDPC_LAYER_ROTATION_H
#define LDPC_LAYER_ROTATION_H

#include "code/code_internal.h"

/* Rotates the layers of `blocks`, a copy of the code's, in place: a layer rotated by c has check c in lane 0.
 * cost[r] is what reading a row rotated by r lanes costs, r < z. LDPC_OK or LDPC_ERR_MEMORY. */
ldpc_status ldpc_rotate_layers(const ldpc_code *code, const uint32_t *cost, ldpc_block *blocks);

#endif
