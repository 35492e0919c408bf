/* SPDX-License-Identifier: BSD-3-Clause */
/* The layered kernel with 8-bit lanes: arithmetic i8. */
#define LANE_BITS   8
#define ENGINE(isa) ldpc_layered8_##isa
#define FLOOD(isa)  ldpc_flood8_##isa
#include "cpu/binary/layered_kernel.h"
