/* SPDX-License-Identifier: BSD-3-Clause */
/* The check node with 16-bit lanes. */
#define LANE_BITS 16
#include "parts/check_node_of_isa.h"
