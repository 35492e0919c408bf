/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads MacKay's alist format, binary and over GF(q) (docs/formats.md). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "code/code_file.h"
#include "code/families.h"
#include "code/nonbinary.h"
#include "code/sparse_matrix.h"

/* All columns, or all checks. */
typedef struct alist_side {
    const char *item, *entry;
    uint32_t count, most; /* number of items, largest degree */
    uint32_t *start;
} alist_side;

typedef struct alist {
    bool nonbinary;
    ldpc_field field; /* field of a nonbinary code */
    alist_side columns, checks;
    uint32_t *items; /* [edges] checks of each column */
    uint8_t *values; /* [edges] field values of `items`; q > 2 */
    uint32_t *row_start, *row_items;
    uint8_t *row_values;
    uint32_t *mark; /* [max(columns, checks)] */
    uint32_t *list; /* [largest check degree] */
    uint8_t *list_values;
} alist;

static void alist_close(alist *a)
{
    free(a->columns.start);
    free(a->checks.start);
    free(a->items);
    free(a->values);
    free(a->row_start);
    free(a->row_items);
    free(a->row_values);
    free(a->mark);
    free(a->list);
    free(a->list_values);
}

/* ---- sizes and degrees */

static ldpc_status read_pair(ldpc_text *text, const char *what_a, uint32_t *a, const char *what_b,
                             uint32_t *b)
{
    ldpc_text_next_filled(text);
    ldpc_status status = ldpc_text_number(text, UINT32_MAX, what_a, a);
    return status ? status : ldpc_text_number(text, UINT32_MAX, what_b, b);
}

/* MATLAB pads all lines of a file to the same width with zeros. */
static bool only_zeros_left(const ldpc_text *text)
{
    ldpc_text ahead = *text;
    uint32_t number;
    ahead.err = NULL;
    while (!ldpc_text_line_ended(&ahead))
        if (ldpc_text_number(&ahead, 0, "zero", &number))
            return false;
    return true;
}

static ldpc_status end_line(ldpc_text *text, const char *what)
{
    return only_zeros_left(text)
               ? LDPC_OK
               : ldpc_text_fail(text, "expected the end of the line after %s, found more", what);
}

static ldpc_status read_field(ldpc_text *text, ldpc_field *field)
{
    uint32_t order, polynomial = 0;
    ldpc_status status = ldpc_text_number(text, LDPC_NB_MAX_ORDER, "the field order", &order);
    if (status)
        return status;
    const uint32_t p = ldpc_field_bits(order);
    if (p == 0)
        return ldpc_text_fail(text, "expected a field order of 4, 8, 16, 32, 64, 128 or 256, found %" PRIu32,
                              order);
    if (!ldpc_text_line_ended(text))
        status = ldpc_text_number(text, 2 * order - 1, "a primitive polynomial", &polynomial);
    ldpc_error reason = {""};
    if (!status && ldpc_field_init(field, p, polynomial, &reason))
        return ldpc_text_fail(text, "%.200s", reason.message);
    return status;
}

static ldpc_status read_sizes(ldpc_text *text, size_t length, alist *a)
{
    a->columns.item = "column";
    a->columns.entry = "a check";
    a->checks.item = "check";
    a->checks.entry = "a column";
    ldpc_status status =
        read_pair(text, "the number of columns", &a->columns.count, "the number of checks", &a->checks.count);
    if (!status && !ldpc_text_line_ended(text) && a->columns.count <= 1 && a->checks.count <= 1)
        return ldpc_text_fail(text, "expected the number of columns and checks, found a matrix of zeros and "
                                    "ones: libldpc.code(H).to_alist() of Python converts it");
    if (!status && a->nonbinary)
        status = read_field(text, &a->field);
    if (!status && !a->nonbinary && !only_zeros_left(text))
        return ldpc_text_fail(
            text,
            "expected the end of the line after the sizes, found more: a file over GF(q), which has the "
            "field order there, is read as nbalist:FILE");
    if (!status)
        status = end_line(text, "the sizes");
    if (!status && ldpc_code_size_check(a->checks.count, a->columns.count, 0, NULL))
        return ldpc_text_fail(text,
                              "expected 1 .. %" PRIu32 " columns and 1 .. %" PRIu32 " checks, found %" PRIu32
                              " and %" PRIu32,
                              LDPC_MAX_COLUMNS, LDPC_MAX_CHECKS, a->columns.count, a->checks.count);
    if (!status && (uint64_t)a->columns.count + a->checks.count > length)
        return ldpc_text_fail(
            text, "expected a longer file: %zu bytes cannot hold this number of columns and checks", length);
    if (!status)
        status = read_pair(text, "the largest column degree", &a->columns.most, "the largest check degree",
                           &a->checks.most);
    if (!status)
        status = end_line(text, "the largest degrees");
    if (!status && (a->columns.most > a->checks.count || a->checks.most > a->columns.count))
        return ldpc_text_fail(
            text, "expected largest degrees of at most %" PRIu32 " checks and %" PRIu32 " columns",
            a->checks.count, a->columns.count);
    return status;
}

