/* SPDX-License-Identifier: BSD-3-Clause */
/* The layered kernel with 16-bit lanes: arithmetic i16. */
#define LANE_BITS 16
#include "cpu/binary/layered_kernel.h"
