/* SPDX-License-Identifier: BSD-3-Clause */
/* Base matrices of WiGig, z = 42. */
#ifndef LDPC_WIGIG_TABLES_H
#define LDPC_WIGIG_TABLES_H

#include <stdint.h>

/* [block rows * block columns]: the shift of a block, -1 for a zero block. */
extern const int8_t ldpc_wigig_1_2[8 * 16];
extern const int8_t ldpc_wigig_5_8[6 * 16];
extern const int8_t ldpc_wigig_3_4[4 * 16];
extern const int8_t ldpc_wigig_13_16[3 * 16];

#endif
