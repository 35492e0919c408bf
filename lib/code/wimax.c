/* SPDX-License-Identifier: BSD-3-Clause */
/* WiMAX: IEEE 802.16e-2005 (802.16-2009, 802.16-2012), clause 8.4.9.2.5, base matrices for z = 96.
 *
 * Names: wimax:N:RATE with N = 24 z. The standard has z = 24, 28 .. 96. Larger ones, any z up to 1024, follow
 * the same rule for the shifts, floor(s z / 96), or s mod z for rate 2/3A: they are for experiments with long
 * codes, as in G. Wang et al., "A scalable adaptive tuning of LDPC decoding on GPU", 2011.
 *
 * The last row of rate 5/6 begins with 50 in the tables that most decoders use, and with 68 in others and in
 * the printed 802.16-2012. With 50 all lifting sizes up to 60 have cycles of length 4, with 68 none has.
 * Names 5/6 and 5/6v68.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/base_matrix.h"
#include "code/families.h"

enum { WIMAX_MIN_Z = 24, WIMAX_MAX_Z = 1024, WIMAX_GROUPS = 24 };

/* clang-format off */
static const int8_t wimax_1_2[] = {
    -1, 94, 73, -1, -1, -1, -1, -1, 55, 83, -1, -1,  7,  0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, 27, -1, -1, -1, 22, 79,  9, -1, -1, -1, 12, -1,  0,  0, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, 24, 22, 81, -1, 33, -1, -1, -1,  0, -1, -1,  0,  0, -1, -1, -1, -1, -1, -1, -1, -1,
    61, -1, 47, -1, -1, -1, -1, -1, 65, 25, -1, -1, -1, -1, -1,  0,  0, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, 39, -1, -1, -1, 84, -1, -1, 41, 72, -1, -1, -1, -1, -1,  0,  0, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, 46, 40, -1, 82, -1, -1, -1, 79,  0, -1, -1, -1, -1,  0,  0, -1, -1, -1, -1, -1,
    -1, -1, 95, 53, -1, -1, -1, -1, -1, 14, 18, -1, -1, -1, -1, -1, -1, -1,  0,  0, -1, -1, -1, -1,
    -1, 11, 73, -1, -1, -1,  2, -1, -1, 47, -1, -1, -1, -1, -1, -1, -1, -1, -1,  0,  0, -1, -1, -1,
    12, -1, -1, -1, 83, 24, -1, 43, -1, -1, -1, 51, -1, -1, -1, -1, -1, -1, -1, -1,  0,  0, -1, -1,
    -1, -1, -1, -1, -1, 94, -1, 59, -1, -1, 70, 72, -1, -1, -1, -1, -1, -1, -1, -1, -1,  0,  0, -1,
    -1, -1,  7, 65, -1, -1, -1, -1, 39, 49, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,  0,  0,
    43, -1, -1, -1, -1, 66, -1, 41, -1, -1, -1, 26,  7, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,  0,
};

static const int8_t wimax_2_3a[] = {
     3,  0, -1, -1,  2,  0, -1,  3,  7, -1,  1,  1, -1, -1, -1, -1,  1,  0, -1, -1, -1, -1, -1, -1,
    -1, -1,  1, -1, 36, -1, -1, 34, 10, -1, -1, 18,  2, -1,  3,  0, -1,  0,  0, -1, -1, -1, -1, -1,
    -1, -1, 12,  2, -1, 15, -1, 40, -1,  3, -1, 15, -1,  2, 13, -1, -1, -1,  0,  0, -1, -1, -1, -1,
    -1, -1, 19, 24, -1,  3,  0, -1,  6, -1, 17, -1, -1, -1,  8, 39, -1, -1, -1,  0,  0, -1, -1, -1,
    20, -1,  6, -1, -1, 10, 29, -1, -1, 28, -1, 14, -1, 38, -1, -1,  0, -1, -1, -1,  0,  0, -1, -1,
    -1, -1, 10, -1, 28, 20, -1, -1,  8, -1, 36, -1,  9, -1, 21, 45, -1, -1, -1, -1, -1,  0,  0, -1,
    35, 25, -1, 37, -1, 21, -1, -1,  5, -1, -1,  0, -1,  4, 20, -1, -1, -1, -1, -1, -1, -1,  0,  0,
    -1,  6,  6, -1, -1, -1,  4, -1, 14, 30, -1,  3, 36, -1, 14, -1,  1, -1, -1, -1, -1, -1, -1,  0,
};

