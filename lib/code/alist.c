/* SPDX-License-Identifier: BSD-3-Clause */
/* MacKay's alist format (docs/formats.md): sizes, largest degrees, degrees, the checks of each column, the
 * columns of each check. Lists may be padded with zeros. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "code/families.h"
#include "base/memory.h"
#include "code/code_file.h"
#include "code/sparse_matrix.h"
#include "code/triangulation.h"
#include "code/nonbinary.h"

/* One side of the matrix: columns with their checks, or checks with their columns. */
typedef struct alist_side {
    const char *item, *other; /* "column" and "check", or the other way round */
    uint32_t count, most;     /* how many, largest degree */
    uint32_t *start;          /* [count + 1] */
} alist_side;

static ldpc_status read_pair(ldpc_text *text, const char *what_a, uint32_t *a, const char *what_b,
                             uint32_t *b)
{
    ldpc_text_next_filled(text);
    ldpc_status status = ldpc_text_number(text, UINT32_MAX, what_a, a);
    if (!status)
        status = ldpc_text_number(text, UINT32_MAX, what_b, b);
    if (!status && !ldpc_text_line_ended(text))
        status = ldpc_text_fail(text, "expected two numbers, %s and %s, found more", what_a, what_b);
    return status;
}

static ldpc_status read_degrees(ldpc_text *text, alist_side *side)
{
    ldpc_text_next_filled(text);
    for (uint32_t i = 0; i < side->count; i++) {
        if (ldpc_text_line_ended(text))
            return ldpc_text_fail(text, "expected the degrees of %" PRIu32 " %ss, found %" PRIu32,
                                  side->count, side->item, i);
        ldpc_status status = ldpc_text_number(text, side->most, "a degree", &side->start[i + 1]);
        if (status)
            return status;
    }
    if (!ldpc_text_line_ended(text))
        return ldpc_text_fail(text, "expected the degrees of %" PRIu32 " %ss, found more", side->count,
                              side->item);
    return LDPC_OK;
}

/* Go to the line of a list. One without entries may be a blank line, a line of zeros, or no line at all. */
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

/* As many entries as the degree says, then nothing but zeros. */
static ldpc_status read_list(ldpc_text *text, const alist_side *side, uint32_t i, uint32_t others,
                             uint32_t *items)
{
    uint32_t degree = side->start[i + 1] - side->start[i], found = 0;
    ldpc_status status = find_list(text, side, i);
    for (bool padding = false; !status && !ldpc_text_line_ended(text);) {
        uint32_t number;
        status = ldpc_text_number(text, others, side->other, &number);
        padding |= !status && number == 0;
        if (!status && !padding && found < degree)
            items[found] = number - 1;
        found += !status && number > 0;
        if (!status && padding && number > 0)
            return ldpc_text_fail(text, "expected only zeros after a zero in the list of %s %" PRIu32,
                                  side->item, i + 1);
    }
    if (!status && found != degree)
        return ldpc_text_fail(text, "expected %" PRIu32 " entries for %s %" PRIu32 ", found %" PRIu32, degree,
                              side->item, i + 1, found);
    return status;
}

/* ---- the whole file */

typedef struct alist {
    alist_side columns, checks;
    uint32_t *items;  /* [ones] the checks of each column */
    uint32_t *mark;   /* [max(columns, checks) + 1] scratch: where a number was met last */
    uint32_t *list;   /* [checks] one list */
    uint32_t *starts; /* [checks + 1], with sorted: the columns of each check according to items */
    uint32_t *sorted; /* [ones] */
} alist;

static void alist_close(alist *a)
{
    free(a->columns.start);
    free(a->checks.start);
    free(a->items);
    free(a->mark);
    free(a->list);
    free(a->starts);
    free(a->sorted);
}

