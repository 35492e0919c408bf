/* SPDX-License-Identifier: BSD-3-Clause */
/* Address tables of ATSC 3.0; see atsc.c for their format. */
#ifndef LDPC_ATSC_TABLES_H
#define LDPC_ATSC_TABLES_H

#include <stdint.h>

extern const uint16_t ldpc_atsc3_normal_2_15[];
extern const uint16_t ldpc_atsc3_normal_3_15[];
extern const uint16_t ldpc_atsc3_normal_4_15[];
extern const uint16_t ldpc_atsc3_normal_5_15[];
extern const uint16_t ldpc_atsc3_normal_6_15[];
extern const uint16_t ldpc_atsc3_normal_7_15[];
extern const uint16_t ldpc_atsc3_normal_8_15[];
extern const uint16_t ldpc_atsc3_normal_9_15[];
extern const uint16_t ldpc_atsc3_normal_10_15[];
extern const uint16_t ldpc_atsc3_normal_11_15[];
extern const uint16_t ldpc_atsc3_normal_12_15[];
extern const uint16_t ldpc_atsc3_normal_13_15[];
extern const uint16_t ldpc_atsc3_short_2_15[];
extern const uint16_t ldpc_atsc3_short_3_15[];
extern const uint16_t ldpc_atsc3_short_4_15[];
extern const uint16_t ldpc_atsc3_short_5_15[];
extern const uint16_t ldpc_atsc3_short_6_15[];
extern const uint16_t ldpc_atsc3_short_7_15[];
extern const uint16_t ldpc_atsc3_short_8_15[];
extern const uint16_t ldpc_atsc3_short_9_15[];
extern const uint16_t ldpc_atsc3_short_10_15[];
extern const uint16_t ldpc_atsc3_short_11_15[];
extern const uint16_t ldpc_atsc3_short_12_15[];
extern const uint16_t ldpc_atsc3_short_13_15[];

#endif