static ldpc_status read_degrees(ldpc_text *text, alist_side *side)
{
    ldpc_text_next_filled(text);
    for (uint32_t i = 0; i < side->count; i++) {
        if (ldpc_text_line_ended(text))
            return ldpc_text_fail(text,
                                  "expected the degrees of %" PRIu32 " %ss, found %" PRIu32
                                  " numbers (files without the two lines of degrees are not read)",
                                  side->count, side->item, i);
        ldpc_status status = ldpc_text_number(text, side->most, "a degree", &side->start[i + 1]);
        if (status)
            return status;
    }
    if (!only_zeros_left(text))
        return ldpc_text_fail(text, "expected the degrees of %" PRIu32 " %ss, found more", side->count,
                              side->item);
    return LDPC_OK;
}

static bool sum_degrees(alist_side *side, size_t length)
{
    uint64_t edges = 0;
    for (uint32_t i = 0; i < side->count; i++)
        edges += side->start[i + 1];
    if (edges > LDPC_MAX_EDGES || edges > length)
        return false;
    ldpc_sparse_sum(side->start, side->count);
    return true;
}

static ldpc_status read_all_degrees(ldpc_text *text, size_t length, alist *a)
{
    a->columns.start = ldpc_allocate((size_t)a->columns.count + 1, sizeof *a->columns.start);
    a->checks.start = ldpc_allocate((size_t)a->checks.count + 1, sizeof *a->checks.start);
    if (!a->columns.start || !a->checks.start)
        return ldpc_fail_memory(text->err);
    alist_side *sides[] = {&a->columns, &a->checks};
    for (int i = 0; i < 2; i++) {
        ldpc_status status = read_degrees(text, sides[i]);
        if (status)
            return status;
        if (!sum_degrees(sides[i], length))
            return ldpc_text_fail(
                text, "expected at most %" PRIu32 " ones, and fewer than the file has bytes", LDPC_MAX_EDGES);
    }
    uint32_t edges = a->columns.start[a->columns.count];
    if (edges != a->checks.start[a->checks.count])
        return ldpc_text_fail(
            text, "expected check degrees that add up to %" PRIu32 ", the sum of the column degrees", edges);
    return a->nonbinary ? ldpc_nb_size_check(a->checks.count, a->columns.count, edges, text->err) : LDPC_OK;
}

/* ---- lists */

static ldpc_status find_list(ldpc_text *text, const alist_side *side, uint32_t i)
{
    if (side->start[i + 1] > side->start[i]) {
        if (!ldpc_text_next_filled(text))
            return ldpc_text_fail(text, "expected the list of %s %" PRIu32 ", found the end of the file",
                                  side->item, i + 1);
        return LDPC_OK;
    }
    ldpc_text ahead = *text;
    uint32_t number;
    ahead.err = NULL;
    ldpc_text_next(&ahead);
    if (ldpc_text_line_ended(&ahead) || (!ldpc_text_number(&ahead, 0, "zero", &number)))
        *text = (ldpc_text){ahead.next, ahead.end, ahead.at, ahead.stop, ahead.line, text->err};
    return LDPC_OK;
}

static ldpc_status read_value(ldpc_text *text, uint32_t order, uint8_t *value)
{
    uint32_t number;
    ldpc_status status = ldpc_text_number(text, order - 1, "a nonzero field element", &number);
    if (!status && number == 0)
        return ldpc_text_fail(text, "expected a nonzero field element, 1 .. %" PRIu32 ", found 0", order - 1);
    *value = status ? 0 : (uint8_t)number;
    return status;
}

