/* SPDX-License-Identifier: BSD-3-Clause */
/* Base-matrix (QC) files (docs/formats.md). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "code/families.h"
#include "base/memory.h"
#include "code/code_changes.h"
#include "code/code_file.h"

#define NONE UINT32_MAX

static ldpc_status read_sizes(ldpc_text *text, size_t length, uint32_t *groups, uint32_t *layers, uint32_t *z)
{
    ldpc_text_next_filled(text);
    ldpc_status status = ldpc_text_number(text, UINT32_MAX, "the number of block columns", groups);
    if (!status)
        status = ldpc_text_number(text, UINT32_MAX, "the number of block rows", layers);
    if (!status)
        status = ldpc_text_number(text, UINT32_MAX, "the lifting size", z);
    if (!status && !ldpc_text_line_ended(text))
        return ldpc_text_fail(
            text,
            "expected block columns, block rows and lifting size, found more than three numbers (a base "
            "matrix alone has no such line: write one before it)");
    if (!status && ldpc_code_size_check((uint64_t)*layers * *z, (uint64_t)*groups * *z, 0, NULL))
        return ldpc_text_fail(text,
                              "expected block columns and block rows that lift to 1 .. %" PRIu32
                              " columns and 1 .. %" PRIu32 " checks",
                              LDPC_MAX_COLUMNS, LDPC_MAX_CHECKS);
    if (!status && (uint64_t)*groups * *layers > length)
        return ldpc_text_fail(text, "expected a longer file: %zu bytes cannot hold this number of blocks",
                              length);
    return status;
}

static bool shift_given(const ldpc_code_builder *builder, size_t first, uint32_t shift)
{
    for (size_t i = first; i < builder->count; i++)
        if (builder->circulants[i].block.shift == shift)
            return true;
    return false;
}

static ldpc_status read_block(ldpc_text *text, ldpc_code_builder *builder, uint32_t layer, uint32_t group)
{
    size_t first = builder->count;
    if (ldpc_text_line_ended(text))
        return ldpc_text_fail(text, "expected %" PRIu32 " blocks, found %" PRIu32, builder->groups, group);
    if (!ldpc_text_accept(text, "-1"))
        do {
            uint32_t shift;
            ldpc_status status = ldpc_text_number(text, INT32_MAX, "-1 or a shift", &shift);
            if (status)
                return status;
            shift %= builder->z;
            if (shift_given(builder, first, shift))
                return ldpc_text_fail(text, "block column %" PRIu32 " has shift %" PRIu32 " twice", group + 1,
                                      shift);
            if ((builder->count + 1) * builder->z > LDPC_MAX_EDGES)
                return ldpc_text_fail(text, "expected at most %" PRIu32 " ones after lifting",
                                      LDPC_MAX_EDGES);
            ldpc_code_builder_add(builder, layer, group, shift);
        } while (ldpc_text_accept(text, ","));
    if (!ldpc_text_at_blank(text))
        return ldpc_text_fail(text, "expected a blank after block column %" PRIu32, group + 1);
    return LDPC_OK;
}

static ldpc_status read_blocks(ldpc_text *text, ldpc_code_builder *builder)
{
    for (uint32_t layer = 0; layer < builder->layers; layer++) {
        if (!ldpc_text_next_filled(text))
            return ldpc_text_fail(text,
                                  "expected block row %" PRIu32 " of %" PRIu32 ", found the end of the file",
                                  layer + 1, builder->layers);
        for (uint32_t group = 0; group < builder->groups; group++) {
            ldpc_status status = read_block(text, builder, layer, group);
            if (status)
                return status;
        }
        if (!ldpc_text_line_ended(text))
            return ldpc_text_fail(text, "expected %" PRIu32 " blocks, found more", builder->groups);
    }
    return LDPC_OK;
}

/* AFF3CT's files end with a flag per block column: 1 if the column is transmitted, otherwise 0. */
static ldpc_status read_pattern(ldpc_text *text, ldpc_code_builder *builder)
{
    ldpc_text ahead = *text;
    if (!ldpc_text_next_filled(&ahead) || (*ahead.at != '0' && *ahead.at != '1'))
        return LDPC_OK;
    *text = ahead;
    for (uint32_t group = 0; group < builder->groups; group++) {
        uint32_t sent;
        ldpc_status status =
            ldpc_text_number(text, 1, "1 or 0 for a block column that is transmitted or not", &sent);
        if (status)
            return status;
        if (!sent)
            ldpc_code_builder_set_role(builder, group * builder->z, builder->z, LDPC_ROLE_PUNCTURED);
    }
    if (!ldpc_text_line_ended(text))
        return ldpc_text_fail(text, "expected %" PRIu32 " block columns, found more", builder->groups);
    return LDPC_OK;
}

static ldpc_status qc_read(const char *content, size_t length, const char *name, ldpc_code **code,
                           ldpc_error *err)
{
    ldpc_text text = ldpc_text_open(content, length, err);
    uint32_t groups, layers, z;
    ldpc_status status = read_sizes(&text, length, &groups, &layers, &z);
    if (status)
        return status;
    ldpc_code_builder builder;
    if (ldpc_code_builder_open(&builder, z, layers, groups, err))
        return LDPC_ERR_MEMORY;
    status = read_blocks(&text, &builder);
    if (!status)
        status = read_pattern(&text, &builder);
    if (!status)
        status = ldpc_code_changes_read(&text, &builder);
    if (status) {
        ldpc_code_builder_close(&builder);
        return status;
    }
    return ldpc_code_builder_finish(&builder, name, "", code, err);
}

