/* SPDX-License-Identifier: BSD-3-Clause */
/* The flooding kernel with float lanes: arithmetic float. */
#define LANE_BITS 32
#include "cpu/binary/flooding_kernel.h"