static ldpc_status read_list(ldpc_text *text, const alist *a, const alist_side *side, uint32_t i,
                             uint32_t *items, uint8_t *values)
{
    const uint32_t degree = side->start[i + 1] - side->start[i];
    const uint32_t others = side == &a->columns ? a->checks.count : a->columns.count;
    uint32_t found = 0;
    ldpc_status status = find_list(text, side, i);
    for (bool padding = false; !status && !ldpc_text_line_ended(text);) {
        uint32_t number;
        uint8_t value = 0;
        status = ldpc_text_number(text, others, side->entry, &number);
        padding |= !status && number == 0;
        if (!status && padding && number > 0)
            return ldpc_text_fail(text, "expected only zeros after a zero in the list of %s %" PRIu32,
                                  side->item, i + 1);
        if (!status && !padding && a->nonbinary)
            status = read_value(text, a->field.q, &value);
        if (!status && !padding && found < degree) {
            items[found] = number - 1;
            if (a->nonbinary)
                values[found] = value;
        }
        found += !status && number > 0;
    }
    if (!status && found != degree)
        return ldpc_text_fail(text, "expected %" PRIu32 " entries for %s %" PRIu32 ", found %" PRIu32, degree,
                              side->item, i + 1, found);
    return status;
}

static ldpc_status read_columns(ldpc_text *text, alist *a)
{
    for (uint32_t v = 0; v < a->columns.count; v++) {
        const uint32_t first = a->columns.start[v], end = a->columns.start[v + 1];
        ldpc_status status =
            read_list(text, a, &a->columns, v, a->items + first, a->nonbinary ? a->values + first : NULL);
        if (status)
            return status;
        for (uint32_t e = first; e < end; e++) {
            if (a->mark[a->items[e]] == v + 1)
                return ldpc_text_fail(text, "column %" PRIu32 " lists check %" PRIu32 " twice", v + 1,
                                      a->items[e] + 1);
            a->mark[a->items[e]] = v + 1;
        }
    }
    return LDPC_OK;
}

static void transpose_lists(alist *a)
{
    ldpc_sparse_transpose(a->columns.count, a->checks.count, a->columns.start, a->items, a->row_start,
                          a->row_items);
    if (!a->nonbinary)
        return;
    uint32_t *next = a->mark;
    memcpy(next, a->row_start, a->checks.count * sizeof *next);
    for (uint32_t e = 0; e < a->columns.start[a->columns.count]; e++)
        a->row_values[next[a->items[e]]++] = a->values[e];
}

static ldpc_status compare_check(const ldpc_text *text, alist *a, uint32_t c)
{
    const uint32_t first = a->row_start[c], end = a->row_start[c + 1];
    const uint32_t degree = a->checks.start[c + 1] - a->checks.start[c];
    for (uint32_t e = first; e < end; e++)
        a->mark[a->row_items[e]] = e + 1;
    for (uint32_t i = 0; i < degree; i++) {
        const uint32_t v = a->list[i], at = a->mark[v];
        if (at <= first || at > end)
            return ldpc_text_fail(text,
                                  "check %" PRIu32 " lists column %" PRIu32
                                  ", which does not list that check, or is listed twice",
                                  c + 1, v + 1);
        if (a->nonbinary && a->list_values[i] != a->row_values[at - 1])
            return ldpc_text_fail(text,
                                  "check %" PRIu32 " lists column %" PRIu32
                                  " with value %u, but that column lists the check with value %u",
                                  c + 1, v + 1, a->list_values[i], a->row_values[at - 1]);
        a->mark[v] = 0;
    }
    if (degree != end - first)
        return ldpc_text_fail(text,
                              "check %" PRIu32 " lists %" PRIu32 " columns, but %" PRIu32 " columns list it",
                              c + 1, degree, end - first);
    return LDPC_OK;
}

static ldpc_status compare_checks(ldpc_text *text, alist *a)
{
    transpose_lists(a);
    memset(a->mark, 0, a->columns.count * sizeof *a->mark);
    for (uint32_t c = 0; c < a->checks.count; c++) {
        ldpc_status status = read_list(text, a, &a->checks, c, a->list, a->list_values);
        if (!status)
            status = compare_check(text, a, c);
        if (status)
            return status;
    }
    if (ldpc_text_next_filled(text))
        return ldpc_text_fail(text, "expected the end of the file after the lists of the checks, found more");
    return LDPC_OK;
}

