/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads text files line by line with line numbers, and writes text to a buffer of limited size. */
#ifndef LDPC_TEXT_H
#define LDPC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status_internal.h"

/* ---- reading */

typedef struct ldpc_text {
    const char *next, *end; /* start of the next line; end of the text */
    const char *at, *stop;  /* start and end of the part of the current line that has not been read, without
                             * its comment */
    uint32_t line;          /* number of the current line, counted from 1 */
    ldpc_error *err;
} ldpc_text;

ldpc_text ldpc_text_open(const char *text, size_t length, ldpc_error *err);

/* Moves to the next line. At the end of the text, returns false; `line` is then one more than the number of
 * the last line. */
bool ldpc_text_next(ldpc_text *text);

/* Moves to the next line that is not blank. Returns false at the end of the text. */
bool ldpc_text_next_filled(ldpc_text *text);

/* Skips blanks. Returns true if the current line ends after them. */
bool ldpc_text_line_ended(ldpc_text *text);

/* Returns whether the next character is a blank or the end of the line. */
bool ldpc_text_at_blank(const ldpc_text *text);

/* Reads a decimal number 0 .. most from the current line. `what` is its name in error messages. A blank, a
 * comma, a minus sign or the end of the line must follow the number. */
ldpc_status ldpc_text_number(ldpc_text *text, uint32_t most, const char *what, uint32_t *number);

/* Reads `token` if it comes next in the current line, without skipping blanks. */
bool ldpc_text_accept(ldpc_text *text, const char *token);

/* Returns LDPC_ERR_FORMAT and writes an error message that begins with the line number. */
ldpc_status ldpc_text_fail(const ldpc_text *text, const char *format, ...) LDPC_PRINTF(2, 3);

/* ---- writing */

typedef struct ldpc_sink {
    char *text; /* buffer for the text; may be NULL */
    size_t capacity;
    size_t length; /* number of bytes written so far, including bytes that did not fit */
} ldpc_sink;

void ldpc_sink_text(ldpc_sink *sink, const char *text);
void ldpc_sink_number(ldpc_sink *sink, uint32_t number);

/* Terminates the text. Sets *needed to the size of the text, including the terminating zero. Returns
 * LDPC_ERR_RANGE if the text did not fit. If sink->text is NULL, always returns LDPC_OK. */
ldpc_status ldpc_sink_close(ldpc_sink *sink, size_t *needed);

#endif