static const int8_t wimax_2_3b[] = {
     2, -1, 19, -1, 47, -1, 48, -1, 36, -1, 82, -1, 47, -1, 15, -1, 95,  0, -1, -1, -1, -1, -1, -1,
    -1, 69, -1, 88, -1, 33, -1,  3, -1, 16, -1, 37, -1, 40, -1, 48, -1,  0,  0, -1, -1, -1, -1, -1,
    10, -1, 86, -1, 62, -1, 28, -1, 85, -1, 16, -1, 34, -1, 73, -1, -1, -1,  0,  0, -1, -1, -1, -1,
    -1, 28, -1, 32, -1, 81, -1, 27, -1, 88, -1,  5, -1, 56, -1, 37, -1, -1, -1,  0,  0, -1, -1, -1,
    23, -1, 29, -1, 15, -1, 30, -1, 66, -1, 24, -1, 50, -1, 62, -1, -1, -1, -1, -1,  0,  0, -1, -1,
    -1, 30, -1, 65, -1, 54, -1, 14, -1,  0, -1, 30, -1, 74, -1,  0, -1, -1, -1, -1, -1,  0,  0, -1,
    32, -1,  0, -1, 15, -1, 56, -1, 85, -1,  5, -1,  6, -1, 52, -1,  0, -1, -1, -1, -1, -1,  0,  0,
    -1,  0, -1, 47, -1, 13, -1, 61, -1, 84, -1, 55, -1, 78, -1, 41, 95, -1, -1, -1, -1, -1, -1,  0,
};

static const int8_t wimax_3_4a[] = {
     6, 38,  3, 93, -1, -1, -1, 30, 70, -1, 86, -1, 37, 38,  4, 11, -1, 46, 48,  0, -1, -1, -1, -1,
    62, 94, 19, 84, -1, 92, 78, -1, 15, -1, -1, 92, -1, 45, 24, 32, 30, -1, -1,  0,  0, -1, -1, -1,
    71, -1, 55, -1, 12, 66, 45, 79, -1, 78, -1, -1, 10, -1, 22, 55, 70, 82, -1, -1,  0,  0, -1, -1,
    38, 61, -1, 66,  9, 73, 47, 64, -1, 39, 61, 43, -1, -1, -1, -1, 95, 32,  0, -1, -1,  0,  0, -1,
    -1, -1, -1, -1, 32, 52, 55, 80, 95, 22,  6, 51, 24, 90, 44, 20, -1, -1, -1, -1, -1, -1,  0,  0,
    -1, 63, 31, 88, 20, -1, -1, -1,  6, 40, 56, 16, 71, 53, -1, -1, 27, 26, 48, -1, -1, -1, -1,  0,
};

static const int8_t wimax_3_4b[] = {
    -1, 81, -1, 28, -1, -1, 14, 25, 17, -1, -1, 85, 29, 52, 78, 95, 22, 92,  0,  0, -1, -1, -1, -1,
    42, -1, 14, 68, 32, -1, -1, -1, -1, 70, 43, 11, 36, 40, 33, 57, 38, 24, -1,  0,  0, -1, -1, -1,
    -1, -1, 20, -1, -1, 63, 39, -1, 70, 67, -1, 38,  4, 72, 47, 29, 60,  5, 80, -1,  0,  0, -1, -1,
    64,  2, -1, -1, 63, -1, -1,  3, 51, -1, 81, 15, 94,  9, 85, 36, 14, 19, -1, -1, -1,  0,  0, -1,
    -1, 53, 60, 80, -1, 26, 75, -1, -1, -1, -1, 86, 77,  1,  3, 72, 60, 25, -1, -1, -1, -1,  0,  0,
    77, -1, -1, -1, 15, 28, -1, 35, -1, 72, 30, 68, 85, 84, 26, 64, 11, 89,  0, -1, -1, -1, -1,  0,
};

