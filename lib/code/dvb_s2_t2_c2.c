/* SPDX-License-Identifier: BSD-3-Clause */
/* DVB-S2, DVB-T2 and DVB-C2: irregular repeat-accumulate codes. */
#include "code/families.h"
#include "code/repeat_accumulate.h"
#include "code/tables/dvb_tables.h"

/* clang-format off */
static const ldpc_ra_code dvbs2_codes[] = {
    {"dvbs2:64800:1/4", "EN 302 307-1, table B.1", 64800, 16200, ldpc_dvb_s2_normal_1_4, 0, 0, 0},
    {"dvbs2:64800:1/3", "EN 302 307-1, table B.2", 64800, 21600, ldpc_dvb_s2_normal_1_3, 0, 0, 0},
    {"dvbs2:64800:2/5", "EN 302 307-1, table B.3", 64800, 25920, ldpc_dvb_s2_normal_2_5, 0, 0, 0},
    {"dvbs2:64800:1/2", "EN 302 307-1, table B.4", 64800, 32400, ldpc_dvb_s2_normal_1_2, 0, 0, 0},
    {"dvbs2:64800:3/5", "EN 302 307-1, table B.5", 64800, 38880, ldpc_dvb_s2_normal_3_5, 0, 0, 0},
    {"dvbs2:64800:2/3", "EN 302 307-1, table B.6", 64800, 43200, ldpc_dvb_s2_normal_2_3, 0, 0, 0},
    {"dvbs2:64800:3/4", "EN 302 307-1, table B.7", 64800, 48600, ldpc_dvb_s2_normal_3_4, 0, 0, 0},
    {"dvbs2:64800:4/5", "EN 302 307-1, table B.8", 64800, 51840, ldpc_dvb_s2_normal_4_5, 0, 0, 0},
    {"dvbs2:64800:5/6", "EN 302 307-1, table B.9", 64800, 54000, ldpc_dvb_s2_normal_5_6, 0, 0, 0},
    {"dvbs2:64800:8/9", "EN 302 307-1, table B.10", 64800, 57600, ldpc_dvb_s2_normal_8_9, 0, 0, 0},
    {"dvbs2:64800:9/10", "EN 302 307-1, table B.11", 64800, 58320, ldpc_dvb_s2_normal_9_10, 0, 0, 0},
    {"dvbs2:16200:1/4", "EN 302 307-1, table C.1", 16200, 3240, ldpc_dvb_s2_short_1_4, 0, 0, 0},
    {"dvbs2:16200:1/3", "EN 302 307-1, table C.2", 16200, 5400, ldpc_dvb_s2_short_1_3, 0, 0, 0},
    {"dvbs2:16200:2/5", "EN 302 307-1, table C.3", 16200, 6480, ldpc_dvb_s2_short_2_5, 0, 0, 0},
    {"dvbs2:16200:1/2", "EN 302 307-1, table C.4", 16200, 7200, ldpc_dvb_s2_short_1_2, 0, 0, 0},
    {"dvbs2:16200:3/5", "EN 302 307-1, table C.5", 16200, 9720, ldpc_dvb_s2_short_3_5, 0, 0, 0},
    {"dvbs2:16200:2/3", "EN 302 307-1, table C.6", 16200, 10800, ldpc_dvb_s2_short_2_3, 0, 0, 0},
    {"dvbs2:16200:3/4", "EN 302 307-1, table C.7", 16200, 11880, ldpc_dvb_s2_short_3_4, 0, 0, 0},
    {"dvbs2:16200:4/5", "EN 302 307-1, table C.8", 16200, 12600, ldpc_dvb_s2_short_4_5, 0, 0, 0},
    {"dvbs2:16200:5/6", "EN 302 307-1, table C.9", 16200, 13320, ldpc_dvb_s2_short_5_6, 0, 0, 0},
    {"dvbs2:16200:8/9", "EN 302 307-1, table C.10", 16200, 14400, ldpc_dvb_s2_short_8_9, 0, 0, 0},
};

