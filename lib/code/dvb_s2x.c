/* SPDX-License-Identifier: BSD-3-Clause */
/* DVB-S2X: ETSI EN 302 307-2, clause 5.3.2, annexes B (n = 64800) and C (n = 16200 and 32400).
 *
 * The names of VL-SNR codes have the number of transmitted bits: 61560, 30780, 15390 or 14976. These codes may be
 * shortened at the start, and puncture parity bits 0, step, 2 step ... */
#include "code/repeat_accumulate.h"
#include "code/tables/dvb_tables.h"
#include "code/families.h"

/* clang-format off */
static const ldpc_ra_code dvbs2x_codes[] = {
    {"dvbs2x:64800:2/9", "EN 302 307-2, table B.1", 64800, 14400, ldpc_dvb_s2x_normal_2_9, 0, 0, 0},
    {"dvbs2x:61560:2/9", "EN 302 307-2, table B.1", 64800, 14400, ldpc_dvb_s2x_normal_2_9, 0, 3240, 15},
    {"dvbs2x:64800:13/45", "EN 302 307-2, table B.2", 64800, 18720, ldpc_dvb_s2x_normal_13_45, 0, 0, 0},
    {"dvbs2x:64800:9/20", "EN 302 307-2, table B.3", 64800, 29160, ldpc_dvb_s2x_normal_9_20, 0, 0, 0},
    {"dvbs2x:64800:11/20", "EN 302 307-2, table B.4", 64800, 35640, ldpc_dvb_s2x_normal_11_20, 0, 0, 0},
    {"dvbs2x:64800:26/45", "EN 302 307-2, table B.5", 64800, 37440, ldpc_dvb_s2x_normal_26_45, 0, 0, 0},
    {"dvbs2x:64800:28/45", "EN 302 307-2, table B.6", 64800, 40320, ldpc_dvb_s2x_normal_28_45, 0, 0, 0},
    {"dvbs2x:64800:23/36", "EN 302 307-2, table B.7", 64800, 41400, ldpc_dvb_s2x_normal_23_36, 0, 0, 0},
    {"dvbs2x:64800:25/36", "EN 302 307-2, table B.8", 64800, 45000, ldpc_dvb_s2x_normal_25_36, 0, 0, 0},
    {"dvbs2x:64800:13/18", "EN 302 307-2, table B.9", 64800, 46800, ldpc_dvb_s2x_normal_13_18, 0, 0, 0},
    {"dvbs2x:64800:7/9", "EN 302 307-2, table B.10", 64800, 50400, ldpc_dvb_s2x_normal_7_9, 0, 0, 0},
    {"dvbs2x:64800:90/180", "EN 302 307-2, table B.11", 64800, 32400, ldpc_dvb_s2x_normal_90_180, 0, 0, 0},
    {"dvbs2x:64800:96/180", "EN 302 307-2, table B.12", 64800, 34560, ldpc_dvb_s2x_normal_96_180, 0, 0, 0},
    {"dvbs2x:64800:100/180", "EN 302 307-2, table B.13", 64800, 36000, ldpc_dvb_s2x_normal_100_180, 0, 0, 0},
    {"dvbs2x:64800:104/180", "EN 302 307-2, table B.14", 64800, 37440, ldpc_dvb_s2x_normal_104_180, 0, 0, 0},
    {"dvbs2x:64800:116/180", "EN 302 307-2, table B.15", 64800, 41760, ldpc_dvb_s2x_normal_116_180, 0, 0, 0},
    {"dvbs2x:64800:124/180", "EN 302 307-2, table B.16", 64800, 44640, ldpc_dvb_s2x_normal_124_180, 0, 0, 0},
    {"dvbs2x:64800:128/180", "EN 302 307-2, table B.17", 64800, 46080, ldpc_dvb_s2x_normal_128_180, 0, 0, 0},
    {"dvbs2x:64800:132/180", "EN 302 307-2, table B.18", 64800, 47520, ldpc_dvb_s2x_normal_132_180, 0, 0, 0},
    {"dvbs2x:64800:135/180", "EN 302 307-2, table B.19", 64800, 48600, ldpc_dvb_s2x_normal_135_180, 0, 0, 0},
    {"dvbs2x:64800:140/180", "EN 302 307-2, table B.20", 64800, 50400, ldpc_dvb_s2x_normal_140_180, 0, 0, 0},
    {"dvbs2x:64800:154/180", "EN 302 307-2, table B.21", 64800, 55440, ldpc_dvb_s2x_normal_154_180, 0, 0, 0},
    {"dvbs2x:64800:18/30", "EN 302 307-2, table B.22", 64800, 38880, ldpc_dvb_s2x_normal_18_30, 0, 0, 0},
    {"dvbs2x:64800:20/30", "EN 302 307-2, table B.23", 64800, 43200, ldpc_dvb_s2x_normal_20_30, 0, 0, 0},
    {"dvbs2x:64800:22/30", "EN 302 307-2, table B.24", 64800, 47520, ldpc_dvb_s2x_normal_22_30, 0, 0, 0},
    {"dvbs2x:16200:11/45", "EN 302 307-2, table C.1", 16200, 3960, ldpc_dvb_s2x_short_11_45, 0, 0, 0},
    {"dvbs2x:15390:11/45", "EN 302 307-2, table C.1", 16200, 3960, ldpc_dvb_s2x_short_11_45, 0, 810, 15},
    {"dvbs2x:16200:4/15", "EN 302 307-2, table C.2", 16200, 4320, ldpc_dvb_s2x_short_4_15, 0, 0, 0},
    {"dvbs2x:14976:4/15", "EN 302 307-2, table C.2", 16200, 4320, ldpc_dvb_s2x_short_4_15, 0, 1224, 8},
    {"dvbs2x:16200:14/45", "EN 302 307-2, table C.3", 16200, 5040, ldpc_dvb_s2x_short_14_45, 0, 0, 0},
    {"dvbs2x:16200:7/15", "EN 302 307-2, table C.4", 16200, 7560, ldpc_dvb_s2x_short_7_15, 0, 0, 0},
    {"dvbs2x:16200:8/15", "EN 302 307-2, table C.5", 16200, 8640, ldpc_dvb_s2x_short_8_15, 0, 0, 0},
    {"dvbs2x:16200:26/45", "EN 302 307-2, table C.6", 16200, 9360, ldpc_dvb_s2x_short_26_45, 0, 0, 0},
    {"dvbs2x:16200:32/45", "EN 302 307-2, table C.7", 16200, 11520, ldpc_dvb_s2x_short_32_45, 0, 0, 0},
    {"dvbs2x:32400:1/5", "EN 302 307-2, table C.8", 32400, 6480, ldpc_dvb_s2x_medium_1_5, 0, 0, 0},
    {"dvbs2x:30780:1/5", "EN 302 307-2, table C.8", 32400, 6480, ldpc_dvb_s2x_medium_1_5, 640, 980, 25},
    {"dvbs2x:32400:11/45", "EN 302 307-2, table C.9", 32400, 7920, ldpc_dvb_s2x_medium_11_45, 0, 0, 0},
    {"dvbs2x:30780:11/45", "EN 302 307-2, table C.9", 32400, 7920, ldpc_dvb_s2x_medium_11_45, 0, 1620, 15},
    {"dvbs2x:32400:1/3", "EN 302 307-2, table C.10", 32400, 10800, ldpc_dvb_s2x_medium_1_3, 0, 0, 0},
    {"dvbs2x:30780:1/3", "EN 302 307-2, table C.10", 32400, 10800, ldpc_dvb_s2x_medium_1_3, 0, 1620, 13},
    {"dvbs2x:14976:1/5", "EN 302 307-2, and table C.1 of EN 302 307-1", 16200, 3240, ldpc_dvb_s2_short_1_4, 0, 1224, 10},
    {"dvbs2x:15390:1/5", "EN 302 307-2, and table C.1 of EN 302 307-1", 16200, 3240, ldpc_dvb_s2_short_1_4, 560, 250, 30},
    {"dvbs2x:14976:1/3", "EN 302 307-2, and table C.2 of EN 302 307-1", 16200, 5400, ldpc_dvb_s2_short_1_3, 0, 1224, 8},
};
/* clang-format on */

static const char *dvbs2x_name(size_t i)
{
    return i < sizeof dvbs2x_codes / sizeof *dvbs2x_codes ? dvbs2x_codes[i].name : NULL;
}

static ldpc_status dvbs2x_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    return ldpc_ra_create(dvbs2x_codes, sizeof dvbs2x_codes / sizeof *dvbs2x_codes, name, code, err);
}

const ldpc_family ldpc_dvbs2x_family = {
    .prefix = "dvbs2x", .name = dvbs2x_name, .create = dvbs2x_create, .three_min = true};