static const int8_t wimax_5_6[] = {
     1, 25, 55, -1, 47,  4, -1, 91, 84,  8, 86, 52, 82, 33,  5,  0, 36, 20,  4, 77, 80,  0, -1, -1,
    -1,  6, -1, 36, 40, 47, 12, 79, 47, -1, 41, 21, 12, 71, 14, 72,  0, 44, 49,  0,  0,  0,  0, -1,
    51, 81, 83,  4, 67, -1, 21, -1, 31, 24, 91, 61, 81,  9, 86, 78, 60, 88, 67, 15, -1, -1,  0,  0,
    50, -1, 50, 15, -1, 36, 13, 10, 11, 20, 53, 90, 29, 92, 57, 30, 84, 92, 11, 66, 80, -1, -1,  0,
};

static const int8_t wimax_5_6_v68[] = {
     1, 25, 55, -1, 47,  4, -1, 91, 84,  8, 86, 52, 82, 33,  5,  0, 36, 20,  4, 77, 80,  0, -1, -1,
    -1,  6, -1, 36, 40, 47, 12, 79, 47, -1, 41, 21, 12, 71, 14, 72,  0, 44, 49,  0,  0,  0,  0, -1,
    51, 81, 83,  4, 67, -1, 21, -1, 31, 24, 91, 61, 81,  9, 86, 78, 60, 88, 67, 15, -1, -1,  0,  0,
    68, -1, 50, 15, -1, 36, 13, 10, 11, 20, 53, 90, 29, 92, 57, 30, 84, 92, 11, 66, 80, -1, -1,  0,
};
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
    {"1/2",    {12, WIMAX_GROUPS, wimax_1_2, 96}   },
    {"2/3A",   {8, WIMAX_GROUPS, wimax_2_3a, 0}    },
    {"2/3B",   {8, WIMAX_GROUPS, wimax_2_3b, 96}   },
    {"3/4A",   {6, WIMAX_GROUPS, wimax_3_4a, 96}   },
    {"3/4B",   {6, WIMAX_GROUPS, wimax_3_4b, 96}   },
    {"5/6",    {4, WIMAX_GROUPS, wimax_5_6, 96}    },
    {"5/6v68", {4, WIMAX_GROUPS, wimax_5_6_v68, 96}},
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
    const char *length = name + strlen("wimax:");
    char *rate;
    unsigned long n = strtoul(length, &rate, 10);
    const ldpc_base_matrix *base = *rate == ':' ? find_rate(rate + 1) : NULL;
    if (!isdigit((unsigned char)*length) || *length == '0' || !base)
        return ldpc_fail(err, LDPC_ERR_NAME,
                         "WiMAX names are wimax:N:RATE with rate 1/2, 2/3A, 2/3B, 3/4A, 3/4B, 5/6, 5/6v68");
    if (n % WIMAX_GROUPS || n < WIMAX_GROUPS * WIMAX_MIN_Z || n > WIMAX_GROUPS * WIMAX_MAX_Z)
        return ldpc_fail(err, LDPC_ERR_NAME, "WiMAX lengths are 24 z with z = %d .. %d", WIMAX_MIN_Z,
                         WIMAX_MAX_Z);
    return ldpc_base_matrix_lift(base, (uint32_t)n / WIMAX_GROUPS, name, "IEEE 802.16e, 8.4.9.2.5", code,
                                 err);
}

const ldpc_family ldpc_wimax_family = {"wimax", wimax_name, wimax_create};
