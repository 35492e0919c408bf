/* SPDX-License-Identifier: BSD-3-Clause */
/* Base matrices of Wi-Fi for n = 648, 1296, 1944 (z = 27, 54, 81); wifi.c says how they are lifted. */
#ifndef LDPC_WIFI_TABLES_H
#define LDPC_WIFI_TABLES_H

#include <stdint.h>

/* [block rows * block columns]: the shift of a block, -1 for a zero block. */
extern const int8_t ldpc_wifi_648_1_2[12 * 24];
extern const int8_t ldpc_wifi_648_2_3[8 * 24];
extern const int8_t ldpc_wifi_648_3_4[6 * 24];
extern const int8_t ldpc_wifi_648_5_6[4 * 24];
extern const int8_t ldpc_wifi_1296_1_2[12 * 24];
extern const int8_t ldpc_wifi_1296_2_3[8 * 24];
extern const int8_t ldpc_wifi_1296_3_4[6 * 24];
extern const int8_t ldpc_wifi_1296_5_6[4 * 24];
extern const int8_t ldpc_wifi_1944_1_2[12 * 24];
extern const int8_t ldpc_wifi_1944_2_3[8 * 24];
extern const int8_t ldpc_wifi_1944_3_4[6 * 24];
extern const int8_t ldpc_wifi_1944_5_6[4 * 24];

#endif
