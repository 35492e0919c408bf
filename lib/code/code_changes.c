/* SPDX-License-Identifier: BSD-3-Clause */
/* Punctured, shortened and message columns, in the last lines of a base-matrix file (docs/formats.md) or
 * after a code name:
 *
 *     punctured 0-31 40      alist:FILE,punctured=0-31+40,message=last
 *     message last
 */
#include "code/code_changes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- reading */

/* Reads columns A and ranges A-B, counted from 0, up to the end of the line. */
static ldpc_status read_columns(ldpc_text *text, const char *what, uint32_t columns, bool *seen,
                                uint32_t *list, uint32_t *count)
{
    uint32_t from, to;
    while (!ldpc_text_line_ended(text)) {
        ldpc_status status = ldpc_text_number(text, columns - 1, what, &from);
        to = from;
        if (!status && ldpc_text_accept(text, "-"))
            status = ldpc_text_number(text, columns - 1, what, &to);
        if (status)
            return status;
        if (to < from || !ldpc_text_at_blank(text))
            return ldpc_text_fail(text, "expected columns as A or A-B with A <= B");
        for (uint32_t v = from; v <= to; v++) {
            if (seen[v])
                return ldpc_text_fail(text, "column %" PRIu32 " is listed twice", v);
            seen[v] = true;
            list[(*count)++] = v;
        }
    }
    return LDPC_OK;
}

static ldpc_status set_roles(const ldpc_text *text, ldpc_code_builder *builder, const uint32_t *list,
                             uint32_t count, ldpc_role role)
{
    for (uint32_t i = 0; i < count; i++) {
        if (builder->role[list[i]] != LDPC_ROLE_TRANSMITTED)
            return ldpc_text_fail(text, "column %" PRIu32 " is already punctured or shortened", list[i]);
        builder->role[list[i]] = (uint8_t)role;
    }
    return LDPC_OK;
}

static void set_order(ldpc_code_builder *builder, const bool *listed, const uint32_t *list, bool last)
{
    const uint32_t columns = builder->groups * builder->z;
    uint32_t next = builder->message_count;
    for (uint32_t i = 0; i < next; i++)
        builder->message_order[i] = list[i];
    for (uint32_t i = 0; i < columns; i++)
        if (!listed[last ? columns - 1 - i : i])
            builder->message_order[next++] = last ? columns - 1 - i : i;
}

static ldpc_status read_line(ldpc_text *text, ldpc_code_builder *builder, bool *seen, uint32_t *list)
{
    const uint32_t columns = builder->groups * builder->z;
    const bool punctured = ldpc_text_accept(text, "punctured "),
               shortened = !punctured && ldpc_text_accept(text, "shortened "),
               message = !punctured && !shortened && ldpc_text_accept(text, "message ");
    const bool first = message && ldpc_text_accept(text, "first"),
               last = message && !first && ldpc_text_accept(text, "last");
    uint32_t count = 0;
    if (!punctured && !shortened && !message)
        return ldpc_text_fail(text,
                              "expected \"punctured COLUMNS\", \"shortened COLUMNS\", \"message COLUMNS\", "
                              "\"message first\" or \"message last\"");
    if ((first || last) && !ldpc_text_line_ended(text))
        return ldpc_text_fail(text, "expected the end of the line after \"%s\"", first ? "first" : "last");
    const char *what = punctured   ? "a punctured column"
                       : shortened ? "a shortened column"
                                   : "a message column, first or last";
    ldpc_status status = read_columns(text, what, columns, seen, list, &count);
    if (status)
        return status;
    if (count == 0 && !first && !last)
        return ldpc_text_fail(text, "expected %s, found none", what);
    if (!message)
        return set_roles(text, builder, list, count, punctured ? LDPC_ROLE_PUNCTURED : LDPC_ROLE_SHORTENED);
    free(builder->message_order);
    builder->message_order = first ? NULL : ldpc_allocate(columns, sizeof *builder->message_order);
    if (!first && !builder->message_order)
        return ldpc_fail_memory(text->err);
    builder->message_count = count;
    builder->message_line = count ? text->line : 0;
    if (!first)
        set_order(builder, seen, list, last);
    return LDPC_OK;
}

ldpc_status ldpc_code_changes_read(ldpc_text *text, ldpc_code_builder *builder)
{
    const uint32_t columns = builder->groups * builder->z;
    bool *seen = ldpc_allocate(columns, sizeof *seen);
    uint32_t *list = ldpc_allocate(columns, sizeof *list);
    ldpc_status status = seen && list ? LDPC_OK : ldpc_fail_memory(text->err);
    while (!status && ldpc_text_next_filled(text)) {
        memset(seen, 0, columns * sizeof *seen);
        status = read_line(text, builder, seen, list);
    }
    free(seen);
    free(list);
    return status;
}

/* ---- from another code */