static const ldpc_ra_code dvbt2_codes[] = {
    {"dvbt2:64800:1/2", "EN 302 755, table A.1", 64800, 32400, ldpc_dvb_s2_normal_1_2, 0, 0, 0},
    {"dvbt2:64800:3/5", "EN 302 755, table A.2", 64800, 38880, ldpc_dvb_s2_normal_3_5, 0, 0, 0},
    {"dvbt2:64800:2/3", "EN 302 755, table A.3", 64800, 43200, ldpc_dvb_t2_normal_2_3, 0, 0, 0},
    {"dvbt2:64800:3/4", "EN 302 755, table A.4", 64800, 48600, ldpc_dvb_s2_normal_3_4, 0, 0, 0},
    {"dvbt2:64800:4/5", "EN 302 755, table A.5", 64800, 51840, ldpc_dvb_s2_normal_4_5, 0, 0, 0},
    {"dvbt2:64800:5/6", "EN 302 755, table A.6", 64800, 54000, ldpc_dvb_s2_normal_5_6, 0, 0, 0},
    {"dvbt2:16200:1/4", "EN 302 755, table B.1", 16200, 3240, ldpc_dvb_s2_short_1_4, 0, 0, 0},
    {"dvbt2:16200:1/2", "EN 302 755, table B.2", 16200, 7200, ldpc_dvb_s2_short_1_2, 0, 0, 0},
    {"dvbt2:16200:3/5", "EN 302 755, table B.3", 16200, 9720, ldpc_dvb_t2_short_3_5, 0, 0, 0},
    {"dvbt2:16200:2/3", "EN 302 755, table B.4", 16200, 10800, ldpc_dvb_s2_short_2_3, 0, 0, 0},
    {"dvbt2:16200:3/4", "EN 302 755, table B.5", 16200, 11880, ldpc_dvb_s2_short_3_4, 0, 0, 0},
    {"dvbt2:16200:4/5", "EN 302 755, table B.6", 16200, 12600, ldpc_dvb_s2_short_4_5, 0, 0, 0},
    {"dvbt2:16200:5/6", "EN 302 755, table B.7", 16200, 13320, ldpc_dvb_s2_short_5_6, 0, 0, 0},
    {"dvbt2:16200:1/3", "EN 302 755, table B.8", 16200, 5400, ldpc_dvb_s2_short_1_3, 0, 0, 0},
    {"dvbt2:16200:2/5", "EN 302 755, table B.9", 16200, 6480, ldpc_dvb_s2_short_2_5, 0, 0, 0},
};

/* EN 302 769 refers to the tables of DVB-T2. */
static const ldpc_ra_code dvbc2_codes[] = {
    {"dvbc2:64800:2/3", "EN 302 769, clause 6.1", 64800, 43200, ldpc_dvb_t2_normal_2_3, 0, 0, 0},
    {"dvbc2:64800:3/4", "EN 302 769, clause 6.1", 64800, 48600, ldpc_dvb_s2_normal_3_4, 0, 0, 0},
    {"dvbc2:64800:4/5", "EN 302 769, clause 6.1", 64800, 51840, ldpc_dvb_s2_normal_4_5, 0, 0, 0},
    {"dvbc2:64800:5/6", "EN 302 769, clause 6.1", 64800, 54000, ldpc_dvb_s2_normal_5_6, 0, 0, 0},
    {"dvbc2:64800:9/10", "EN 302 769, clause 6.1", 64800, 58320, ldpc_dvb_s2_normal_9_10, 0, 0, 0},
    {"dvbc2:16200:1/2", "EN 302 769, clause 6.1", 16200, 7200, ldpc_dvb_s2_short_1_2, 0, 0, 0},
    {"dvbc2:16200:2/3", "EN 302 769, clause 6.1", 16200, 10800, ldpc_dvb_s2_short_2_3, 0, 0, 0},
    {"dvbc2:16200:3/4", "EN 302 769, clause 6.1", 16200, 11880, ldpc_dvb_s2_short_3_4, 0, 0, 0},
    {"dvbc2:16200:4/5", "EN 302 769, clause 6.1", 16200, 12600, ldpc_dvb_s2_short_4_5, 0, 0, 0},
    {"dvbc2:16200:5/6", "EN 302 769, clause 6.1", 16200, 13320, ldpc_dvb_s2_short_5_6, 0, 0, 0},
    {"dvbc2:16200:8/9", "EN 302 769, clause 6.1", 16200, 14400, ldpc_dvb_s2_short_8_9, 0, 0, 0},
};
/* clang-format on */

#define COUNT(table) (sizeof table / sizeof *table)

static const char *dvbs2_name(size_t i)
{
    return i < COUNT(dvbs2_codes) ? dvbs2_codes[i].name : NULL;
}

static ldpc_status dvbs2_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    return ldpc_ra_create(dvbs2_codes, COUNT(dvbs2_codes), name, code, err);
}

static const char *dvbt2_name(size_t i)
{
    return i < COUNT(dvbt2_codes) ? dvbt2_codes[i].name : NULL;
}

static ldpc_status dvbt2_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    return ldpc_ra_create(dvbt2_codes, COUNT(dvbt2_codes), name, code, err);
}

static const char *dvbc2_name(size_t i)
{
    return i < COUNT(dvbc2_codes) ? dvbc2_codes[i].name : NULL;
}

static ldpc_status dvbc2_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    return ldpc_ra_create(dvbc2_codes, COUNT(dvbc2_codes), name, code, err);
}

const ldpc_family ldpc_dvbs2_family = {.prefix = "dvbs2", .name = dvbs2_name, .create = dvbs2_create};
const ldpc_family ldpc_dvbt2_family = {.prefix = "dvbt2", .name = dvbt2_name, .create = dvbt2_create};
const ldpc_family ldpc_dvbc2_family = {.prefix = "dvbc2", .name = dvbc2_name, .create = dvbc2_create};
