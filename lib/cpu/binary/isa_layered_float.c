/* SPDX-License-Identifier: BSD-3-Clause */
/* The layered kernel with float lanes: arithmetic float. */
#define LANE_BITS 32
#include "cpu/binary/layered_kernel.h"