static ldpc_status keep_message(const ldpc_code *code, ldpc_code_builder *builder)
{
    if (!code->message_chosen)
        return LDPC_OK;
    bool *listed = ldpc_allocate(code->columns, sizeof *listed);
    builder->message_order = ldpc_allocate(code->columns, sizeof *builder->message_order);
    builder->message_count = code->k;
    const ldpc_status status = listed && builder->message_order ? LDPC_OK : LDPC_ERR_MEMORY;
    if (!status) {
        for (uint32_t i = 0; i < code->k; i++)
            listed[code->message[i]] = true;
        set_order(builder, listed, code->message, false);
    }
    free(listed);
    return status;
}

static void copy_graph(const ldpc_code *code, ldpc_code_builder *builder)
{
    for (uint32_t layer = 0; layer < code->layers; layer++)
        for (uint32_t b = code->layer_start[layer]; b < code->layer_start[layer + 1]; b++)
            ldpc_code_builder_add_incomplete(builder, layer, code->blocks[b].group, code->blocks[b].shift,
                                             code->blocks[b].missing_lane);
    memcpy(builder->check_at, code->check_at, code->checks * sizeof *builder->check_at);
    memcpy(builder->column_at, code->column_at, code->columns * sizeof *builder->column_at);
    ldpc_code_roles(code, builder->role);
}

void ldpc_code_roles(const ldpc_code *code, uint8_t *roles)
{
    memset(roles, LDPC_ROLE_PUNCTURED, code->columns);
    for (uint32_t i = 0; i < code->n; i++)
        roles[code->transmitted[i]] = LDPC_ROLE_TRANSMITTED;
    for (uint32_t i = 0; i < code->shortened; i++)
        roles[code->known_zero[i]] = LDPC_ROLE_SHORTENED;
}

static ldpc_status check_code(const ldpc_code *code, ldpc_error *err)
{
    if (code->order > 2)
        return ldpc_fail(err, LDPC_ERR_UNSUPPORTED,
                         "%s is a code over GF(%" PRIu32
                         "): expected a binary code to puncture, to shorten or to "
                         "choose message columns of",
                         code->name, code->order);
    for (uint32_t i = 0; i < code->n; i++)
        if (code->transmitted[i] == LDPC_NO_COLUMN)
            return ldpc_fail(err, LDPC_ERR_UNSUPPORTED,
                             "%s transmits constant zeros: expected a code whose bits are all columns of H",
                             code->name);
    return LDPC_OK;
}

static char *lines_of(const char *changes)
{
    const size_t length = strlen(changes);
    char *lines = ldpc_allocate(length + 1, 1);
    for (size_t i = 0; lines && i <= length; i++)
        lines[i] = changes[i] == ',' ? '\n' : changes[i] == '=' || changes[i] == '+' ? ' ' : changes[i];
    return lines;
}

static ldpc_status fail_words(ldpc_status status, const ldpc_error *reason, ldpc_error *err)
{
    const char *text = strstr(reason->message, ": ");
    return status == LDPC_ERR_FORMAT && text
               ? ldpc_fail(err, LDPC_ERR_PARAM, "columns of a code: %.300s", text + 2)
               : ldpc_fail(err, status, "%.300s", reason->message);
}

ldpc_status ldpc_code_create_changed(const ldpc_code *code, const char *changes, ldpc_code **changed,
                                     ldpc_error *err)
{
    if (changed)
        *changed = NULL;
    if (!code || !changes || !changed)
        return ldpc_fail(err, LDPC_ERR_NULL, "code, changes and changed must not be NULL");
    ldpc_status status = check_code(code, err);
    if (status)
        return status;
    char *lines = lines_of(changes), name[sizeof code->name];
    ldpc_code_builder builder;
    if (!lines || ldpc_code_builder_open(&builder, code->z, code->layers, code->groups, NULL)) {
        free(lines);
        return ldpc_fail_memory(err);
    }
    copy_graph(code, &builder);
    ldpc_error reason = {""};
    ldpc_text text = ldpc_text_open(lines, strlen(lines), &reason);
    status =
        keep_message(code, &builder) ? ldpc_fail_memory(&reason) : ldpc_code_changes_read(&text, &builder);
    free(lines);
    if (status) {
        ldpc_code_builder_close(&builder);
        return fail_words(status, &reason, err);
    }
    snprintf(name, sizeof name, "%.63s,%.63s", code->name, changes);
    status = ldpc_code_builder_finish(&builder, name, "", changed, &reason);
    if (status)
        return fail_words(status, &reason, err);
    (*changed)->three_min = code->three_min;
    return LDPC_OK;
}

/* ---- names */

const char *ldpc_code_changes_in(const char *name)
{
    static const char *const words[] = {",message=", ",punctured=", ",shortened="};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(name, words[i]);
        if (at && (!first || at < first))
            first = at;
    }
    return first;
}

ldpc_status ldpc_code_create_with_changes(const char *name, const char *at, ldpc_code **code, ldpc_error *err)
{
    char *base_name = ldpc_allocate((size_t)(at - name) + 1, 1);
    if (!base_name)
        return ldpc_fail_memory(err);
    memcpy(base_name, name, (size_t)(at - name));
    ldpc_code *base;
    ldpc_status status = ldpc_code_create(base_name, &base, err);
    free(base_name);
    if (!status)
        status = ldpc_code_create_changed(base, at + 1, code, err);
    ldpc_code_destroy(base);
    return status;
}
