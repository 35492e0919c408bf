/* SPDX-License-Identifier: BSD-3-Clause */
/* The check node with 32-bit float lanes. */
#define LANE_BITS 32
#include "parts/check_node_of_isa.h"
