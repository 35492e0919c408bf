/* SPDX-License-Identifier: BSD-3-Clause */
/* The layered kernel with float lanes: arithmetic float. */
#define LANE_BITS   32
#define ENGINE(isa) ldpc_layered_float_##isa
#define FLOOD(isa)  ldpc_flood_float_##isa
#include "cpu/binary/layered_kernel.h"
