/* SPDX-License-Identifier: BSD-3-Clause */
/* The flooding kernel with 16-bit lanes: arithmetic i16. */
#define LANE_BITS 16
#include "cpu/binary/flooding_kernel.h"