static ldpc_status qc_create(const char *name, ldpc_code **code, ldpc_error *err)
{
    return ldpc_code_from_file(name, qc_read, code, err);
}

const ldpc_family ldpc_qc_family = {.prefix = "qc", .name = NULL, .create = qc_create};

ldpc_status ldpc_code_create_qc(const char *text, size_t length, ldpc_code **code, ldpc_error *err)
{
    if (code)
        *code = NULL;
    if (!text || !code)
        return ldpc_fail(err, LDPC_ERR_NULL, "text and code must not be NULL");
    return qc_read(text, length, "qc", code, err);
}

/* ---- writing */

static bool can_be_written(const ldpc_code *code)
{
    bool can = code->order == 2 && code->z > 1;
    for (uint32_t b = 0; can && b < code->layer_start[code->layers]; b++)
        can = code->blocks[b].missing_lane == LDPC_NO_LANE;
    for (uint32_t c = 0; can && c < code->checks; c++)
        can = code->check_at[c] == c;
    for (uint32_t v = 0; can && v < code->columns; v++)
        can = code->column_at[v] == v;
    for (uint32_t i = 0; can && i < code->n; i++)
        can = code->transmitted[i] != LDPC_NO_COLUMN;
    return can;
}

static void list_blocks(const ldpc_code *code, uint32_t layer, uint32_t *first, uint32_t *next)
{
    for (uint32_t g = 0; g < code->groups; g++)
        first[g] = NONE;
    for (uint32_t b = code->layer_start[layer + 1]; b-- > code->layer_start[layer];) {
        next[b] = first[code->blocks[b].group];
        first[code->blocks[b].group] = b;
    }
}

static void write_layer(ldpc_sink *sink, const ldpc_code *code, const uint32_t *first, const uint32_t *next)
{
    for (uint32_t group = 0; group < code->groups; group++) {
        ldpc_sink_text(sink, group ? " " : "");
        if (first[group] == NONE)
            ldpc_sink_text(sink, "-1");
        for (uint32_t b = first[group]; b != NONE; b = next[b]) {
            ldpc_sink_text(sink, b == first[group] ? "" : ",");
            ldpc_sink_number(sink, code->blocks[b].shift);
        }
    }
    ldpc_sink_text(sink, "\n");
}

static void write_roles(ldpc_sink *sink, const char *keyword, const uint8_t *roles, uint32_t columns,
                        uint8_t role)
{
    bool any = false;
    for (uint32_t v = 0; v < columns; v++) {
        if (roles[v] != role)
            continue;
        uint32_t from = v;
        while (v + 1 < columns && roles[v + 1] == role)
            v++;
        ldpc_sink_text(sink, any ? " " : keyword);
        ldpc_sink_number(sink, from);
        if (v > from) {
            ldpc_sink_text(sink, "-");
            ldpc_sink_number(sink, v);
        }
        any = true;
    }
    ldpc_sink_text(sink, any ? "\n" : "");
}

static void write_message(ldpc_sink *sink, const ldpc_code *code)
{
    if (!code->message_chosen)
        return;
    ldpc_sink_text(sink, "message");
    for (uint32_t i = 0; i < code->k; i++) {
        ldpc_sink_text(sink, " ");
        ldpc_sink_number(sink, code->message[i]);
    }
    ldpc_sink_text(sink, "\n");
}

static void write_sizes(ldpc_sink *sink, const ldpc_code *code)
{
    const uint32_t sizes[] = {code->groups, code->layers, code->z};
    for (int i = 0; i < 3; i++) {
        ldpc_sink_number(sink, sizes[i]);
        ldpc_sink_text(sink, i < 2 ? " " : "\n");
    }
}

ldpc_status ldpc_code_write_qc(const ldpc_code *code, char *text, size_t capacity, size_t *needed)
{
    if (!code || !needed)
        return LDPC_ERR_NULL;
    if (!can_be_written(code))
        return LDPC_ERR_UNSUPPORTED;
    uint8_t *roles = ldpc_allocate(code->columns, sizeof *roles);
    uint32_t *first = ldpc_allocate(code->groups, sizeof *first);
    uint32_t *next = ldpc_allocate(code->layer_start[code->layers], sizeof *next);
    ldpc_sink sink = {.text = text, .capacity = capacity};
    const bool enough = roles && first && next;
    if (enough) {
        ldpc_code_roles(code, roles);
        write_sizes(&sink, code);
        for (uint32_t layer = 0; layer < code->layers; layer++) {
            list_blocks(code, layer, first, next);
            write_layer(&sink, code, first, next);
        }
        write_roles(&sink, "punctured ", roles, code->columns, LDPC_ROLE_PUNCTURED);
        write_roles(&sink, "shortened ", roles, code->columns, LDPC_ROLE_SHORTENED);
        write_message(&sink, code);
    }
    free(roles);
    free(first);
    free(next);
    return enough ? ldpc_sink_close(&sink, needed) : LDPC_ERR_MEMORY;
}
