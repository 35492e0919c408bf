/* SPDX-License-Identifier: BSD-3-Clause */
/* WiGig: IEEE 802.11ad-2012 (802.11-2016 and later: clause 20, DMG), n = 672, z = 42. The parity part is
 * block lower triangular. Names: wigig:672:RATE. */
#include <string.h>

#include "code/base_matrix.h"
#include "code/families.h"
#include "code/tables/wigig_tables.h"

static const struct wigig_code {
    const char *name;
    ldpc_base_matrix base;
} wigig_codes[] = {
    {"wigig:672:1/2",   {8, 16, ldpc_wigig_1_2, 0}  },
    {"wigig:672:5/8",   {6, 16, ldpc_wigig_5_8, 0}  },
    {"wigig:672:3/4",   {4, 16, ldpc_wigig_3_4, 0}  },
    {"wigig:672:13/16", {3, 16, ldpc_wigig_13_16, 0}},
};

static const char *wigig_name(size_t i)
{
    return i < sizeof wigig_codes / sizeof *wigig_codes ? wigig_codes[i].name : NULL;
}

static ldpc_status wigig_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    for (size_t i = 0; i < sizeof wigig_codes / sizeof *wigig_codes; i++)
        if (!strcmp(name, wigig_codes[i].name))
            return ldpc_base_matrix_lift(&wigig_codes[i].base, 42, name, "IEEE 802.11-2016, clause 20", code,
                                         err);
    return ldpc_fail(err, LDPC_ERR_NAME, "WiGig names are wigig:672:RATE with RATE = 1/2, 5/8, 3/4 or 13/16");
}

const ldpc_family ldpc_wigig_family = {.prefix = "wigig", .name = wigig_name, .create = wigig_create};
