/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of algorithms, arithmetics and schedules, for files and command lines. */
#include <string.h>

#include "plan/algorithms.h"

/* Rules of the min-sum family have short names: "offset", not "offset min-sum". */
static const char *const algorithm_names[] = {
    [LDPC_ALGORITHM_AUTO] = "auto",
    [LDPC_ALGORITHM_MIN_SUM] = "min-sum",
    [LDPC_ALGORITHM_OFFSET_MIN_SUM] = "offset",
    [LDPC_ALGORITHM_NORMALIZED_MIN_SUM] = "normalized",
    [LDPC_ALGORITHM_CORRECTED_MIN_SUM] = "corrected",
    [LDPC_ALGORITHM_SUM_PRODUCT] = "sum-product",
    [LDPC_ALGORITHM_MIN_MAX] = "min-max",
    [LDPC_ALGORITHM_EMS] = "ems",
    [LDPC_ALGORITHM_THREE_MIN] = "three-min",
};
static const char *const arithmetic_names[] = {
    [LDPC_ARITHMETIC_AUTO] = "auto",
    [LDPC_ARITHMETIC_I8] = "i8",
    [LDPC_ARITHMETIC_I16] = "i16",
    [LDPC_ARITHMETIC_FLOAT] = "float",
};
static const char *const schedule_names[] = {
    [LDPC_SCHEDULE_AUTO] = "auto",
    [LDPC_SCHEDULE_LAYERED] = "layered",
    [LDPC_SCHEDULE_FLOODING] = "flooding",
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

_Static_assert(COUNT(algorithm_names) == LDPC_LAST_ALGORITHM + 1, "each algorithm has a name");

static const char *name_at(const char *const *names, size_t count, unsigned value)
{
    return value < count ? names[value] : "unknown";
}

/* Index of a name: *value is left alone when there is no such name. */
static ldpc_status find_name(const char *const *names, size_t count, const char *name, unsigned *value)
{
    if (!name)
        return LDPC_ERR_NULL;
    for (unsigned i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) {
            *value = i;
            return LDPC_OK;
        }
    return LDPC_ERR_PARAM;
}

/* ldpc_<kind>_name() and ldpc_<kind>_parse() of an enumeration. */
#define NAMES_OF(kind)                                                                                       \
    const char *ldpc_##kind##_name(ldpc_##kind value)                                                        \
    {                                                                                                        \
        return name_at(kind##_names, COUNT(kind##_names), (unsigned)value);                                  \
    }                                                                                                        \
    ldpc_status ldpc_##kind##_parse(const char *name, ldpc_##kind *value)                                    \
    {                                                                                                        \
        unsigned found = 0;                                                                                  \
        ldpc_status status =                                                                                 \
            value ? find_name(kind##_names, COUNT(kind##_names), name, &found) : LDPC_ERR_NULL;              \
        if (!status)                                                                                         \
            *value = (ldpc_##kind)found;                                                                     \
        return status;                                                                                       \
    }

NAMES_OF(algorithm)
NAMES_OF(arithmetic)
NAMES_OF(schedule)
