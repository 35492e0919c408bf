/* SPDX-License-Identifier: BSD-3-Clause */
/* Outer BCH codes: EN 302 307-1, tables 5a, 5b, 6a, 6b; EN 302 307-2; EN 302 755, tables 6 and 7; EN 302
 * 769. */
#include <string.h>

#include "base/status_internal.h"
#include "dvb/bch.h"

/* clang-format off */
static const ldpc_bch_field normal_field = {16, {
    0x1002d, 0x10173, 0x10fbd, 0x15a55, 0x11f2f, 0x1f7b5, 0x1af65, 0x17367, 0x10ea1, 0x175a7, 0x13a2d, 0x11ae3}};
static const ldpc_bch_field short_field = {14, {
    0x0402b, 0x04941, 0x04647, 0x05591, 0x06b55, 0x06389, 0x06ce5, 0x04f21, 0x0460f, 0x05a49, 0x05811, 0x065ef}};
static const ldpc_bch_field medium_field = {15, {
    0x0802d, 0x08c93, 0x0b555, 0x08d6d, 0x094d7, 0x0b0d1, 0x0d8b5, 0x0cb55, 0x0bab7, 0x0bc9f, 0x08a17, 0x0ed15}};

static const ldpc_bch_row rows[] = {
    {"dvbs2:64800:1/4", &normal_field, 12, 16200},
    {"dvbs2:64800:1/3", &normal_field, 12, 21600},
    {"dvbs2:64800:2/5", &normal_field, 12, 25920},
    {"dvbs2:64800:1/2", &normal_field, 12, 32400},
    {"dvbs2:64800:3/5", &normal_field, 12, 38880},
    {"dvbs2:64800:2/3", &normal_field, 10, 43200},
    {"dvbs2:64800:3/4", &normal_field, 12, 48600},
    {"dvbs2:64800:4/5", &normal_field, 12, 51840},
    {"dvbs2:64800:5/6", &normal_field, 10, 54000},
    {"dvbs2:64800:8/9", &normal_field, 8, 57600},
    {"dvbs2:64800:9/10", &normal_field, 8, 58320},
    {"dvbs2:16200:1/4", &short_field, 12, 3240},
    {"dvbs2:16200:1/3", &short_field, 12, 5400},
    {"dvbs2:16200:2/5", &short_field, 12, 6480},
    {"dvbs2:16200:1/2", &short_field, 12, 7200},
    {"dvbs2:16200:3/5", &short_field, 12, 9720},
    {"dvbs2:16200:2/3", &short_field, 12, 10800},
    {"dvbs2:16200:3/4", &short_field, 12, 11880},
    {"dvbs2:16200:4/5", &short_field, 12, 12600},
    {"dvbs2:16200:5/6", &short_field, 12, 13320},
    {"dvbs2:16200:8/9", &short_field, 12, 14400},
    {"dvbt2:64800:1/2", &normal_field, 12, 32400},
    {"dvbt2:64800:3/5", &normal_field, 12, 38880},
    {"dvbt2:64800:2/3", &normal_field, 10, 43200},
    {"dvbt2:64800:3/4", &normal_field, 12, 48600},
    {"dvbt2:64800:4/5", &normal_field, 12, 51840},
    {"dvbt2:64800:5/6", &normal_field, 10, 54000},
    {"dvbt2:16200:1/4", &short_field, 12, 3240},
    {"dvbt2:16200:1/2", &short_field, 12, 7200},
    {"dvbt2:16200:3/5", &short_field, 12, 9720},
    {"dvbt2:16200:2/3", &short_field, 12, 10800},
    {"dvbt2:16200:3/4", &short_field, 12, 11880},
    {"dvbt2:16200:4/5", &short_field, 12, 12600},
    {"dvbt2:16200:5/6", &short_field, 12, 13320},
    {"dvbt2:16200:1/3", &short_field, 12, 5400},
    {"dvbt2:16200:2/5", &short_field, 12, 6480},
    {"dvbc2:64800:2/3", &normal_field, 10, 43200},
    {"dvbc2:64800:3/4", &normal_field, 12, 48600},
    {"dvbc2:64800:4/5", &normal_field, 12, 51840},
    {"dvbc2:64800:5/6", &normal_field, 10, 54000},
    {"dvbc2:64800:9/10", &normal_field, 8, 58320},
    {"dvbc2:16200:1/2", &short_field, 12, 7200},
    {"dvbc2:16200:2/3", &short_field, 12, 10800},
    {"dvbc2:16200:3/4", &short_field, 12, 11880},
    {"dvbc2:16200:4/5", &short_field, 12, 12600},
    {"dvbc2:16200:5/6", &short_field, 12, 13320},
    {"dvbc2:16200:8/9", &short_field, 12, 14400},
    {"dvbs2x:64800:2/9", &normal_field, 12, 14400},
    {"dvbs2x:61560:2/9", &normal_field, 12, 14400},
    {"dvbs2x:64800:13/45", &normal_field, 12, 18720},
    {"dvbs2x:64800:9/20", &normal_field, 12, 29160},
    {"dvbs2x:64800:11/20", &normal_field, 12, 35640},
    {"dvbs2x:64800:26/45", &normal_field, 12, 37440},
    {"dvbs2x:64800:28/45", &normal_field, 12, 40320},
    {"dvbs2x:64800:23/36", &normal_field, 12, 41400},
    {"dvbs2x:64800:25/36", &normal_field, 12, 45000},
    {"dvbs2x:64800:13/18", &normal_field, 12, 46800},
    {"dvbs2x:64800:7/9", &normal_field, 12, 50400},
    {"dvbs2x:64800:90/180", &normal_field, 12, 32400},
    {"dvbs2x:64800:96/180", &normal_field, 12, 34560},
    {"dvbs2x:64800:100/180", &normal_field, 12, 36000},
    {"dvbs2x:64800:104/180", &normal_field, 12, 37440},
    {"dvbs2x:64800:116/180", &normal_field, 12, 41760},
    {"dvbs2x:64800:124/180", &normal_field, 12, 44640},
    {"dvbs2x:64800:128/180", &normal_field, 12, 46080},
    {"dvbs2x:64800:132/180", &normal_field, 12, 47520},
    {"dvbs2x:64800:135/180", &normal_field, 12, 48600},
    {"dvbs2x:64800:140/180", &normal_field, 12, 50400},
    {"dvbs2x:64800:154/180", &normal_field, 12, 55440},
    {"dvbs2x:64800:18/30", &normal_field, 12, 38880},
    {"dvbs2x:64800:20/30", &normal_field, 12, 43200},
    {"dvbs2x:64800:22/30", &normal_field, 12, 47520},
    {"dvbs2x:16200:11/45", &short_field, 12, 3960},
    {"dvbs2x:15390:11/45", &short_field, 12, 3960},
    {"dvbs2x:16200:4/15", &short_field, 12, 4320},
    {"dvbs2x:14976:4/15", &short_field, 12, 4320},
    {"dvbs2x:16200:14/45", &short_field, 12, 5040},
    {"dvbs2x:16200:7/15", &short_field, 12, 7560},
    {"dvbs2x:16200:8/15", &short_field, 12, 8640},
    {"dvbs2x:16200:26/45", &short_field, 12, 9360},
    {"dvbs2x:16200:32/45", &short_field, 12, 11520},
    {"dvbs2x:30780:1/5", &medium_field, 12, 5840},
    {"dvbs2x:32400:11/45", &medium_field, 12, 7920},
    {"dvbs2x:30780:11/45", &medium_field, 12, 7920},
    {"dvbs2x:32400:1/3", &medium_field, 12, 10800},
    {"dvbs2x:30780:1/3", &medium_field, 12, 10800},
    {"dvbs2x:14976:1/5", &short_field, 12, 3240},
    {"dvbs2x:15390:1/5", &short_field, 12, 2680},
    {"dvbs2x:14976:1/3", &short_field, 12, 5400},
};
/* clang-format on */

enum { ROWS = sizeof rows / sizeof *rows };

const ldpc_bch_row *ldpc_bch_find(const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (!strcmp(name, rows[i].name))
            return &rows[i];
    return NULL;
}

ldpc_status ldpc_bch_unknown(const char *name, ldpc_error *err)
{
    return ldpc_fail(
        err, LDPC_ERR_NAME,
        "\"%.100s\" has no outer BCH code: expected an LDPC code of DVB-S2, S2X, T2 or C2 such as "
        "\"dvbt2:64800:2/3\"",
        name);
}

const char *ldpc_bch_list(size_t i)
{
    return i < ROWS ? rows[i].name : NULL;
}
