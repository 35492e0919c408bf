/* SPDX-License-Identifier: BSD-3-Clause */
/* The check node with lanes of 16 bits. */
#define LANE_BITS 16
#include "parts/check_node_of_isa.h"
