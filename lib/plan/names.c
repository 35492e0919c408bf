/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of algorithms, arithmetics and schedules, for files and command lines. */
#include <string.h>

#include "ldpc/decoder.h"

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

static const char *name_at(const char *const *names, size_t count, unsigned value)
{
    return value < count ? names[value] : "unknown";
}

/* Index of a name, or `count`. */
static unsigned name_find(const char *const *names, size_t count, const char *name)
{
    unsigned i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

const char *ldpc_algorithm_name(ldpc_algorithm algorithm)
{
    return name_at(algorithm_names, COUNT(algorithm_names), (unsigned)algorithm);
}

const char *ldpc_arithmetic_name(ldpc_arithmetic arithmetic)
{
    return name_at(arithmetic_names, COUNT(arithmetic_names), (unsigned)arithmetic);
}

const char *ldpc_schedule_name(ldpc_schedule schedule)
{
    return name_at(schedule_names, COUNT(schedule_names), (unsigned)schedule);
}

ldpc_status ldpc_algorithm_parse(const char *name, ldpc_algorithm *algorithm)
{
    if (!name || !algorithm)
        return LDPC_ERR_NULL;
    unsigned i = name_find(algorithm_names, COUNT(algorithm_names), name);
    if (i == COUNT(algorithm_names))
        return LDPC_ERR_PARAM;
    *algorithm = (ldpc_algorithm)i;
    return LDPC_OK;
}

ldpc_status ldpc_arithmetic_parse(const char *name, ldpc_arithmetic *arithmetic)
{
    if (!name || !arithmetic)
        return LDPC_ERR_NULL;
    unsigned i = name_find(arithmetic_names, COUNT(arithmetic_names), name);
    if (i == COUNT(arithmetic_names))
        return LDPC_ERR_PARAM;
    *arithmetic = (ldpc_arithmetic)i;
    return LDPC_OK;
}

ldpc_status ldpc_schedule_parse(const char *name, ldpc_schedule *schedule)
{
    if (!name || !schedule)
        return LDPC_ERR_NULL;
    unsigned i = name_find(schedule_names, COUNT(schedule_names), name);
    if (i == COUNT(schedule_names))
        return LDPC_ERR_PARAM;
    *schedule = (ldpc_schedule)i;
    return LDPC_OK;
}
