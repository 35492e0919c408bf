/* SPDX-License-Identifier: BSD-3-Clause */
/* q-ary alist text (docs/nonbinary.md): MacKay's alist with the field order in the first line and a value
 * after every index.
 *
 *     columns checks order [polynomial]
 *     largest column degree, largest check degree
 *     the degrees of all columns, the degrees of all checks (a line each)
 *     a line for each column: check value check value ...       (1-based; short lists may be filled up with
 * zeros) a line for each check: column value column value ...
 */
#include <inttypes.h>
#include <stdlib.h>

#include "code/families.h"
#include "base/memory.h"
#include "code/code_file.h"
#include "base/status_internal.h"
#include "code/nonbinary.h"

typedef struct nb_alist {
    uint32_t columns, checks, order, most_checks, most_columns;
    ldpc_field field;
    uint32_t *degree; /* [columns + checks] */
    size_t count;
    ldpc_nb_entry *entries;
} nb_alist;

/* A number least .. most. */
static ldpc_status read_number(ldpc_text *text, uint32_t least, uint32_t most, const char *what,
                               uint32_t *number)
{
    ldpc_status status = ldpc_text_number(text, most, what, number);
    if (!status && *number < least)
        return ldpc_text_fail(text, "expected %s, %" PRIu32 " .. %" PRIu32 ", found %" PRIu32, what, least,
                              most, *number);
    return status;
}

static ldpc_status line_end(ldpc_text *text, const char *what)
{
    return ldpc_text_line_ended(text) ? LDPC_OK
                                      : ldpc_text_fail(text, "expected the end of the line after %s", what);
}

/* What is left of the first line: nothing, or a polynomial. */
static ldpc_status read_field(ldpc_text *text, nb_alist *a)
{
    uint32_t p = ldpc_field_bits(a->order), polynomial = 0;
    ldpc_error reason = {""};
    if (p == 0)
        return ldpc_text_fail(text, "expected a field order of 4, 8, 16, 32, 64, 128 or 256, found %" PRIu32,
                              a->order);
    ldpc_status status = LDPC_OK;
    if (!ldpc_text_line_ended(text))
        status = read_number(text, a->order, 2 * a->order - 1, "a primitive polynomial", &polynomial);
    if (!status && ldpc_field_init(&a->field, p, polynomial, &reason))
        return ldpc_text_fail(text, "%.200s", reason.message);
    return status ? status : line_end(text, "the sizes");
}

static ldpc_status read_sizes(ldpc_text *text, size_t length, nb_alist *a)
{
    ldpc_text_next_filled(text);
    ldpc_status status = read_number(text, 1, LDPC_MAX_COLUMNS, "the number of columns", &a->columns);
    if (!status)
        status = read_number(text, 1, LDPC_MAX_CHECKS, "the number of checks", &a->checks);
    if (!status)
        status = read_number(text, 4, LDPC_NB_MAX_ORDER, "the field order", &a->order);
    if (!status)
        status = read_field(text, a);
    if (!status && (uint64_t)a->columns + a->checks > length)
        return ldpc_text_fail(
            text, "expected a longer file: %zu bytes cannot hold so many columns and checks", length);
    ldpc_text_next_filled(text);
    if (!status)
        status = read_number(text, 1, a->checks, "the largest column degree", &a->most_checks);
    if (!status)
        status = read_number(text, 1, a->columns, "the largest check degree", &a->most_columns);
    return status ? status : line_end(text, "the largest degrees");
}

static ldpc_status read_degrees(ldpc_text *text, uint32_t count, uint32_t most, uint32_t *degree,
                                uint64_t *sum)
{
    ldpc_text_next_filled(text);
    *sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        ldpc_status status = ldpc_text_number(text, most, "a degree", &degree[i]);
        if (status)
            return status;
        *sum += degree[i];
    }
    return line_end(text, "the degrees");
}

