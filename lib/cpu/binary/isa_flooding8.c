/* SPDX-License-Identifier: BSD-3-Clause */
/* Flooding with 8-bit lanes: arithmetic i8. */
#define LANE_BITS  8
#define FLOOD(isa) ldpc_flood8_##isa
#include "cpu/binary/flooding_kernel.h"