static ldpc_status read_sizes(ldpc_text *text, size_t length, alist *a)
{
    a->columns.item = a->checks.other = "column";
    a->checks.item = a->columns.other = "check";
    ldpc_status status =
        read_pair(text, "the number of columns", &a->columns.count, "the number of checks", &a->checks.count);
    if (!status && ldpc_code_size_check(a->checks.count, a->columns.count, 0, NULL))
        return ldpc_text_fail(text, "expected 1 .. %" PRIu32 " columns and 1 .. %" PRIu32 " checks",
                              LDPC_MAX_COLUMNS, LDPC_MAX_CHECKS);
    if (!status && (uint64_t)a->columns.count + a->checks.count > length)
        return ldpc_text_fail(
            text, "expected a longer file: %zu bytes cannot hold so many columns and checks", length);
    if (!status)
        status = read_pair(text, "the largest column degree", &a->columns.most, "the largest check degree",
                           &a->checks.most);
    if (!status && (a->columns.most > a->checks.count || a->checks.most > a->columns.count))
        return ldpc_text_fail(text, "expected degrees of at most %" PRIu32 " checks and %" PRIu32 " columns",
                              a->checks.count, a->columns.count);
    return status;
}

/* From degrees to starts; false when there are more ones than the limit or the file's bytes. */
static bool sum_degrees(alist_side *side, size_t length)
{
    uint64_t ones = 0;
    for (uint32_t i = 0; i < side->count; i++)
        ones += side->start[i + 1];
    if (ones > LDPC_MAX_EDGES || ones > length)
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
    uint32_t ones = a->columns.start[a->columns.count];
    if (ones != a->checks.start[a->checks.count])
        return ldpc_text_fail(
            text, "expected check degrees that add up to %" PRIu32 ", the sum of the column degrees", ones);
    return LDPC_OK;
}

static ldpc_status read_columns(ldpc_text *text, alist *a)
{
    for (uint32_t v = 0; v < a->columns.count; v++) {
        uint32_t *items = a->items + a->columns.start[v];
        ldpc_status status = read_list(text, &a->columns, v, a->checks.count, items);
        if (status)
            return status;
        for (uint32_t e = 0; e < a->columns.start[v + 1] - a->columns.start[v]; e++) {
            if (a->mark[items[e]] == v + 1)
                return ldpc_text_fail(text, "column %" PRIu32 " lists check %" PRIu32 " twice", v + 1,
                                      items[e] + 1);
            a->mark[items[e]] = v + 1;
        }
    }
    return LDPC_OK;
}

/* The lists of the checks say nothing new: they have to agree with those of the columns. */
static ldpc_status compare_checks(ldpc_text *text, alist *a)
{
    ldpc_sparse_transpose(a->columns.count, a->checks.count, a->columns.start, a->items, a->starts,
                          a->sorted);
    memset(a->mark, 0, ((size_t)a->columns.count + 1) * sizeof *a->mark);
    for (uint32_t c = 0; c < a->checks.count; c++) {
        ldpc_status status = read_list(text, &a->checks, c, a->columns.count, a->list);
        if (status)
            return status;
        for (uint32_t e = a->starts[c]; e < a->starts[c + 1]; e++)
            a->mark[a->sorted[e]] = c + 1;
        uint32_t degree = a->checks.start[c + 1] - a->checks.start[c];
        for (uint32_t e = 0; e < degree; e++) {
            if (a->mark[a->list[e]] != c + 1)
                return ldpc_text_fail(text,
                                      "check %" PRIu32 " lists column %" PRIu32
                                      ", which does not list that check, or is listed twice",
                                      c + 1, a->list[e] + 1);
            a->mark[a->list[e]] = 0;
        }
        if (degree != a->starts[c + 1] - a->starts[c])
            return ldpc_text_fail(
                text, "check %" PRIu32 " lists %" PRIu32 " columns, but %" PRIu32 " columns list it", c + 1,
                degree, a->starts[c + 1] - a->starts[c]);
    }
    if (ldpc_text_next_filled(text))
        return ldpc_text_fail(text, "expected the end of the file");
    return LDPC_OK;
}

