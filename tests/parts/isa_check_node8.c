/* SPDX-License-Identifier: BSD-3-Clause */
/* The check node with 8-bit lanes. */
#define LANE_BITS 8
#include "parts/check_node_of_isa.h"
