/* SPDX-License-Identifier: BSD-3-Clause */
/* The check node with lanes of 8 bits. */
#define LANE_BITS 8
#include "parts/check_node_of_isa.h"
