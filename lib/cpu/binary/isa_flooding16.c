/* SPDX-License-Identifier: BSD-3-Clause */
/* Flooding with 16-bit lanes: arithmetic i16. */
#define LANE_BITS  16
#define FLOOD(isa) ldpc_flood16_##isa
#include "cpu/binary/flooding_kernel.h"
