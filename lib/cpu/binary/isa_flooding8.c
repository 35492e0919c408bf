/* SPDX-License-Identifier: BSD-3-Clause */
/* The flooding kernel with 8-bit lanes: arithmetic i8. */
#define LANE_BITS 8
#include "cpu/binary/flooding_kernel.h"
