/* SPDX-License-Identifier: BSD-3-Clause */
/* ATSC 3.0: A/322, clause 6.1.3, annexes A.1 (n = 64800) and A.2 (n = 16200). Names: atsc3:N:RATE.
 *
 * Type B codes are like DVB codes (repeat_accumulate.h). Type A codes have two parity parts of m1 and m2 = n
 * - k - m1 bits; q1 = m1 / 360 and q2 = m2 / 360:
 *
 *   - address x < m1 is check x of the first part, x >= m1 is check x - m1 of the second part; for bit b of a
 *     group, b q1 or b q2 is added to the check number;
 *   - the first m1 checks form an accumulator; its parity bits are the groups after the k / 360 information
 *     groups, and have addresses in the second part;
 *   - each check of the second part has a parity bit of its own, which is in no other check.
 *
 * Type A interleaves parity bits: lane r of a parity group is bit r of that group.
 */
#include <string.h>

#include "code/tables/atsc_tables.h"
#include "code/repeat_accumulate.h"
#include "code/families.h"

typedef struct atsc_code {
    const char *name, *standard;
    uint32_t n, k;
    const uint16_t *addresses;
    uint32_t m1;
} atsc_code;

/* clang-format off */
static const atsc_code atsc_codes[] = {
    {"atsc3:64800:2/15", "A/322, annex A.1", 64800, 8640, ldpc_atsc3_normal_2_15, 1800},
    {"atsc3:64800:3/15", "A/322, annex A.1", 64800, 12960, ldpc_atsc3_normal_3_15, 1800},
    {"atsc3:64800:4/15", "A/322, annex A.1", 64800, 17280, ldpc_atsc3_normal_4_15, 1800},
    {"atsc3:64800:5/15", "A/322, annex A.1", 64800, 21600, ldpc_atsc3_normal_5_15, 1440},
    {"atsc3:64800:6/15", "A/322, annex A.1", 64800, 25920, ldpc_atsc3_normal_6_15, 0},
    {"atsc3:64800:7/15", "A/322, annex A.1", 64800, 30240, ldpc_atsc3_normal_7_15, 1080},
    {"atsc3:64800:8/15", "A/322, annex A.1", 64800, 34560, ldpc_atsc3_normal_8_15, 0},
    {"atsc3:64800:9/15", "A/322, annex A.1", 64800, 38880, ldpc_atsc3_normal_9_15, 0},
    {"atsc3:64800:10/15", "A/322, annex A.1", 64800, 43200, ldpc_atsc3_normal_10_15, 0},
    {"atsc3:64800:11/15", "A/322, annex A.1", 64800, 47520, ldpc_atsc3_normal_11_15, 0},
    {"atsc3:64800:12/15", "A/322, annex A.1", 64800, 51840, ldpc_atsc3_normal_12_15, 0},
    {"atsc3:64800:13/15", "A/322, annex A.1", 64800, 56160, ldpc_atsc3_normal_13_15, 0},
    {"atsc3:16200:2/15", "A/322, annex A.2", 16200, 2160, ldpc_atsc3_short_2_15, 3240},
    {"atsc3:16200:3/15", "A/322, annex A.2", 16200, 3240, ldpc_atsc3_short_3_15, 1080},
    {"atsc3:16200:4/15", "A/322, annex A.2", 16200, 4320, ldpc_atsc3_short_4_15, 1080},
    {"atsc3:16200:5/15", "A/322, annex A.2", 16200, 5400, ldpc_atsc3_short_5_15, 720},
    {"atsc3:16200:6/15", "A/322, annex A.2", 16200, 6480, ldpc_atsc3_short_6_15, 0},
    {"atsc3:16200:7/15", "A/322, annex A.2", 16200, 7560, ldpc_atsc3_short_7_15, 0},
    {"atsc3:16200:8/15", "A/322, annex A.2", 16200, 8640, ldpc_atsc3_short_8_15, 0},
    {"atsc3:16200:9/15", "A/322, annex A.2", 16200, 9720, ldpc_atsc3_short_9_15, 0},
    {"atsc3:16200:10/15", "A/322, annex A.2", 16200, 10800, ldpc_atsc3_short_10_15, 0},
    {"atsc3:16200:11/15", "A/322, annex A.2", 16200, 11880, ldpc_atsc3_short_11_15, 0},
    {"atsc3:16200:12/15", "A/322, annex A.2", 16200, 12960, ldpc_atsc3_short_12_15, 0},
    {"atsc3:16200:13/15", "A/322, annex A.2", 16200, 14040, ldpc_atsc3_short_13_15, 0},
};
/* clang-format on */

static ldpc_status make_type_a(const atsc_code *atsc, ldpc_code **code, ldpc_error *err)
{
    ldpc_code_builder builder;
    uint32_t q1 = atsc->m1 / LDPC_RA_GROUP, q = (atsc->n - atsc->k) / LDPC_RA_GROUP, q2 = q - q1;
    uint32_t groups = atsc->k / LDPC_RA_GROUP;
    const uint16_t *next = atsc->addresses;
    if (ldpc_code_builder_open(&builder, LDPC_RA_GROUP, q, groups + q, err))
        return LDPC_ERR_MEMORY;
    for (uint32_t group = 0; group < groups + q1; group++)
        for (uint32_t count = *next++; count > 0; count--) {
            uint32_t x = *next++;
            if (x < atsc->m1)
                ldpc_ra_add_address(&builder, 0, q1, group, x);
            else
                ldpc_ra_add_address(&builder, q1, q2, group, x - atsc->m1);
        }
    ldpc_ra_add_accumulator(&builder, groups, q1);
    for (uint32_t layer = q1; layer < q; layer++)
        ldpc_code_builder_add(&builder, layer, groups + layer, 0);
    ldpc_ra_interleave(builder.check_at, 0, q1);
    ldpc_ra_interleave(builder.check_at + atsc->m1, atsc->m1, q2);
    return ldpc_code_builder_finish(&builder, atsc->name, atsc->standard, code, err);
}

static const char *atsc_name(size_t i)
{
    return i < sizeof atsc_codes / sizeof *atsc_codes ? atsc_codes[i].name : NULL;
}

static ldpc_status atsc_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    for (size_t i = 0; i < sizeof atsc_codes / sizeof *atsc_codes; i++) {
        const atsc_code *atsc = &atsc_codes[i];
        const ldpc_ra_code dvb = {atsc->name, atsc->standard, atsc->n, atsc->k, atsc->addresses, 0, 0, 0};
        if (!strcmp(name, atsc->name))
            return atsc->m1 ? make_type_a(atsc, code, err) : ldpc_ra_make(&dvb, code, err);
    }
    return ldpc_fail(err, LDPC_ERR_NAME,
                     "ATSC names are atsc3:N:RATE with N = 64800 or 16200 and RATE = 2/15 .. 13/15");
}

const ldpc_family ldpc_atsc_family = {
    .prefix = "atsc3", .name = atsc_name, .create = atsc_create, .three_min = true};