static bool allocate_lists(alist *a)
{
    const uint32_t edges = a->columns.start[a->columns.count];
    const uint32_t marks = a->columns.count > a->checks.count ? a->columns.count : a->checks.count;
    a->items = ldpc_allocate(edges, sizeof *a->items);
    a->row_start = ldpc_allocate((size_t)a->checks.count + 1, sizeof *a->row_start);
    a->row_items = ldpc_allocate(edges, sizeof *a->row_items);
    a->mark = ldpc_allocate(marks, sizeof *a->mark);
    a->list = ldpc_allocate(a->checks.most, sizeof *a->list);
    if (a->nonbinary) {
        a->values = ldpc_allocate(edges, 1);
        a->row_values = ldpc_allocate(edges, 1);
        a->list_values = ldpc_allocate(a->checks.most, 1);
    }
    return a->items && a->row_start && a->row_items && a->mark && a->list &&
           (!a->nonbinary || (a->values && a->row_values && a->list_values));
}

static ldpc_status read_lists(ldpc_text *text, alist *a)
{
    if (!allocate_lists(a))
        return ldpc_fail_memory(text->err);
    ldpc_status status = read_columns(text, a);
    return status ? status : compare_checks(text, a);
}

/* ---- the code */

static ldpc_status make_binary(const alist *a, const char *name, ldpc_code **code, ldpc_error *err)
{
    ldpc_code_builder builder;
    if (ldpc_code_builder_open(&builder, 1, a->checks.count, a->columns.count, err))
        return LDPC_ERR_MEMORY;
    for (uint32_t v = 0; v < a->columns.count; v++)
        for (uint32_t e = a->columns.start[v]; e < a->columns.start[v + 1]; e++)
            ldpc_code_builder_add(&builder, a->items[e], v, 0);
    return ldpc_code_builder_finish(&builder, name, "", code, err);
}

static ldpc_status make_nonbinary(const alist *a, const char *name, ldpc_code **code, ldpc_error *err)
{
    const uint32_t edges = a->columns.start[a->columns.count];
    ldpc_nb_entry *entries = ldpc_allocate(edges, sizeof *entries);
    if (!entries)
        return ldpc_fail_memory(err);
    for (uint32_t v = 0; v < a->columns.count; v++)
        for (uint32_t e = a->columns.start[v]; e < a->columns.start[v + 1]; e++)
            entries[e] = (ldpc_nb_entry){a->items[e], v, a->values[e]};
    ldpc_status status = ldpc_nb_code_create(a->checks.count, a->columns.count, &a->field, entries, edges,
                                             name, "", code, err);
    free(entries);
    return status;
}

static ldpc_status read_alist(bool nonbinary, const char *content, size_t length, const char *name,
                              ldpc_code **code, ldpc_error *err)
{
    alist a = {.nonbinary = nonbinary};
    ldpc_text text = ldpc_text_open(content, length, err);
    ldpc_status status = read_sizes(&text, length, &a);
    if (!status)
        status = read_all_degrees(&text, length, &a);
    if (!status)
        status = read_lists(&text, &a);
    if (!status)
        status = nonbinary ? make_nonbinary(&a, name, code, err) : make_binary(&a, name, code, err);
    alist_close(&a);
    return status;
}

static ldpc_status alist_read(const char *content, size_t length, const char *name, ldpc_code **code,
                              ldpc_error *err)
{
    return read_alist(false, content, length, name, code, err);
}

static ldpc_status nbalist_read(const char *content, size_t length, const char *name, ldpc_code **code,
                                ldpc_error *err)
{
    return read_alist(true, content, length, name, code, err);
}

static ldpc_status alist_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    return ldpc_code_from_file(name, alist_read, code, err);
}

static ldpc_status nbalist_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    return ldpc_code_from_file(name, nbalist_read, code, err);
}

const ldpc_family ldpc_alist_family = {.prefix = "alist", .name = NULL, .create = alist_create};
const ldpc_family ldpc_nbalist_family = {.prefix = "nbalist", .name = NULL, .create = nbalist_create};

static ldpc_status create_from_text(ldpc_text_reader *reader, const char *text, size_t length,
                                    const char *name, ldpc_code **code, ldpc_error *err)
{
    if (code)
        *code = NULL;
    if (!text || !code)
        return ldpc_fail(err, LDPC_ERR_NULL, "text and code must not be NULL");
    return reader(text, length, name, code, err);
}

ldpc_status ldpc_code_create_alist(const char *text, size_t length, ldpc_code **code, ldpc_error *err)
{
    return create_from_text(alist_read, text, length, "alist", code, err);
}

ldpc_status ldpc_code_create_nbalist(const char *text, size_t length, ldpc_code **code, ldpc_error *err)
{
    return create_from_text(nbalist_read, text, length, "nbalist", code, err);
}
