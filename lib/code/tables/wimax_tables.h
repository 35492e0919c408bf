/* SPDX-License-Identifier: BSD-3-Clause */
/* Base matrices of WiMAX for z = 96; wimax.c says how they are lifted. */
#ifndef LDPC_WIMAX_TABLES_H
#define LDPC_WIMAX_TABLES_H

#include <stdint.h>

/* [block rows * block columns]: the shift of a block, -1 for a zero block. */
extern const int8_t ldpc_wimax_1_2[12 * 24];
extern const int8_t ldpc_wimax_2_3a[8 * 24];
extern const int8_t ldpc_wimax_2_3b[8 * 24];
extern const int8_t ldpc_wimax_3_4a[6 * 24];
extern const int8_t ldpc_wimax_3_4b[6 * 24];
extern const int8_t ldpc_wimax_5_6[4 * 24];
extern const int8_t ldpc_wimax_5_6_v68[4 * 24];

#endif
