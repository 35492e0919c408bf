/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* ---- reading */

ldpc_text ldpc_text_open(const char *text, size_t length, ldpc_error *err)
{
    /* byte order mark of UTF-8, from editors of Windows */
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    const size_t skipped = length >= 3 && memcmp(text, byte_order_mark, 3) == 0 ? 3 : 0;
    return (ldpc_text){.next = text + skipped, .end = text + length, .err = err};
}

bool ldpc_text_next(ldpc_text *text)
{
    text->line++;
    text->at = text->stop = text->end;
    if (text->next == text->end)
        return false;
    const char *newline = memchr(text->next, '\n', (size_t)(text->end - text->next));
    const char *line_end = newline ? newline : text->end;
    const char *comment = memchr(text->next, '#', (size_t)(line_end - text->next));
    text->at = text->next;
    text->stop = comment ? comment : line_end;
    text->next = newline ? newline + 1 : text->end;
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool ldpc_text_line_ended(ldpc_text *text)
{
    while (text->at < text->stop && is_blank(*text->at))
        text->at++;
    return text->at == text->stop;
}

bool ldpc_text_at_blank(const ldpc_text *text)
{
    return text->at == text->stop || is_blank(*text->at);
}

bool ldpc_text_next_filled(ldpc_text *text)
{
    while (ldpc_text_next(text))
        if (!ldpc_text_line_ended(text))
            return true;
    return false;
}

ldpc_status ldpc_text_number(ldpc_text *text, uint32_t most, const char *what, uint32_t *number)
{
    if (ldpc_text_line_ended(text))
        return ldpc_text_fail(text, "expected %s, found the end of the line", what);
    const char *first = text->at;
    uint64_t value = 0;
    while (text->at < text->stop && *text->at >= '0' && *text->at <= '9' && value <= most)
        value = 10 * value + (uint64_t)(*text->at++ - '0');
    bool ended = ldpc_text_at_blank(text) || *text->at == ',' || *text->at == '-';
    if (text->at == first || !ended || value > most) {
        size_t length = 0;
        while (first + length < text->stop && !is_blank(first[length]) && length < 20)
            length++;
        return ldpc_text_fail(text, "expected %s, 0 .. %" PRIu32 ", found \"%.*s\"", what, most, (int)length,
                              first);
    }
    *number = (uint32_t)value;
    return LDPC_OK;
}

bool ldpc_text_accept(ldpc_text *text, const char *token)
{
    size_t length = strlen(token);
    if ((size_t)(text->stop - text->at) < length || memcmp(text->at, token, length))
        return false;
    text->at += length;
    return true;
}

ldpc_status ldpc_text_fail(const ldpc_text *text, const char *format, ...)
{
    if (text->err) {
        int used = snprintf(text->err->message, sizeof text->err->message, "line %" PRIu32 ": ", text->line);
        va_list args;
        va_start(args, format);
        vsnprintf(text->err->message + used, sizeof text->err->message - (size_t)used, format, args);
        va_end(args);
        ldpc_make_printable(text->err->message);
    }
    return LDPC_ERR_FORMAT;
}

/* ---- writing */

void ldpc_sink_text(ldpc_sink *sink, const char *text)
{
    for (; *text; text++, sink->length++)
        if (sink->text && sink->length < sink->capacity)
            sink->text[sink->length] = *text;
}

void ldpc_sink_number(ldpc_sink *sink, uint32_t number)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%" PRIu32, number);
    ldpc_sink_text(sink, digits);
}

ldpc_status ldpc_sink_close(ldpc_sink *sink, size_t *needed)
{
    *needed = sink->length + 1;
    if (!sink->text)
        return LDPC_OK;
    if (sink->capacity > 0)
        sink->text[sink->length < sink->capacity ? sink->length : sink->capacity - 1] = '\0';
    return *needed <= sink->capacity ? LDPC_OK : LDPC_ERR_RANGE;
}
