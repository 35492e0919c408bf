/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes MacKay's alist format (docs/formats.md). For binary codes, short lists are padded with zeros. */
#include "base/text.h"
#include "code/nonbinary.h"
#include "code/triangulation.h"

/* Item i: items[start[i] .. start[i + 1]). */
typedef struct entry_lists {
    const uint32_t *start, *items;
    uint32_t count, most; /* number of items; largest degree */
    const uint16_t *coefficients;
    const uint32_t *edges;
} entry_lists;

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

static void write_entry(ldpc_sink *sink, const entry_lists *lists, uint32_t e)
{
    ldpc_sink_number(sink, lists->items[e] + 1);
    if (lists->coefficients) {
        ldpc_sink_text(sink, " ");
        ldpc_sink_number(sink, lists->coefficients[lists->edges ? lists->edges[e] : e]);
    }
}

static void write_lists(ldpc_sink *sink, const entry_lists *lists)
{
    for (uint32_t i = 0; i < lists->count; i++) {
        const uint32_t first = lists->start[i], degree = lists->start[i + 1] - first;
        const uint32_t entries = lists->coefficients ? degree : lists->most;
        for (uint32_t e = 0; e < entries; e++) {
            ldpc_sink_text(sink, e ? " " : "");
            if (e < degree)
                write_entry(sink, lists, first + e);
            else
                ldpc_sink_text(sink, "0");
        }
        ldpc_sink_text(sink, "\n");
    }
}

static void write_sizes(ldpc_sink *sink, const ldpc_code *code)
{
    write_number(sink, code->columns, " ");
    ldpc_sink_number(sink, code->checks);
    if (code->nb) {
        const ldpc_field *field = &code->nb->field;
        ldpc_sink_text(sink, " ");
        ldpc_sink_number(sink, field->q);
        if (field->polynomial != ldpc_field_usual_polynomial(field->p)) {
            ldpc_sink_text(sink, " ");
            ldpc_sink_number(sink, field->polynomial);
        }
    }
    ldpc_sink_text(sink, "\n");
}

ldpc_status ldpc_code_write_alist(const ldpc_code *code, char *text, size_t capacity, size_t *needed)
{
    if (!code || !needed)
        return LDPC_ERR_NULL;
    ldpc_sink sink = {.text = text, .capacity = capacity};
    ldpc_columns columns;
    if (ldpc_columns_open(&columns, code))
        return LDPC_ERR_MEMORY;
    const entry_lists of_columns = {columns.start,          columns.checks,
                                    code->columns,          code->max_variable_degree,
                                    code->row_coefficients, code->nb ? code->nb->variable_edges : NULL};
    const entry_lists of_checks = {code->row_start,        code->row_columns,      code->checks,
                                   code->max_check_degree, code->row_coefficients, NULL};
    write_sizes(&sink, code);
    write_number(&sink, code->max_variable_degree, " ");
    write_number(&sink, code->max_check_degree, "\n");
    write_degrees(&sink, columns.start, code->columns);
    write_degrees(&sink, code->row_start, code->checks);
    write_lists(&sink, &of_columns);
    write_lists(&sink, &of_checks);
    ldpc_columns_close(&columns);
    return ldpc_sink_close(&sink, needed);
}
