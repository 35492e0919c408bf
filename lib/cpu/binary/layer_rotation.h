/* SPDX-License-Identifier: BSD-3-Clause */
/* Layer rotations (simd_map.h, "Mirrors"). */
#ifndef LDPC_LAYER_ROTATION_H
#define LDPC_LAYER_ROTATION_H

#include "code/code_internal.h"

ldpc_status ldpc_rotate_layers(const ldpc_code *code, const uint32_t *cost, ldpc_block *blocks);

#endif
