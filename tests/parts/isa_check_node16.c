/* SPDX-License-Identifier: BSD-3-Clause */
#define LANE_BITS 16
#include "parts/check_node_of_isa.h"
