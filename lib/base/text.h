/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LDPC_TEXT_H
#define LDPC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status_internal.h"

/* ---- reading */

typedef struct ldpc_text {
    const char *next, *end; /* start of the next line; end of the whole text */
    const char *at, *stop;
    uint32_t line; /* number of the current line, from 1 */
    ldpc_error *err;
} ldpc_text;

ldpc_text ldpc_text_open(const char *text, size_t length, ldpc_error *err);

/* Moves to the next line. Returns false at the end of the text; `line` is then the number of lines + 1. */
bool ldpc_text_next(ldpc_text *text);

/* Moves to the next line that is not blank. Returns false at the end. */
bool ldpc_text_next_filled(ldpc_text *text);

/* Skips blanks. Returns whether the end of the line follows. */
bool ldpc_text_line_ended(ldpc_text *text);

/* Returns whether a blank or the end of the line comes next. */
bool ldpc_text_at_blank(const ldpc_text *text);

/* Reads a number 0 .. most. A blank, comma, minus sign or the end of the line must follow. */
ldpc_status ldpc_text_number(ldpc_text *text, uint32_t most, const char *what, uint32_t *number);

/* Reads `token` if it comes next, without skipping blanks. */
bool ldpc_text_accept(ldpc_text *text, const char *token);

/* Returns LDPC_ERR_FORMAT with a message that begins with the line number. */
ldpc_status ldpc_text_fail(const ldpc_text *text, const char *format, ...) LDPC_PRINTF(2, 3);

/* ---- writing */

typedef struct ldpc_sink {
    char *text; /* may be NULL */
    size_t capacity;
    size_t length; /* number of bytes written, plus the number of bytes that did not fit */
} ldpc_sink;

void ldpc_sink_text(ldpc_sink *sink, const char *text);
void ldpc_sink_number(ldpc_sink *sink, uint32_t number);

/* Terminates the text. Returns LDPC_ERR_RANGE if it did not fit; LDPC_OK if sink->text is NULL. */
ldpc_status ldpc_sink_close(ldpc_sink *sink, size_t *needed);

#endif