static ldpc_status read_all_degrees(ldpc_text *text, size_t length, nb_alist *a)
{
    uint64_t sums[2] = {0};
    a->degree = ldpc_allocate((size_t)a->columns + a->checks, sizeof *a->degree);
    if (!a->degree)
        return ldpc_fail_memory(text->err);
    ldpc_status status = read_degrees(text, a->columns, a->most_checks, a->degree, &sums[0]);
    if (!status)
        status = read_degrees(text, a->checks, a->most_columns, a->degree + a->columns, &sums[1]);
    if (!status && (sums[0] != sums[1] || sums[0] > length))
        return ldpc_text_fail(text,
                              "expected check degrees that add up to %" PRIu64
                              ", the sum of the column degrees, and no more than the file has bytes",
                              sums[0]);
    a->count = (size_t)sums[0];
    return status;
}

/* The next "index value" of a list. */
static ldpc_status read_element(ldpc_text *text, uint32_t most, const char *what, uint32_t order,
                                uint32_t *index, uint32_t *value)
{
    ldpc_status status = read_number(text, 1, most, what, index);
    return status ? status : read_number(text, 1, order - 1, "a nonzero field element", value);
}

/* Only zeros may fill up a list. */
static ldpc_status read_filling(ldpc_text *text)
{
    uint32_t zero;
    while (!ldpc_text_line_ended(text)) {
        ldpc_status status = ldpc_text_number(text, 0, "zeros up to the end of the line", &zero);
        if (status)
            return status;
    }
    return LDPC_OK;
}

/* The line of a list; one that is empty may be a blank line or a line of zeros. */
static void find_list(ldpc_text *text, uint32_t degree)
{
    if (degree)
        ldpc_text_next_filled(text);
    else
        ldpc_text_next(text);
}

/* The column lists make the matrix. */
static ldpc_status read_columns(ldpc_text *text, nb_alist *a)
{
    ldpc_nb_entry *entry = a->entries;
    for (uint32_t v = 0; v < a->columns; v++) {
        find_list(text, a->degree[v]);
        for (uint32_t i = 0; i < a->degree[v]; i++) {
            uint32_t c, value;
            ldpc_status status = read_element(text, a->checks, "a check", a->order, &c, &value);
            if (status)
                return status;
            for (uint32_t earlier = 1; earlier <= i; earlier++)
                if (entry[-(ptrdiff_t)earlier].check == c - 1)
                    return ldpc_text_fail(text, "column %" PRIu32 " lists check %" PRIu32 " twice", v + 1, c);
            *entry++ = (ldpc_nb_entry){c - 1, v, (uint8_t)value};
        }
        ldpc_status status = read_filling(text);
        if (status)
            return status;
    }
    return LDPC_OK;
}

static bool has_element(const ldpc_code *code, uint32_t c, uint32_t v, uint32_t value)
{
    for (uint32_t e = code->row_start[c]; e < code->row_start[c + 1]; e++)
        if (code->row_columns[e] == v)
            return code->row_coefficients[e] == value;
    return false;
}

/* The check lists have to tell the same. */
static ldpc_status compare_checks(ldpc_text *text, const nb_alist *a, const ldpc_code *code)
{
    for (uint32_t c = 0; c < code->checks; c++) {
        uint32_t degree = a->degree[a->columns + c], last = 0;
        find_list(text, degree);
        if (degree != code->row_start[c + 1] - code->row_start[c])
            return ldpc_text_fail(text,
                                  "check %" PRIu32 " has degree %" PRIu32 ", but %" PRIu32 " columns list it",
                                  c + 1, degree, code->row_start[c + 1] - code->row_start[c]);
        for (uint32_t i = 0; i < degree; i++) {
            uint32_t v, value;
            ldpc_status status = read_element(text, a->columns, "a column", a->order, &v, &value);
            if (status)
                return status;
            if (v == last || !has_element(code, c, v - 1, value))
                return ldpc_text_fail(text,
                                      "check %" PRIu32 " lists column %" PRIu32 " with value %" PRIu32
                                      ", which the list of that column does not say",
                                      c + 1, v, value);
            last = v;
        }
        ldpc_status status = read_filling(text);
        if (status)
            return status;
    }
    return ldpc_text_next_filled(text) ? ldpc_text_fail(text, "expected the end of the file") : LDPC_OK;
}

