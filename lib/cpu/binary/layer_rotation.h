/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the check in lane 0 of each layer (simd_map.h, "Mirrors"). */
#ifndef LDPC_LAYER_ROTATION_H
#define LDPC_LAYER_ROTATION_H

#include "code/code_internal.h"

/* Rotates the layers in `blocks`: a layer rotated by c has check c in lane 0. cost[r], r < z, is the cost of
 * a row rotated by r lanes. Returns LDPC_OK or LDPC_ERR_MEMORY. */
ldpc_status ldpc_rotate_layers(const ldpc_code *code, const uint32_t *cost, ldpc_block *blocks);

#endif
