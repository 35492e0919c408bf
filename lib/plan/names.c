/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of algorithms, arithmetics and schedules. */
#include <string.h>

#include "base/status_internal.h"
#include "plan/algorithms.h"
#include "plan/rule_list.h"

static const char *const algorithm_names[] = {[LDPC_ALGORITHM_AUTO] = "auto",
#define NAME(constant, value, name, reads_third) [LDPC_ALGORITHM_##constant] = name,
                                              LDPC_EACH_RULE(NAME)
#undef NAME
};

#define SAME_VALUE(constant, value, name, reads_third)                                                       \
    _Static_assert(LDPC_ALGORITHM_##constant == (value), "rule_list.h has the value of " name);
LDPC_EACH_RULE(SAME_VALUE)
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

/* Defines ldpc_<kind>_name() and ldpc_<kind>_parse(). */
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

/* ---- "offset:1", "normalized:0.75" */

/* Reads a decimal number. strtof() would depend on the locale. */
static bool read_decimal(const char *text, float *value)
{
    double digits = 0, unit = 1;
    bool point = false, any = false;
    for (; *text; text++) {
        if (*text == '.' && !point) {
            point = true;
            continue;
        }
        if (*text < '0' || *text > '9')
            return false;
        any = true;
        digits = 10 * digits + (*text - '0');
        unit *= point ? 10 : 1;
    }
    *value = (float)(digits / unit);
    return any && *value < 1e6f;
}

#define NAME_AFTER_COMMA(constant, value, name, reads_third) ", " name

static ldpc_status parse_beginning(const char *text, ldpc_algorithm *algorithm, ldpc_error *err)
{
    char name[32] = "";
    size_t length = strcspn(text, ":");
    if (length < sizeof name)
        memcpy(name, text, length);
    if (ldpc_algorithm_parse(name, algorithm))
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "algorithm: expected auto" LDPC_EACH_RULE(
                             NAME_AFTER_COMMA) ", offset:STEPS or normalized:FACTOR, found \"%s\"",
                         text);
    return LDPC_OK;
}

static ldpc_status set_number(ldpc_decoder_params *params, ldpc_algorithm algorithm, const char *text,
                              ldpc_error *err)
{
    const bool offset = algorithm == LDPC_ALGORITHM_OFFSET_MIN_SUM;
    ldpc_decoder_params defaults;
    ldpc_decoder_params_init(&defaults);
    float value;
    if (!offset && algorithm != LDPC_ALGORITHM_NORMALIZED_MIN_SUM)
        return ldpc_fail(err, LDPC_ERR_PARAM,
                         "algorithm \"%s\": only offset and normalized take a value after a colon", text);
    if (offset ? params->offset != defaults.offset : params->factor != defaults.factor)
        return ldpc_fail(err, LDPC_ERR_PARAM, "algorithm \"%s\": the %s is given twice", text,
                         offset ? "offset" : "factor");
    if (!read_decimal(strchr(text, ':') + 1, &value) || (!offset && value == 0))
        return ldpc_fail(err, LDPC_ERR_PARAM, "algorithm \"%s\": expected a number of %s after the colon",
                         text, offset ? "0 .. 63" : "0.0625 .. 1");
    *(offset ? &params->offset : &params->factor) = value;
    return LDPC_OK;
}

ldpc_status ldpc_decoder_params_set_algorithm(ldpc_decoder_params *params, const char *text, ldpc_error *err)
{
    ldpc_algorithm algorithm;
    if (!params || !text)
        return ldpc_fail(err, LDPC_ERR_NULL, "params and text must not be NULL");
    ldpc_status status = parse_beginning(text, &algorithm, err);
    if (!status && strchr(text, ':'))
        status = set_number(params, algorithm, text, err);
    if (!status)
        params->algorithm = algorithm;
    return status;
}