static ldpc_status read_lists(ldpc_text *text, nb_alist *a, const char *name, ldpc_code **code)
{
    ldpc_status status = ldpc_nb_size_check(a->checks, a->columns, a->count, text->err);
    if (status)
        return status;
    a->entries = ldpc_allocate(a->count, sizeof *a->entries);
    if (!a->entries)
        return ldpc_fail_memory(text->err);
    status = read_columns(text, a);
    if (!status)
        status = ldpc_nb_code_create(a->checks, a->columns, &a->field, a->entries, a->count, name, "", code,
                                     text->err);
    if (status)
        return status;
    status = compare_checks(text, a, *code);
    if (status) {
        ldpc_code_destroy(*code);
        *code = NULL;
    }
    return status;
}

static ldpc_status nbalist_read(const char *content, size_t length, const char *name, ldpc_code **code,
                                ldpc_error *err)
{
    nb_alist a = {0};
    ldpc_text text = ldpc_text_open(content, length, err);
    ldpc_status status = read_sizes(&text, length, &a);
    if (!status)
        status = read_all_degrees(&text, length, &a);
    if (!status)
        status = read_lists(&text, &a, name, code);
    free(a.degree);
    free(a.entries);
    return status;
}

static ldpc_status nbalist_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    return ldpc_code_from_file(name, nbalist_read, code, err);
}

const ldpc_family ldpc_nbalist_family = {"nbalist", NULL, nbalist_create};

ldpc_status ldpc_code_create_nbalist(const char *text, size_t length, ldpc_code **code, ldpc_error *err)
{
    if (code)
        *code = NULL;
    if (!text || !code)
        return ldpc_fail(err, LDPC_ERR_NULL, "text and code must not be NULL");
    return nbalist_read(text, length, "nbalist", code, err);
}

/* ---- writing */

static void write_number(ldpc_sink *sink, uint32_t number, const char *behind)
{
    ldpc_sink_number(sink, number);
    ldpc_sink_text(sink, behind);
}

static void write_degrees(ldpc_sink *sink, const uint32_t *start, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        write_number(sink, start[i + 1] - start[i], i + 1 < count ? " " : "\n");
}

static void write_columns(ldpc_sink *sink, const ldpc_code *code)
{
    const ldpc_nb *nb = code->nb;
    for (uint32_t v = 0; v < code->columns; v++) {
        uint32_t c = 0; /* edges ascend, and so do the checks that hold them */
        for (uint32_t i = nb->variable_start[v]; i < nb->variable_start[v + 1]; i++) {
            while (code->row_start[c + 1] <= nb->variable_edges[i])
                c++;
            ldpc_sink_text(sink, i > nb->variable_start[v] ? " " : "");
            write_number(sink, c + 1, " ");
            ldpc_sink_number(sink, code->row_coefficients[nb->variable_edges[i]]);
        }
        ldpc_sink_text(sink, "\n");
    }
}

static void write_checks(ldpc_sink *sink, const ldpc_code *code)
{
    for (uint32_t c = 0; c < code->checks; c++) {
        for (uint32_t e = code->row_start[c]; e < code->row_start[c + 1]; e++) {
            ldpc_sink_text(sink, e > code->row_start[c] ? " " : "");
            write_number(sink, code->row_columns[e] + 1, " ");
            ldpc_sink_number(sink, code->row_coefficients[e]);
        }
        ldpc_sink_text(sink, "\n");
    }
}

ldpc_status ldpc_nb_write_alist(const ldpc_code *code, char *text, size_t capacity, size_t *needed)
{
    const ldpc_field *field = &code->nb->field;
    ldpc_sink sink = {.text = text, .capacity = capacity};
    bool usual = field->polynomial == ldpc_field_usual_polynomial(field->p);
    write_number(&sink, code->columns, " ");
    write_number(&sink, code->checks, " ");
    write_number(&sink, code->order, usual ? "\n" : " ");
    if (!usual)
        write_number(&sink, field->polynomial, "\n");
    write_number(&sink, code->max_variable_degree, " ");
    write_number(&sink, code->max_check_degree, "\n");
    write_degrees(&sink, code->nb->variable_start, code->columns);
    write_degrees(&sink, code->row_start, code->checks);
    write_columns(&sink, code);
    write_checks(&sink, code);
    return ldpc_sink_close(&sink, needed);
}
