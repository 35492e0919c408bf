/* SPDX-License-Identifier: BSD-3-Clause */
/* WiMAX: IEEE 802.16e-2005 (802.16-2009, 802.16-2012), clause 8.4.9.2.5, base matrices for z = 96.
 *
 * Names: wimax:N:RATE with N = 24 z, z = 24, 28 .. 96. Shifts scale as floor(s z / 96), in rate 2/3A as s mod
 * z. Other z up to 1024 are for experiments (G. Wang et al., "A scalable adaptive tuning of LDPC decoding on
 * GPU", 2011).
 *
 * The first shift of the last row of rate 5/6 is 50 in most decoders, and 68 in the printed 802.16-2012 (rate
 * 5/6v68). With 50, lifting sizes up to 60 have cycles of length 4; with 68, no lifting size has them.
 */
#include <string.h>

#include "code/base_matrix.h"
#include "code/families.h"
#include "code/tables/wimax_tables.h"

enum { WIMAX_MIN_Z = 24, WIMAX_MAX_Z = 1024, WIMAX_GROUPS = 24 };

/* clang-format off */
#define SIZES(rate)                                                                                              \
    "wimax:576:" rate, "wimax:672:" rate, "wimax:768:" rate, "wimax:864:" rate, "wimax:960:" rate,                \
    "wimax:1056:" rate, "wimax:1152:" rate, "wimax:1248:" rate, "wimax:1344:" rate, "wimax:1440:" rate,           \
    "wimax:1536:" rate, "wimax:1632:" rate, "wimax:1728:" rate, "wimax:1824:" rate, "wimax:1920:" rate,           \
    "wimax:2016:" rate, "wimax:2112:" rate, "wimax:2208:" rate, "wimax:2304:" rate

static const char *const wimax_names[] = {
    SIZES("1/2"), SIZES("2/3A"), SIZES("2/3B"), SIZES("3/4A"), SIZES("3/4B"), SIZES("5/6"), SIZES("5/6v68"),
};
/* clang-format on */

static const struct wimax_rate {
    const char *rate;
    ldpc_base_matrix base;
} wimax_rates[] = {
    {"1/2",    {12, WIMAX_GROUPS, ldpc_wimax_1_2, 96}   },
    {"2/3A",   {8, WIMAX_GROUPS, ldpc_wimax_2_3a, 0}    },
    {"2/3B",   {8, WIMAX_GROUPS, ldpc_wimax_2_3b, 96}   },
    {"3/4A",   {6, WIMAX_GROUPS, ldpc_wimax_3_4a, 96}   },
    {"3/4B",   {6, WIMAX_GROUPS, ldpc_wimax_3_4b, 96}   },
    {"5/6",    {4, WIMAX_GROUPS, ldpc_wimax_5_6, 96}    },
    {"5/6v68", {4, WIMAX_GROUPS, ldpc_wimax_5_6_v68, 96}},
};

static const char *wimax_name(size_t i)
{
    return i < sizeof wimax_names / sizeof *wimax_names ? wimax_names[i] : NULL;
}

static const ldpc_base_matrix *find_rate(const char *rate)
{
    for (size_t i = 0; i < sizeof wimax_rates / sizeof *wimax_rates; i++)
        if (!strcmp(rate, wimax_rates[i].rate))
            return &wimax_rates[i].base;
    return NULL;
}

static ldpc_status wimax_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    uint32_t n;
    const char *rate = ldpc_name_number(name + strlen("wimax:"), &n);
    const ldpc_base_matrix *base = rate && *rate == ':' ? find_rate(rate + 1) : NULL;
    if (!base)
        return ldpc_fail(
            err, LDPC_ERR_NAME,
            "WiMAX names are wimax:N:RATE with RATE = 1/2, 2/3A, 2/3B, 3/4A, 3/4B, 5/6 or 5/6v68");
    if (n % WIMAX_GROUPS || n < WIMAX_GROUPS * WIMAX_MIN_Z || n > WIMAX_GROUPS * WIMAX_MAX_Z)
        return ldpc_fail(err, LDPC_ERR_NAME, "WiMAX lengths are 24 z with z = %d .. %d", WIMAX_MIN_Z,
                         WIMAX_MAX_Z);
    return ldpc_base_matrix_lift(base, n / WIMAX_GROUPS, name, "IEEE 802.16e, 8.4.9.2.5", code, err);
}

const ldpc_family ldpc_wimax_family = {.prefix = "wimax", .name = wimax_name, .create = wimax_create};
