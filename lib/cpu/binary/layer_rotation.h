/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses which parity check of each layer is in lane 0, such that reading the rotated rows has a low cost
 * (simd_map.h, "Mirrors"). */
#ifndef LDPC_LAYER_ROTATION_H
#define LDPC_LAYER_ROTATION_H

#include "code/code_internal.h"

/* Rotates the layers in place. `blocks` is a copy of the blocks of the code. If a layer is rotated by c,
 * parity check c is in lane 0. cost[r] (r < z) is the cost of reading a row that is rotated by r lanes.
 * Returns LDPC_OK or LDPC_ERR_MEMORY. */
ldpc_status ldpc_rotate_layers(const ldpc_code *code, const uint32_t *cost, ldpc_block *blocks);

#endif
