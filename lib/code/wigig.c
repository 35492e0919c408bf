/* SPDX-License-Identifier: BSD-3-Clause */
/* WiGig: IEEE 802.11ad-2012 (802.11-2016 and later: clause 20, DMG), n = 672, z = 42. The parity part is
 * lower triangular by blocks. Names: wigig:672:RATE. */
#include <string.h>

#include "code/base_matrix.h"
#include "code/families.h"

/* clang-format off */
static const int8_t wigig_1_2[] = {
    40, -1, 38, -1, 13, -1,  5, -1, 18, -1, -1, -1, -1, -1, -1, -1,
    34, -1, 35, -1, 27, -1, -1, 30,  2,  1, -1, -1, -1, -1, -1, -1,
    -1, 36, -1, 31, -1,  7, -1, 34, -1, 10, 41, -1, -1, -1, -1, -1,
    -1, 27, -1, 18, -1, 12, 20, -1, -1, -1, 15,  6, -1, -1, -1, -1,
    35, -1, 41, -1, 40, -1, 39, -1, 28, -1, -1,  3, 28, -1, -1, -1,
    29, -1,  0, -1, -1, 22, -1,  4, -1, 28, -1, 27, -1, 23, -1, -1,
    -1, 31, -1, 23, -1, 21, -1, 20, -1, -1, 12, -1, -1,  0, 13, -1,
    -1, 22, -1, 34, 31, -1, 14, -1,  4, -1, -1, -1, 13, -1, 22, 24,
};

static const int8_t wigig_5_8[] = {
    20, 36, 34, 31, 20,  7, 41, 34, -1, 10, 41, -1, -1, -1, -1, -1,
    30, 27, -1, 18, -1, 12, 20, 14,  2, 25, 15,  6, -1, -1, -1, -1,
    35, -1, 41, -1, 40, -1, 39, -1, 28, -1, -1,  3, 28, -1, -1, -1,
    29, -1,  0, -1, -1, 22, -1,  4, -1, 28, -1, 27, 24, 23, -1, -1,
    -1, 31, -1, 23, -1, 21, -1, 20, -1,  9, 12, -1, -1,  0, 13, -1,
    -1, 22, -1, 34, 31, -1, 14, -1,  4, -1, -1, -1, -1, -1, 22, 24,
};

static const int8_t wigig_3_4[] = {
    35, 19, 41, 22, 40, 41, 39,  6, 28, 18, 17,  3, 28, -1, -1, -1,
    29, 30,  0,  8, 33, 22, 17,  4, 27, 28, 20, 27, 24, 23, -1, -1,
    37, 31, 18, 23, 11, 21,  6, 20, 32,  9, 12, 29, -1,  0, 13, -1,
    25, 22,  4, 34, 31,  3, 14, 15,  4, -1, 14, 18, 13, 13, 22, 24,
};

static const int8_t wigig_13_16[] = {
    29, 30,  0,  8, 33, 22, 17,  4, 27, 28, 20, 27, 24, 23, -1, -1,
    37, 31, 18, 23, 11, 21,  6, 20, 32,  9, 12, 29, 10,  0, 13, -1,
    25, 22,  4, 34, 31,  3, 14, 15,  4,  2, 14, 18, 13, 13, 22, 24,
};

/* clang-format on */

static const struct wigig_code {
    const char *name;
    ldpc_base_matrix base;
} wigig_codes[] = {
    {"wigig:672:1/2",   {8, 16, wigig_1_2, 0}  },
    {"wigig:672:5/8",   {6, 16, wigig_5_8, 0}  },
    {"wigig:672:3/4",   {4, 16, wigig_3_4, 0}  },
    {"wigig:672:13/16", {3, 16, wigig_13_16, 0}},
};

static const char *wigig_name(size_t i)
{
    return i < sizeof wigig_codes / sizeof *wigig_codes ? wigig_codes[i].name : NULL;
}

static ldpc_status wigig_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    for (size_t i = 0; i < sizeof wigig_codes / sizeof *wigig_codes; i++)
        if (!strcmp(name, wigig_codes[i].name))
            return ldpc_base_matrix_lift(&wigig_codes[i].base, 42, name, "IEEE 802.11ad, clause 20", code,
                                         err);
    return ldpc_fail(err, LDPC_ERR_NAME, "WiGig names are wigig:672:RATE with rate 1/2, 5/8, 3/4, 13/16");
}

const ldpc_family ldpc_wigig_family = {"wigig", wigig_name, wigig_create};
