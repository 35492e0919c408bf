/* SPDX-License-Identifier: BSD-3-Clause */
/* Flooding with float lanes: arithmetic float. */
#define LANE_BITS  32
#define FLOOD(isa) ldpc_flood_float_##isa
#include "cpu/binary/flooding_kernel.h"
