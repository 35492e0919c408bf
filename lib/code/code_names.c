/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes by name: families, list of names, suggestions for unknown names. */
#include <stdio.h>
#include <string.h>

#include "code/code_changes.h"
#include "code/code_internal.h"
#include "code/families.h"
#include "base/status_internal.h"

static const ldpc_family *const families[] = {
    &ldpc_wimax_family,    &ldpc_wifi_family,    &ldpc_dvbs2_family,    &ldpc_dvbt2_family,
    &ldpc_dvbc2_family,    &ldpc_dvbs2x_family,  &ldpc_nr_family,       &ldpc_ccsds_family,
    &ldpc_atsc_family,     &ldpc_wigig_family,   &ldpc_ethernet_family, &ldpc_bds_family,
    &ldpc_ccsds_nb_family, &ldpc_standin_family, &ldpc_alist_family,    &ldpc_qc_family,
    &ldpc_nbalist_family,
};

enum { FAMILIES = sizeof families / sizeof *families };

const char *ldpc_code_list(size_t i)
{
    for (size_t f = 0; f < FAMILIES; f++) {
        size_t count = 0;
        while (families[f]->name && families[f]->name(count)) {
            if (count == i)
                return families[f]->name(i);
            count++;
        }
        i -= count;
    }
    return NULL;
}

const char *ldpc_name_number(const char *name, uint32_t *number)
{
    uint32_t value = 0, digits = 0;
    while (digits < 7 && name[digits] >= '0' && name[digits] <= '9')
        value = 10 * value + (uint32_t)(name[digits++] - '0');
    *number = value;
    return digits > 0 && name[0] != '0' ? name + digits : NULL;
}

static const ldpc_family *find_family(const char *name)
{
    const ldpc_family *found = NULL;
    size_t longest = 0;
    for (size_t f = 0; f < FAMILIES; f++) {
        size_t length = strlen(families[f]->prefix);
        if (length > longest && !strncmp(name, families[f]->prefix, length) && name[length] == ':') {
            found = families[f];
            longest = length;
        }
    }
    return found;
}

/* ---- suggestions */

enum { LONGEST_NAME = 64, SUGGESTIONS = 3, TIES = 2 * LONGEST_NAME };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Computes the edit distances from `a` to the nearest prefix of b and to b, ignoring case. The row minimum
 * never decreases. Therefore the search stops at `limit`. */
static size_t name_distance(const char *a, const char *b, size_t limit)
{
    size_t row[LONGEST_NAME + 1], length = strlen(b);
    if (length > LONGEST_NAME)
        length = LONGEST_NAME;
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 0; a[i] && i < LONGEST_NAME; i++) {
        size_t diagonal = row[0], least = i + 1;
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t best = diagonal + (lower(a[i]) != lower(b[j]));
            diagonal = row[j + 1];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j + 1] + 1 < best)
                best = row[j + 1] + 1;
            row[j + 1] = best;
            least = best < least ? best : least;
        }
        if (least * TIES >= limit)
            return limit;
    }
    size_t prefix = row[length];
    for (size_t j = 0; j < length; j++)
        if (row[j] < prefix)
            prefix = row[j];
    return prefix * TIES + row[length];
}

typedef struct near_name {
    const char *name;
    size_t distance;
} near_name;

static void insert_name(near_name nearest[SUGGESTIONS], near_name candidate)
{
    size_t at = SUGGESTIONS;
    while (at > 0 && (!nearest[at - 1].name || candidate.distance < nearest[at - 1].distance))
        at--;
    if (at == SUGGESTIONS)
        return;
    memmove(nearest + at + 1, nearest + at, (SUGGESTIONS - 1 - at) * sizeof *nearest);
    nearest[at] = candidate;
}

static void find_nearest(const char *name, near_name nearest[SUGGESTIONS])
{
    enum { OTHER_FAMILY = 2 * TIES };
    const ldpc_family *family = find_family(name);
    for (size_t f = 0; f < FAMILIES; f++) {
        size_t extra = families[f] == family ? 0 : OTHER_FAMILY;
        const char *candidate;
        for (size_t i = 0; families[f]->name && (candidate = families[f]->name(i)); i++) {
            const near_name *last = &nearest[SUGGESTIONS - 1];
            size_t limit = !last->name ? SIZE_MAX : last->distance > extra ? last->distance - extra : 0;
            if (limit)
                insert_name(nearest, (near_name){candidate, name_distance(name, candidate, limit) + extra});
        }
    }
}

enum { SUGGESTION = SUGGESTIONS * (LONGEST_NAME + 4) + 32 };

static void suggest(const char *name, const near_name nearest[SUGGESTIONS], char *text)
{
    size_t near = 0, length = 0, written = strlen(name);
    if (written > LONGEST_NAME)
        written = LONGEST_NAME;
    while (near < SUGGESTIONS && 2 * (name_distance(name, nearest[near].name, SIZE_MAX) / TIES) < written)
        near++;
    text[0] = 0;
    for (size_t i = 0; i < near; i++)
        length += (size_t)snprintf(text + length, SUGGESTION - length, "%s%.*s%s",
                                   i == 0         ? " Did you mean "
                                   : i + 1 < near ? ", "
                                                  : " or ",
                                   LONGEST_NAME, nearest[i].name, i + 1 == near ? "?" : "");
}

enum { REASON = 200 };

static ldpc_status fail_name(const char *name, const char *reason, ldpc_error *err)
{
    if (!err)
        return LDPC_ERR_NAME;
    near_name nearest[SUGGESTIONS] = {
        {NULL, 0}
    };
    char suggestion[SUGGESTION];
    find_nearest(name, nearest);
    suggest(name, nearest, suggestion);
    return ldpc_fail(err, LDPC_ERR_NAME, "no code \"%.64s\": %.*s.%s", name, REASON, reason, suggestion);
}

static const char *format_of_file(const char *name)
{
    static const char *const formats[] = {"alist", "qc", "nbalist"};
    const char *dot = strrchr(name, '.');
    for (size_t f = 0; dot && f < sizeof formats / sizeof *formats; f++)
        if (strcmp(dot + 1, formats[f]) == 0)
            return formats[f];
    return NULL;
}

static ldpc_status fail_family(const char *name, ldpc_error *err)
{
    const char *format = format_of_file(name);
    if (format)
        return ldpc_fail(err, LDPC_ERR_NAME,
                         "no code \"%.64s\": expected the format before the file name, \"%s:%.64s\"", name,
                         format, name);
    char reason[REASON];
    size_t length = (size_t)snprintf(reason, sizeof reason, "expected a family and a colon, family one of");
    for (size_t f = 0; f < FAMILIES && length < sizeof reason; f++)
        length += (size_t)snprintf(reason + length, sizeof reason - length, "%s %s", f ? "," : "",
                                   families[f]->prefix);
    return fail_name(name, reason, err);
}

ldpc_status ldpc_code_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    if (code)
        *code = NULL;
    if (!name || !code)
        return ldpc_fail(err, LDPC_ERR_NULL, "name and code must not be NULL");
    const char *changes = ldpc_code_changes_in(name);
    if (changes)
        return ldpc_code_create_with_changes(name, changes, code, err);
    const ldpc_family *family = find_family(name);
    if (!family)
        return fail_family(name, err);
    ldpc_error reason = {""};
    ldpc_status status = family->create(name, code, &reason);
    if (status == LDPC_ERR_NAME)
        return fail_name(name, reason.message, err);
    if (status && err)
        *err = reason;
    if (!status)
        (*code)->three_min = family->three_min;
    return status;
}
