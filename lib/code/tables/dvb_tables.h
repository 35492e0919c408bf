/* SPDX-License-Identifier: BSD-3-Clause */
/* Address tables of the DVB codes (dvb_*_tables.c); see repeat_accumulate.h for their format. */
#ifndef LDPC_DVB_TABLES_H
#define LDPC_DVB_TABLES_H

#include <stdint.h>

extern const uint16_t ldpc_dvb_s2_normal_1_4[];
extern const uint16_t ldpc_dvb_s2_normal_1_3[];
extern const uint16_t ldpc_dvb_s2_normal_2_5[];
extern const uint16_t ldpc_dvb_s2_normal_1_2[];
extern const uint16_t ldpc_dvb_s2_normal_3_5[];
extern const uint16_t ldpc_dvb_s2_normal_2_3[];
extern const uint16_t ldpc_dvb_s2_normal_3_4[];
extern const uint16_t ldpc_dvb_s2_normal_4_5[];
extern const uint16_t ldpc_dvb_s2_normal_5_6[];
extern const uint16_t ldpc_dvb_s2_normal_8_9[];
extern const uint16_t ldpc_dvb_s2_normal_9_10[];
extern const uint16_t ldpc_dvb_s2_short_1_4[];
extern const uint16_t ldpc_dvb_s2_short_1_3[];
extern const uint16_t ldpc_dvb_s2_short_2_5[];
extern const uint16_t ldpc_dvb_s2_short_1_2[];
extern const uint16_t ldpc_dvb_s2_short_3_5[];
extern const uint16_t ldpc_dvb_s2_short_2_3[];
extern const uint16_t ldpc_dvb_s2_short_3_4[];
extern const uint16_t ldpc_dvb_s2_short_4_5[];
extern const uint16_t ldpc_dvb_s2_short_5_6[];
extern const uint16_t ldpc_dvb_s2_short_8_9[];
extern const uint16_t ldpc_dvb_t2_normal_2_3[];
extern const uint16_t ldpc_dvb_t2_short_3_5[];
extern const uint16_t ldpc_dvb_s2x_normal_2_9[];
extern const uint16_t ldpc_dvb_s2x_normal_13_45[];
extern const uint16_t ldpc_dvb_s2x_normal_9_20[];
extern const uint16_t ldpc_dvb_s2x_normal_11_20[];
extern const uint16_t ldpc_dvb_s2x_normal_26_45[];
extern const uint16_t ldpc_dvb_s2x_normal_28_45[];
extern const uint16_t ldpc_dvb_s2x_normal_23_36[];
extern const uint16_t ldpc_dvb_s2x_normal_25_36[];
extern const uint16_t ldpc_dvb_s2x_normal_13_18[];
extern const uint16_t ldpc_dvb_s2x_normal_7_9[];
extern const uint16_t ldpc_dvb_s2x_normal_90_180[];
extern const uint16_t ldpc_dvb_s2x_normal_96_180[];
extern const uint16_t ldpc_dvb_s2x_normal_100_180[];
extern const uint16_t ldpc_dvb_s2x_normal_104_180[];
extern const uint16_t ldpc_dvb_s2x_normal_116_180[];
extern const uint16_t ldpc_dvb_s2x_normal_124_180[];
extern const uint16_t ldpc_dvb_s2x_normal_128_180[];
extern const uint16_t ldpc_dvb_s2x_normal_132_180[];
extern const uint16_t ldpc_dvb_s2x_normal_135_180[];
extern const uint16_t ldpc_dvb_s2x_normal_140_180[];
extern const uint16_t ldpc_dvb_s2x_normal_154_180[];
extern const uint16_t ldpc_dvb_s2x_normal_18_30[];
extern const uint16_t ldpc_dvb_s2x_normal_20_30[];
extern const uint16_t ldpc_dvb_s2x_normal_22_30[];
extern const uint16_t ldpc_dvb_s2x_short_11_45[];
extern const uint16_t ldpc_dvb_s2x_short_4_15[];
extern const uint16_t ldpc_dvb_s2x_short_14_45[];
extern const uint16_t ldpc_dvb_s2x_short_7_15[];
extern const uint16_t ldpc_dvb_s2x_short_8_15[];
extern const uint16_t ldpc_dvb_s2x_short_26_45[];
extern const uint16_t ldpc_dvb_s2x_short_32_45[];
extern const uint16_t ldpc_dvb_s2x_medium_1_5[];
extern const uint16_t ldpc_dvb_s2x_medium_11_45[];
extern const uint16_t ldpc_dvb_s2x_medium_1_3[];

#endif
