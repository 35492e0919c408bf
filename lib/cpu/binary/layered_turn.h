/* SPDX-License-Identifier: BSD-3-Clause */
/* Which check of a layer takes the first lane is free: layers are turned so that the rows they read are
 * rotated to where reading costs least (layered_map.c). */
#ifndef LDPC_LAYERED_TURN_H
#define LDPC_LAYERED_TURN_H

#include "code/code_internal.h"

/* Turns the blocks of a code in place: a layer turned by c has check c in its first lane. cost[r] is what
 * reading a row rotated by r lanes costs, r < z. LDPC_OK or LDPC_ERR_MEMORY. */
ldpc_status ldpc_layered_turn(const ldpc_code *code, const uint32_t *cost, ldpc_block *blocks);

#endif
