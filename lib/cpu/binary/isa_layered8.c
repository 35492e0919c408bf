/* SPDX-License-Identifier: BSD-3-Clause */
/* The layered kernel with 8-bit lanes: arithmetic i8. */
#define LANE_BITS 8
#include "cpu/binary/layered_kernel.h"