static ldpc_status read_lists(ldpc_text *text, alist *a)
{
    uint32_t ones = a->columns.start[a->columns.count];
    uint32_t marks = a->columns.count > a->checks.count ? a->columns.count : a->checks.count;
    a->items = ldpc_allocate(ones, sizeof *a->items);
    a->mark = ldpc_allocate((size_t)marks + 1, sizeof *a->mark);
    a->list = ldpc_allocate(a->checks.most, sizeof *a->list);
    a->starts = ldpc_allocate((size_t)a->checks.count + 1, sizeof *a->starts);
    a->sorted = ldpc_allocate(ones, sizeof *a->sorted);
    if (!a->items || !a->mark || !a->list || !a->starts || !a->sorted)
        return ldpc_fail_memory(text->err);
    ldpc_status status = read_columns(text, a);
    return status ? status : compare_checks(text, a);
}

static ldpc_status make_code(const alist *a, const char *name, ldpc_code **code, ldpc_error *err)
{
    ldpc_code_builder builder;
    if (ldpc_code_builder_open(&builder, 1, a->checks.count, a->columns.count, err))
        return LDPC_ERR_MEMORY;
    for (uint32_t v = 0; v < a->columns.count; v++)
        for (uint32_t e = a->columns.start[v]; e < a->columns.start[v + 1]; e++)
            ldpc_code_builder_add(&builder, a->items[e], v, 0);
    return ldpc_code_builder_finish(&builder, name, "", code, err);
}

static ldpc_status alist_read(const char *content, size_t length, const char *name, ldpc_code **code,
                              ldpc_error *err)
{
    alist a = {0};
    ldpc_text text = ldpc_text_open(content, length, err);
    ldpc_status status = read_sizes(&text, length, &a);
    if (!status)
        status = read_all_degrees(&text, length, &a);
    if (!status)
        status = read_lists(&text, &a);
    if (!status)
        status = make_code(&a, name, code, err);
    alist_close(&a);
    return status;
}

static ldpc_status alist_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    return ldpc_code_from_file(name, alist_read, code, err);
}

const ldpc_family ldpc_alist_family = {"alist", NULL, alist_create};

ldpc_status ldpc_code_create_alist(const char *text, size_t length, ldpc_code **code, ldpc_error *err)
{
    if (code)
        *code = NULL;
    if (!text || !code)
        return ldpc_fail(err, LDPC_ERR_NULL, "text and code must not be NULL");
    return alist_read(text, length, "alist", code, err);
}

/* ---- writing */

static void write_degrees(ldpc_sink *sink, const uint32_t *start, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ldpc_sink_text(sink, i ? " " : "");
        ldpc_sink_number(sink, start[i + 1] - start[i]);
    }
    ldpc_sink_text(sink, "\n");
}

static void write_lists(ldpc_sink *sink, const uint32_t *start, const uint32_t *items, uint32_t count,
                        uint32_t most)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t e = 0; e < most; e++) {
            ldpc_sink_text(sink, e ? " " : "");
            ldpc_sink_number(sink, e < start[i + 1] - start[i] ? items[start[i] + e] + 1 : 0);
        }
        ldpc_sink_text(sink, "\n");
    }
}

static void write_pair(ldpc_sink *sink, uint32_t a, uint32_t b)
{
    ldpc_sink_number(sink, a);
    ldpc_sink_text(sink, " ");
    ldpc_sink_number(sink, b);
    ldpc_sink_text(sink, "\n");
}

ldpc_status ldpc_code_write_alist(const ldpc_code *code, char *text, size_t capacity, size_t *needed)
{
    ldpc_sink sink = {.text = text, .capacity = capacity};
    ldpc_columns columns;
    if (!code || !needed)
        return LDPC_ERR_NULL;
    if (code->nb)
        return ldpc_nb_write_alist(code, text, capacity, needed);
    if (ldpc_columns_open(&columns, code))
        return LDPC_ERR_MEMORY;
    write_pair(&sink, code->columns, code->checks);
    write_pair(&sink, code->max_variable_degree, code->max_check_degree);
    write_degrees(&sink, columns.start, code->columns);
    write_degrees(&sink, code->row_start, code->checks);
    write_lists(&sink, columns.start, columns.checks, code->columns, code->max_variable_degree);
    write_lists(&sink, code->row_start, code->row_columns, code->checks, code->max_check_degree);
    ldpc_columns_close(&columns);
    return ldpc_sink_close(&sink, needed);
}
