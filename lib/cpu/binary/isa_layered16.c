/* SPDX-License-Identifier: BSD-3-Clause */
/* The layered kernel with 16-bit lanes: arithmetic i16. */
#define LANE_BITS   16
#define ENGINE(isa) ldpc_layered16_##isa
#define FLOOD(isa)  ldpc_flood16_##isa
#include "cpu/binary/layered_kernel.h"
